import { setImmediate as nextTurnOfLoop } from 'node:timers/promises';
import {
  emptySessionView,
  fail,
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
  /** How often the branch that is looked at became another. */
  let turned = 0;
  const follow = (event: SessionEvent): void => {
    if (leavesBranch(facts, event)) branch = null;
    if (event.type === 'branch_selected' || openedBy(event) !== null) turned += 1;
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
    /** Reads it where it is not at hand, letting others go on between two pages. Failures: also `cancelled`. */
    async history(signal: AbortSignal): Promise<Result<History>> {
      let reading = readBranchHistory(journal, sessionId, facts);
      let begunAt = turned;
      for (;;) {
        if (branch) return ok(branch.history);
        const step = reading.next();
        if (step.done) {
          if (!step.value.ok) return step.value;
          branch = step.value.value;
          return ok(branch.history);
        }
        await nextTurnOfLoop();
        if (signal.aborted) return fail('cancelled', 'Nobody waits for this conversation any more.');
        if (turned === begunAt) continue;
        reading = readBranchHistory(journal, sessionId, facts);
        begunAt = turned;
      }
    },
  };
}
