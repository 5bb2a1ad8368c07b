import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { startModelServer, type ModelServer } from '../src-main/harness/testing/model-server';
import { everythingServer, launch, picture, type RunningApp } from './parts/app';
import { answer, command, prepare, request, row, startSession } from './parts/session';

let server: ModelServer;
let running: RunningApp | null = null;
let remote: ChildProcess | null = null;

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

async function startRemote(): Promise<string> {
  const port = await freePort();
  remote = spawn(process.execPath, [everythingServer, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const url = `http://127.0.0.1:${port}/mcp`;
  await expect
    .poll(
      async () =>
        fetch(url).then(
          () => true,
          () => false,
        ),
      { timeout: 15_000 },
    )
    .toBe(true);
  return url;
}

async function begin(servers: unknown): Promise<RunningApp> {
  running = await launch({ servers });
  const { page } = running;
  await command(page, 'provider.configure', {
    provider_id: 'anthropic',
    base_url: server.baseUrl('anthropic'),
    key: 'test-key',
  });
  await prepare(page, { provider: 'anthropic', name: 'test-model' });
  return running;
}

test.beforeEach(async () => {
  server = await startModelServer();
});

test.afterEach(async () => {
  await running?.close();
  running = null;
  remote?.kill();
  remote = null;
  expect(await server.close()).toEqual([]);
});

const transports = {
  stdio: () =>
    Promise.resolve({ transport: 'stdio', program: process.execPath, args: [everythingServer, 'stdio'] }),
  'streamable HTTP': async () => ({ transport: 'streamable_http', url: await startRemote() }),
} as const;

for (const [name, config] of Object.entries(transports)) {
  test(`Everything Guide calls the real server over ${name} after a click, and shows its result`, async ({}, info) => {
    const begun = await begin({ version: 1, servers: { everything: await config() } });
    server.enqueue(
      {
        answer: {
          text: ['Two calls.'],
          calls: [
            { id: 'c1', name: 'everything__echo', arguments: { message: 'Hello there' } },
            { id: 'c2', name: 'everything__get-structured-content', arguments: { location: 'New York' } },
          ],
        },
      },
      { answer: { text: ['It echoed.'] } },
    );
    const { app, page } = begun;
    await startSession(app, page, { coworker: 'Everything Guide', message: 'Echo hello' });
    await expect(request(page)).toContainText('everything.echo');
    await expect(request(page)).toContainText('Hello there');
    await expect(request(page)).toContainText(
      name === 'stdio' ? 'on this computer, not sandboxed' : 'on another computer',
    );
    await answer(page, 'Allow once');
    await expect(request(page)).toContainText('everything.get-structured-content');
    await answer(page, 'Allow once');
    await expect(page.getByText('It echoed.')).toBeVisible();
    expect(
      server
        .asked()
        .at(-1)
        ?.results.map((result) => result.text)[0],
    ).toContain('Echo: Hello there');
    await row(page, 'c2').getByRole('button').first().click();
    await expect(row(page, 'c2')).toContainText('temperature');
    await picture(page, info, `everything-${name === 'stdio' ? 'stdio' : 'http'}`);
    await page.getByRole('button', { name: /^Servers/ }).click();
    await expect(page.getByText('ready').first()).toBeVisible();
    await picture(page, info, `servers-${name === 'stdio' ? 'stdio' : 'http'}`);
  });
}

test('progress of a long call is seen live, and Stop ends the call and tells the server', async ({}, info) => {
  const { app, page } = await begin({ version: 1, servers: { everything: await transports.stdio() } });
  server.enqueue({
    answer: {
      calls: [
        {
          id: 'c1',
          name: 'everything__trigger-long-running-operation',
          arguments: { duration: 20, steps: 40 },
        },
      ],
    },
  });
  await startSession(app, page, { coworker: 'Everything Guide', message: 'Take your time' });
  await answer(page, 'Allow once');
  await expect(row(page, 'c1').getByRole('progressbar')).toBeVisible();
  await picture(page, info, 'running-with-progress');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText(/You stopped this turn/)).toBeVisible();
  await expect(row(page, 'c1')).toContainText('may have run');
});

test('a server that cannot start is explained with its command and a remedy, and other coworkers go on', async ({}, info) => {
  const { app, page } = await begin({
    version: 1,
    servers: { everything: { transport: 'stdio', program: 'no-such-program-here', args: [] } },
  });
  await startSession(app, page, { coworker: 'Everything Guide', message: 'Hello' });
  await expect(page.getByText('no-such-program-here').first()).toBeVisible();
  await picture(page, info, 'server-cannot-start');
  server.enqueue({ answer: { text: ['I am here.'] } });
  await page.getByRole('button', { name: /New session/ }).click();
  await startSession(app, page, { coworker: 'File Organizer', message: 'Hello' });
  await expect(page.getByText('I am here.')).toBeVisible();
});

test('a servers.json with errors is named with its line in the window, and the servers in order still work', async ({}, info) => {
  const good = JSON.stringify(await transports.stdio());
  running = await launch({
    serversText: `{\n  "version": 1,\n  "servers": {\n    "everything": ${good},\n    "company": { "transport": "streamable-http", "url": "https://mcp.example.com/mcp" }\n  }\n}\n`,
  });
  const { page } = running;
  await command(page, 'setting.set', { key: 'onboarded', value: true });
  await page.getByRole('button', { name: /^Servers/ }).click();

  await picture(page, info, 'servers-file-problems');
  await expect(page.getByText(/line 5/).first()).toBeVisible();
  await expect(page.getByText(/streamable_http/).first()).toBeVisible();
  await expect(page.getByText('everything').first()).toBeVisible();
  await picture(page, info, 'servers-file-problems');
});
