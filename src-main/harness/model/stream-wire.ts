import { createParser } from 'eventsource-parser';
import { openExchange, type Exchange } from './http-exchange';
import { cancelled, modelFailure, placeOf, quoteWords } from './model-failure';
import { createPartQueue, type PartQueue } from './part-queue';
import type { ModelPart, ModelRequest } from './port';
import type { Endpoint } from './provider-config';
import type { WireNames } from './wire-names';
import type { WireReader } from './wire-reader';
import type { WireForm, WireRequests } from './wire-request';

/** A wire that this app speaks itself. */
export interface OwnWire {
  readonly form: WireForm;
  readonly requests: WireRequests;
  reader(model: string, names: WireNames): WireReader;
}

/** So much text waits at most, in UTF-16 units, before the sender has to. */
const maxWaiting = 1024 * 1024;

function isLast(part: ModelPart): boolean {
  return part.type === 'finished' || part.type === 'failed';
}

/** Sends the request; everything that comes of it goes into the queue, up to exactly one last part. */
function begin(
  endpoint: Endpoint,
  wire: OwnWire,
  request: ModelRequest,
  sees: boolean,
  queue: PartQueue,
): Exchange {
  const { parts: body, names } = wire.requests.body(request, sees);
  const reader = wire.reader(request.model, names);
  let over = false;
  const out = (part: ModelPart) => {
    if (over) return;
    over = isLast(part);
    queue.push(part);
  };
  const parser = createParser({
    onEvent(event) {
      if (!over) reader.read(event.data, out);
    },
  });
  const exchange = openExchange(
    endpoint,
    {
      url: `${endpoint.base_url}${wire.form.path}`,
      headers: { accept: '*/*', 'user-agent': 'openworker', ...wire.form.headers(request) },
      body,
      model: request.model,
    },
    {
      onText(text) {
        parser.feed(text);
        queue.settle();
        if (over) exchange.release();
        else if (queue.waiting > maxWaiting) exchange.pause();
      },
      onEnd() {
        reader.end().forEach(out);
        queue.settle();
      },
      onFailure(error) {
        out({ type: 'failed', error });
        queue.settle();
      },
    },
  );
  return exchange;
}

function unsendable(endpoint: Endpoint, error: unknown): ModelPart {
  const words = quoteWords(error instanceof Error ? error.message : String(error), endpoint.key);
  const message = `The conversation cannot be sent to ${placeOf(endpoint)}: ${words}.`;
  return { type: 'failed', error: modelFailure('model_refused_request', message, { retryable: false }) };
}

/**
 * One request, one response. Ends with exactly one `finished` or `failed`, at once after an abort. Whoever stops
 * reading early ends the request too.
 */
export async function* streamWire(
  endpoint: Endpoint,
  wire: OwnWire,
  request: ModelRequest,
  sees: boolean,
  signal: AbortSignal,
): AsyncGenerator<ModelPart, void, undefined> {
  const queue = createPartQueue();
  const stop: ModelPart = { type: 'failed', error: cancelled() };
  const onAbort = () => queue.replace(stop);
  const isStopped = () => signal.aborted;
  let exchange: Exchange | null = null;
  if (isStopped()) {
    yield stop;
    return;
  }
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    exchange = begin(endpoint, wire, request, sees, queue);
    for (;;) {
      const parts = await queue.take();
      exchange.resume();
      for (const part of parts) {
        const next = isStopped() ? stop : part;
        yield next;
        if (isLast(next)) return;
      }
    }
  } catch (error) {
    yield unsendable(endpoint, error);
  } finally {
    signal.removeEventListener('abort', onAbort);
    exchange?.close();
  }
}
