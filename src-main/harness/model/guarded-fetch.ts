import { ModelFailureError, modelFailure, placeOf, quoteWords } from './model-failure';
import type { ModelFailure } from './port';
import { failureOfConnection, failureOfResponse, wordsOfBody } from './provider-errors';
import type { Endpoint } from './provider-config';

const maxErrorBytes = 64 * 1024;
const maxLineBytes = 16 * 1024 * 1024;
const maxStreamBytes = 256 * 1024 * 1024;

export interface GuardedFetch {
  readonly fetch: typeof globalThis.fetch;
  /** The first failure that the guard saw, whatever the libraries above made of it. */
  failure(): ModelFailure | null;
}

interface Purpose {
  readonly model: string | null;
  readonly expects: 'stream' | 'json';
}

/** Runs one wait with a limit on silence; `onIdle` must make the wait end. */
async function withIdleLimit<T>(work: Promise<T>, ms: number, onIdle: () => void): Promise<T> {
  const timer = setTimeout(onIdle, ms);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}

/** Reads at most `max` bytes as text; never longer than the idle limit between two reads. */
export async function readBounded(
  response: Response,
  max: number,
  idle_ms: number,
): Promise<{ text: string; whole: boolean }> {
  if (response.body === null) return { text: '', whole: true };
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const read = await withIdleLimit(
      reader.read(),
      idle_ms,
      () => void reader.cancel().catch(() => undefined),
    );
    if (read.done) return { text: text + decoder.decode(), whole: true };
    bytes += read.value.byteLength;
    text += decoder.decode(read.value, { stream: true });
    if (bytes > max) {
      void reader.cancel().catch(() => undefined);
      return { text: text.slice(0, max), whole: false };
    }
  }
}

function strip(init: RequestInit | undefined, endpoint: Endpoint): Headers {
  const headers = new Headers(init?.headers);
  if (endpoint.key === null) {
    for (const name of ['authorization', 'x-api-key', 'x-goog-api-key']) headers.delete(name);
  }
  return headers;
}

function redirected(endpoint: Endpoint, response: Response): ModelFailure {
  const target = response.headers.get('location');
  const origin =
    target !== null && URL.canParse(target, endpoint.base_url)
      ? new URL(target, endpoint.base_url).origin
      : null;
  return modelFailure(
    'model_unreachable',
    `${placeOf(endpoint)} sends requests on to ${origin ?? 'another address'}. Keys are not sent on: enter the final address ${endpoint.where}.`,
    { retryable: false },
  );
}

function notAnEndpoint(endpoint: Endpoint): ModelFailure {
  return modelFailure(
    'model_unreachable',
    `${placeOf(endpoint)} answered with a web page, not as a model does. Check the address ${endpoint.where}, and whether the network asks for a sign-in.`,
    { retryable: false },
  );
}

async function wrongForm(endpoint: Endpoint, response: Response, type: string): Promise<ModelFailure> {
  const { text } = await readBounded(response, maxErrorBytes, endpoint.idle_timeout_ms);
  const words = quoteWords(
    wordsOfBody(text).message.startsWith('{') ? '' : wordsOfBody(text).message,
    endpoint.key,
  );
  return modelFailure(
    'model_refused_request',
    `${placeOf(endpoint)} answered with ${type}, not with a stream${words === '' ? '' : `: "${words}"`}. Choose another model, or check the address ${endpoint.where}.`,
    { retryable: false },
  );
}

function tooLarge(endpoint: Endpoint): ModelFailure {
  return modelFailure(
    'limit_reached',
    `${placeOf(endpoint)} sent more than any answer may have. The rest was left out.`,
    { retryable: false },
  );
}

function silent(endpoint: Endpoint, begun: boolean): ModelFailure {
  const seconds = Math.round(endpoint.idle_timeout_ms / 100) / 10;
  return modelFailure(
    begun ? 'model_stream_cut' : 'model_unreachable',
    `${placeOf(endpoint)} sent nothing for ${seconds} seconds. Send again.`,
    { retryable: true, data: { idle_ms: endpoint.idle_timeout_ms } },
  );
}

function cut(endpoint: Endpoint): ModelFailure {
  return modelFailure(
    'model_stream_cut',
    `The connection to ${placeOf(endpoint)} broke in the middle of an answer. Send again.`,
    {
      retryable: true,
    },
  );
}

/** Longest run of bytes without a line end, which a parser would have to keep. */
function createLineMeter(): (chunk: Uint8Array) => number {
  let open = 0;
  return (chunk) => {
    const end = chunk.lastIndexOf(10);
    open = end === -1 ? open + chunk.byteLength : chunk.byteLength - end - 1;
    return open;
  };
}

function guardBody(
  body: ReadableStream<Uint8Array>,
  endpoint: Endpoint,
  stopFetch: () => void,
  onFailure: (failure: ModelFailure) => ModelFailureError,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const openLine = createLineMeter();
  let bytes = 0;
  let idle = false;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const read = await withIdleLimit(reader.read(), endpoint.idle_timeout_ms, () => {
          idle = true;
          stopFetch();
        });
        if (read.done) {
          controller.close();
          return;
        }
        if (
          bytes === 0 &&
          /^\s*<(!doctype|html)/i.test(new TextDecoder().decode(read.value.subarray(0, 64)))
        ) {
          throw new ModelFailureError(notAnEndpoint(endpoint));
        }
        bytes += read.value.byteLength;
        if (bytes > maxStreamBytes || openLine(read.value) > maxLineBytes) {
          throw new ModelFailureError(tooLarge(endpoint));
        }
        controller.enqueue(read.value);
      } catch (error) {
        stopFetch();
        const failure =
          error instanceof ModelFailureError ? error.failure : idle ? silent(endpoint, true) : cut(endpoint);
        controller.error(onFailure(failure));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

async function failureOfStatus(
  endpoint: Endpoint,
  response: Response,
  model: string | null,
): Promise<ModelFailure> {
  const patience = Math.min(endpoint.idle_timeout_ms, 10_000);
  const body = await readBounded(response, maxErrorBytes, patience).catch(() => ({ text: '' }));
  return failureOfResponse(endpoint, response, body.text, model);
}

/**
 * A `fetch` for one request to one endpoint. It never follows a redirect, sends no key that is not configured, bounds
 * silence and size, and turns each thing that goes wrong into a ModelFailureError, so that the words do not depend
 * on the library above it. An abort by `signal` comes through as it is.
 */
export function createGuardedFetch(endpoint: Endpoint, purpose: Purpose, signal: AbortSignal): GuardedFetch {
  let first: ModelFailure | null = null;
  const raise = (failure: ModelFailure): ModelFailureError => {
    first ??= failure;
    return new ModelFailureError(first);
  };

  const ask = async (
    input: Parameters<typeof fetch>[0],
    init: RequestInit | undefined,
    stop: AbortController,
  ) => {
    let idle = false;
    const limit = () => {
      idle = true;
      stop.abort();
    };
    try {
      const headers = strip(init, endpoint);
      const request = endpoint.fetch(input, {
        ...init,
        headers,
        redirect: 'manual',
        signal: AbortSignal.any([signal, stop.signal]),
      });
      return await withIdleLimit(request, endpoint.idle_timeout_ms, limit);
    } catch (error) {
      if (signal.aborted) throw error;
      throw raise(idle ? silent(endpoint, false) : failureOfConnection(endpoint, error));
    }
  };

  const guarded: typeof globalThis.fetch = async (input, init) => {
    const stop = new AbortController();
    const stopFetch = () => stop.abort();
    const response = await ask(input, init, stop);
    if (response.status === 0 || (response.status >= 300 && response.status < 400)) {
      stopFetch();
      throw raise(redirected(endpoint, response));
    }
    if (!response.ok) {
      const failure = await failureOfStatus(endpoint, response, purpose.model);
      if (signal.aborted) throw new DOMException('aborted', 'AbortError');
      throw raise(failure);
    }
    const type = (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
    if (type === 'text/html' || type === 'application/xhtml+xml') {
      stopFetch();
      throw raise(notAnEndpoint(endpoint));
    }
    if (purpose.expects === 'stream' && type === 'application/json') {
      const failure = await wrongForm(endpoint, response, type).catch(() => cut(endpoint));
      stopFetch();
      throw raise(failure);
    }
    if (response.body === null) throw raise(cut(endpoint));
    const body = guardBody(response.body, endpoint, stopFetch, raise);
    return new Response(body, { status: response.status, headers: response.headers });
  };
  return { fetch: guarded, failure: () => first };
}
