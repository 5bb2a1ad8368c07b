import type { ModelFile, ModelMessage, ModelRequest } from './port';
import { createByteLog } from './byte-log';
import { createNameBook, type NameBook } from './wire-names';
import type { Endpoint } from './provider-config';
import {
  closing,
  createWireLogs,
  put,
  putMessages,
  type Dialect,
  type WireLog,
  type WireLogs,
  type WireText,
  type WireWriter,
} from './wire-log';
import { transientOf } from './transient';
import { wellFormedJson } from './well-formed-json';

/** What one request goes with, beside its messages. */
export interface WireContext {
  readonly endpoint: Endpoint;
  readonly model: string;
  readonly sees: boolean;
  readonly names: NameBook;
}

/** How one wire puts a request together. */
export interface WireForm {
  readonly path: string;
  headers(request: ModelRequest): Readonly<Record<string, string>>;
  /** Everything up to the list of messages, with what the list begins with; `tools` is their text. */
  head(request: ModelRequest, context: WireContext, tools: string): string;
  tool(tool: ModelRequest['tools'][number], name: string): string;
  dialect(context: WireContext): Dialect;
  transient(text: string, image: ModelFile | null): WireText;
  /** Goes into the last block that a later request will repeat, before its final brace. */
  readonly cache_mark: string | null;
}

export interface WireBody {
  /** One body, in pieces; they stay as they are for as long as they are used. */
  readonly parts: readonly Uint8Array[];
  readonly names: NameBook;
}

/** The requests of one provider over one wire. */
export interface WireRequests {
  body(request: ModelRequest, sees: boolean): WireBody;
}

/** The text of each tool, kept as long as its schema. */
interface ToolText {
  readonly name: string;
  readonly description: string;
  readonly text: string;
}
type ToolCache = WeakMap<object, ToolText>;

function toolsText(request: ModelRequest, names: NameBook, form: WireForm, cache: ToolCache): string {
  return request.tools
    .map((tool) => {
      const kept = cache.get(tool.input_schema);
      if (kept && kept.name === tool.name && kept.description === tool.description) return kept.text;
      const text = form.tool(tool, names.toWire(tool.name));
      cache.set(tool.input_schema, { name: tool.name, description: tool.description, text });
      return text;
    })
    .join(',');
}

/** Puts `insert` in front of the byte before each place: into the object that ends there. */
function withMarks(
  views: (from: number, to: number) => Buffer[],
  to: number,
  marks: readonly Mark[],
): Buffer[] {
  const parts: Buffer[] = [];
  let from = 0;
  for (const { place, insert } of marks) {
    parts.push(...views(from, place - 1), insert);
    from = place - 1;
  }
  return [...parts, ...views(from, to)];
}
interface Mark {
  readonly place: number;
  readonly insert: Buffer;
}

interface Requests {
  readonly endpoint: Endpoint;
  readonly form: WireForm;
  readonly names: NameBook;
  readonly logs: WireLogs;
  readonly tools: ToolCache;
  readonly mark: Buffer | null;
  /** Heads are long and change seldom. */
  head: { readonly text: string; readonly bytes: Buffer };
}

function headBytes(requests: Requests, text: string): Buffer {
  if (requests.head.text !== text) requests.head = { text, bytes: Buffer.from(wellFormedJson(text)) };
  return requests.head.bytes;
}

/** Where the bytes that a later request repeats end, and those that the last one ended with (see `cache_mark`). */
function marksOf(log: WireLog, rest: WireWriter, mark: Buffer | null): { log: Mark[]; rest: Mark[] } {
  if (mark === null) return { log: [], rest: [] };
  const settled = log.writer.bytes.length;
  const unsettled = rest.bytes.length;
  const inLog: Mark[] = log.mark > 0 && log.mark < settled ? [{ place: log.mark, insert: mark }] : [];
  const inRest: Mark[] = [];
  if (rest.open === 'blocks' && unsettled > 0) inRest.push({ place: unsettled, insert: mark });
  if (rest.open === 'blocks' && unsettled === 0 && settled > 0) inLog.push({ place: settled, insert: mark });
  if (log.writer.open === 'blocks') log.mark = settled;
  return { log: inLog, rest: inRest };
}

/** What is put behind the log is short, as a rule. */
const restBlock = 1_024;

/** Settled messages come from the log; what may still change, and what is for this request only, is put behind. */
function bodyOf(requests: Requests, request: ModelRequest, sees: boolean): WireBody {
  const { endpoint, form, names, logs } = requests;
  names.add(request.tools.map((tool) => tool.name));
  const context: WireContext = { endpoint, model: request.model, sees, names };
  const dialect = form.dialect(context);
  const log = logs.advance(request.session_id, request.messages, `${request.model}\n${sees}`, dialect);
  const { bytes, open, begun } = log.writer;
  const rest: WireWriter = { bytes: createByteLog(restBlock), open, begun };
  putMessages(rest, request.messages, log.held.length, { dialect, cache: logs.cache, all: true });
  const marks = marksOf(log, rest, requests.mark);
  const once = transientOf(request, sees);
  if (once) {
    const wire = form.transient(once.text, once.image);
    put(rest, wire.form, wire.text);
  }
  rest.bytes.write(`${closing(rest.open)}]}`);
  const head = form.head(request, context, toolsText(request, names, form, requests.tools));
  const joint = rest.begun && head.endsWith('}') ? ',' : '';
  const parts = [
    headBytes(requests, head + joint),
    ...withMarks((from, to) => bytes.views(from, to), bytes.length, marks.log),
    ...withMarks((from, to) => rest.bytes.views(from, to), rest.bytes.length, marks.rest),
  ];
  return { parts, names };
}

export function createWireRequests(endpoint: Endpoint, form: WireForm): WireRequests {
  const requests: Requests = {
    endpoint,
    form,
    names: createNameBook(endpoint.wire),
    logs: createWireLogs(),
    tools: new WeakMap(),
    mark: form.cache_mark === null ? null : Buffer.from(form.cache_mark),
    head: { text: '', bytes: Buffer.alloc(0) },
  };
  return { body: (request, sees) => bodyOf(requests, request, sees) };
}

/** What the wire form of a message depends on beside itself: signatures on the model, images on whether it sees. */
export function messageVariant(message: ModelMessage, { model, sees }: WireContext): string {
  if (message.role === 'user') return message.files.length === 0 ? '' : sees ? 'sees' : 'blind';
  if (message.role !== 'assistant') return '';
  const signed =
    (message.provider_parts?.length ?? 0) > 0 || message.calls.some((call) => call.provider_metadata);
  return signed ? model : '';
}
