import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { viewOf } from './model-server-requests';
import type { Delivery, RecordedRequest, ScriptedResponse, ServedWire } from './model-server-script';
import { eventsOf } from './model-server-wires';

export type * from './model-server-script';

type Responder = (request: RecordedRequest) => ScriptedResponse | Promise<ScriptedResponse>;

export interface ModelServerOptions {
  /** Keys that are accepted; an empty list accepts any request. */
  readonly keys?: readonly string[];
  /** Names of the lists of models. */
  readonly models?: readonly string[];
  /** Models of one page of a list, where the wire has pages. */
  readonly page_size?: number;
}

export interface ModelServer {
  /** `http://127.0.0.1:PORT`, without a path. */
  readonly origin: string;
  /** The base address for a provider of the kind. */
  baseUrl(kind: 'anthropic' | 'openai' | 'google' | 'compatible'): string;
  /** All requests, lists of models too, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** Requests for an answer only. */
  asked(): readonly RecordedRequest[];
  /** What went against the script: unexpected requests, and responses that nobody fetched by the time of `close`. */
  readonly faults: readonly string[];
  /** Adds responses to the script; each answers one request, in order. */
  enqueue(...responses: readonly ScriptedResponse[]): void;
  /** Answers every request for which the script has no response. */
  respondWith(responder: Responder): void;
  /** Closes all connections; answers the faults. */
  close(): Promise<readonly string[]>;
}

interface ServerState {
  readonly options: Required<ModelServerOptions>;
  readonly queue: ScriptedResponse[];
  readonly requests: RecordedRequest[];
  readonly faults: string[];
  responder: Responder | null;
}

function wireOf(method: string, path: string): ServedWire | null {
  if (method === 'GET' && /^\/(v1|v1beta)\/models$/.test(path)) return 'models';
  if (method !== 'POST') return null;
  if (path === '/v1/messages') return 'anthropic';
  if (path === '/v1/chat/completions') return 'chat';
  if (path === '/v1/responses') return 'responses';
  return /^\/v1beta\/models\/[^/]+:streamGenerateContent$/.test(path) ? 'google' : null;
}

function keyOf(request: IncomingMessage): string | null {
  const { headers } = request;
  const key = headers['x-api-key'] ?? headers['x-goog-api-key'];
  if (typeof key === 'string') return key;
  return /^Bearer (.*)$/.exec(headers.authorization ?? '')?.[1] ?? null;
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown> | null> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (chunks.length === 0) return null;
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>;
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? {});
  const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
  response.writeHead(status, { 'content-type': type, ...headers }).end(text);
}

function errorBody(wire: ServedWire, status: number, message: string): unknown {
  if (wire === 'google') return { error: { code: status, message, status: 'UNAUTHENTICATED' } };
  return { type: 'error', error: { type: 'authentication_error', message } };
}

function modelsPage(state: ServerState, url: URL, headers: IncomingMessage['headers']): unknown {
  const { models, page_size } = state.options;
  const anthropic = headers['anthropic-version'] !== undefined;
  const google = url.pathname.startsWith('/v1beta');
  if (!anthropic && !google) {
    return {
      object: 'list',
      data: models.map((id) => ({ id, object: 'model', created: 1, owned_by: 'test' })),
    };
  }
  const cursor = url.searchParams.get(google ? 'pageToken' : 'after_id');
  const start = cursor === null ? 0 : models.indexOf(cursor) + 1;
  const page = models.slice(start, start + page_size);
  const last = page.at(-1) ?? null;
  const more = start + page_size < models.length;
  if (google) {
    return {
      models: page.map((name) => ({
        name: `models/${name}`,
        displayName: `Label of ${name}`,
        supportedGenerationMethods: ['generateContent', 'countTokens'],
      })),
      ...(more ? { nextPageToken: last } : {}),
    };
  }
  const data = page.map((id) => ({ type: 'model', id, display_name: `Label of ${id}` }));
  return { data, has_more: more, first_id: page[0] ?? null, last_id: last };
}

/** Sends events as they are due; stops where the delivery or the client says so. */
async function deliver(response: ServerResponse, events: readonly string[], how: Delivery): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  let bytes = 0;
  for (const [index, text] of events.entries()) {
    if (how.hang_after_events === index) return;
    if (how.delay_ms !== undefined)
      await pause(how.delay_ms, undefined, { signal: gone.signal }).catch(() => undefined);
    if (response.destroyed) return;
    const chunk = Buffer.from(text);
    const left = (how.cut_after_bytes ?? Infinity) - bytes;
    if (chunk.byteLength >= left) {
      response.write(chunk.subarray(0, left), () => response.destroy());
      return;
    }
    bytes += chunk.byteLength;
    if (!response.write(chunk)) {
      await once(response, 'drain', { signal: gone.signal }).catch(() => undefined);
    }
  }
  if (how.hang_after_events === undefined) response.end();
}

async function answer(
  response: ServerResponse,
  request: RecordedRequest,
  scripted: ScriptedResponse,
): Promise<void> {
  if ('hang' in scripted) return;
  if ('html' in scripted) {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(scripted.html);
    return;
  }
  if ('status' in scripted) {
    sendJson(response, scripted.status, scripted.body, { ...scripted.headers });
    return;
  }
  const content_type = ('raw' in scripted ? scripted.content_type : undefined) ?? 'text/event-stream';
  const raw = 'raw' in scripted ? scripted.raw : null;
  const events =
    'answer' in scripted
      ? eventsOf(request.wire as Exclude<ServedWire, 'models'>, scripted.answer, request.model ?? '')
      : typeof raw === 'string'
        ? [raw]
        : (raw ?? []);
  const headers = { 'content-type': content_type, 'cache-control': 'no-cache' };
  if (scripted.gzip) {
    response.writeHead(200, { ...headers, 'content-encoding': 'gzip' }).end(gzipSync(events.join('')));
    return;
  }
  response.writeHead(200, headers);
  await deliver(response, events, scripted);
}

async function handle(
  state: ServerState,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(incoming.url ?? '/', 'http://127.0.0.1');
  const method = incoming.method ?? 'GET';
  const wire = wireOf(method, url.pathname);
  const body = await readBody(incoming);
  if (wire === null) {
    state.faults.push(`unexpected request: ${method} ${url.pathname}`);
    sendJson(response, 404, { error: { message: `no such path: ${url.pathname}`, type: 'not_found' } });
    return;
  }
  const request: RecordedRequest = {
    wire,
    method,
    path: incoming.url ?? '/',
    headers: incoming.headers,
    body,
    ...viewOf(wire, body, url.pathname),
    isAborted: () => response.destroyed && !response.writableFinished,
  };
  state.requests.push(request);
  const { keys } = state.options;
  if (keys.length > 0 && !keys.includes(keyOf(incoming) ?? '')) {
    sendJson(response, 401, errorBody(wire, 401, 'invalid x-api-key'));
    return;
  }
  if (wire === 'models') {
    sendJson(response, 200, modelsPage(state, url, incoming.headers));
    return;
  }
  const scripted = state.queue.shift() ?? (await state.responder?.(request));
  if (scripted === undefined) {
    state.faults.push(`no response is scripted for ${method} ${url.pathname}`);
    sendJson(response, 500, { error: { message: 'no response is scripted', type: 'script' } });
    return;
  }
  await answer(response, request, scripted);
}

/**
 * A model server for tests on a free port of 127.0.0.1. It speaks Anthropic Messages, OpenAI Chat Completions and
 * Responses, and Google's streamGenerateContent, all with server-sent events, and their lists of models. It follows a
 * strict script: a request without a scripted response is answered 500 and recorded as a fault.
 */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const state: ServerState = {
    options: {
      keys: options.keys ?? ['test-key'],
      models: options.models ?? ['test-model'],
      page_size: options.page_size ?? 1_000,
    },
    queue: [],
    requests: [],
    faults: [],
    responder: null,
  };
  const sockets = new Set<Socket>();
  const server = createServer((incoming, response) => {
    handle(state, incoming, response).catch((error: unknown) => {
      state.faults.push(`the server failed: ${String(error)}`);
      response.destroy();
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    baseUrl: (kind) => `${origin}${kind === 'google' ? '/v1beta' : '/v1'}`,
    requests: state.requests,
    asked: () => state.requests.filter((request) => request.wire !== 'models'),
    faults: state.faults,
    enqueue: (...responses) => void state.queue.push(...responses),
    respondWith: (responder) => void (state.responder = responder),
    async close() {
      if (state.queue.length > 0)
        state.faults.push(`${state.queue.length} scripted responses were never fetched`);
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      return state.faults;
    },
  };
}
