import type {
  CommandPayload,
  CommandResult,
  Failure,
  Json,
  JsonObject,
  ModelChoice,
  Mode,
} from '../../src-preload/contract';
import type { ImageHolder } from './image-store';
import type { UiActions, UiDeps } from './ui-actions';
import { dropSessions, failSession, touchSession } from './session-store';
import { messageOf } from './turn-actions';
import { emptyDraft, type DraftAttachment } from './ui-store';

export type ApprovalAnswer = CommandPayload<'approval.answer'>['answer'];

export interface SessionActions {
  /** Follows a session: what was recorded comes first, then what happens. */
  follow(sessionId: string): void;
  refollow(sessionId: string): void;
  /** Asks for the latest image of a session that is followed. */
  loadImage(sessionId: string): Promise<void>;
  createSession(choice: CommandPayload<'session.create'>): Promise<CommandResult<'session.create'>>;
  /** Sends the draft. It stays in the composer when it is refused. */
  submit(sessionId: string, draftKey: string): Promise<boolean>;
  stop(sessionId: string): void;
  rename(sessionId: string, title: string): void;
  archive(sessionId: string, archived: boolean): void;
  deleteSession(sessionId: string): Promise<void>;
  setModel(sessionId: string, model: ModelChoice): void;
  setMode(sessionId: string, mode: Mode): void;
  answer(request: CommandPayload<'approval.answer'>): Promise<void>;
  act(sessionId: string, turnId: string, act: PracticeAct): Promise<Failure | null>;
  addAttachments(draftKey: string, attachments: readonly DraftAttachment[]): void;
}

export type PracticeAct =
  | { readonly type: 'call'; readonly name: string; readonly arguments: JsonObject }
  | { readonly type: 'reply'; readonly text: string };

interface Deps extends Pick<UiDeps, 'gateway' | 'sessions'> {
  readonly ui: UiActions;
  readonly images: ImageHolder;
  readonly checkStanding: (sessionId: string) => Promise<void>;
  readonly uiStore: UiDeps['ui'];
}

function createFollowing({ gateway, sessions, images }: Pick<Deps, 'gateway' | 'sessions' | 'images'>) {
  async function loadImage(sessionId: string): Promise<void> {
    const result = await gateway.query('session.image', { session_id: sessionId });
    if (result.ok && sessions.getState().open.has(sessionId)) {
      images.take(sessionId, result.value, performance.now());
    }
  }
  async function subscribe(sessionId: string): Promise<void> {
    const after = sessions.getState().open.get(sessionId)?.view.last_seq ?? 0;
    const result = await gateway.command('session.subscribe', { session_id: sessionId, after_seq: after });
    if (!result.ok) sessions.setState((state) => failSession(state, sessionId, result.error), true);
  }
  return {
    loadImage,
    follow(sessionId: string) {
      const { state, isNew, dropped } = touchSession(sessions.getState(), sessionId);
      sessions.setState(state, true);
      for (const id of dropped) {
        void gateway.command('session.unsubscribe', { session_id: id });
        images.forget(id);
      }
      if (!isNew) return;
      void subscribe(sessionId);
      void loadImage(sessionId);
    },
    refollow(sessionId: string) {
      sessions.setState((state) => dropSessions(state, [sessionId]), true);
      sessions.setState((state) => touchSession(state, sessionId).state, true);
      void subscribe(sessionId);
    },
  };
}

function createAnswering({ gateway, uiStore }: Pick<Deps, 'gateway' | 'uiStore'>) {
  return async function answer(request: CommandPayload<'approval.answer'>): Promise<void> {
    const id = request.approval_id;
    if (uiStore.getState().answers[id]?.status === 'sending') return;
    uiStore.setState((state) => ({ answers: { ...state.answers, [id]: { status: 'sending' } } }));
    const result = await gateway.command('approval.answer', request);
    // A taken answer stays `sending` until its event arrives and the card goes.
    if (result.ok) return;
    uiStore.setState((state) => ({
      answers: { ...state.answers, [id]: { status: 'failed', error: result.error } },
    }));
  };
}

export function createSessionActions(deps: Deps): SessionActions {
  const { gateway, ui, uiStore } = deps;
  const send = async <N extends 'session.stop' | 'session.rename' | 'session.archive' | 'session.delete'>(
    name: N,
    payload: CommandPayload<N>,
  ): Promise<void> => {
    const result = await gateway.command(name, payload);
    if (!result.ok) ui.showNotice(result.error);
  };
  return {
    ...createFollowing(deps),
    answer: createAnswering(deps),
    createSession: (choice) => gateway.command('session.create', choice),
    async submit(sessionId, draftKey) {
      const draft = uiStore.getState().drafts[draftKey] ?? emptyDraft;
      const result = await gateway.command('session.submit', { session_id: sessionId, ...messageOf(draft) });
      if (result.ok) {
        ui.clearNotices();
        ui.clearDraft(draftKey);
        return true;
      }
      ui.showNotice(result.error);
      if (result.error.code === 'identity_changed') void deps.checkStanding(sessionId);
      return false;
    },
    stop: (id) => void send('session.stop', { session_id: id }),
    rename: (id, title) => void send('session.rename', { session_id: id, title }),
    archive: (id, archived) => void send('session.archive', { session_id: id, archived }),
    deleteSession: (id) => send('session.delete', { session_id: id }),
    setModel(id, model) {
      void gateway.command('session.set_model', { session_id: id, model }).then((result) => {
        if (!result.ok) ui.showNotice(result.error);
      });
    },
    setMode(id, mode) {
      void gateway.command('session.set_mode', { session_id: id, mode }).then((result) => {
        if (!result.ok) ui.showNotice(result.error);
      });
    },
    async act(sessionId, turnId, act) {
      const payload = { session_id: sessionId, turn_id: turnId };
      const result =
        act.type === 'reply'
          ? await gateway.command('practice.act', { ...payload, act })
          : await gateway.command('practice.act', {
              ...payload,
              act: { ...act, arguments: act.arguments as Record<string, Json> },
            });
      return result.ok ? null : result.error;
    },
    addAttachments(draftKey, attachments) {
      ui.updateDraft(draftKey, (draft) => ({ attachments: [...draft.attachments, ...attachments] }));
    },
  };
}
