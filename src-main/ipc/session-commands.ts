import { personsAnswer } from './persons-answer';
import { ok, type Harness, type JsonObject, type Result, type Session } from '../harness';
import { folderNotChosen } from './chosen-folders';
import type { CommandHandlers } from './dispatch';
import { turnCommands, type TakeAttachments, type TurnCommandNames } from './turn-commands';

export interface SessionCommandDeps {
  readonly harness: Harness;
  readonly mayUse: (folder: string) => boolean;
  readonly takeAttachments: TakeAttachments;
  readonly subscriptions: {
    subscribe(sessionId: string, afterSeq: number): Result<null>;
    unsubscribe(sessionId: string): void;
  };
}

type SessionCommandNames =
  | TurnCommandNames
  | 'session.create'
  | 'session.continue_as_new'
  | 'session.rename'
  | 'session.archive'
  | 'session.delete'
  | 'session.set_model'
  | 'session.set_mode'
  | 'session.set_effort'
  | 'session.set_limits'
  | 'session.subscribe'
  | 'session.unsubscribe'
  | 'approval.answer'
  | 'practice.act';

export function sessionCommands(deps: SessionCommandDeps): Pick<CommandHandlers, SessionCommandNames> {
  const { harness, subscriptions } = deps;
  /** Does something with a session, or answers why there is none. */
  const within = (sessionId: string, act: (session: Session) => Result<null>): Result<null> => {
    const session = harness.sessions.get(sessionId);
    return session.ok ? act(session.value) : session;
  };
  return {
    ...turnCommands(deps),
    'session.create'(fresh) {
      if (fresh.workspace !== null && !deps.mayUse(fresh.workspace)) return folderNotChosen(fresh.workspace);
      return harness.sessions.create(fresh);
    },
    'session.continue_as_new': ({ session_id }) => harness.sessions.continueAsNew(session_id),
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
    'session.set_effort': ({ session_id, effort }) =>
      within(session_id, (session) => session.setEffort(effort)),
    'session.set_limits': ({ session_id, limits }) =>
      within(session_id, (session) => session.setLimits(limits)),
    'session.subscribe': ({ session_id, after_seq }) => subscriptions.subscribe(session_id, after_seq),
    'session.unsubscribe'({ session_id }) {
      subscriptions.unsubscribe(session_id);
      return ok(null);
    },
    'approval.answer': ({ session_id, approval_id, shown, answer }) =>
      within(session_id, (session) => session.answer(approval_id, shown, personsAnswer(answer))),
    'practice.act'({ session_id, turn_id, act }) {
      if (act.type === 'reply') return harness.practice(session_id, turn_id, act);
      // A copy by JSON text: whatever the page sent, only what JSON can carry goes on.
      const args = JSON.parse(JSON.stringify(act.arguments)) as JsonObject;
      return harness.practice(session_id, turn_id, { ...act, arguments: args });
    },
  };
}
