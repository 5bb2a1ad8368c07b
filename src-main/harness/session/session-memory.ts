import {
  emptySessionView,
  foldSessionEvents,
  isKeyEvent,
  ok,
  type Result,
  type SessionEvent,
  type SessionView,
} from '../protocol';
import type { Journal } from '../journal';
import type { History } from '../turn';
import { readBranchHistory, type BranchHistory } from './branch-history';

/** Whether the event leaves the branch on which the history stands. */
function leavesBranch(facts: SessionView, event: SessionEvent): boolean {
  switch (event.type) {
    case 'branch_selected':
      return event.data.turn_id !== facts.head?.data;
    case 'message_submitted':
    case 'turn_retried':
    case 'call_rerun':
      return event.data.follows !== undefined && event.data.follows !== (facts.head?.data ?? null);
    default:
      return false;
  }
}

/** The turn that the event opens, or null. */
function openedBy(event: SessionEvent): string | null {
  return ['message_submitted', 'turn_retried', 'call_rerun'].includes(event.type) ? event.turn_id : null;
}

/** The facts and the history of a session, kept in step with what is committed. */
export function createSessionMemory(journal: Journal, sessionId: string, keyEvents: readonly SessionEvent[]) {
  let facts = foldSessionEvents(emptySessionView(sessionId), keyEvents);
  let branch: BranchHistory | null = null;
  const follow = (event: SessionEvent): void => {
    if (leavesBranch(facts, event)) branch = null;
    if (isKeyEvent(event)) facts = foldSessionEvents(facts, [event]);
    if (!branch || event.turn_id === null) return;
    const opened = openedBy(event);
    if (opened !== null) branch.path.add(opened);
    // What is recorded of a turn of another branch, a settlement for example, is none of this conversation.
    if (branch.path.has(event.turn_id)) branch.history.apply(event);
  };
  return {
    facts: () => facts,
    follow(events: readonly SessionEvent[]): void {
      for (const event of events) follow(event);
    },
    history(): Result<History> {
      if (branch) return ok(branch.history);
      const read = readBranchHistory(journal, sessionId, facts);
      if (!read.ok) return read;
      branch = read.value;
      return ok(branch.history);
    },
  };
}
