import {
  openPause,
  orderedRows,
  orderedTurns,
  queuedMessages,
  rowState,
  type CallRow,
  type SessionView,
  type TurnView,
} from '../../protocol';
import type { CoreRequest } from './core-process';
import type { Act } from './history';
import type { PersonDeps } from './person';
import { messageOf, plannedKey, type PlannedSession, type PlannedTurn } from './plan';
import type { SessionWatch } from './session-watch';

export interface Reply {
  readonly ok: boolean;
  readonly value?: { readonly turn_id?: string | null; readonly queued_id?: string | null } | null;
  readonly error?: { readonly code: string };
}

/** Does one thing in a session and writes down what came of it. Null: the core died before it said so. */
export type Doing = (
  type: Act['type'],
  request: CoreRequest & { readonly session_id: string },
  about?: string,
) => Promise<Reply | null>;

export function createDoing({ core, history, run }: PersonDeps): Doing {
  return async (type, request, about) => {
    const act: Act = { run, session_id: request.session_id, type, about: about ?? null, taken: null };
    history.acts.push(act);
    const reply = (await core.ask(request)) as Reply | null;
    act.taken = reply?.ok ?? null;
    act.about ??= reply?.value?.turn_id ?? reply?.value?.queued_id ?? null;
    return reply;
  };
}

function chosen(view: SessionView, of: number, which: (turn: TurnView) => boolean): string | null {
  const turns = orderedTurns(view).filter(which);
  return turns[Math.min(turns.length - 1, Math.floor(of * turns.length))]?.turn_id ?? null;
}

/** Sends the message in the way that the plan has for it, when nothing runs. */
export function sendMessage(
  doing: Doing,
  view: SessionView,
  turn: PlannedTurn,
): { readonly type: Act['type']; readonly done: Promise<Reply | null> } {
  const { session_id } = view;
  const text = messageOf(turn.marker);
  const way = turn.way ?? { type: 'submit' };
  if (way.type === 'queue') {
    const request = { op: 'queue', session_id, text, delivery: way.delivery } as const;
    return { type: 'queue', done: doing('queue', request) };
  }
  const turn_id = way.type === 'edit' ? chosen(view, way.of, (one) => one.submitted !== null) : null;
  return turn_id === null
    ? { type: 'submit', done: doing('submit', { op: 'submit', session_id, text }) }
    : { type: 'edit', done: doing('edit', { op: 'edit', session_id, turn_id, text }) };
}

/** Calls of unknown outcome on which the person has not spoken. */
function unsettled(view: SessionView): { readonly turn: TurnView; readonly row: CallRow } | null {
  for (const turn of orderedTurns(view)) {
    for (const row of orderedRows(turn)) {
      const state = rowState(row, turn);
      if (row.settled || row.finished === null) continue;
      if (state === 'outcome_unknown' || state === 'cancelled_may_have_run') return { turn, row };
    }
  }
  return null;
}

function settle(
  deps: PersonDeps,
  doing: Doing,
  view: SessionView,
  plan: PlannedSession,
): Promise<Reply | null> | null {
  const unknown = unsettled(view);
  if (!unknown || plan.settlement === undefined) return null;
  const { turn_id, rerun } = unknown.turn;
  const { call_id } = unknown.row;
  // One that was run again already is left at that.
  const settlement =
    rerun || !deps.plan.decisions.has(plannedKey(call_id)) ? 'did_not_happen' : plan.settlement;
  const request = { op: 'settle', session_id: view.session_id, turn_id, call_id, settlement } as const;
  return settlement === 'run_again' ? doing('settle', request) : doing('settle', request, call_id);
}

/** What the person does in a session in which nothing runs. */
export interface Idle {
  /** Settles what is unknown and does what the plan has before the next message; null where there is nothing. */
  before(view: SessionView, index: number, next: PlannedTurn | undefined): Promise<Reply | null> | null;
  /** Sends a message that is held back in the queue; null where none is. */
  release(view: SessionView): Promise<Reply | null> | null;
}

export function createIdle(deps: PersonDeps, doing: Doing): Idle {
  const did = new Set<PlannedTurn>();
  const tried = new Set<string>();
  return {
    before(view, index, next) {
      const { session_id } = view;
      const plan = deps.plan.sessions[index];
      const unknown = unsettled(view);
      if (plan && unknown && !tried.has(unknown.row.call_id)) {
        tried.add(unknown.row.call_id);
        const settled = settle(deps, doing, view, plan);
        if (settled) return settled;
      }
      if (!next?.before || did.has(next)) return null;
      did.add(next);
      const { type, of } = next.before;
      if (type === 'retry') return doing('retry', { op: 'retry', session_id });
      const turn_id = chosen(view, of, (turn) => type === 'select' || turn.submitted !== null);
      if (turn_id === null) return null;
      return type === 'select'
        ? doing('select', { op: 'select', session_id, turn_id }, turn_id)
        : doing('regenerate', { op: 'regenerate', session_id, turn_id });
    },
    release(view) {
      if (queuedMessages(view).length === 0) return null;
      return doing('send_queued', { op: 'send_queued', session_id: view.session_id });
    },
  };
}

/** Answers pauses, and sees that no request goes out before the answer. */
export interface Pauses {
  /** Looks at the turn; a pause that it sees is answered later. */
  look(sessionId: string): void;
  /** Answers what may be answered; whether there was anything. */
  answer(sessionId: string): boolean;
  /** Whether the session stands at a pause that the person leaves. */
  leaves(sessionId: string): boolean;
}

export function createPauses(deps: PersonDeps, doing: Doing, watch: SessionWatch): Pauses {
  const { plan, parts, history, last, run } = deps;
  const seen = new Map<string, number>();
  const answered = new Set<string>();
  const openOf = (sessionId: string): string | null => {
    const turn = watch.open(sessionId);
    return turn ? (openPause(turn)?.pause_id ?? null) : null;
  };
  const habitOf = (sessionId: string) => plan.sessions[parts.sessions.indexOf(sessionId)]?.pause;
  const requests = (sessionId: string): number => deps.requestsOf(parts.sessions.indexOf(sessionId));
  const pauses: Pauses = {
    look(sessionId) {
      const pause = openOf(sessionId);
      if (pause !== null && !seen.has(pause)) seen.set(pause, requests(sessionId));
    },
    answer(sessionId) {
      const pause_id = openOf(sessionId);
      if (pause_id === null || answered.has(pause_id) || pauses.leaves(sessionId)) return false;
      pauses.look(sessionId);
      answered.add(pause_id);
      if (requests(sessionId) > (seen.get(pause_id) ?? 0))
        history.seen.push(`run ${run}: a model was asked while ${pause_id} waited`);
      const go_on = last || habitOf(sessionId)?.go_on !== false;
      const request = { op: 'pause', session_id: sessionId, pause_id, go_on } as const;
      void doing(go_on ? 'go_on' : 'halt', request, pause_id);
      return true;
    },
    leaves: (sessionId) => !last && openOf(sessionId) !== null && habitOf(sessionId)?.leave === true,
  };
  return pauses;
}
