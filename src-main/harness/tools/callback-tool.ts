import { checkImage, decodeImageBase64, isImageMediaType } from '../images';
import { failure, type Failure, type Json, type JsonObject, type JsonSchema } from '../protocol';
import { isBoundedJson } from '../validation/bounded-json';
import { secretsRedacted } from '../validation/redact-secrets';
import { ownTool } from './own-tool';
import {
  ToolError,
  type RegistrationOptions,
  type Tool,
  type ToolContext,
  type ToolDescriptor,
  type ToolEnd,
  type ToolHooks,
  type ToolImage,
} from './tool';

/** Most characters of a callback's result as JSON text; of a `ToolImageResult`, of its metadata (S1-70, C9). */
export const maxCallbackCharacters = 128_000;
/** Most values in it, all levels together: far more than fit into that many characters, whose limit then counts. */
const maxCallbackValues = 8 * maxCallbackCharacters;
/** Longest message of an error that goes back to the model, in UTF-16 units. */
const maxErrorMessage = 2_000;
/** As much of a message is looked through for secrets before it is cut, so that none escapes across the cut. */
const maxErrorRead = 65_536;

/** What a running callback is given (S1-18, S1-45, S1-48, S1-88). Ids are the harness's own. */
export interface CallbackContext {
  readonly sessionId: string;
  readonly turnId: string;
  /** Unique within the turn only: a provider may use it again in a later one. */
  readonly callId: string;
  readonly qualifiedName: string;
  readonly modelAlias: string;
  /** Aborted by Stop, by the session's end and by the call's own time limit. Listen to it. */
  readonly signal: AbortSignal;
  /**
   * Reports what is going on: at most 64 times a call, 4 KB of words and 16 KB of plain JSON each. Rejects what is
   * neither; never waits for whoever looks (S1-52).
   */
  progress(message: string, data?: Json): Promise<void>;
}

/** A tool whose code lives in the application that embeds the harness (S1-03, S1-16). It has that application's rights. */
export interface CallbackDefinition {
  readonly namespace: string;
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** Its root describes an object. Arguments have passed it before `execute` is called. */
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  /** Version of the implementation, where the application keeps one. */
  readonly version?: string;
  readonly hooks?: ToolHooks;
  /**
   * Answers plain JSON, or a `ToolImageResult`; nothing counts as null. What it throws is its failure and goes back to
   * the model with its message, cut and without secrets (C13): a short `code` of the error is kept.
   */
  execute(args: JsonObject, context: CallbackContext): unknown;
}

/** JSON metadata and one PNG or JPEG (S1-63, S1-64, S1-67, S1-68): at most 768,000 base64 characters (S1-69). */
export class ToolImageResult {
  readonly metadata: Json;
  readonly image: { readonly mimeType: string; readonly base64: string };
  constructor(metadata: Json, image: { readonly mimeType: string; readonly base64: string }) {
    this.metadata = metadata;
    this.image = image;
  }
}

function failed(code: string, message: string): ToolEnd {
  return { type: 'error', error: failure(code, message) };
}

/** The image of a result, or the words that stand for one that cannot be taken (S1-67, S1-69, S1-71). */
function imageOf({ image }: ToolImageResult): { readonly image: ToolImage } | { readonly refused: Failure } {
  const { mimeType, base64 } = image;
  const data = decodeImageBase64(base64);
  if (!data.ok) return { refused: data.error };
  if (isImageMediaType(mimeType)) return { image: { media_type: mimeType, data: data.value } };
  const checked = checkImage({ media_type: mimeType, data: data.value });
  const words = 'Only image/png and image/jpeg are taken.';
  return { refused: checked.ok ? failure('image_refused', words) : checked.error };
}

function isPlain(value: unknown): value is Json {
  return isBoundedJson(value, maxCallbackValues);
}

function endOfValue(name: string, value: unknown): ToolEnd {
  const carriesImage = value instanceof ToolImageResult;
  const json = (carriesImage ? value.metadata : value) ?? null;
  if (!isPlain(json)) {
    const what = carriesImage ? 'metadata that is' : 'something that is';
    return failed(
      'tool_failed',
      `${name} ran and returned ${what} no plain JSON of at most ${maxCallbackCharacters} characters, so nothing of it is passed on. Return objects, arrays, texts, numbers, true, false and null only.`,
    );
  }
  const words = typeof json === 'string' ? { text: json } : {};
  if (!carriesImage) return { type: 'output', output: { structured: json, ...words } };
  const found = imageOf(value);
  if ('image' in found) return { type: 'output', output: { structured: json, ...words, image: found.image } };
  const text = `${JSON.stringify(json)}\n[The tool returned an image, which was refused. ${found.refused.message}]`;
  return { type: 'output', output: { structured: json, text } };
}

const shortCode = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/** A name for programs; a token that happens to look like one is none. */
function isShortCode(code: string): boolean {
  return shortCode.test(code) && secretsRedacted(code) === code;
}

/** Reads what a callback threw, whatever it is; reading must not throw in turn. */
function factsOfThrow(error: unknown): { readonly code: string; readonly message: string } {
  const fallback = { code: 'tool_failed', message: '' };
  try {
    if (typeof error === 'string') return { ...fallback, message: error };
    if (typeof error !== 'object' || error === null) return fallback;
    const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
    return {
      code: typeof code === 'string' && isShortCode(code) ? code : fallback.code,
      message: typeof message === 'string' ? message : '',
    };
  } catch {
    return fallback;
  }
}

function isAbort(error: unknown, signal: AbortSignal): boolean {
  if (!signal.aborted) return false;
  return error === signal.reason || (error instanceof Error && error.name === 'AbortError');
}

/** C13. An abort while cancelled is a cancellation; everything else is the callback's own failure. */
function endOfThrow(name: string, error: unknown, signal: AbortSignal): ToolEnd {
  if (isAbort(error, signal)) {
    const words = `${name} was cancelled after it had begun; it may have had an effect.`;
    return { type: 'unknown', error: failure('cancelled', words) };
  }
  const { code, message } = factsOfThrow(error);
  const words = secretsRedacted(message.slice(0, maxErrorRead)).slice(0, maxErrorMessage).trim();
  const data = error instanceof ToolError && isPlain(error.data ?? null) ? error.data : undefined;
  return {
    type: 'error',
    error: failure(code, words === '' ? `${name} failed and gave no reason.` : words, data),
  };
}

function contextOf(context: ToolContext): CallbackContext {
  return {
    sessionId: context.session_id,
    turnId: context.turn_id,
    callId: context.call_id,
    qualifiedName: context.qualified_name,
    modelAlias: context.model_alias,
    signal: context.signal,
    progress(message, data) {
      if (typeof message === 'string' && (data === undefined || isBoundedJson(data))) {
        context.progress({ message, ...(data === undefined ? {} : { data }) });
        return Promise.resolve();
      }
      const words = `${context.qualified_name} reported progress that is not a text with plain JSON beside it.`;
      const rejected = Promise.reject<void>(new TypeError(words));
      // Whoever does not wait for it must not bring the application down.
      rejected.catch(() => undefined);
      return rejected;
    },
  };
}

/** What a callback says of itself, in the form of every tool (S0-28). */
export function callbackDescriptor(definition: CallbackDefinition): ToolDescriptor {
  const { namespace, name, title, description, inputSchema, outputSchema, version } = definition;
  return {
    qualified_name: `${namespace}.${name}`,
    ...(title === undefined ? {} : { title }),
    description,
    input_schema: inputSchema,
    ...(outputSchema === undefined ? {} : { output_schema: outputSchema }),
    version: version ?? '0',
  };
}

/** Presents a callback of an application to the call boundary (S1-03, S1-08, S1-77, C13). */
export function presentCallbackTool(definition: CallbackDefinition, options: RegistrationOptions): Tool {
  const descriptor = callbackDescriptor(definition);
  const name = descriptor.qualified_name;
  return {
    ...ownTool('callback', descriptor, definition.hooks ?? {}, options),
    async run(context: ToolContext, args: JsonObject): Promise<ToolEnd> {
      try {
        return endOfValue(name, await definition.execute(args, contextOf(context)));
      } catch (error) {
        return endOfThrow(name, error, context.signal);
      }
    },
  };
}
