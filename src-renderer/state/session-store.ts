import { createStore } from 'zustand/vanilla';
import {
  emptySessionView,
  foldSession,
  type ExecutionIdentity,
  type Failure,
  type FoldItem,
  type Push,
  type SessionStanding,
  type SessionView,
} from '../../src-preload/contract';

export interface OpenSession {
  readonly view: SessionView;
  /** True once everything that was recorded when the window subscribed has arrived. */
  readonly caughtUp: boolean;
  /** Lowest sequence number that has arrived; null before anything has. Older pages follow until it is 1. */
  readonly fromSeq: number | null;
  /** What ran here when it was made; null before that is known, and in old sessions. */
  readonly identity: ExecutionIdentity | null;
  /** Whether it may go on in this app; null until that is known. */
  readonly standing: SessionStanding | null;
  readonly error: Failure | null;
}

/** Sessions that the window follows, the most recently used last. */
export interface SessionsState {
  readonly open: ReadonlyMap<string, OpenSession>;
}

/** How many sessions stay subscribed; the least recently used one is let go first. */
export const maxOpenSessions = 8;

export const createSessionStore = () => createStore<SessionsState>()(() => ({ open: new Map() }));
export type SessionStore = ReturnType<typeof createSessionStore>;

/** Whether older parts of the session are still on their way. */
export function loadsEarlier(open: OpenSession): boolean {
  return open.fromSeq !== null && open.fromSeq > 1 && open.error === null;
}

type SessionPush = Extract<Push, { topic: 'session' }>;

function identityIn(items: readonly FoldItem[]): ExecutionIdentity | null {
  for (const item of items) {
    if (item.kind === 'event' && item.event.type === 'session_created')
      return item.event.data.identity ?? null;
  }
  return null;
}

/** Folds pushes in their order of arrival; those for sessions that are not open are dropped. */
export function foldSessionPushes(state: SessionsState, pushes: readonly SessionPush[]): SessionsState {
  const items = new Map<string, FoldItem[]>();
  const caughtUp = new Set<string>();
  const from = new Map<string, number>();
  for (const push of pushes) {
    if (!state.open.has(push.session_id)) continue;
    const list = items.get(push.session_id) ?? [];
    for (const event of push.events) list.push({ kind: 'event', event });
    for (const signal of push.signals) list.push({ kind: 'signal', signal });
    items.set(push.session_id, list);
    if (push.caught_up) caughtUp.add(push.session_id);
    from.set(push.session_id, Math.min(push.from_seq, from.get(push.session_id) ?? push.from_seq));
  }
  if (items.size === 0) return state;
  const open = new Map(state.open);
  for (const [id, list] of items) {
    const before = open.get(id);
    if (!before) continue;
    open.set(id, {
      ...before,
      view: foldSession(before.view, list),
      caughtUp: before.caughtUp || caughtUp.has(id),
      identity: before.identity ?? identityIn(list),
      fromSeq: Math.min(before.fromSeq ?? Infinity, from.get(id) ?? Infinity),
      error: null,
    });
  }
  return { open };
}

const unopened = (sessionId: string): OpenSession => ({
  view: emptySessionView(sessionId),
  caughtUp: false,
  fromSeq: null,
  identity: null,
  standing: null,
  error: null,
});

/**
 * Opens a session or marks it as just used.
 * @returns the new state, whether it must be subscribed, and the ids that fell out
 */
export function touchSession(
  state: SessionsState,
  sessionId: string,
): { readonly state: SessionsState; readonly isNew: boolean; readonly dropped: readonly string[] } {
  const known = state.open.get(sessionId);
  const open = new Map(state.open);
  open.delete(sessionId);
  open.set(sessionId, known ?? unopened(sessionId));
  const dropped = [...open.keys()].slice(0, Math.max(0, open.size - maxOpenSessions));
  for (const id of dropped) open.delete(id);
  return { state: { open }, isNew: !known, dropped };
}

export function failSession(state: SessionsState, sessionId: string, error: Failure): SessionsState {
  const known = state.open.get(sessionId);
  if (!known) return state;
  const open = new Map(state.open);
  open.set(sessionId, { ...known, error });
  return { open };
}

export function setStanding(
  state: SessionsState,
  sessionId: string,
  standing: SessionStanding,
): SessionsState {
  const known = state.open.get(sessionId);
  return known ? { open: new Map(state.open).set(sessionId, { ...known, standing }) } : state;
}

export function dropSessions(state: SessionsState, ids: readonly string[]): SessionsState {
  if (!ids.some((id) => state.open.has(id))) return state;
  const open = new Map(state.open);
  for (const id of ids) open.delete(id);
  return { open };
}
