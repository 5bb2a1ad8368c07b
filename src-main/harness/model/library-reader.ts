import { JSONParseError, TypeValidationError, type LanguageModelV3StreamPart } from '@ai-sdk/provider';
import type { ModelPart } from './port';
import { failureOfStreamError } from './provider-errors';
import type { Endpoint } from './provider-config';
import { createResponseDraft, usageOf, type ResponseDraft, type TextSegment } from './response-draft';
import type { WireNames } from './wire-names';

type Part<T extends LanguageModelV3StreamPart['type']> = Extract<LanguageModelV3StreamPart, { type: T }>;
type BlockPart = Part<
  'text-start' | 'text-delta' | 'text-end' | 'reasoning-start' | 'reasoning-delta' | 'reasoning-end'
>;

export interface ResponseReader {
  /** Translates one part. The last part it returns for a response is `finished` or `failed`. */
  read(part: LanguageModelV3StreamPart): readonly ModelPart[];
  /** What a stream without any end means. */
  cut(): ModelPart;
}

interface Reading {
  readonly endpoint: Endpoint;
  readonly model: string;
  readonly draft: ResponseDraft;
  readonly text: Map<string, TextSegment>;
  readonly reasoning: Map<string, TextSegment>;
}

function blockOf(reading: Reading, kind: 'text' | 'reasoning', part: BlockPart): TextSegment {
  let segment = reading[kind].get(part.id);
  if (segment === undefined || part.type.endsWith('-start')) {
    segment = reading.draft.segment(kind);
    reading[kind].set(part.id, segment);
  }
  if (part.providerMetadata) reading.draft.note(segment, part.providerMetadata);
  return segment;
}

function listed(part: ModelPart | null): readonly ModelPart[] {
  return part === null ? [] : [part];
}

function readFinish({ draft }: Reading, part: Part<'finish'>): readonly ModelPart[] {
  const { inputTokens, outputTokens } = part.usage;
  // The packages fill in 0 where a provider said nothing.
  const shares = {
    cached: inputTokens.cacheRead || undefined,
    reasoning: outputTokens.reasoning || undefined,
  };
  const { unified, raw } = part.finishReason;
  return draft.finish({ unified, raw }, usageOf(inputTokens.total, outputTokens.total, shares));
}

function readError({ endpoint, model, draft }: Reading, value: unknown): readonly ModelPart[] {
  if (JSONParseError.isInstance(value) || TypeValidationError.isInstance(value)) {
    return [draft.cut('sent a piece of an answer that cannot be read')];
  }
  return [{ type: 'failed', error: failureOfStreamError(endpoint, value, model) }];
}

function readPart(reading: Reading, part: LanguageModelV3StreamPart): readonly ModelPart[] {
  const { draft } = reading;
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
      return listed(draft.say(blockOf(reading, 'text', part), part.delta));
    case 'reasoning-delta':
      return listed(draft.say(blockOf(reading, 'reasoning', part), part.delta));
    case 'tool-input-start':
      if (part.providerExecuted !== true) draft.beginCall(part.id, part.toolName);
      return [];
    case 'tool-input-delta':
      return listed(draft.grow(part.delta.length));
    case 'tool-call':
      if (part.providerExecuted !== true) {
        const { toolCallId: id, toolName: wire_name, input: arguments_text } = part;
        draft.call(id, { id, wire_name, arguments_text }, part.providerMetadata);
      }
      return [];
    case 'finish':
      return readFinish(reading, part);
    case 'error':
      return readError(reading, part.error);
    default:
      return [];
  }
}

/** Turns the parts of a response that a provider package read into the port's parts. */
export function createLibraryReader(endpoint: Endpoint, model: string, names: WireNames): ResponseReader {
  const reading: Reading = {
    endpoint,
    model,
    draft: createResponseDraft(endpoint, model, names),
    text: new Map(),
    reasoning: new Map(),
  };
  return {
    read: (part) => readPart(reading, part),
    cut: () => reading.draft.cut('broke off in the middle of its answer'),
  };
}
