import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { commonDefaults } from './config/server-config';
import { createMcpWorkbench, type McpWorkbench } from '../testing/mcp-workbench';

interface Rpc {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: { name?: string; arguments?: Record<string, unknown> };
}
type Answer = (rpc: Rpc, response: ServerResponse, request: IncomingMessage) => void;

const json = (response: ServerResponse, id: Rpc['id'], result: unknown) =>
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
const cache = { resultType: 'complete', ttlMs: 60_000, cacheScope: 'private' };

const opened: { bench: McpWorkbench; server: Server }[] = [];
afterEach(async () => {
  for (const { bench, server } of opened.splice(0)) {
    await bench.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A server of the 2026-07-28 revision whose calls are answered by `call`. Notes every call that reaches it. */
async function modernServer(
  call: Answer,
  tools: unknown[] = [{ name: 'good', inputSchema: { type: 'object' } }],
) {
  const calls: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      const rpc = JSON.parse(body || '{"method":"none"}') as Rpc;
      if (rpc.method === 'server/discover') {
        json(response, rpc.id, { ...cache, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } });
      } else if (rpc.method === 'tools/list') json(response, rpc.id, { ...cache, tools });
      else if (rpc.method === 'tools/call') {
        calls.push(request);
        call(rpc, response, request);
      } else response.writeHead(405).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const bench = createMcpWorkbench([
    {
      name: 'remote',
      transport: 'streamable_http',
      url: `http://127.0.0.1:${port}/mcp`,
      headers: {},
      oauth: null,
      ...commonDefaults,
      call_timeout_ms: 20_000,
      call_ceiling_ms: 60_000,
    },
  ]);
  opened.push({ bench, server });
  return { bench, calls };
}

describe('the 2026-07-28 revision over streamable HTTP', () => {
  it('is spoken, arguments that a schema asks for are repeated in headers, and any JSON type comes back', async () => {
    const tool = {
      name: 'good',
      inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
    };
    const { bench, calls } = await modernServer(
      ({ id }, response) =>
        json(response, id, { resultType: 'complete', content: [], structuredContent: [1, null] }),
      [tool],
    );
    expect(await bench.run('remote', 'good', { region: 'eu-1' })).toEqual({
      type: 'output',
      output: { structured: [1, null] },
    });
    expect(bench.servers.statuses()[0]).toMatchObject({ state: 'ready', protocol_version: '2026-07-28' });
    expect(calls.map((call) => call.headers['mcp-param-region'])).toEqual(['eu-1']);
  });
  it('a stopped call closes its request', async () => {
    let closed = false;
    const { bench } = await modernServer((_, response) => {
      response.on('close', () => (closed = true));
    });
    await bench.catalog('remote');
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 300);
    expect(await bench.run('remote', 'good', {}, { signal: stop.signal })).toMatchObject({
      type: 'unknown',
      error: { code: 'cancelled' },
    });
    await expect.poll(() => closed).toBe(true);
  });
});

describe('answers that go wrong over HTTP', () => {
  it.each<[string, Answer]>([
    [
      'a stream that ends without the answer',
      (_, response) =>
        void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': hello\n\n'),
    ],
    [
      'a stream that is cut in the middle of the answer',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {"jsonrpc":"2.0","re');
        setTimeout(() => response.destroy(), 100);
      },
    ],
    ['a connection that is cut', (_, response) => void response.destroy()],
    [
      'a page instead of an answer',
      (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hello</p>'),
    ],
    ['an error of a gateway', (_, response) => void response.writeHead(502).end('bad gateway')],
    [
      'an answer of more than 10 MiB',
      ({ id }, response) =>
        void json(response, id, {
          resultType: 'complete',
          content: [{ type: 'text', text: 'x'.repeat(11e6) }],
        }),
    ],
  ])('S0-78 %s leaves an unknown outcome soon, and the call is not sent again', async (_, call) => {
    const { bench, calls } = await modernServer(call);
    const from = Date.now();
    expect(await bench.run('remote', 'good', {})).toMatchObject({
      type: 'unknown',
      error: { code: 'outcome_unknown' },
    });
    expect(Date.now() - from).toBeLessThan(10_000);
    expect(calls).toHaveLength(1);
  });
  it('a call that was refused before it ran says so', async () => {
    const { bench, calls } = await modernServer((_, response) => response.writeHead(404).end('no session'));
    expect(await bench.run('remote', 'good', {})).toMatchObject({
      type: 'error',
      error: { code: 'server_unavailable', data: { may_have_run: false } },
    });
    expect(calls).toHaveLength(1);
  });
});
