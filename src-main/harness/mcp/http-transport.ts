import { StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { changeMessages, wrapListedTools } from './raw-results';
import { maxLineBytes } from './launch/stdio-transport';

/** Marks the error that stands for an answer which can no longer come. */
export const lostAnswer = 'openworker.lost_answer';

/** A connection over streamable HTTP. Redirects stay within the origin; a message has at most 10 MiB. */
export interface HttpTransport extends Transport {
  /** Ends the server's session where it keeps one, within `ms`. */
  endSession(ms: number): Promise<void>;
}

export function createHttpTransport(url: URL, headers: Readonly<Record<string, string>>): HttpTransport {
  const inner = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { ...headers } },
    fetch: async (input, init) => bounded(await fetch(input, init)),
    reconnectionOptions: {
      initialReconnectionDelay: 500,
      maxReconnectionDelay: 5_000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 3,
    },
  });
  changeMessages(inner, wrapListedTools);
  const send = inner.send.bind(inner);
  return Object.assign(inner, {
    // A stream that ends without the answer would leave the call waiting for its time limit.
    send: (message: Parameters<Transport['send']>[0], options?: Parameters<Transport['send']>[1]) =>
      send(message, {
        ...options,
        onRequestStreamEnd() {
          options?.onRequestStreamEnd?.();
          if (!('method' in message) || !('id' in message) || message.method === 'subscriptions/listen')
            return;
          const error = { code: -32_000, message: 'The answer was lost.', data: lostAnswer };
          inner.onmessage?.({ jsonrpc: '2.0', id: message.id, error });
        },
      } as Parameters<typeof send>[1]),
    async endSession(ms: number) {
      const timeout = new Promise<void>((resolve) => setTimeout(resolve, ms).unref());
      await Promise.race([inner.terminateSession().catch(() => undefined), timeout]);
    },
  });
}

/** Fails a body whose next line is longer than a message may be, so that no server can fill the memory. */
function bounded(response: Response): Response {
  if (!response.body || response.status !== 200) return response;
  let sinceLineEnd = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const last = chunk.lastIndexOf(10);
      sinceLineEnd = last === -1 ? sinceLineEnd + chunk.length : chunk.length - 1 - last;
      if (sinceLineEnd > maxLineBytes) controller.error(new Error('A message has more than 10 MiB.'));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(limit), { status, statusText, headers });
}
