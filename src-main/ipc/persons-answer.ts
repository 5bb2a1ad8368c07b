import type { CommandPayload } from '../../src-preload/contract';
import type { Answer, ArgumentPattern, JsonObject } from '../harness';

type Sent = CommandPayload<'approval.answer'>['answer'];
type SentPattern = NonNullable<Extract<Sent, { type: 'allow' }>['pattern']>;

/** A copy by JSON text: whatever the page sent, only what JSON can carry goes on. */
function plain<T>(value: unknown): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

export function plainPattern(pattern: SentPattern): ArgumentPattern {
  return plain(pattern);
}

/** The answer of the person at the window. */
export function personsAnswer(sent: Sent): Answer {
  if (sent.type === 'deny') return { ...sent, by: 'person' };
  const { scope, pattern, expires_at, arguments: edited } = sent;
  return {
    type: 'allow',
    scope,
    by: 'person',
    ...(pattern === undefined ? {} : { pattern: plainPattern(pattern) }),
    ...(expires_at === undefined ? {} : { expires_at }),
    ...(edited === undefined ? {} : { arguments: plain<JsonObject>(edited) }),
  };
}
