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

export interface TurnCommandDeps {
  readonly harness: Harness;
  readonly takeAttachments: (ids: readonly string[]) => Result<readonly SubmittedFile[]>;
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
const busy = fail(
  'session_busy',
  'This session is still working. Wait for it, or press Stop, then send again.',
);

const turnIdOf = (begun: Result<{ readonly turn_id: string }>): Result<{ readonly turn_id: string }> =>
  begun.ok ? ok({ turn_id: begun.value.turn_id }) : begun;

/** Commands that begin, change and end turns, and what waits for them. */
export function turnCommands(deps: TurnCommandDeps): Pick<CommandHandlers, TurnCommandNames> {
  const { harness } = deps;
  const within = <T>(sessionId: string, act: (session: Session) => Result<T>): Result<T> => {
    const session = harness.sessions.get(sessionId);
    return session.ok ? act(session.value) : session;
  };
  /** Attachments leave the draft here, so whatever can refuse the message without them is asked before. */
  const written = ({ text, attachments, mentions }: Written): Result<Submission> => {
    const files = deps.takeAttachments(attachments);
    return files.ok ? ok({ text, files: files.value, mentions }) : files;
  };
  const isEmpty = (message: Written): boolean =>
    message.text.trim() === '' && message.attachments.length === 0;
  return {
    'session.submit': (payload) =>
      within(payload.session_id, (session) => {
        if (isEmpty(payload)) return emptyMessage;
        if (session.busy()) return busy;
        const submission = written(payload);
        return submission.ok ? turnIdOf(session.submit(submission.value)) : submission;
      }),
    // No check for an empty text: the edited turn may keep attachments of its own.
    'session.edit': (payload) =>
      within(payload.session_id, (session) => {
        if (session.busy()) return busy;
        const submission = written(payload);
        return submission.ok ? turnIdOf(session.edit(payload.turn_id, submission.value)) : submission;
      }),
    'session.regenerate': ({ session_id, turn_id }) =>
      within(session_id, (session) => turnIdOf(session.regenerate(turn_id))),
    'session.retry': ({ session_id }) => within(session_id, (session) => turnIdOf(session.retry())),
    'session.select_branch': ({ session_id, turn_id }) =>
      within(session_id, (session) => session.selectBranch(turn_id)),
    'session.queue': (payload) =>
      within(payload.session_id, (session) => {
        if (isEmpty(payload)) return emptyMessage;
        const submission = written(payload);
        return submission.ok ? session.queue(submission.value, payload.delivery) : submission;
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
