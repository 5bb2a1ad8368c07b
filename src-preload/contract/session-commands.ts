import { Type } from '@sinclair/typebox';
import { callId, id, line, maxAttachments, object, text } from './payload-parts';

const mode = Type.Union([Type.Literal('ask'), Type.Literal('read_only'), Type.Literal('bypass')]);
const model = object({ provider: id, name: Type.String({ minLength: 1, maxLength: 300 }) });
const effort = Type.Union([Type.Literal('low'), Type.Literal('medium'), Type.Literal('high'), Type.Null()]);

/** What the person wrote, with what goes along. */
const message = {
  text,
  /** Ids that `attachment.add`, `attachment.pick` or `attachment.restore` answered. */
  attachments: Type.Array(id, { maxItems: maxAttachments }),
  mentions: Type.Array(line, { maxItems: 50 }),
};

const countLimit = (maximum: number) => Type.Union([Type.Integer({ minimum: 1, maximum }), Type.Null()]);
const amountLimit = (maximum: number) =>
  Type.Union([Type.Number({ exclusiveMinimum: 0, maximum }), Type.Null()]);

/** Largest limits that can be set; null is no limit. */
export const maxLimits = { tokens: 1e12, cost_usd: 1e6, turns: 1e6, minutes: 1e6 } as const;

/** Commands about one session and its turns. */
export const sessionCommandSchemas = {
  'session.create': object({
    coworker_id: id,
    model,
    mode,
    /** Absent and null are the model's own default. */
    effort: Type.Optional(effort),
    /** A folder that `workspace.pick` answered or an earlier session used; others are refused. */
    workspace: Type.Union([line, Type.Null()]),
  }),
  'session.submit': object({ session_id: id, ...message }),
  /** The message of `turn_id` in other words: a branch beside that turn. The turn's attachments stay. */
  'session.edit': object({ session_id: id, turn_id: id, ...message }),
  /** The message of `turn_id` once more as it was: a branch beside that turn. */
  'session.regenerate': object({ session_id: id, turn_id: id }),
  /** Goes on from the head, which failed or was stopped, without a new message. */
  'session.retry': object({ session_id: id }),
  /** Looks at the branch of this turn, to its newest end. */
  'session.select_branch': object({ session_id: id, turn_id: id }),
  /** Keeps a message until the running turn has ended, or until its next request to the model. */
  'session.queue': object({
    session_id: id,
    ...message,
    delivery: Type.Union([Type.Literal('next_turn'), Type.Literal('this_turn')]),
  }),
  'session.unqueue': object({ session_id: id, queued_id: id }),
  'session.send_queued': object({ session_id: id }),
  /** The person's word on a call of unknown outcome; `run_again` asks for permission anew. */
  'session.settle': object({
    session_id: id,
    turn_id: id,
    call_id: callId,
    settlement: Type.Union([
      Type.Literal('happened'),
      Type.Literal('did_not_happen'),
      Type.Literal('run_again'),
    ]),
    note: line,
  }),
  /** Answers a turn that stands at a limit. */
  'session.answer_pause': object({ session_id: id, pause_id: id, go_on: Type.Boolean() }),
  'session.stop': object({ session_id: id }),
  'session.rename': object({ session_id: id, title: Type.String({ minLength: 1, maxLength: 200 }) }),
  'session.archive': object({ session_id: id, archived: Type.Boolean() }),
  'session.delete': object({ session_id: id }),
  'session.set_model': object({ session_id: id, model }),
  'session.set_mode': object({ session_id: id, mode }),
  /** Null is the model's own default. */
  'session.set_effort': object({ session_id: id, effort }),
  'session.set_limits': object({
    session_id: id,
    limits: object({
      tokens: countLimit(maxLimits.tokens),
      cost_usd: amountLimit(maxLimits.cost_usd),
      turns: countLimit(maxLimits.turns),
      minutes: amountLimit(maxLimits.minutes),
    }),
  }),
  /** A new session with the visible history of this one, under this app's execution identity. */
  'session.continue_as_new': object({ session_id: id }),
  /** Pushes events after `after_seq`, the newest first, then each new one, until `session.unsubscribe`. */
  'session.subscribe': object({ session_id: id, after_seq: Type.Integer({ minimum: 0 }) }),
  'session.unsubscribe': object({ session_id: id }),
} as const;
