import { JSONParseError, TypeValidationError, type LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { isJsonObject } from '../protocol';
import { createChatCallWatch, type ChatCallWatch } from './chat-call-watch';
import { modelFailure, placeOf } from './model-failure';
import type { ModelCall, ModelPart } from './port';
import { failureOfStreamError } from './provider-errors';
import type { Endpoint } from './provider-config';
import { callMetadata, layoutPart, mergeOptions, type Origin, type Segment } from './replay';
import type { WireNames } from './wire-names';

type Part<T extends LanguageModelV3StreamPart['type']> = Extract<LanguageModelV3StreamPart, { type: T }>;
type BlockPart = Part<
  'text-start' | 'text-delta' | 'text-end' | 'reasoning-start' | 'reasoning-delta' | 'reasoning-end'
>;
type TextSegment = Exclude<Segment, { kind: 'call' }>;

export interface ResponseReader {
  /** Translates one part. The last part it returns for a response is `finished` or `failed`. */
  read(part: LanguageModelV3StreamPart): readonly ModelPart[];
  /** What a stream without any end means. */
  cut(): ModelPart;
}

/** What one response has given so far. */
interface Reading {
  readonly endpoint: Endpoint;
  readonly origin: Origin;
  readonly names: WireNames;
  readonly segments: Segment[];
  readonly blocks: Map<string, TextSegment>;
  readonly calls: ModelCall[];
  /** Calls that began and are not complete: id and wire name. */
  readonly begun: Map<string, string>;
  readonly watch: ChatCallWatch;
  length: number;
}

const knownEvents =
  /^(message_start|message_delta|message_stop|content_block_start|content_block_delta|content_block_stop|error|ping)$/;

/** Anthropic adds kinds of events and asks clients to pass over those they do not know. */
function isUnknownEvent(error: unknown, endpoint: Endpoint): boolean {
  if (endpoint.wire !== 'anthropic' || !TypeValidationError.isInstance(error)) return false;
  const { value } = error;
  return isJsonObject(value) && typeof value.type === 'string' && !knownEvents.test(value.type);
}

function cutPart(endpoint: Endpoint, why: string): ModelPart {
  const message = `${placeOf(endpoint)} ${why}. Send again.`;
  return { type: 'failed', error: modelFailure('model_stream_cut', message, { retryable: true }) };
}

/** Counts text of any kind; answers a failure when one response has more than it may. */
function grow(reading: Reading, by: number): readonly ModelPart[] {
  reading.length += by;
  const { endpoint } = reading;
  if (reading.length <= endpoint.max_text_length) return [];
  const message = `${placeOf(endpoint)} sent more than ${endpoint.max_text_length} characters in one answer. The rest was left out.`;
  return [{ type: 'failed', error: modelFailure('limit_reached', message, { retryable: false }) }];
}

function blockOf(reading: Reading, kind: 'text' | 'reasoning', part: BlockPart): TextSegment {
  const key = `${kind} ${part.id}`;
  let segment = reading.blocks.get(key);
  if (segment === undefined || part.type.endsWith('-start')) {
    segment = kind === 'text' ? { kind, length: 0, options: null } : { kind, text: '', options: null };
    reading.blocks.set(key, segment);
    reading.segments.push(segment);
  }
  segment.options = mergeOptions(segment.options, part.providerMetadata);
  return segment;
}

function readDelta(
  reading: Reading,
  kind: 'text' | 'reasoning',
  part: Part<'text-delta' | 'reasoning-delta'>,
): readonly ModelPart[] {
  const segment = blockOf(reading, kind, part);
  const tooLong = grow(reading, part.delta.length);
  if (tooLong.length > 0 || part.delta === '') return tooLong;
  if (segment.kind === 'text') segment.length += part.delta.length;
  else segment.text += part.delta;
  return [{ type: kind, text: part.delta }];
}

function keepCall(reading: Reading, part: Part<'tool-call'>): void {
  reading.begun.delete(part.toolCallId);
  if (part.providerExecuted === true) return;
  const metadata = callMetadata(reading.origin, part.providerMetadata);
  reading.calls.push({
    call_id: part.toolCallId,
    name: reading.names.fromWire(part.toolName),
    arguments_text: part.input === '' ? '{}' : part.input,
    ...(metadata === null ? {} : { provider_metadata: metadata }),
  });
  reading.segments.push({ kind: 'call', call_id: part.toolCallId });
}

/** Why a response with an end is not whole after all, or null. */
function flawOf(reading: Reading, part: Part<'finish'>): ModelPart | null {
  const { endpoint, watch, calls } = reading;
  const { unified, raw } = part.finishReason;
  if (unified === 'error' || (unified === 'other' && raw === undefined)) {
    const named = raw !== undefined && raw !== 'error';
    return cutPart(
      endpoint,
      named ? `broke off its answer (${raw})` : 'ended its answer without saying that it is whole',
    );
  }
  const repeated = watch.repeatedId();
  if (repeated !== null) {
    const message = `${placeOf(endpoint)} gave two calls of one answer the id "${repeated}". None of them ran.`;
    const error = modelFailure('call_id_reused', message, { retryable: false, data: { call_id: repeated } });
    return { type: 'failed', error };
  }
  const [open] = reading.begun.values();
  if (open !== undefined) {
    return cutPart(endpoint, `began a call of ${reading.names.fromWire(open)} and never completed it`);
  }
  const given = calls.reduce((sum, call) => sum + call.arguments_text.length, 0);
  return given < watch.argumentLength()
    ? cutPart(endpoint, 'sent pieces of arguments that belong to no call')
    : null;
}

function readFinish(reading: Reading, part: Part<'finish'>): readonly ModelPart[] {
  const flaw = flawOf(reading, part);
  if (flaw) return [flaw];
  const layout = layoutPart(reading.origin, reading.segments);
  const { unified, raw } = part.finishReason;
  return [
    ...reading.calls.map((call): ModelPart => ({ type: 'call', call })),
    ...(layout === null ? [] : [{ type: 'provider_part', part: layout } as const]),
    {
      type: 'finished',
      reason: unified === 'other' && raw !== undefined ? raw : unified,
      usage: {
        input_tokens: part.usage.inputTokens.total ?? null,
        output_tokens: part.usage.outputTokens.total ?? null,
      },
    },
  ];
}

function readError(reading: Reading, value: unknown): readonly ModelPart[] {
  const { endpoint } = reading;
  if (isUnknownEvent(value, endpoint)) return [];
  if (JSONParseError.isInstance(value) || TypeValidationError.isInstance(value)) {
    return [cutPart(endpoint, 'sent a piece of an answer that cannot be read')];
  }
  return [{ type: 'failed', error: failureOfStreamError(endpoint, value, reading.origin.model) }];
}

function readPart(reading: Reading, part: LanguageModelV3StreamPart): readonly ModelPart[] {
  switch (part.type) {
    case 'text-start':
    case 'text-end':
      blockOf(reading, 'text', part);
      return [];
    case 'reasoning-start':
    case 'reasoning-end':
      blockOf(reading, 'reasoning', part);
      return [];
    case 'text-delta':
      return readDelta(reading, 'text', part);
    case 'reasoning-delta':
      return readDelta(reading, 'reasoning', part);
    case 'tool-input-start':
      if (part.providerExecuted !== true) reading.begun.set(part.id, part.toolName);
      return [];
    case 'tool-input-delta':
      return grow(reading, part.delta.length);
    case 'tool-call':
      keepCall(reading, part);
      return [];
    case 'raw':
      reading.watch.see(part.rawValue);
      return [];
    case 'finish':
      return readFinish(reading, part);
    case 'error':
      return readError(reading, part.error);
    default:
      return [];
  }
}

/**
 * Turns the parts of one response into the port's parts. Calls are held until the provider has said that the response
 * is whole: a call that was given out is never followed by `failed`. The reason of `finished` is one of `stop`,
 * `tool-calls`, `length`, `content-filter`, or the provider's own word where none of these fits.
 */
export function createResponseReader(endpoint: Endpoint, model: string, names: WireNames): ResponseReader {
  const reading: Reading = {
    endpoint,
    origin: { wire: endpoint.wire, model },
    names,
    segments: [],
    blocks: new Map(),
    calls: [],
    begun: new Map(),
    watch: createChatCallWatch(),
    length: 0,
  };
  return {
    read: (part) => readPart(reading, part),
    cut: () => cutPart(endpoint, 'broke off in the middle of its answer'),
  };
}
