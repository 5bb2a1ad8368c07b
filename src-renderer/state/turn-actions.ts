import {
  maxAttachments,
  type CommandName,
  type CommandPayload,
  type CommandResult,
  type Effort,
  type Failure,
  type MessageQueued,
} from '../../src-preload/contract';
import type { HostActions } from './host-actions';
import { setStanding } from './session-store';
import type { UiActions, UiDeps } from './ui-actions';
import { emptyDraft, type Draft, type DraftAttachment } from './ui-store';

export type Delivery = CommandPayload<'session.queue'>['delivery'];
export type Settlement = CommandPayload<'session.settle'>['settlement'];
export type LimitsPayload = CommandPayload<'session.set_limits'>['limits'];

/** Acts of the person on the turns of a session. Each answers whether it was taken; a refusal makes a notice. */
export interface TurnActions {
  edit(sessionId: string, turnId: string, text: string, mentions: readonly string[]): Promise<boolean>;
  regenerate(sessionId: string, turnId: string): Promise<boolean>;
  retry(sessionId: string): Promise<boolean>;
  selectBranch(sessionId: string, turnId: string): Promise<boolean>;
  /** Queues the draft. It stays in the composer when it is refused. */
  queue(sessionId: string, draftKey: string, delivery: Delivery): Promise<boolean>;
  /** Takes a queued message back: its text, files and mentions go before what stands in the composer. */
  takeBack(sessionId: string, message: MessageQueued): Promise<boolean>;
  sendQueued(sessionId: string): Promise<boolean>;
  /** Answers the refusal itself, for the row to show. */
  settle(payload: CommandPayload<'session.settle'>): Promise<Failure | null>;
  answerPause(sessionId: string, pauseId: string, goOn: boolean): Promise<void>;
  setEffort(sessionId: string, effort: Effort | null): void;
  setLimits(sessionId: string, limits: LimitsPayload): Promise<boolean>;
  /** Makes the session that carries this one's history over, and opens it. */
  continueAsNew(sessionId: string): Promise<boolean>;
  /** Asks whether the session may go on as it is. A check that fails keeps nobody from sending. */
  checkStanding(sessionId: string): Promise<void>;
}

interface Deps extends Pick<UiDeps, 'gateway' | 'sessions'> {
  readonly ui: UiActions;
  readonly uiStore: UiDeps['ui'];
  readonly run: HostActions['run'];
}

/** Mentions that the text still names; the person may have deleted some. */
export function liveMentions(draft: Pick<Draft, 'text' | 'mentions'>): string[] {
  return draft.mentions.filter((path) => draft.text.includes(`@${path}`));
}

/** A draft as main takes it. */
export function messageOf(draft: Draft) {
  return {
    text: draft.text,
    attachments: draft.attachments.map((attachment) => attachment.attachment_id),
    mentions: liveMentions(draft),
  };
}

/** What was queued, before what has been written since. */
export function joinDraft(
  message: Pick<MessageQueued, 'text' | 'mentions'>,
  restored: readonly DraftAttachment[],
  draft: Draft,
): Draft {
  const texts = [message.text, draft.text].filter((text) => text.trim() !== '');
  return {
    text: texts.join('\n\n'),
    mentions: [...new Set([...message.mentions, ...draft.mentions])],
    attachments: [...restored, ...draft.attachments].slice(0, maxAttachments),
  };
}

function createTakeBack({ gateway, ui, uiStore, run }: Deps): TurnActions['takeBack'] {
  return async (sessionId, message) => {
    const taken = await run('session.unqueue', { session_id: sessionId, queued_id: message.queued_id });
    if (!taken.ok) return false;
    const restored: DraftAttachment[] = [];
    const lost: Failure[] = [];
    for (const { digest, name } of message.attachments) {
      const file = await gateway.command('attachment.restore', { session_id: sessionId, digest, name });
      if (file.ok) restored.push({ ...file.value, preview: null });
      else lost.push(file.error);
    }
    ui.showNotice(...lost);
    const draft = uiStore.getState().drafts[sessionId] ?? emptyDraft;
    ui.updateDraft(sessionId, () => joinDraft(message, restored, draft));
    ui.point({ type: 'composer' });
    return true;
  };
}

function createAnswerPause({ gateway, uiStore }: Deps): TurnActions['answerPause'] {
  return async (sessionId, pauseId, goOn) => {
    if (uiStore.getState().answers[pauseId]?.status === 'sending') return;
    uiStore.setState((state) => ({ answers: { ...state.answers, [pauseId]: { status: 'sending' } } }));
    const payload = { session_id: sessionId, pause_id: pauseId, go_on: goOn };
    const result = await gateway.command('session.answer_pause', payload);
    // A taken answer stays `sending` until its event arrives and the card goes.
    if (result.ok) return;
    uiStore.setState((state) => ({
      answers: { ...state.answers, [pauseId]: { status: 'failed', error: result.error } },
    }));
  };
}

export function createTurnActions(deps: Deps): TurnActions {
  const { gateway, sessions, ui, uiStore } = deps;
  const checkStanding = async (sessionId: string): Promise<void> => {
    const result = await gateway.query('session.standing', { session_id: sessionId });
    if (result.ok) sessions.setState((state) => setStanding(state, sessionId, result.value), true);
  };
  const act = async <N extends CommandName>(
    name: N,
    payload: CommandPayload<N> & { readonly session_id: string },
  ): Promise<CommandResult<N>> => {
    const result = await deps.run(name, payload);
    if (!result.ok && result.error.code === 'identity_changed') void checkStanding(payload.session_id);
    return result;
  };
  const took = async (result: Promise<{ readonly ok: boolean }>): Promise<boolean> => (await result).ok;
  return {
    checkStanding,
    takeBack: createTakeBack(deps),
    answerPause: createAnswerPause(deps),
    edit: (id, turn, text, mentions) =>
      took(
        act('session.edit', {
          session_id: id,
          turn_id: turn,
          ...messageOf({ text, mentions, attachments: [] }),
        }),
      ),
    regenerate: (id, turn) => took(act('session.regenerate', { session_id: id, turn_id: turn })),
    retry: (id) => took(act('session.retry', { session_id: id })),
    selectBranch: (id, turn) => took(act('session.select_branch', { session_id: id, turn_id: turn })),
    async queue(id, draftKey, delivery) {
      const draft = uiStore.getState().drafts[draftKey] ?? emptyDraft;
      const result = await act('session.queue', { session_id: id, ...messageOf(draft), delivery });
      if (!result.ok) return false;
      ui.clearNotices();
      ui.clearDraft(draftKey);
      return true;
    },
    sendQueued: (id) => took(act('session.send_queued', { session_id: id })),
    async settle(payload) {
      const result = await gateway.command('session.settle', payload);
      return result.ok ? null : result.error;
    },
    setEffort: (id, effort) => void act('session.set_effort', { session_id: id, effort }),
    setLimits: (id, limits) => took(act('session.set_limits', { session_id: id, limits })),
    async continueAsNew(id) {
      const result = await deps.run('session.continue_as_new', { session_id: id });
      if (!result.ok) return false;
      ui.goTo({ type: 'session', session_id: result.value.session_id });
      ui.point({ type: 'composer' });
      return true;
    },
  };
}
