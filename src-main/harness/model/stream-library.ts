import { APICallError, type LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { isJsonObject } from '../protocol';
import { createGuardedFetch, type GuardedFetch } from './guarded-fetch';
import { languageModel, wireOptions } from './language-model';
import { cancelled, modelFailure, ModelFailureError, placeOf, quoteWords } from './model-failure';
import type { ModelFailure, ModelPart, ModelRequest } from './port';
import { aliasesOf, toPrompt, toTools } from './prompt';
import { failureOfStreamError } from './provider-errors';
import type { Endpoint } from './provider-config';
import { createLibraryReader } from './library-reader';
import { createWireNames, type WireNames } from './wire-names';

function failureIn(error: unknown): ModelFailure | null {
  let current: unknown = error;
  for (let depth = 0; depth < 6 && current instanceof Error; depth += 1) {
    if (current instanceof ModelFailureError) return current.failure;
    current = current.cause;
  }
  return null;
}

function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function failureOfThrown(
  endpoint: Endpoint,
  model: string,
  error: unknown,
  guard: GuardedFetch,
): ModelFailure {
  const known = guard.failure() ?? failureIn(error);
  if (known) return known;
  if (APICallError.isInstance(error)) {
    // The packages throw the first error frame of a stream that began with status 200.
    const frame = error.data ?? parsedOrText(error.responseBody ?? error.message);
    if (
      isJsonObject(frame) &&
      typeof frame.name === 'string' &&
      /JSONParse|TypeValidation/.test(frame.name)
    ) {
      return modelFailure(
        'model_stream_cut',
        `${placeOf(endpoint)} sent an answer that cannot be read. Send again.`,
        { retryable: true },
      );
    }
    return failureOfStreamError(endpoint, frame, model);
  }
  const words = quoteWords(error instanceof Error ? error.message : String(error), endpoint.key);
  const unsupported =
    error instanceof Error && /UnsupportedFunctionality|InvalidPrompt|InvalidArgument/.test(error.name);
  return unsupported
    ? modelFailure(
        'model_refused_request',
        `The conversation cannot be sent to ${placeOf(endpoint)}: ${words}.`,
        {
          retryable: false,
        },
      )
    : modelFailure(
        'model_stream_cut',
        `The answer of ${placeOf(endpoint)} cannot be read: ${words}. Send again.`,
        {
          retryable: true,
        },
      );
}

interface Stopper {
  readonly signal: AbortSignal;
  /** Settles, once, when the person stops; the loop races it against the library, which may end quietly or hang. */
  readonly stopped: Promise<null>;
  close(): void;
}

function createStopper(signal: AbortSignal): Stopper {
  const controller = new AbortController();
  let settle: (value: null) => void = () => undefined;
  const stopped = new Promise<null>((resolve) => (settle = resolve));
  const onAbort = () => {
    settle(null);
    controller.abort();
  };
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  return {
    signal: controller.signal,
    stopped,
    close() {
      signal.removeEventListener('abort', onAbort);
      controller.abort();
    },
  };
}

async function openStream(
  endpoint: Endpoint,
  request: ModelRequest,
  names: WireNames,
  sees: boolean,
  guard: GuardedFetch,
  signal: AbortSignal,
): Promise<ReadableStream<LanguageModelV3StreamPart>> {
  const tools = toTools(request, names, endpoint.wire);
  const model = await languageModel(endpoint, request.model, guard.fetch);
  const options = {
    ...wireOptions(endpoint, request),
    prompt: toPrompt(request, endpoint, names, sees),
    ...(tools.length === 0 ? {} : { tools }),
    abortSignal: signal,
  };
  const { stream } = await model.doStream(options);
  return stream as ReadableStream<LanguageModelV3StreamPart>;
}

/**
 * One request, one response, through a provider's package. Ends with exactly one `finished` or `failed`, at once after an abort. Whoever stops
 * reading early ends the request too.
 */
export async function* streamLibrary(
  endpoint: Endpoint,
  request: ModelRequest,
  sees: boolean,
  signal: AbortSignal,
): AsyncGenerator<ModelPart, void, undefined> {
  const stopper = createStopper(signal);
  const guard = createGuardedFetch(endpoint, { model: request.model, expects: 'stream' }, stopper.signal);
  const names = createWireNames(aliasesOf(request), endpoint.wire);
  const reader = createLibraryReader(endpoint, request.model, names);
  let source: ReadableStreamDefaultReader<LanguageModelV3StreamPart> | null = null;
  const isStopped = () => signal.aborted;
  try {
    if (isStopped()) {
      yield { type: 'failed', error: cancelled() };
      return;
    }
    const opening = openStream(endpoint, request, names, sees, guard, stopper.signal);
    opening.catch(() => undefined);
    const stream = await Promise.race([opening, stopper.stopped]);
    source = stream?.getReader() ?? null;
    while (source !== null) {
      const reading = source.read();
      reading.catch(() => undefined);
      const next = await Promise.race([reading, stopper.stopped]);
      if (next === null || isStopped()) break;
      if (next.done) {
        yield reader.cut();
        return;
      }
      for (const part of reader.read(next.value)) {
        yield part;
        if (part.type === 'finished' || part.type === 'failed') return;
      }
    }
    yield { type: 'failed', error: cancelled() };
  } catch (error) {
    const failure = isStopped() ? cancelled() : failureOfThrown(endpoint, request.model, error, guard);
    yield { type: 'failed', error: failure };
  } finally {
    stopper.close();
    void source?.cancel().catch(() => undefined);
  }
}
