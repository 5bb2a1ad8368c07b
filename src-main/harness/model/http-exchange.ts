import {
  Agent as HttpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { StringDecoder } from 'node:string_decoder';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, constants } from 'node:zlib';
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

/** One POST whose answer is a stream of text. */
export interface ExchangeRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent one after another as one body; must not change until the exchange ends. */
  readonly body: readonly Uint8Array[];
  /** For the words of a failure. */
  readonly model: string;
}

/** Called in order; `onEnd` or `onFailure` is called at most once, and nothing after it. */
export interface ExchangeEvents {
  onText(text: string): void;
  onEnd(): void;
  onFailure(failure: ModelFailure): void;
}

export interface Exchange {
  /** Lets the sender wait, with the silence that this causes not counted. */
  pause(): void;
  resume(): void;
  /** The answer is whole: the little that still comes is passed over, so that the connection serves again. */
  release(): void;
  /** Breaks off at once. No event comes after it. */
  close(): void;
}

/** Unused connections are given up before servers and routers do so without a word. */
const options = {
  keepAlive: true,
  scheduling: 'lifo',
  maxFreeSockets: 8,
  timeout: 30_000,
  // Newer runtimes honour proxy variables where the person asks for it; older ones pass over the option.
  ...(process.env.NODE_USE_ENV_PROXY === '1' ? { proxyEnv: process.env } : {}),
} as const;
const plainAgent = new HttpAgent(options);
const secureAgent = new HttpsAgent(options);

/** Longest wait for the end of an answer that is whole, in milliseconds, and the most bytes that may still come. */
const releasePatienceMs = 1_000;
const maxReleaseBytes = 64 * 1024;

interface Running {
  readonly endpoint: Endpoint;
  readonly request: ExchangeRequest;
  readonly events: ExchangeEvents;
  client: ClientRequest | null;
  body: Readable | null;
  idle: NodeJS.Timeout | null;
  begun: boolean;
  over: boolean;
  sentAgain: boolean;
  paused: boolean;
}

function stopIdle(run: Running): void {
  if (run.idle) clearTimeout(run.idle);
  run.idle = null;
}

function fail(run: Running, failure: ModelFailure): void {
  if (run.over) return;
  run.over = true;
  stopIdle(run);
  run.client?.destroy();
  run.events.onFailure(failure);
}

function startIdle(run: Running, ms = run.endpoint.idle_timeout_ms): void {
  stopIdle(run);
  run.idle = setTimeout(() => fail(run, silent(run.endpoint, run.begun)), ms);
}

function headersOf(response: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headersDistinct)) {
    for (const one of value ?? []) headers.append(name, one);
  }
  return headers;
}

/** Reads the words of an answer that is no stream; what is too long or too late is left out. */
function readWords(run: Running, body: Readable, then: (text: string) => void): void {
  const decoder = new StringDecoder('utf8');
  let text = '';
  let bytes = 0;
  const done = () => {
    if (!run.over) then(text.slice(0, maxErrorBytes));
  };
  stopIdle(run);
  run.idle = setTimeout(done, Math.min(run.endpoint.idle_timeout_ms, refusalPatienceMs));
  body.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength;
    text += decoder.write(chunk);
    if (bytes > maxErrorBytes) done();
  });
  body.on('end', done);
  body.on('error', done);
  body.on('close', done);
}

function decoderOf(encoding: string): Transform | null {
  // What has come so far is given on at once; a whole block may be long in coming.
  const flush = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip(flush);
    case 'deflate':
      return createInflate(flush);
    case 'br':
      return createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH });
    default:
      return null;
  }
}

function decoded(run: Running, response: IncomingMessage): Readable {
  const decoder = decoderOf((response.headers['content-encoding'] ?? '').trim().toLowerCase());
  if (decoder === null) return response;
  response.on('error', () => fail(run, cut(run.endpoint)));
  response.on('aborted', () => fail(run, cut(run.endpoint)));
  return response.pipe(decoder);
}

function readStream(run: Running, response: IncomingMessage, body: Readable): void {
  const { endpoint, events } = run;
  const decoder = new StringDecoder('utf8');
  const isTooMuch = createStreamMeter();
  let first = true;
  body.on('data', (chunk: Buffer) => {
    if (run.over) return;
    if (first && looksLikePage(chunk)) return fail(run, notAnEndpoint(endpoint));
    first = false;
    if (isTooMuch(chunk)) return fail(run, tooLarge(endpoint));
    run.idle?.refresh();
    events.onText(decoder.write(chunk));
  });
  body.on('end', () => {
    if (run.over) return;
    if (!response.complete) return fail(run, cut(endpoint));
    run.over = true;
    stopIdle(run);
    events.onEnd();
  });
  body.on('error', () => fail(run, cut(endpoint)));
  body.on('close', () => fail(run, cut(endpoint)));
}

function onResponse(run: Running, response: IncomingMessage): void {
  if (run.over) return;
  const { endpoint, request } = run;
  const status = response.statusCode ?? 0;
  if (status >= 300 && status < 400)
    return fail(run, redirected(endpoint, response.headers.location ?? null));
  run.begun = true;
  const body = decoded(run, response);
  run.body = body;
  if (status < 200 || status > 299) {
    const answer = { status, headers: headersOf(response) };
    return readWords(run, body, (text) =>
      fail(run, failureOfResponse(endpoint, answer, text, request.model)),
    );
  }
  const type = mediaTypeOf(response.headers['content-type']);
  if (isPageType(type)) return fail(run, notAnEndpoint(endpoint));
  if (type === 'application/json') {
    return readWords(run, body, (text) => fail(run, wrongForm(endpoint, type, text)));
  }
  startIdle(run);
  readStream(run, response, body);
}

/** A kept connection that the server closed just now, before it read anything. */
function wasStale(client: ClientRequest, error: Error): boolean {
  const { code } = error as Error & { code?: unknown };
  return client.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE');
}

function send(run: Running): void {
  const { request, endpoint } = run;
  const secure = request.url.startsWith('https:');
  const length = request.body.reduce((sum, part) => sum + part.byteLength, 0);
  const client = (secure ? httpsRequest : httpRequest)(request.url, {
    method: 'POST',
    agent: secure ? secureAgent : plainAgent,
    headers: { ...request.headers, 'content-length': String(length) },
  });
  run.client = client;
  client.on('response', (response) => onResponse(run, response));
  client.on('error', (error) => {
    if (run.over || run.client !== client) return;
    if (run.begun) return fail(run, cut(endpoint));
    if (!run.sentAgain && wasStale(client, error)) {
      run.sentAgain = true;
      send(run);
      return;
    }
    fail(run, failureOfConnection(endpoint, error));
  });
  startIdle(run);
  client.cork();
  for (const part of request.body) client.write(part);
  client.end();
}

function release(run: Running): void {
  if (run.over) return;
  run.over = true;
  stopIdle(run);
  const { body, client } = run;
  if (body === null || body.readableEnded) return;
  const patience = setTimeout(() => client?.destroy(), releasePatienceMs);
  patience.unref();
  client?.socket?.unref();
  let bytes = 0;
  body.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength;
    if (bytes > maxReleaseBytes) client?.destroy();
  });
  body.on('close', () => clearTimeout(patience));
  body.resume();
}

/**
 * Sends one request over kept connections. It never follows a redirect, so that no key goes elsewhere, bounds silence
 * and size, and turns each thing that goes wrong into a failure in words. A request that met a connection which the
 * server had just given up is sent once more; nothing had been read of it.
 */
export function openExchange(endpoint: Endpoint, request: ExchangeRequest, events: ExchangeEvents): Exchange {
  const run: Running = {
    endpoint,
    request,
    events,
    client: null,
    body: null,
    idle: null,
    begun: false,
    over: false,
    sentAgain: false,
    paused: false,
  };
  try {
    send(run);
  } catch (error) {
    queueMicrotask(() => fail(run, failureOfConnection(endpoint, error)));
  }
  return {
    pause() {
      if (run.over || run.paused) return;
      run.paused = true;
      stopIdle(run);
      run.body?.pause();
    },
    resume() {
      if (run.over || !run.paused) return;
      run.paused = false;
      startIdle(run);
      run.body?.resume();
    },
    release: () => release(run),
    close() {
      if (run.over) return;
      run.over = true;
      stopIdle(run);
      run.client?.destroy();
    },
  };
}
