import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createImageStore } from '../images';
import { createMcpWorkbench, type McpWorkbench } from '../testing/mcp-workbench';
import { commonDefaults, hostPlacement, type ServerConfig } from './config/server-config';

const everything = path.join(
  path.dirname(
    createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json'),
  ),
  'dist/index.js',
);
const stdio: ServerConfig = {
  name: 'everything',
  transport: 'stdio',
  program: process.execPath,
  args: [everything, 'stdio'],
  env: {},
  cwd: path.dirname(everything),
  folder: path.dirname(everything),
  ...commonDefaults,
  ...hostPlacement,
};
const overHttp = (port: number, headers: Record<string, string> = {}): ServerConfig => ({
  name: 'everything',
  transport: 'streamable_http',
  url: `http://127.0.0.1:${port}/mcp`,
  headers,
  oauth: null,
  ...commonDefaults,
});

async function freePort(): Promise<number> {
  const probe = createTcpServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Starts the reference server over HTTP and waits until it listens. */
async function startHttpServer(port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [everything, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('listening')) resolve();
    });
    child.once('exit', () => reject(new Error('The server ended.')));
  });
  return child;
}

function sharedTests(bench: () => McpWorkbench, placement: string) {
  it('S0-55 S1-27 lists its tools, each with a pin', async () => {
    const catalog = await bench().catalog('everything');
    expect(catalog.tools.size).toBeGreaterThanOrEqual(10);
    expect(catalog.tools.get('echo')).toMatchObject({
      placement,
      descriptor: { qualified_name: 'everything.echo' },
    });
    expect(new Set([...catalog.tools.values()].map((tool) => tool.pin)).size).toBe(catalog.tools.size);
    expect(bench().servers.statuses()[0]).toMatchObject({ state: 'ready', protocol_version: '2025-11-25' });
  });
  it('calls, structured value, image', async () => {
    expect(await bench().run('everything', 'echo', { message: 'héllo' })).toEqual({
      type: 'output',
      output: { text: 'Echo: héllo' },
    });
    const weather = await bench().run('everything', 'get-structured-content', { location: 'New York' });
    expect(weather).toMatchObject({
      type: 'output',
      output: { structured: { temperature: expect.any(Number) } },
    });
    const image = await bench().run('everything', 'get-tiny-image', {});
    expect(image).toMatchObject({ type: 'output', output: { image: { media_type: 'image/png' } } });
    expect(image.type === 'output' && image.output.text).toMatch(/\[Image: image\/png, \d+ KB\]/);
  });
  it('S0-34 S0-35 S1-73 an image travels as bytes and fits the store; its base64 is in no text', async () => {
    const end = await bench().run('everything', 'get-tiny-image', {});
    if (end.type !== 'output' || !end.output.image) throw new Error('no image');
    const { image, ...rest } = end.output;
    const store = createImageStore({ clock: () => performance.now(), newId: () => 'i_1' });
    const source = { qualified_name: 'everything.get-tiny-image', turn_id: 't_1', call_id: 'c_1' };
    expect(store.put('s_1', source, image)).toMatchObject({
      ok: true,
      value: { image_id: 'i_1', media_type: 'image/png', bytes: image.data.byteLength },
    });
    expect(Buffer.from(store.bytes('s_1', 'i_1') ?? []).equals(image.data)).toBe(true);
    store.close();
    expect(JSON.stringify(rest)).not.toContain(Buffer.from(image.data).toString('base64').slice(0, 40));
  });
  it('S1-07 S1-62 (in part): progress and cancellation', async () => {
    const slow = { duration: 1, steps: 5 };
    expect(await bench().run('everything', 'trigger-long-running-operation', slow)).toMatchObject({
      type: 'output',
    });
    expect(bench().progress.some((one) => one.fraction !== undefined && one.fraction > 0)).toBe(true);
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 500);
    const from = Date.now();
    const long = { duration: 60, steps: 60 };
    expect(
      await bench().run('everything', 'trigger-long-running-operation', long, { signal: stop.signal }),
    ).toMatchObject({
      type: 'unknown',
      error: { code: 'cancelled' },
    });
    expect(Date.now() - from).toBeLessThan(3_000);
  });
  it('arguments that the server itself refuses are an error that the model reads', async () => {
    expect(await bench().run('everything', 'echo', {})).toMatchObject({
      type: 'error',
      error: { code: 'tool_failed' },
    });
  });
}

describe('the reference server over stdio (S1-05)', () => {
  let bench: McpWorkbench;
  beforeAll(() => {
    bench = createMcpWorkbench([stdio]);
  });
  afterAll(() => bench.close());
  sharedTests(() => bench, 'host_process');
});

describe('the reference server over streamable HTTP (S1-05)', () => {
  let bench: McpWorkbench;
  let child: ChildProcess;
  let port: number;
  beforeAll(async () => {
    port = await freePort();
    child = await startHttpServer(port);
    bench = createMcpWorkbench([overHttp(port)]);
  });
  afterAll(async () => {
    await bench.close();
    child.kill('SIGKILL');
  });
  sharedTests(() => bench, 'remote');

  it('S0-78 a server that dies in a call leaves an unknown outcome, and is reached again after its return', async () => {
    await bench.catalog('everything');
    const running = bench.run('everything', 'trigger-long-running-operation', { duration: 60, steps: 60 });
    await new Promise((resolve) => setTimeout(resolve, 700));
    child.kill('SIGKILL');
    expect(await running).toMatchObject({ type: 'unknown', error: { code: 'outcome_unknown' } });
    const gone = await bench.discover('everything');
    expect(gone).toMatchObject({ ok: false, error: { code: 'server_unavailable' } });
    expect(!gone.ok && gone.error.message).toMatch(/cannot be reached \(ECONNREFUSED\).*127\.0\.0\.1/);
    child = await startHttpServer(port);
    expect(await bench.run('everything', 'echo', { message: 'back' })).toMatchObject({ type: 'output' });
  });
});

describe('an address that is no MCP server', () => {
  it.each([
    [401, /refused the connection \(HTTP 401\).*"headers"/],
    [404, /no MCP endpoint there \(HTTP 404\).*"url"/],
    [500, /answered with HTTP 500/],
    [200, /does not speak MCP/],
  ])('HTTP %i is explained, and the secret header reaches it without being shown', async (status, words) => {
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(status, { 'content-type': 'text/html' }).end('<html>hello</html>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const bench = createMcpWorkbench([overHttp(port, { Authorization: 'Bearer ${secret:KEY}' })], {
      secrets: { KEY: 'hidden-value' },
    });
    const result = await bench.discover('everything');
    expect(!result.ok && result.error.message).toMatch(words);
    expect(seen[0]).toBe('Bearer hidden-value');
    expect(JSON.stringify([result, bench.servers.statuses(), bench.log])).not.toContain('hidden-value');
    await bench.close();
    await new Promise((resolve) => server.close(resolve));
  });
});
