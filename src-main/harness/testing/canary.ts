import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server on this machine that nothing should ever ask, or only what a person allowed. */
export interface Canary {
  readonly url: string;
  /** Method and path of every request, in order. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

export async function startCanary(): Promise<Canary> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.setHeader('content-type', 'application/json');
    response.end('{"type":"object"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
