import { isJsonObject, type Answer, type JsonObject, type RequestReading, type Session } from '../harness';
import { describeRequest, type Requested } from './describe-request';
import { visible, type Ask, type Terminal } from './terminal';

/** A person at the terminal who is asked about one request. */
interface Asked {
  readonly terminal: Terminal;
  readonly session: Session;
  readonly request: Requested;
  /** What the arguments come to now; null where that cannot be told. */
  readonly reading: () => Promise<RequestReading | null>;
  readonly signal: AbortSignal;
}

const scopes = { y: 'once', s: 'session', a: 'coworker' } as const;
const isScope = (word: string): word is keyof typeof scopes => Object.hasOwn(scopes, word);

/** The arguments that a line of JSON holds, or what is wrong with it. */
export function parseEdited(line: string): JsonObject | string {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value)
      ? value
      : 'The arguments have to be one JSON object, such as {"path":"a.txt"}.';
  } catch (error) {
    return `This is no JSON: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

/** Gives the answer; what to say before the question is put once more, or null where there is nothing left to ask. */
function give({ session, request }: Asked, answer: Answer): string | null {
  const given = session.answer(request.approval_id, request, answer);
  return given.ok || given.error.code === 'stale_answer' ? null : visible(given.error.message);
}

async function askArguments(asked: Asked, ask: Ask): Promise<string | null> {
  const { signal } = asked;
  const line = await ask('Arguments as one line of JSON (an empty line: leave them): ', signal);
  if (signal.aborted) return null;
  if (line === null || line.trim() === '') return 'The arguments stay as they are.';
  const edited = parseEdited(line);
  if (typeof edited === 'string') return visible(edited);
  return give(asked, { type: 'allow', scope: 'once', by: 'person', arguments: edited });
}

async function converse(asked: Asked, ask: Ask): Promise<void> {
  const { request, signal } = asked;
  const editable = request.arguments !== null;
  const edit = editable ? 'e = edit the arguments first, ' : '';
  const choice = `Allow? y = once, s = this session, a = always for this coworker, ${edit}n = deny (words behind n reach the model): `;
  for (let hint: string | null = ''; hint !== null;) {
    const said: string = hint === '' ? '' : `${hint}\n`;
    const words = signal.aborted ? '' : describeRequest(request, await asked.reading());
    const line = await ask(`${said}\n${words}${choice}`, signal);
    if (signal.aborted) return;
    if (line === null) {
      const note = 'Nobody could be asked: the input of this run has ended.';
      give(asked, { type: 'deny', note, by: 'host' });
      return;
    }
    const answer = line.trim();
    const word = answer.split(/\s+/)[0]?.toLowerCase() ?? '';
    if (word === 'n') hint = give(asked, { type: 'deny', note: answer.slice(1).trim(), by: 'person' });
    else if (isScope(word)) hint = give(asked, { type: 'allow', scope: scopes[word], by: 'person' });
    else if (word === 'e' && editable) hint = await askArguments(asked, ask);
    else hint = editable ? 'Please answer y, s, a, e or n.' : 'Please answer y, s, a or n.';
  }
}

/**
 * Puts each request to the person at the terminal. Only a whole `y` (once), `s` (this session), `a` (this coworker) or
 * `e` with a line of JSON (once, with other arguments) allows; at the end of the input the host denies, since nobody can
 * be asked. Question and request are written together, so that several requests never mix.
 */
export function answerOnTerminal(asked: Asked): Promise<void> {
  return asked.terminal.talk((ask) => converse(asked, ask));
}
