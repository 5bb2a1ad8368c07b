import type {
  LanguageModelV3Message,
  LanguageModelV3ReasoningPart,
  LanguageModelV3TextPart,
  LanguageModelV3ToolCallPart,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider';
import { isJsonObject, type Json, type JsonObject } from '../protocol';
import type { ModelCall } from './port';
import type { Wire } from './provider-config';

export type AssistantContent = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'];

/** Who gave an opaque part. It goes back to the same model on the same wire only: signatures are good nowhere else. */
export interface Origin {
  readonly wire: Wire;
  readonly model: string;
}

/** One stretch of a response, in the order in which it came. */
export type Segment =
  | { readonly kind: 'text'; length: number; options: JsonObject | null }
  | { readonly kind: 'reasoning'; text: string; options: JsonObject | null }
  | { readonly kind: 'call'; readonly call_id: string };

export function mergeOptions(before: JsonObject | null, added: unknown): JsonObject | null {
  if (!isJsonObject(added)) return before;
  const merged: Record<string, Json | undefined> = { ...before };
  for (const [provider, values] of Object.entries(added)) {
    if (values === undefined) continue;
    const old = merged[provider];
    merged[provider] = isJsonObject(old) && isJsonObject(values) ? { ...old, ...values } : values;
  }
  return merged;
}

/**
 * The order and the signatures of a response as one opaque part, or null where neither matters. Text and arguments
 * are not repeated in it: the message has them.
 */
export function layoutPart(origin: Origin, segments: readonly Segment[]): Json | null {
  if (!segments.some((segment) => segment.kind !== 'call' && segment.options !== null)) return null;
  const kept = segments.filter(
    (segment) => segment.kind !== 'reasoning' || segment.options !== null || segment.text !== '',
  );
  return {
    type: 'layout',
    version: 1,
    wire: origin.wire,
    model: origin.model,
    segments: kept.map((s) => ({ ...s })),
  };
}

export function callMetadata(origin: Origin, metadata: unknown): JsonObject | null {
  const options = mergeOptions(null, metadata);
  return options === null ? null : { wire: origin.wire, model: origin.model, options };
}

function isFrom(origin: Origin, value: Json | undefined): value is JsonObject {
  return isJsonObject(value) && value.wire === origin.wire && value.model === origin.model;
}

function optionsOf(value: Json | undefined): { providerOptions?: SharedV3ProviderOptions } {
  return isJsonObject(value) ? { providerOptions: value as SharedV3ProviderOptions } : {};
}

/** The metadata of a call as request options; the compatible wire reads Google's signature under Google's name. */
function callOptions(origin: Origin, call: ModelCall): { providerOptions?: SharedV3ProviderOptions } {
  if (!isFrom(origin, call.provider_metadata) || !isJsonObject(call.provider_metadata.options)) return {};
  const { options } = call.provider_metadata;
  const [only] = Object.values(options);
  if (origin.wire === 'compatible' && isJsonObject(only) && options.google === undefined) {
    return optionsOf({ ...options, google: only });
  }
  return optionsOf(options);
}

interface Assistant {
  readonly text: string;
  readonly provider_parts?: readonly Json[];
  readonly calls: readonly ModelCall[];
}

type CallPart = (call: ModelCall) => Pick<LanguageModelV3ToolCallPart, 'toolName' | 'input'>;

function segmentsFrom(origin: Origin, parts: readonly Json[] | undefined): readonly JsonObject[] {
  const layout = (parts ?? []).find((part) => isFrom(origin, part) && part.type === 'layout');
  const list = isJsonObject(layout) ? layout.segments : undefined;
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

function reasoningPart(segment: JsonObject): LanguageModelV3ReasoningPart | null {
  if (!isJsonObject(segment.options)) return null;
  return { type: 'reasoning', text: String(segment.text ?? ''), ...optionsOf(segment.options) };
}

/** Whether the layout still describes the message: same length of text, same calls. */
function describes(segments: readonly JsonObject[], message: Assistant): boolean {
  const length = segments.reduce((sum, s) => sum + (s.kind === 'text' ? Number(s.length) : 0), 0);
  const ids = segments.filter((s) => s.kind === 'call').map((s) => s.call_id);
  return (
    length === message.text.length && ids.join('\n') === message.calls.map((call) => call.call_id).join('\n')
  );
}

/**
 * Content of one assistant message. Where the layout fits, everything goes back in its own place; a message that was
 * changed since goes back as signed reasoning, text, calls. An empty answer gives no content.
 */
export function assistantContent(message: Assistant, origin: Origin, callPart: CallPart): AssistantContent {
  const toCall = (call: ModelCall): LanguageModelV3ToolCallPart => ({
    type: 'tool-call',
    toolCallId: call.call_id,
    ...callPart(call),
    ...callOptions(origin, call),
  });
  const segments = segmentsFrom(origin, message.provider_parts);
  const content: AssistantContent = [];
  if (!describes(segments, message)) {
    for (const segment of segments) {
      const part = segment.kind === 'reasoning' ? reasoningPart(segment) : null;
      if (part) content.push(part);
    }
    if (message.text.trim() !== '') content.push({ type: 'text', text: message.text });
    return [...content, ...message.calls.map(toCall)];
  }
  let place = 0;
  const calls = [...message.calls];
  for (const segment of segments) {
    if (segment.kind === 'reasoning') {
      const part = reasoningPart(segment);
      if (part) content.push(part);
    } else if (segment.kind === 'text') {
      const end = place + Number(segment.length);
      const text = message.text.slice(place, end);
      place = end;
      const part: LanguageModelV3TextPart = { type: 'text', text, ...optionsOf(segment.options) };
      if (text.trim() !== '') content.push(part);
    } else {
      const call = calls.shift();
      if (call) content.push(toCall(call));
    }
  }
  return content;
}
