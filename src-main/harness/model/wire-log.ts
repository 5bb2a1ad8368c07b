import type { ModelCall, ModelMessage } from './port';
import { createByteLog, type ByteLog } from './byte-log';
import { wellFormedJson } from './well-formed-json';

type AssistantMessage = Extract<ModelMessage, { role: 'assistant' }>;

/**
 * How a message goes into the list of messages: as a `whole` entry of the list, or as a part of a user's entry, which
 * later parts join: `blocks` as content blocks, `string` as text inside one JSON string.
 */
export type Form = 'whole' | 'blocks' | 'string';

/** One message in the words of a wire, by itself. Null for one that says nothing there. */
export interface WireText {
  readonly form: Form;
  readonly text: string;
}

/** The words of one wire. */
export interface Dialect {
  serialise(message: ModelMessage): WireText | null;
  /** A result in place of one that was never recorded. */
  missing(call: ModelCall): WireText;
  /** What the wire form depends on beside the message itself; '' where nothing. */
  variantOf(message: ModelMessage): string;
}

/** The wire form of a message, kept: serialised once, however often it is sent. */
interface Kept {
  readonly variant: string;
  readonly form: Form | null;
  readonly bytes: Uint8Array;
}

export type PieceCache = WeakMap<ModelMessage, Kept>;

type Open = 'blocks' | 'string' | null;

const openers = { blocks: '{"role":"user","content":[', string: '{"role":"user","content":"' } as const;
const closers = { blocks: ']}', string: '"}' } as const;
const joints = { blocks: ',', string: '\\n\\n' } as const;

/** Puts pieces behind one another, in and out of entries as their forms ask. */
export interface WireWriter {
  readonly bytes: ByteLog;
  open: Open;
  /** Whether the list has an entry already. */
  begun: boolean;
}

/** Adds one piece; answers a view of its own bytes. */
export function put(writer: WireWriter, form: Form, piece: string | Uint8Array): Buffer {
  const { bytes, open, begun } = writer;
  if (open !== null && open === form) bytes.write(joints[open]);
  else {
    bytes.write(`${closing(open)}${begun ? ',' : ''}${form === 'whole' ? '' : openers[form]}`);
    writer.open = form === 'whole' ? null : form;
    writer.begun = true;
  }
  return typeof piece === 'string' ? bytes.write(wellFormedJson(piece)) : bytes.writeBytes(piece);
}

/** What ends the list after the last piece. */
export function closing(open: Open): string {
  return open === null ? '' : closers[open];
}

function putMessage(writer: WireWriter, message: ModelMessage, dialect: Dialect, cache: PieceCache): void {
  const variant = dialect.variantOf(message);
  const kept = cache.get(message);
  if (kept && kept.variant === variant) {
    if (kept.form !== null) put(writer, kept.form, kept.bytes);
    return;
  }
  const wire = dialect.serialise(message);
  const bytes = wire === null ? Buffer.alloc(0) : put(writer, wire.form, wire.text);
  cache.set(message, { variant, form: wire?.form ?? null, bytes });
}

/** Where the answers to the message at `index` end: at the next assistant message. */
function endOfGroup(messages: readonly ModelMessage[], index: number): number {
  let end = index + 1;
  while (end < messages.length && messages[end]?.role !== 'assistant') end += 1;
  return end;
}

function resultsIn(messages: readonly ModelMessage[], from: number, to: number): Map<string, ModelMessage> {
  const results = new Map<string, ModelMessage>();
  for (let index = from; index < to; index += 1) {
    const message = messages[index];
    if (message?.role === 'tool' && !results.has(message.call_id)) results.set(message.call_id, message);
  }
  return results;
}

function putGroup(
  writer: WireWriter,
  message: AssistantMessage,
  results: ReadonlyMap<string, ModelMessage>,
  dialect: Dialect,
  cache: PieceCache,
): void {
  putMessage(writer, message, dialect, cache);
  for (const call of message.calls) {
    const result = results.get(call.call_id);
    if (result) putMessage(writer, result, dialect, cache);
    else {
      const missing = dialect.missing(call);
      put(writer, missing.form, missing.text);
    }
  }
}

/**
 * Puts the messages from `from` on: each call followed at once by exactly one result, those of one response in the
 * order of its calls, what the person said behind them. Unless `all`, it stops before a response whose results are not
 * all there, since they may still come. Answers the index of the first message that was not put.
 */
export function putMessages(
  writer: WireWriter,
  messages: readonly ModelMessage[],
  from: number,
  how: { readonly dialect: Dialect; readonly cache: PieceCache; readonly all: boolean },
): number {
  const { dialect, cache, all } = how;
  for (let index = from; index < messages.length; index += 1) {
    const message = messages[index];
    if (message?.role === 'user') putMessage(writer, message, dialect, cache);
    if (message?.role !== 'assistant') continue;
    const end = endOfGroup(messages, index);
    const results = resultsIn(messages, index + 1, end);
    const whole = end < messages.length || message.calls.every((call) => results.has(call.call_id));
    if (!whole && !all) return index;
    putGroup(writer, message, results, dialect, cache);
  }
  return messages.length;
}

/** One conversation on one wire, as far as it cannot change any more. */
export interface WireLog {
  readonly writer: WireWriter;
  /** The messages that it holds, in order. */
  readonly held: ModelMessage[];
  /** Model and the like: a log of another variant is of no use. */
  readonly variant: string;
  /** Where the last request had its last block end, for a mark of the provider's cache; 0 for nowhere. */
  mark: number;
}

function extendsLog(messages: readonly ModelMessage[], log: WireLog): boolean {
  const { held } = log;
  if (held.length > messages.length) return false;
  for (let index = held.length - 1; index >= 0; index -= 1) {
    if (held[index] !== messages[index]) return false;
  }
  return true;
}

export interface WireLogs {
  /** The log of a session that holds all of `messages` that is settled. */
  advance(session_id: string, messages: readonly ModelMessage[], variant: string, dialect: Dialect): WireLog;
  readonly cache: PieceCache;
}

/** Sessions whose bytes are held at a time; another one is put together again from its messages' kept forms. */
const maxLogs = 16;

export function createWireLogs(): WireLogs {
  const cache: PieceCache = new WeakMap();
  const logs = new Map<string, WireLog>();
  const newLog = (variant: string): WireLog => ({
    writer: { bytes: createByteLog(), open: null, begun: false },
    held: [],
    variant,
    mark: 0,
  });
  return {
    cache,
    advance(session_id, messages, variant, dialect) {
      const known = logs.get(session_id);
      const fits = known !== undefined && known.variant === variant && extendsLog(messages, known);
      const log = fits ? known : newLog(variant);
      const begin = log.held.length;
      const end = putMessages(log.writer, messages, begin, { dialect, cache, all: false });
      for (let index = begin; index < end; index += 1) {
        const message = messages[index];
        if (message) log.held.push(message);
      }
      // The oldest use goes first.
      logs.delete(session_id);
      logs.set(session_id, log);
      const [oldest] = logs.keys();
      if (logs.size > maxLogs && oldest !== undefined) logs.delete(oldest);
      return log;
    },
  };
}
