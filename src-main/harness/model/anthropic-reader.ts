import { isJsonObject, type JsonObject } from '../protocol';
import type { ModelPart } from './port';
import { failureOfStreamError } from './provider-errors';
import type { Endpoint } from './provider-config';
import {
  createResponseDraft,
  usageOf,
  type EndReason,
  type ResponseDraft,
  type TextSegment,
} from './response-draft';
import type { WireNames } from './wire-names';
import { parseEvent, type WireReader } from './wire-reader';

type Block =
  | { readonly kind: 'text'; readonly segment: TextSegment }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly pieces: string[] }
  /** Kinds that this app asks for none of. */
  | { readonly kind: 'other' };

interface Reading {
  readonly endpoint: Endpoint;
  readonly model: string;
  readonly draft: ResponseDraft;
  readonly blocks: Map<unknown, Block>;
  usage: JsonObject;
  stop_reason: string | null;
}

type Out = (part: ModelPart) => void;

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function say(reading: Reading, segment: TextSegment, text: unknown, out: Out): void {
  const part = reading.draft.say(segment, stringOf(text));
  if (part !== null) out(part);
}

function startReasoning(reading: Reading, block: JsonObject): Block {
  const segment = reading.draft.segment('reasoning');
  if (block.type === 'redacted_thinking') {
    reading.draft.note(segment, { anthropic: { redactedData: stringOf(block.data) } });
  } else if (stringOf(block.signature) !== '') {
    reading.draft.note(segment, { anthropic: { signature: stringOf(block.signature) } });
  }
  return { kind: 'text', segment };
}

function startCall(reading: Reading, index: unknown, block: JsonObject): Block {
  const name = stringOf(block.name);
  reading.draft.beginCall(Number(index), name);
  // Some gateways give the arguments at once instead of in pieces.
  const whole = isJsonObject(block.input) && Object.keys(block.input).length > 0;
  return {
    kind: 'call',
    id: stringOf(block.id),
    name,
    pieces: whole ? [JSON.stringify(block.input)] : [],
  };
}

function startBlock(reading: Reading, event: JsonObject, out: Out): void {
  const block = isJsonObject(event.content_block) ? event.content_block : {};
  switch (block.type) {
    case 'text': {
      const segment = reading.draft.segment('text');
      reading.blocks.set(event.index, { kind: 'text', segment });
      say(reading, segment, block.text, out);
      return;
    }
    case 'thinking':
    case 'redacted_thinking': {
      const started = startReasoning(reading, block);
      reading.blocks.set(event.index, started);
      if (started.kind === 'text') say(reading, started.segment, block.thinking, out);
      return;
    }
    case 'tool_use':
      reading.blocks.set(event.index, startCall(reading, event.index, block));
      return;
    default:
      reading.blocks.set(event.index, { kind: 'other' });
  }
}

/** Pieces of a block whose beginning never came have no place to go. */
function readDelta(reading: Reading, event: JsonObject, out: Out): void {
  const delta = isJsonObject(event.delta) ? event.delta : {};
  const block = reading.blocks.get(event.index);
  if (block === undefined) {
    out(reading.draft.cut('sent a piece of an answer that belongs to nothing'));
    return;
  }
  if (block.kind === 'call' && delta.type === 'input_json_delta') {
    const piece = stringOf(delta.partial_json);
    block.pieces.push(piece);
    const tooLong = reading.draft.grow(piece.length);
    if (tooLong !== null) out(tooLong);
  }
  if (block.kind !== 'text') return;
  if (delta.type === 'text_delta') say(reading, block.segment, delta.text, out);
  if (delta.type === 'thinking_delta') say(reading, block.segment, delta.thinking, out);
  if (delta.type === 'signature_delta') {
    reading.draft.note(block.segment, { anthropic: { signature: stringOf(delta.signature) } });
  }
}

function stopBlock({ draft, blocks }: Reading, event: JsonObject): void {
  const block = blocks.get(event.index);
  blocks.delete(event.index);
  if (block?.kind !== 'call') return;
  const { id, name: wire_name, pieces } = block;
  draft.call(Number(event.index), { id, wire_name, arguments_text: pieces.join('') });
}

function reasonOf(stop_reason: string | null): EndReason {
  switch (stop_reason) {
    case null:
      return { unified: 'other', raw: undefined };
    case 'end_turn':
    case 'stop_sequence':
    case 'pause_turn':
      return { unified: 'stop', raw: stop_reason };
    case 'tool_use':
      return { unified: 'tool-calls', raw: stop_reason };
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return { unified: 'length', raw: stop_reason };
    case 'refusal':
      return { unified: 'content-filter', raw: stop_reason };
    default:
      return { unified: 'other', raw: stop_reason };
  }
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** The wire counts what it read from its cache, and what it wrote there, apart from the other input. */
function finish({ draft, usage, stop_reason }: Reading): readonly ModelPart[] {
  const fresh = countOf(usage.input_tokens);
  const cached = countOf(usage.cache_read_input_tokens);
  const written = countOf(usage.cache_creation_input_tokens) ?? 0;
  const details = isJsonObject(usage.output_tokens_details) ? usage.output_tokens_details : {};
  const input = fresh === undefined ? null : fresh + (cached ?? 0) + written;
  const shares = { cached, reasoning: details.thinking_tokens };
  return draft.finish(reasonOf(stop_reason), usageOf(input, countOf(usage.output_tokens), shares));
}

/** Later counts replace earlier ones; one that is left out or null stays as it was. */
function mergeUsage(reading: Reading, value: unknown): void {
  if (!isJsonObject(value)) return;
  const told = Object.entries(value).filter(([, count]) => count !== null);
  reading.usage = { ...reading.usage, ...Object.fromEntries(told) };
}

function readEvent(reading: Reading, event: JsonObject, out: Out): void {
  switch (event.type) {
    case 'message_start':
      if (isJsonObject(event.message)) mergeUsage(reading, event.message.usage);
      return;
    case 'content_block_start':
      return startBlock(reading, event, out);
    case 'content_block_delta':
      return readDelta(reading, event, out);
    case 'content_block_stop':
      return stopBlock(reading, event);
    case 'message_delta':
      mergeUsage(reading, event.usage);
      if (isJsonObject(event.delta) && typeof event.delta.stop_reason === 'string') {
        reading.stop_reason = event.delta.stop_reason;
      }
      return;
    case 'message_stop':
      finish(reading).forEach(out);
      return;
    case 'error':
      out({ type: 'failed', error: failureOfStreamError(reading.endpoint, event, reading.model) });
      return;
    default:
    // Kinds are added over time, and clients are asked to pass over those that they do not know.
  }
}

/** Reads Anthropic's events. */
export function createAnthropicReader(endpoint: Endpoint, model: string, names: WireNames): WireReader {
  const reading: Reading = {
    endpoint,
    model,
    draft: createResponseDraft(endpoint, model, names),
    blocks: new Map(),
    usage: {},
    stop_reason: null,
  };
  return {
    read(data, out) {
      const event = parseEvent(data);
      if (isJsonObject(event)) readEvent(reading, event, out);
      else out(reading.draft.cut('sent a piece of an answer that cannot be read'));
    },
    end: () => [reading.draft.cut('broke off in the middle of its answer')],
  };
}
