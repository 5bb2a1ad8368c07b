import { ModelFailureError } from './model-failure';
import type { ModelFailure } from './port';
import { failureOfConnection, failureOfResponse } from './provider-errors';
import type { Endpoint } from './provider-config';
import {
  createStreamMeter,
  cut,
  isPageType,
  looksLikePage,
  maxErrorBytes,
  mediaTypeOf,
  notAnEndpoint,
  redirected,
  refusalPatienceMs,
  silent,
  tooLarge,
  wrongForm,
} from './wire-failures';
import { wellFormedJson } from './well-formed-json';

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

/** A library's own body, as any strict reader takes it. */
function bodyOf(init: RequestInit | undefined): { readonly body?: string } {
  return typeof init?.body === 'string' ? { body: wellFormedJson(init.body) } : {};
}

function guardBody(
  body: ReadableStream<Uint8Array>,
  endpoint: Endpoint,
  stopFetch: () => void,
  onFailure: (failure: ModelFailure) => ModelFailureError,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const isTooMuch = createStreamMeter();
  let begun = false;
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
        if (!begun && looksLikePage(read.value)) throw new ModelFailureError(notAnEndpoint(endpoint));
        begun = true;
        if (isTooMuch(read.value)) throw new ModelFailureError(tooLarge(endpoint));
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
  const patience = Math.min(endpoint.idle_timeout_ms, refusalPatienceMs);
  const body = await readBounded(response, maxErrorBytes, patience).catch(() => ({ text: '' }));
  return failureOfResponse(endpoint, response, body.text, model);
}

async function failureOfForm(endpoint: Endpoint, response: Response, type: string): Promise<ModelFailure> {
  const body = await readBounded(response, maxErrorBytes, endpoint.idle_timeout_ms).catch(() => null);
  return body === null ? cut(endpoint) : wrongForm(endpoint, type, body.text);
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
        ...bodyOf(init),
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
      throw raise(redirected(endpoint, response.headers.get('location')));
    }
    if (!response.ok) {
      const failure = await failureOfStatus(endpoint, response, purpose.model);
      if (signal.aborted) throw new DOMException('aborted', 'AbortError');
      throw raise(failure);
    }
    const type = mediaTypeOf(response.headers.get('content-type'));
    if (isPageType(type)) {
      stopFetch();
      throw raise(notAnEndpoint(endpoint));
    }
    if (purpose.expects === 'stream' && type === 'application/json') {
      const failure = await failureOfForm(endpoint, response, type);
      stopFetch();
      throw raise(failure);
    }
    if (response.body === null) throw raise(cut(endpoint));
    const body = guardBody(response.body, endpoint, stopFetch, raise);
    return new Response(body, { status: response.status, headers: response.headers });
  };
  return { fetch: guarded, failure: () => first };
}
