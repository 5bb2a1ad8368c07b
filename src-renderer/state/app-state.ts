import type { Push } from '../../src-preload/contract';
import type { Gateway } from '../bridge/gateway';
import { createHostActions, type HostActions } from './host-actions';
import { createHostStore, foldHostPush, type HostStore } from './host-store';
import { createSessionActions, type SessionActions } from './session-actions';
import { createSessionStore, dropSessions, foldSessionPushes, type SessionStore } from './session-store';
import { createUiActions, type UiActions } from './ui-actions';
import { createUiStore, initialUiState, newDraftKey, type UiStore } from './ui-store';

export interface AppState {
  readonly gateway: Gateway;
  readonly host: HostStore;
  readonly sessions: SessionStore;
  readonly ui: UiStore;
  readonly actions: HostActions & SessionActions & UiActions;
  /** Asks main for everything that the window always shows, and listens until `close`. */
  start(): void;
  close(): void;
}

/** Pushes of one session are folded together at most this often, in milliseconds. */
const foldInterval = 32;

/** Makes the whole state of one window. React is not needed for it, and nothing of it is global. */
export function createAppState(deps: { readonly gateway: Gateway }): AppState {
  const { gateway } = deps;
  const stores = { host: createHostStore(), sessions: createSessionStore(), ui: createUiStore() };
  const ui = createUiActions({ gateway, ...stores });
  const host = createHostActions({ gateway, host: stores.host, ui });
  const session = createSessionActions({ gateway, sessions: stores.sessions, ui, uiStore: stores.ui });
  const actions = { ...ui, ...host, ...session };
  let queue: Extract<Push, { topic: 'session' }>[] = [];
  let timer: ReturnType<typeof setTimeout> | null = null;
  let stop: (() => void) | null = null;

  /** Shows the session that was open last, unless the person has begun something meanwhile. */
  const reopen = (): void => {
    const { settings, sessions } = stores.host.getState();
    const { page, drafts } = stores.ui.getState();
    if (settings.status !== 'ready' || !settings.value.onboarded || sessions.status !== 'ready') return;
    const last = sessions.value.get(settings.value.last_session ?? '');
    if (!last || last.archived || page !== initialUiState.page || newDraftKey in drafts) return;
    actions.goTo({ type: 'session', session_id: last.session_id });
  };
  const flush = (): void => {
    timer = null;
    const pushes = queue;
    queue = [];
    stores.sessions.setState((state) => foldSessionPushes(state, pushes));
  };
  const onPush = (push: Push): void => {
    if (push.topic === 'session') {
      queue.push(push);
      timer ??= setTimeout(flush, foldInterval);
      return;
    }
    stores.host.setState((state) => foldHostPush(state, push), true);
    if (push.topic === 'sessions' && push.removed.length > 0) {
      stores.sessions.setState((state) => dropSessions(state, push.removed), true);
      ui.leaveRemoved(push.removed);
    }
    if (push.topic === 'reveal') actions.reveal(push.target);
  };
  return {
    gateway,
    ...stores,
    actions,
    start() {
      stop ??= gateway.onPush(onPush);
      void host.loadAll().then(reopen);
    },
    close() {
      stop?.();
      stop = null;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
