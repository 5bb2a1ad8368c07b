import { createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A door before a model server that lists its models with the size of their window, as many local servers do. */
export async function withWindowSize(
  origin: string,
  model: string,
  tokens: number,
): Promise<{ readonly baseUrl: string; close(): Promise<void> }> {
  const target = new URL(origin);
  const server = createServer((incoming, response) => {
    if (incoming.method === 'GET' && incoming.url === '/v1/models') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ object: 'list', data: [{ id: model, object: 'model', max_model_len: tokens }] }),
      );
      return;
    }
    const outgoing = ask(
      {
        host: target.hostname,
        port: target.port,
        method: incoming.method,
        path: incoming.url,
        headers: { ...incoming.headers, host: target.host },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
