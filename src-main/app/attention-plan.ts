import {
  foldAttention,
  looked,
  restMs,
  unseen,
  waitingCount,
  type AttentionInput,
  type AttentionState,
  type EndOutcome,
  type LatestNotice,
} from './attention-facts';

/** Shortest time between two notices, in milliseconds. It doubles while notices have to be held back. */
const firstGapMs = 5_000;
const longestGapMs = 60_000;
/** A click on a notice may arrive after the focus that it brings: until then the notice stands. */
const clickGraceMs = 300;
/** Where nobody has touched the computer for this long, a focused window is no sign of a person (field report 30). */
const awayMs = 60_000;

export interface AttentionSettings {
  readonly requests: boolean;
  readonly turn_end: boolean;
  /** Time between reminders of what still waits, in milliseconds; 0 is never. */
  readonly repeat_ms: number;
}

/** What a notice says. It holds nothing of a session, so that no words made of it can (field report 29). */
export interface NoticeContent {
  readonly requests: number;
  readonly ends: readonly EndOutcome[];
}

export type AttentionEffect =
  | { readonly type: 'show'; readonly id: number; readonly content: NoticeContent; readonly silent: boolean }
  /** Takes the notice away wherever the system still has it. */
  | { readonly type: 'close' }
  | { readonly type: 'badge'; readonly count: number }
  | { readonly type: 'open'; readonly target: AttentionTarget | null };

/** What a click leads to; without an approval the session alone. */
export interface AttentionTarget {
  readonly session_id: string;
  readonly approval_id: string | null;
}

export interface AttentionContext {
  readonly now: number;
  readonly settings: AttentionSettings;
  /** Since the person last touched the computer, in milliseconds. */
  readonly idle_ms: number;
}

export interface AttentionPlan {
  readonly state: AttentionState;
  readonly effects: readonly AttentionEffect[];
  /** When to plan again although nothing happens, or null. */
  readonly wake_at: number | null;
}

function earliest(...times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}

type Step = Pick<AttentionPlan, 'state' | 'wake_at'>;

function isHere(state: AttentionState, idle: number): boolean {
  return state.present && idle < awayMs;
}

function remind(state: AttentionState, { now, settings, idle_ms: idle }: AttentionContext): Step {
  const { repeat_ms: pause, requests } = settings;
  if (!requests || pause === 0 || state.requests.size === 0) return { state, wake_at: null };
  const due = state.remind_from + pause;
  if (now < due) return { state, wake_at: due };
  if (isHere(state, idle)) return { state, wake_at: now + awayMs - idle };
  return { state: { ...unseen(state), remind_from: now }, wake_at: now + pause };
}

interface Wanted {
  readonly requests: readonly string[];
  readonly ends: ReadonlyMap<string, EndOutcome>;
  /** Something that no notice has stood for. */
  readonly fresh: boolean;
  readonly wake_at: number | null;
}

function wantedNotice(state: AttentionState, { now, settings }: AttentionContext): Wanted {
  const requests = settings.requests
    ? [...state.requests].filter(([, request]) => !request.seen).map(([key]) => key)
    : [];
  const rests = settings.turn_end ? [...state.ends] : [];
  const rested = rests.filter(([, end]) => end.at + restMs <= now);
  const resting = rests.filter(([, end]) => end.at + restMs > now).map(([, end]) => end.at + restMs);
  return {
    requests,
    ends: new Map(rested.map(([id, end]) => [id, end.outcome])),
    fresh:
      requests.some((key) => state.requests.get(key)?.told === false) || rested.some(([, end]) => !end.told),
    wake_at: earliest(...resting),
  };
}

function contentOf({ requests, ends }: Pick<Wanted, 'requests' | 'ends'>): NoticeContent {
  return { requests: requests.length, ends: [...ends.values()].sort() };
}

function saysTheSame(latest: LatestNotice, wanted: Wanted): boolean {
  return JSON.stringify(contentOf(latest)) === JSON.stringify(contentOf(wanted));
}

function gapOf(streak: number): number {
  return Math.min(longestGapMs, firstGapMs * 2 ** streak);
}

function shown(state: AttentionState, wanted: Wanted, now: number): AttentionState {
  const held = state.shown_at !== null && now - state.shown_at <= gapOf(state.streak) + restMs;
  const requests = new Map(state.requests);
  for (const key of wanted.requests) {
    const request = requests.get(key);
    if (request) requests.set(key, { ...request, told: true });
  }
  const ends = new Map(state.ends);
  for (const id of wanted.ends.keys()) {
    const end = ends.get(id);
    if (end) ends.set(id, { ...end, told: true });
  }
  return {
    ...state,
    requests,
    ends,
    latest: {
      id: (state.latest?.id ?? 0) + 1,
      requests: wanted.requests,
      ends: wanted.ends,
      state: 'shown',
    },
    shown_at: now,
    streak: held ? state.streak + 1 : 0,
    remind_from: wanted.requests.length > 0 ? now : state.remind_from,
  };
}

function closeNotice(state: AttentionState, now: number): AttentionPlan {
  const { latest, present, turned_at: turned } = state;
  if (!latest || latest.state === 'closed') return { state, effects: [], wake_at: null };
  const due = present ? turned + clickGraceMs : now;
  if (now < due) return { state, effects: [], wake_at: due };
  return {
    state: { ...state, latest: { ...latest, state: 'closed' } },
    effects: [{ type: 'close' }],
    wake_at: null,
  };
}

function planNotice(state: AttentionState, context: AttentionContext): AttentionPlan {
  const { now } = context;
  const wanted = wantedNotice(state, context);
  if (wanted.requests.length + wanted.ends.size === 0) {
    const closing = closeNotice(state, now);
    return { ...closing, wake_at: earliest(closing.wake_at, wanted.wake_at) };
  }
  const stale = state.latest?.state === 'shown' && !saysTheSame(state.latest, wanted);
  if (!wanted.fresh && !stale) return { state, effects: [], wake_at: wanted.wake_at };
  const due = state.shown_at === null ? now : state.shown_at + gapOf(state.streak);
  if (now < due) return { state, effects: [], wake_at: earliest(due, wanted.wake_at) };
  const next = shown(state, wanted, now);
  const silent = !wanted.fresh || next.streak > 0;
  const content = contentOf(wanted);
  return {
    state: next,
    effects: [{ type: 'show', id: next.latest?.id ?? 0, content, silent }],
    wake_at: wanted.wake_at,
  };
}

/** The oldest request that the latest notice stands for and that still waits, else the first session that ended. */
function targetOf({ latest, requests, sessions }: AttentionState): AttentionTarget | null {
  for (const key of latest?.requests ?? []) {
    const request = requests.get(key);
    if (request) return { session_id: request.session_id, approval_id: request.approval_id };
  }
  for (const session_id of latest?.ends.keys() ?? []) {
    if (sessions.has(session_id)) return { session_id, approval_id: null };
  }
  return null;
}

/**
 * Takes one thing that happened and says what the system shows from now on: at most one notice at a time, fewer and
 * fewer while requests pour in (hazard 13), and a badge with the count of what waits. Pure: all time is in `context`.
 */
export function planAttention(
  state: AttentionState,
  input: AttentionInput,
  context: AttentionContext,
): AttentionPlan {
  const effects: AttentionEffect[] = [];
  if (input.type === 'clicked') effects.push({ type: 'open', target: targetOf(state) });
  const folded = foldAttention(state, input, context.now);
  const reminded = remind(isHere(folded, context.idle_ms) ? looked(folded) : folded, context);
  const notice = planNotice(reminded.state, context);
  effects.push(...notice.effects);
  const badge = waitingCount(notice.state);
  if (badge !== state.badge) effects.push({ type: 'badge', count: badge });
  return {
    state: { ...notice.state, badge },
    effects,
    wake_at: earliest(reminded.wake_at, notice.wake_at),
  };
}
