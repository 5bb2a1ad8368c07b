import type { Push } from '../../src-preload/contract';
import type { Gateway } from '../bridge/gateway';
import { createHostActions, type HostActions } from './host-actions';
import { createHostStore, foldHostPush, type HostStore } from './host-store';
import { createImageHolder, createImageStore, type ImageStore } from './image-store';
import { createSessionActions, type SessionActions } from './session-actions';
import { createSessionStore, dropSessions, foldSessionPushes, type SessionStore } from './session-store';
import { createTurnActions, type TurnActions } from './turn-actions';
import { createUiActions, type UiActions } from './ui-actions';
import { createUiStore, initialUiState, newDraftKey, type UiStore } from './ui-store';

export interface AppState {
  readonly gateway: Gateway;
  readonly host: HostStore;
  readonly sessions: SessionStore;
  readonly images: ImageStore;
  readonly ui: UiStore;
  readonly actions: HostActions & SessionActions & TurnActions & UiActions;
  /** Asks main for everything that the window always shows, and listens until `close`. */
  start(): void;
  close(): void;
}

type SessionPush = Extract<Push, { topic: 'session' }>;

/** A permission for a session stands in its stream alone: no other push tells of it. */
function tellsOfGrant(push: SessionPush): boolean {
  return push.events.some(({ type }) => type === 'grant_made' || type === 'grant_ended');
}

/** Pushes of one session are folded together at most this often, in milliseconds. */
const foldInterval = 32;

function createStores() {
  return {
    host: createHostStore(),
    sessions: createSessionStore(),
    images: createImageStore(),
    ui: createUiStore(),
  };
}

function createActions(gateway: Gateway, stores: ReturnType<typeof createStores>) {
  const images = createImageHolder({
    store: stores.images,
    makeUrl: (bytes, type) => URL.createObjectURL(new Blob([bytes], { type })),
    revokeUrl: (url) => URL.revokeObjectURL(url),
  });
  const ui = createUiActions({ gateway, ...stores });
  const host = createHostActions({ gateway, host: stores.host, ui });
  const shared = { gateway, sessions: stores.sessions, ui, uiStore: stores.ui };
  const turn = createTurnActions({ ...shared, run: host.run });
  const session = createSessionActions({ ...shared, images, checkStanding: turn.checkStanding });
  return { images, actions: { ...ui, ...host, ...session, ...turn } };
}

/** Makes the whole state of one window. React is not needed for it, and nothing of it is global. */
export function createAppState(deps: { readonly gateway: Gateway }): AppState {
  const { gateway } = deps;
  const stores = createStores();
  const { images, actions } = createActions(gateway, stores);
  let queue: SessionPush[] = [];
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
    if (pushes.some(tellsOfGrant)) actions.reloadGrants();
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
      push.removed.forEach(images.forget);
      actions.leaveRemoved(push.removed);
      // What was allowed for a session is gone with it.
      actions.reloadGrants();
    }
    if (push.topic === 'image' && stores.sessions.getState().open.has(push.session_id)) {
      void actions.loadImage(push.session_id);
    }
    if (push.topic === 'reveal') actions.reveal(push.target);
  };
  return {
    gateway,
    ...stores,
    actions,
    start() {
      stop ??= gateway.onPush(onPush);
      void actions.loadAll().then(reopen);
    },
    close() {
      stop?.();
      stop = null;
      images.close();
      if (timer !== null) clearTimeout(timer);
    },
  };
}
