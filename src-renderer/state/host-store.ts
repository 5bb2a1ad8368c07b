import { createStore } from 'zustand/vanilla';
import type {
  AppInfo,
  CoworkerCard,
  Failure,
  Problem,
  ProviderStatus,
  Push,
  Result,
  ServerStatus,
  SessionSummary,
  Settings,
} from '../../src-preload/contract';

/** Something that main is asked for: on its way, refused, or here. */
export type Loadable<T> =
  | { readonly status: 'loading' }
  | { readonly status: 'failed'; readonly error: Failure }
  | { readonly status: 'ready'; readonly value: T };

export type Sessions = ReadonlyMap<string, SessionSummary>;

/** What main says about the app as a whole. Written by pushes and queries only. */
export interface HostState {
  readonly info: Loadable<AppInfo>;
  readonly settings: Loadable<Settings>;
  readonly coworkers: Loadable<readonly CoworkerCard[]>;
  readonly providers: Loadable<readonly ProviderStatus[]>;
  readonly servers: Loadable<readonly ServerStatus[]>;
  readonly sessions: Loadable<Sessions>;
  /** What is wrong with the journal. */
  readonly journal: Loadable<readonly Problem[]>;
  /** Goes up with each change of a remembered permission; whoever shows them asks anew. */
  readonly grantChanges: number;
  readonly focused: boolean;
}

const loading = { status: 'loading' } as const;

export function ready<T>(value: T): Loadable<T> {
  return { status: 'ready', value };
}

export function loadableOf<T>(result: Result<T>): Loadable<T> {
  return result.ok ? ready(result.value) : { status: 'failed', error: result.error };
}

export function valueOr<T>(loadable: Loadable<T>, fallback: T): T {
  return loadable.status === 'ready' ? loadable.value : fallback;
}

const noItems: readonly never[] = [];

/** The list, or the one empty list: a selector that makes a new one each time would render without end. */
export function listOf<T>(loadable: Loadable<readonly T[]>): readonly T[] {
  return loadable.status === 'ready' ? loadable.value : noItems;
}

export const initialHostState: HostState = {
  info: loading,
  settings: loading,
  coworkers: loading,
  providers: loading,
  servers: loading,
  sessions: loading,
  journal: loading,
  grantChanges: 0,
  focused: true,
};

export const createHostStore = () => createStore<HostState>()(() => initialHostState);
export type HostStore = ReturnType<typeof createHostStore>;

/** Newer summaries win, by the number of their last event; removed sessions go. */
export function mergeSessions(
  known: Sessions,
  changed: readonly SessionSummary[],
  removed: readonly string[] = [],
): Sessions {
  const next = new Map(known);
  for (const summary of changed) {
    const before = next.get(summary.session_id);
    if (!before || before.last_seq <= summary.last_seq) next.set(summary.session_id, summary);
  }
  for (const id of removed) next.delete(id);
  return next;
}

/** Folds a push that is about the app; those about one session are no change here. */
export function foldHostPush(state: HostState, push: Push): HostState {
  switch (push.topic) {
    case 'sessions': {
      const known = valueOr(state.sessions, new Map<string, SessionSummary>());
      return { ...state, sessions: ready(mergeSessions(known, push.changed, push.removed)) };
    }
    case 'coworkers':
      return { ...state, coworkers: ready(push.coworkers) };
    case 'providers':
      return { ...state, providers: ready(push.providers) };
    case 'servers':
      return { ...state, servers: ready(push.servers) };
    case 'journal':
      return { ...state, journal: ready(push.problems) };
    case 'settings':
      return { ...state, settings: ready(push.settings) };
    case 'window':
      return { ...state, focused: push.focused };
    case 'grants':
      return { ...state, grantChanges: state.grantChanges + 1 };
    case 'session':
    case 'image':
    case 'reveal':
      return state;
  }
}
