import {
  emptySessionView,
  foldSessionEvents,
  openTurn,
  pendingApprovals,
  type PendingApproval,
  type SessionEvent,
  type SessionView,
  type TurnView,
} from '../../protocol';
import { plannedKey, type Decision, type Plan } from './plan';

/** What the person outside knows of the sessions of one core. */
export interface SessionWatch {
  learn(events: readonly SessionEvent[]): void;
  /** A turn whose end the journal could not take; it is over all the same. */
  endUnrecorded(turnId: string): void;
  sessions(): readonly string[];
  view(sessionId: string): SessionView;
  /** The turn that has not ended, or null. */
  open(sessionId: string): TurnView | null;
  pending(sessionId: string): readonly PendingApproval[];
  /** How many events of the turn are known. */
  eventsOf(turnId: string): number;
}

export function createSessionWatch(): SessionWatch {
  const events = new Map<string, SessionEvent[]>();
  const counts = new Map<string, number>();
  const over = new Set<string>();
  const view = (sessionId: string): SessionView =>
    foldSessionEvents(emptySessionView(sessionId), events.get(sessionId) ?? []);
  const watch: SessionWatch = {
    learn(fresh) {
      for (const event of fresh) {
        const known = events.get(event.session_id) ?? [];
        events.set(event.session_id, known);
        if ((known.at(-1)?.seq ?? 0) >= event.seq) continue;
        known.push(event);
        const turn = event.turn_id ?? '';
        counts.set(turn, (counts.get(turn) ?? 0) + 1);
      }
    },
    endUnrecorded: (turnId) => void over.add(turnId),
    sessions: () => [...events.keys()],
    view,
    open(sessionId) {
      const turn = openTurn(view(sessionId));
      return turn && !over.has(turn.turn_id) ? turn : null;
    },
    pending: (sessionId) => (watch.open(sessionId) ? pendingApprovals(view(sessionId)) : []),
    eventsOf: (turnId) => counts.get(turnId) ?? 0,
  };
  return watch;
}

export function decisionOf(plan: Plan, callId: string): Decision {
  const usual: Decision = { answer: 'once', when: 'at_once', leave: false, twice: false };
  return plan.decisions.get(plannedKey(callId)) ?? usual;
}

/** Whether nothing of the turn can go on before requests are answered that the person leaves lying. */
export function onlyLeft(plan: Plan, turn: TurnView, pending: readonly PendingApproval[]): boolean {
  if (pending.length === 0) return false;
  const waiting = new Set(pending.map(({ row }) => row.call_id));
  const all = [...turn.rows.values()].filter((row) => row.finished === null);
  return all.every((row) => waiting.has(row.call_id) && decisionOf(plan, row.call_id).leave);
}
