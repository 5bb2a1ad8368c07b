import type { SessionSummary } from '../harness';

/** A turn counts as long when it, with those that followed it at once, worked longer than this, in milliseconds. */
export const longTurnMs = 30_000;
/** How long a session must rest after a turn before it counts as finished: a queued message may follow. */
export const restMs = 1_000;
/** Who leaves the window within this time of a request may not have seen it. */
const noticedMs = 2_000;

export type EndOutcome = 'done' | 'failed' | 'unknown';

export interface WaitingRequest {
  readonly session_id: string;
  /** Id of the request or the pause. */
  readonly approval_id: string;
  /** The person had the window before them while it waited, or reacted to a notice of it. */
  readonly seen: boolean;
  /** A notice has stood for it. */
  readonly told: boolean;
  readonly since: number;
}

export interface TurnEnd {
  readonly outcome: EndOutcome;
  readonly at: number;
  readonly told: boolean;
}

interface SessionFacts {
  readonly waiting: readonly string[];
  readonly unsettled: number;
  readonly open_turn: string | null;
  readonly active_ms: number;
  /** What the turns worked that followed one another without a rest. */
  readonly run_ms: number;
  readonly ended_at: number;
}

/** What the latest notice stands for. */
export interface LatestNotice {
  readonly id: number;
  /** Keys of `requests`, oldest first. */
  readonly requests: readonly string[];
  readonly ends: ReadonlyMap<string, EndOutcome>;
  /** `hidden`: the system or the person put it away; a list of the system may still have it. */
  readonly state: 'shown' | 'hidden' | 'closed';
}

/** What is known of sessions, of the person and of what was shown. Times are of one monotonic clock, in milliseconds. */
export interface AttentionState {
  readonly sessions: ReadonlyMap<string, SessionFacts>;
  /** Everything that waits for an answer, oldest first. */
  readonly requests: ReadonlyMap<string, WaitingRequest>;
  /** Long turns that ended while nobody looked, by session. */
  readonly ends: ReadonlyMap<string, TurnEnd>;
  /** Whether the window has the focus. */
  readonly present: boolean;
  /** When the focus came or went last. */
  readonly turned_at: number;
  readonly latest: LatestNotice | null;
  readonly shown_at: number | null;
  /** How many notices in a row had to be held back. */
  readonly streak: number;
  /** From here the time until the next reminder counts. */
  readonly remind_from: number;
  /** The count that the badge shows. */
  readonly badge: number;
}

export type AttentionInput =
  /** A session as it stood when the app began: the person finds it in the window. */
  | { readonly type: 'known'; readonly summary: SessionSummary }
  | { readonly type: 'session'; readonly summary: SessionSummary }
  | { readonly type: 'removed'; readonly session_id: string }
  | { readonly type: 'presence'; readonly present: boolean }
  /** The system or the person put the notice away. */
  | { readonly type: 'hidden'; readonly id: number }
  | { readonly type: 'clicked' }
  /** Time has passed, or a setting is another. */
  | { readonly type: 'time' };

export function initialAttention(now: number): AttentionState {
  return {
    sessions: new Map(),
    requests: new Map(),
    ends: new Map(),
    present: false,
    turned_at: now,
    latest: null,
    shown_at: null,
    streak: 0,
    remind_from: now,
    badge: 0,
  };
}

function requestsAfter(
  state: AttentionState,
  summary: SessionSummary,
  seen: boolean,
  now: number,
): AttentionState {
  const { session_id, waiting } = summary;
  const before = state.sessions.get(session_id)?.waiting ?? [];
  if (before.length === waiting.length && before.every((id, at) => id === waiting[at])) return state;
  const requests = new Map(state.requests);
  const still = new Set(waiting);
  for (const id of before) if (!still.has(id)) requests.delete(`${session_id}/${id}`);
  for (const approval_id of waiting) {
    const key = `${session_id}/${approval_id}`;
    if (!requests.has(key)) requests.set(key, { session_id, approval_id, seen, told: false, since: now });
  }
  return { ...state, requests, remind_from: state.requests.size === 0 ? now : state.remind_from };
}

function outcomeOf(summary: SessionSummary): EndOutcome | null {
  const { state } = summary;
  return state === 'done' || state === 'failed' || state === 'unknown' ? state : null;
}

/** How long the turns up to here worked that followed one another without a rest. */
function runOf(before: SessionFacts, summary: SessionSummary, now: number): number {
  const { open_turn: open, meter } = summary;
  if (open === before.open_turn) return before.run_ms;
  if (before.open_turn !== null) return before.run_ms + Math.max(0, meter.active_ms - before.active_ms);
  return now - before.ended_at <= restMs ? before.run_ms : 0;
}

/** A turn that the person stopped ends with no notice: they know. */
function endsAfter(state: AttentionState, summary: SessionSummary, run: number, now: number): AttentionState {
  const { session_id, open_turn: open } = summary;
  const ended = open === null && (state.sessions.get(session_id)?.open_turn ?? null) !== null;
  if (open === null && !ended) return state;
  const outcome = outcomeOf(summary);
  const ends = new Map(state.ends);
  ends.delete(session_id);
  if (ended && !state.present && outcome && run > longTurnMs)
    ends.set(session_id, { outcome, at: now, told: false });
  return { ...state, ends };
}

function withSession(
  state: AttentionState,
  summary: SessionSummary,
  seen: boolean,
  now: number,
): AttentionState {
  const before = state.sessions.get(summary.session_id);
  const run_ms = before ? runOf(before, summary, now) : 0;
  const facts: SessionFacts = {
    waiting: summary.waiting,
    unsettled: summary.unsettled.length,
    open_turn: summary.open_turn,
    active_ms: summary.meter.active_ms,
    run_ms,
    ended_at: before && before.open_turn !== summary.open_turn ? now : (before?.ended_at ?? now),
  };
  const next = endsAfter(requestsAfter(state, summary, seen, now), summary, run_ms, now);
  return { ...next, sessions: new Map(next.sessions).set(summary.session_id, facts) };
}

function withoutSession(state: AttentionState, sessionId: string): AttentionState {
  const [sessions, ends] = [new Map(state.sessions), new Map(state.ends)];
  sessions.delete(sessionId);
  ends.delete(sessionId);
  const requests = new Map([...state.requests].filter(([, request]) => request.session_id !== sessionId));
  return { ...state, sessions, ends, requests };
}

function mapRequests(
  state: AttentionState,
  change: (request: WaitingRequest) => WaitingRequest,
): AttentionState {
  return { ...state, requests: new Map([...state.requests].map(([key, value]) => [key, change(value)])) };
}

/** The person looked: nothing of before is news any more. */
export function looked(state: AttentionState): AttentionState {
  return mapRequests({ ...state, ends: new Map(), streak: 0 }, (request) => ({ ...request, seen: true }));
}

/** Every request that waits is news once more. */
export function unseen(state: AttentionState): AttentionState {
  return mapRequests(state, (request) => ({ ...request, seen: false, told: false }));
}

function withPresence(state: AttentionState, present: boolean, now: number): AttentionState {
  if (present === state.present) return state;
  const turned = { ...state, present, turned_at: now, remind_from: now };
  if (present) return looked(turned);
  return mapRequests(turned, (request) =>
    request.since > now - noticedMs ? { ...request, seen: request.told, told: request.told } : request,
  );
}

/** Takes one thing that happened into the state. Says nothing of what to show: `planAttention` does. */
export function foldAttention(state: AttentionState, input: AttentionInput, now: number): AttentionState {
  switch (input.type) {
    case 'known':
      return withSession(state, input.summary, true, now);
    case 'session':
      return withSession(state, input.summary, state.present, now);
    case 'removed':
      return withoutSession(state, input.session_id);
    case 'presence':
      return withPresence(state, input.present, now);
    case 'hidden':
      return state.latest?.id === input.id && state.latest.state === 'shown'
        ? { ...state, latest: { ...state.latest, state: 'hidden' } }
        : state;
    case 'clicked':
      return looked(state);
    case 'time':
      return state;
  }
}

/** What waits for the person over all sessions, as the Inbox counts it: requests, pauses, calls of unknown outcome. */
export function waitingCount(state: AttentionState): number {
  let count = 0;
  for (const { waiting, unsettled } of state.sessions.values()) count += waiting.length + unsettled;
  return count;
}
