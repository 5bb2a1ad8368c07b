import { isJsonObject, type JsonObject } from '../protocol';
import { createChatCalls, type ChatCalls } from './chat-calls';
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

interface Reading {
  readonly endpoint: Endpoint;
  readonly model: string;
  readonly draft: ResponseDraft;
  readonly calls: ChatCalls;
  segment: TextSegment | null;
  usage: JsonObject;
  finish_reason: string | null;
  refused: boolean;
}

type Out = (part: ModelPart) => void;

function say(reading: Reading, kind: TextSegment['kind'], text: unknown, out: Out): void {
  if (typeof text !== 'string' || text === '') return;
  if (reading.segment?.kind !== kind) reading.segment = reading.draft.segment(kind);
  const part = reading.draft.say(reading.segment, text);
  if (part !== null) out(part);
}

/** Content as a list of parts, as Mistral sends it. */
function sayParts(reading: Reading, parts: readonly unknown[], out: Out): void {
  for (const part of parts) {
    if (!isJsonObject(part)) continue;
    if (part.type === 'text') say(reading, 'text', part.text, out);
    if (part.type !== 'thinking' || !Array.isArray(part.thinking)) continue;
    for (const thought of part.thinking as readonly unknown[]) {
      if (isJsonObject(thought)) say(reading, 'reasoning', thought.text, out);
    }
  }
}

function takeCalls(reading: Reading, pieces: readonly unknown[], out: Out): void {
  for (const piece of pieces) {
    const length = isJsonObject(piece) ? reading.calls.take(piece) : null;
    const failed =
      length === null
        ? reading.draft.cut('sent pieces of arguments that belong to no call')
        : reading.draft.grow(length);
    if (failed !== null) {
      out(failed);
      return;
    }
  }
}

function readDelta(reading: Reading, delta: JsonObject, out: Out): void {
  say(reading, 'reasoning', delta.reasoning_content ?? delta.reasoning, out);
  if (Array.isArray(delta.content)) sayParts(reading, delta.content as readonly unknown[], out);
  else say(reading, 'text', delta.content, out);
  if (typeof delta.refusal === 'string' && delta.refusal !== '') {
    reading.refused = true;
    say(reading, 'text', delta.refusal, out);
  }
  if (Array.isArray(delta.tool_calls)) takeCalls(reading, delta.tool_calls as readonly unknown[], out);
}

function reasonOf({ finish_reason: raw, refused }: Reading): EndReason {
  switch (raw) {
    case null:
      return { unified: 'other', raw: undefined };
    case 'stop':
      return { unified: refused ? 'content-filter' : 'stop', raw };
    case 'tool_calls':
    case 'function_call':
      return { unified: 'tool-calls', raw };
    case 'length':
      return { unified: 'length', raw };
    case 'content_filter':
      return { unified: 'content-filter', raw };
    case 'error':
      return { unified: 'error', raw };
    default:
      return { unified: 'other', raw };
  }
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function finish(reading: Reading): readonly ModelPart[] {
  const { draft, usage } = reading;
  if (reading.finish_reason !== null) reading.calls.complete(draft);
  const prompt = isJsonObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  const completion = isJsonObject(usage.completion_tokens_details) ? usage.completion_tokens_details : {};
  const shares = {
    // DeepSeek counts hits of its cache beside the details.
    cached: prompt.cached_tokens ?? usage.prompt_cache_hit_tokens,
    reasoning: completion.reasoning_tokens,
  };
  const counts = usageOf(countOf(usage.prompt_tokens), countOf(usage.completion_tokens), shares);
  return draft.finish(reasonOf(reading), counts);
}

/** An error in place of a chunk: in an object of its own, or laid flat, as vLLM does. */
function isError(chunk: JsonObject): boolean {
  const flat = chunk.object === 'error' || (chunk.choices === undefined && typeof chunk.message === 'string');
  return (chunk.error !== undefined && chunk.error !== null) || flat;
}

function readChunk(reading: Reading, chunk: JsonObject, out: Out): void {
  if (isError(chunk)) {
    out({ type: 'failed', error: failureOfStreamError(reading.endpoint, chunk, reading.model) });
    return;
  }
  if (isJsonObject(chunk.usage)) reading.usage = chunk.usage;
  const choice: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
  if (!isJsonObject(choice)) return;
  if (isJsonObject(choice.delta)) readDelta(reading, choice.delta, out);
  if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') {
    reading.finish_reason = choice.finish_reason;
  }
}

/** Reads the chunks of Chat Completions, with what servers are known to make of them. */
export function createChatReader(endpoint: Endpoint, model: string, names: WireNames): WireReader {
  const reading: Reading = {
    endpoint,
    model,
    draft: createResponseDraft(endpoint, model, names),
    calls: createChatCalls(),
    segment: null,
    usage: {},
    finish_reason: null,
    refused: false,
  };
  return {
    read(data, out) {
      if (data.trim() === '[DONE]') {
        finish(reading).forEach(out);
        return;
      }
      const chunk = parseEvent(data);
      if (isJsonObject(chunk)) readChunk(reading, chunk, out);
      else out(reading.draft.cut('sent a piece of an answer that cannot be read'));
    },
    end: () => finish(reading),
  };
}
