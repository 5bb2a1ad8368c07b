import type { CommandName, CommandPayload } from '../../src-preload/contract';
import {
  fail,
  ok,
  type Harness,
  type Result,
  type Session,
  type Submission,
  type SubmittedFile,
} from '../harness';
import type { CommandHandlers } from './dispatch';

/** Hands files that wait to be sent to `use`; they go on waiting where it does not answer ok. */
export type TakeAttachments = <T>(
  ids: readonly string[],
  use: (files: readonly SubmittedFile[]) => Result<T>,
) => Result<T>;

export interface TurnCommandDeps {
  readonly harness: Harness;
  readonly takeAttachments: TakeAttachments;
}

export type TurnCommandNames = Extract<
  CommandName,
  | 'session.submit'
  | 'session.edit'
  | 'session.regenerate'
  | 'session.retry'
  | 'session.select_branch'
  | 'session.queue'
  | 'session.unqueue'
  | 'session.send_queued'
  | 'session.settle'
  | 'session.answer_pause'
  | 'session.stop'
>;

type Written = Pick<CommandPayload<'session.submit'>, 'text' | 'attachments' | 'mentions'>;

const emptyMessage = fail('invalid_input', 'The message is empty. Write something, or attach a file.');

const turnIdOf = (begun: Result<{ readonly turn_id: string }>): Result<{ readonly turn_id: string }> =>
  begun.ok ? ok({ turn_id: begun.value.turn_id }) : begun;

/** Commands that begin, change and end turns, and what waits for them. */
export function turnCommands(deps: TurnCommandDeps): Pick<CommandHandlers, TurnCommandNames> {
  const { harness } = deps;
  const within = <T>(sessionId: string, act: (session: Session) => Result<T>): Result<T> => {
    const session = harness.sessions.get(sessionId);
    return session.ok ? act(session.value) : session;
  };
  /** A message that is refused keeps its attachments. */
  const written = <T>(
    { text, attachments, mentions }: Written,
    use: (submission: Submission) => Result<T>,
  ): Result<T> => deps.takeAttachments(attachments, (files) => use({ text, files, mentions }));
  const isEmpty = (message: Written): boolean =>
    message.text.trim() === '' && message.attachments.length === 0;
  return {
    'session.submit': (payload) =>
      within(payload.session_id, (session) => {
        if (isEmpty(payload)) return emptyMessage;
        return turnIdOf(written(payload, (submission) => session.submit(submission)));
      }),
    // No check for an empty text: the edited turn may keep attachments of its own.
    'session.edit': (payload) =>
      within(payload.session_id, (session) =>
        turnIdOf(written(payload, (submission) => session.edit(payload.turn_id, submission))),
      ),
    'session.regenerate': ({ session_id, turn_id }) =>
      within(session_id, (session) => turnIdOf(session.regenerate(turn_id))),
    'session.retry': ({ session_id }) => within(session_id, (session) => turnIdOf(session.retry())),
    'session.select_branch': ({ session_id, turn_id }) =>
      within(session_id, (session) => session.selectBranch(turn_id)),
    'session.queue': (payload) =>
      within(payload.session_id, (session) => {
        if (isEmpty(payload)) return emptyMessage;
        return written(payload, (submission) => session.queue(submission, payload.delivery));
      }),
    'session.unqueue': ({ session_id, queued_id }) =>
      within(session_id, (session) => session.unqueue(queued_id)),
    'session.send_queued': ({ session_id }) =>
      within(session_id, (session) => turnIdOf(session.sendQueued())),
    'session.settle': ({ session_id, turn_id, call_id, settlement, note }) =>
      within(session_id, (session) => {
        const settled = session.settle(turn_id, call_id, settlement, note);
        return settled.ok ? ok({ turn_id: settled.value?.turn_id ?? null }) : settled;
      }),
    'session.answer_pause': ({ session_id, pause_id, go_on }) =>
      within(session_id, (session) => session.answerPause(pause_id, go_on)),
    async 'session.stop'({ session_id }) {
      const session = harness.sessions.get(session_id);
      if (!session.ok) return session;
      await session.value.stop();
      return ok(null);
    },
  };
}
