import type { TokenUsage } from '../protocol';
import { modelFailure, placeOf } from './model-failure';
import type { ModelCall, ModelPart } from './port';
import type { Endpoint } from './provider-config';
import { callMetadata, layoutPart, mergeOptions, type Origin, type Segment } from './replay';
import type { WireNames } from './wire-names';

export type TextSegment = Exclude<Segment, { kind: 'call' }>;

/** Why a response ended, in the words of all wires, with the provider's own where it gave one. */
export interface EndReason {
  readonly unified: 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other';
  readonly raw: string | undefined;
}

/**
 * What one response has given so far. Calls are held until the provider has said that the response is whole: a call
 * that was given out is never followed by `failed`.
 */
export interface ResponseDraft {
  /** Begins a stretch of text or reasoning. */
  segment(kind: TextSegment['kind']): TextSegment;
  /** Adds opaque facts that go back with the stretch. */
  note(segment: TextSegment, options: unknown): void;
  /** The part for a piece of text, or `failed` where the response has more than it may. */
  say(segment: TextSegment, text: string): ModelPart | null;
  /** Counts text that is held; `failed` where the response has more than it may. */
  grow(by: number): ModelPart | null;
  /** A call began; it must be completed before the end. */
  beginCall(key: string | number, wire_name: string): void;
  call(
    key: string | number,
    call: { readonly id: string; readonly wire_name: string; readonly arguments_text: string },
    metadata?: unknown,
  ): void;
  /** The last parts of the response: what was held and `finished`, or `failed`. */
  finish(reason: EndReason, usage: TokenUsage): readonly ModelPart[];
  cut(why: string): ModelPart;
}

/** Usage with the shares that the provider told. */
export function usageOf(
  input: number | null | undefined,
  output: number | null | undefined,
  shares: { readonly cached?: unknown; readonly reasoning?: unknown } = {},
): TokenUsage {
  return {
    input_tokens: input ?? null,
    output_tokens: output ?? null,
    ...(typeof shares.cached === 'number' ? { cached_input_tokens: shares.cached } : {}),
    ...(typeof shares.reasoning === 'number' ? { reasoning_tokens: shares.reasoning } : {}),
  };
}

interface Drafting {
  readonly endpoint: Endpoint;
  readonly origin: Origin;
  readonly names: WireNames;
  readonly segments: Segment[];
  readonly calls: ModelCall[];
  readonly begun: Map<string | number, string>;
  length: number;
}

function cutPart(endpoint: Endpoint, why: string): ModelPart {
  const message = `${placeOf(endpoint)} ${why}. Send again.`;
  return { type: 'failed', error: modelFailure('model_stream_cut', message, { retryable: true }) };
}

function grow(drafting: Drafting, by: number): ModelPart | null {
  drafting.length += by;
  const { endpoint } = drafting;
  if (drafting.length <= endpoint.max_text_length) return null;
  const message = `${placeOf(endpoint)} sent more than ${endpoint.max_text_length} characters in one answer. The rest was left out.`;
  return { type: 'failed', error: modelFailure('limit_reached', message, { retryable: false }) };
}

function repeatedId(calls: readonly ModelCall[]): string | null {
  const seen = new Set<string>();
  for (const { call_id } of calls) {
    if (seen.has(call_id)) return call_id;
    seen.add(call_id);
  }
  return null;
}

/** Why a response with an end is not whole after all, or null. */
function flawOf(drafting: Drafting, { unified, raw }: EndReason): ModelPart | null {
  const { endpoint, calls, begun, names } = drafting;
  if (unified === 'error' || (unified === 'other' && raw === undefined)) {
    const named = raw !== undefined && raw !== 'error';
    return cutPart(
      endpoint,
      named ? `broke off its answer (${raw})` : 'ended its answer without saying that it is whole',
    );
  }
  const repeated = repeatedId(calls);
  if (repeated !== null) {
    const message = `${placeOf(endpoint)} gave two calls of one answer the id "${repeated}". None of them ran.`;
    const error = modelFailure('call_id_reused', message, { retryable: false, data: { call_id: repeated } });
    return { type: 'failed', error };
  }
  const [open] = begun.values();
  if (open === undefined) return null;
  const what = open === '' ? 'a call' : `a call of ${names.fromWire(open)}`;
  return cutPart(endpoint, `began ${what} and never completed it`);
}

function finish(drafting: Drafting, reason: EndReason, usage: TokenUsage): readonly ModelPart[] {
  const flaw = flawOf(drafting, reason);
  if (flaw) return [flaw];
  const layout = layoutPart(drafting.origin, drafting.segments);
  const { unified, raw } = reason;
  return [
    ...drafting.calls.map((call): ModelPart => ({ type: 'call', call })),
    ...(layout === null ? [] : [{ type: 'provider_part', part: layout } as const]),
    { type: 'finished', reason: unified === 'other' && raw !== undefined ? raw : unified, usage },
  ];
}

/**
 * A draft for one response. The reason of `finished` is one of `stop`, `tool-calls`, `length`, `content-filter`, or the
 * provider's own word where none of these fits.
 */
export function createResponseDraft(endpoint: Endpoint, model: string, names: WireNames): ResponseDraft {
  const origin: Origin = { wire: endpoint.wire, model };
  const drafting: Drafting = {
    endpoint,
    origin,
    names,
    segments: [],
    calls: [],
    begun: new Map(),
    length: 0,
  };
  return {
    segment(kind) {
      const segment: TextSegment =
        kind === 'text' ? { kind, length: 0, options: null } : { kind, text: '', options: null };
      drafting.segments.push(segment);
      return segment;
    },
    note(segment, options) {
      segment.options = mergeOptions(segment.options, options);
    },
    say(segment, text) {
      const tooLong = grow(drafting, text.length);
      if (tooLong !== null) return tooLong;
      if (text === '') return null;
      if (segment.kind === 'text') segment.length += text.length;
      else segment.text += text;
      return { type: segment.kind, text };
    },
    grow: (by) => grow(drafting, by),
    beginCall: (key, wire_name) => void drafting.begun.set(key, wire_name),
    call(key, { id, wire_name, arguments_text }, metadata) {
      drafting.begun.delete(key);
      const provider_metadata = callMetadata(origin, metadata);
      drafting.calls.push({
        call_id: id,
        name: names.fromWire(wire_name),
        arguments_text: arguments_text === '' ? '{}' : arguments_text,
        ...(provider_metadata === null ? {} : { provider_metadata }),
      });
      drafting.segments.push({ kind: 'call', call_id: id });
    },
    finish: (reason, usage) => finish(drafting, reason, usage),
    cut: (why) => cutPart(endpoint, why),
  };
}
