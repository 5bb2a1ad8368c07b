import type { CommandPayload, CommandResult } from '../../src-preload/contract';
import {
  fail,
  ok,
  type Harness,
  type JsonObject,
  type Result,
  type Session,
  type SubmittedFile,
} from '../harness';
import { folderNotChosen } from './chosen-folders';
import type { CommandHandlers } from './dispatch';

export interface SessionCommandDeps {
  readonly harness: Harness;
  readonly mayUse: (folder: string) => boolean;
  readonly takeAttachments: (ids: readonly string[]) => Result<readonly SubmittedFile[]>;
  readonly subscriptions: {
    subscribe(sessionId: string, afterSeq: number): Result<null>;
    unsubscribe(sessionId: string): void;
  };
}

type SessionCommandNames =
  | 'session.create'
  | 'session.submit'
  | 'session.stop'
  | 'session.rename'
  | 'session.archive'
  | 'session.delete'
  | 'session.set_model'
  | 'session.set_mode'
  | 'session.subscribe'
  | 'session.unsubscribe'
  | 'approval.answer'
  | 'practice.act';

type SubmitPayload = CommandPayload<'session.submit'>;

function submit(
  deps: SessionCommandDeps,
  { session_id, text, attachments, mentions }: SubmitPayload,
): CommandResult<'session.submit'> {
  if (text.trim() === '' && attachments.length === 0) {
    return fail('invalid_input', 'The message is empty. Write something, or attach a file.');
  }
  const session = deps.harness.sessions.get(session_id);
  if (!session.ok) return session;
  if (session.value.busy()) {
    return fail(
      'session_busy',
      'This session is still working. Wait for it, or press Stop, then send again.',
    );
  }
  const files = deps.takeAttachments(attachments);
  if (!files.ok) return files;
  const submitted = session.value.submit({ text, files: files.value, mentions });
  return submitted.ok ? ok({ turn_id: submitted.value.turn_id }) : submitted;
}

export function sessionCommands(deps: SessionCommandDeps): Pick<CommandHandlers, SessionCommandNames> {
  const { harness, subscriptions } = deps;
  /** Does something with a session, or answers why there is none. */
  const within = (sessionId: string, act: (session: Session) => Result<null>): Result<null> => {
    const session = harness.sessions.get(sessionId);
    return session.ok ? act(session.value) : session;
  };
  return {
    'session.create'(fresh) {
      if (fresh.workspace !== null && !deps.mayUse(fresh.workspace)) return folderNotChosen(fresh.workspace);
      return harness.sessions.create(fresh);
    },
    'session.submit': (payload) => submit(deps, payload),
    async 'session.stop'({ session_id }) {
      const session = harness.sessions.get(session_id);
      if (!session.ok) return session;
      await session.value.stop();
      return ok(null);
    },
    'session.rename': ({ session_id, title }) =>
      within(session_id, (session) => session.rename(title.trim() || title)),
    'session.archive': ({ session_id, archived }) =>
      within(session_id, (session) => session.archive(archived)),
    async 'session.delete'({ session_id }) {
      subscriptions.unsubscribe(session_id);
      return harness.sessions.delete(session_id);
    },
    'session.set_model': ({ session_id, model }) => within(session_id, (session) => session.setModel(model)),
    'session.set_mode': ({ session_id, mode }) => within(session_id, (session) => session.setMode(mode)),
    'session.subscribe': ({ session_id, after_seq }) => subscriptions.subscribe(session_id, after_seq),
    'session.unsubscribe'({ session_id }) {
      subscriptions.unsubscribe(session_id);
      return ok(null);
    },
    'approval.answer': ({ session_id, approval_id, arguments_digest, answer }) =>
      within(session_id, (session) =>
        session.answer(approval_id, arguments_digest, { ...answer, by: 'person' }),
      ),
    'practice.act'({ session_id, turn_id, act }) {
      if (act.type === 'reply') return harness.practice(session_id, turn_id, act);
      // A copy by JSON text: whatever the page sent, only what JSON can carry goes on.
      const args = JSON.parse(JSON.stringify(act.arguments)) as JsonObject;
      return harness.practice(session_id, turn_id, { ...act, arguments: args });
    },
  };
}
