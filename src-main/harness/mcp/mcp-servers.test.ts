import { afterEach, describe, expect, it } from 'vitest';
import type { Json } from '../protocol';
import { mcpTestServer, processRuns, type TestServer } from '../testing/mcp-test-server';
import { hostileServer } from '../testing/hostile-server';
import { createMcpWorkbench, type McpWorkbench } from '../testing/mcp-workbench';

const opened: { close(): Promise<void> }[] = [];
const made: TestServer[] = [];
function workbench(
  servers: readonly TestServer[],
  options?: Parameters<typeof createMcpWorkbench>[1],
): McpWorkbench {
  const bench = createMcpWorkbench(
    servers.map((server) => server.config),
    options,
  );
  opened.push(bench);
  made.push(...servers);
  return bench;
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
  for (const server of made.splice(0)) server.dispose();
});

describe('a server of the 1.x SDK over stdio', () => {
  it('S0-44 S0-55 is started when its catalog is asked for, and not before', async () => {
    const server = mcpTestServer();
    const bench = workbench([server]);
    expect(bench.servers.statuses()[0]).toMatchObject({ state: 'not_started', tools: null });
    const catalog = await bench.catalog('test');
    expect([...catalog.tools.keys()]).toEqual(['echo', 'add', 'slow', 'image', 'fail', 'env']);
    expect(catalog.tools.get('add')).toMatchObject({
      descriptor: { qualified_name: 'test.add', title: 'Add', version: '1.2.3' },
      model_alias: 'test__add',
      origin: { kind: 'mcp', server: 'test' },
      classification: 'external',
      presentation: 'plain',
      placement: 'host_process',
    });
    expect(bench.servers.statuses()[0]).toMatchObject({
      state: 'ready',
      tools: 6,
      protocol_version: '2025-11-25',
      error: null,
      skipped_lines: 0,
    });
    expect(server.starts()).toHaveLength(1);
  });
  it('one process serves concurrent and later discovers of every session', async () => {
    const server = mcpTestServer();
    const bench = workbench([server]);
    const catalogs = await Promise.all([bench.catalog('test'), bench.catalog('test'), bench.catalog('test')]);
    catalogs.push(await bench.catalog('test'));
    const pins = catalogs.map((catalog) => catalog.tools.get('echo')?.pin);
    expect(new Set(pins).size).toBe(1);
    expect(server.starts()).toHaveLength(1);
  });
  it('a discover that is stopped ends at once, and the start goes on for the others', async () => {
    const server = mcpTestServer();
    const bench = workbench([server]);
    const stop = new AbortController();
    const first = bench.discover('test', stop.signal);
    const second = bench.discover('test');
    stop.abort();
    expect(await first).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(await second).toMatchObject({ ok: true });
    expect(server.starts()).toHaveLength(1);
  });
  it('S0-31 runs tools: text, structured value, error, image', async () => {
    const bench = workbench([mcpTestServer()]);
    expect(await bench.run('test', 'echo', { message: 'hé' })).toEqual({
      type: 'output',
      output: { text: 'Echo: hé' },
    });
    expect(await bench.run('test', 'add', { a: 1, b: 2 })).toEqual({
      type: 'output',
      output: { text: '{"sum":3}', structured: { sum: 3 } },
    });
    expect(await bench.run('test', 'fail', {})).toEqual({
      type: 'error',
      error: { code: 'tool_failed', message: 'The disk is on fire.' },
    });
    const image = await bench.run('test', 'image', {});
    if (image.type !== 'output') throw new Error('no output');
    expect(image.output.image).toMatchObject({ media_type: 'image/png' });
    expect(image.output.text).toBe(
      'Here: [data left out]\n[Image: image/png, 70 bytes]\n[Resource: a.txt, file:///a.txt]',
    );
  });
  it('S1-07: reports progress with its fraction', async () => {
    const bench = workbench([mcpTestServer()]);
    const end = await bench.run('test', 'slow', { steps: 4, step_ms: 120 });
    expect(end).toEqual({ type: 'output', output: { text: 'slept' } });
    expect(bench.progress).toContainEqual({ message: 'step 2', fraction: 0.5 });
  });
  it('S1-07: a stopped call is cancelled at the server, may have run, and its late answer is dropped', async () => {
    const server = mcpTestServer();
    const bench = workbench([server]);
    const stop = new AbortController();
    await bench.catalog('test');
    const running = bench.run('test', 'slow', { steps: 10, step_ms: 50 }, { signal: stop.signal });
    setTimeout(() => stop.abort(), 150);
    const from = Date.now();
    expect(await running).toMatchObject({
      type: 'unknown',
      error: { code: 'cancelled', data: { may_have_run: true } },
    });
    expect(Date.now() - from).toBeLessThan(1_500);
    await expect.poll(() => server.witness()).toContain('slow cancelled');
    expect(await bench.run('test', 'echo', { message: 'still here' })).toMatchObject({ type: 'output' });
  });
  it('a call that is stopped before it is sent says that it did not run', async () => {
    const server = mcpTestServer();
    const bench = workbench([server]);
    await bench.catalog('test');
    expect(await bench.run('test', 'echo', { message: 'x' }, { signal: AbortSignal.abort() })).toMatchObject({
      type: 'error',
      error: { code: 'cancelled', data: { may_have_run: false } },
    });
    expect(server.witness().filter((line) => line.startsWith('echo'))).toEqual([]);
  });
  it('S1-32 sees its declared environment, its arguments and folder, and none of our keys', async () => {
    const server = mcpTestServer('test', { env: { TOKEN: '${secret:TOKEN}', PLAIN: 'p' } });
    const args = [...server.config.args, 'with space', '"q"', '${env:LANGUAGE_OF_TEST}'];
    const bench = workbench([{ ...server, config: { ...server.config, args } }], {
      env: { ...process.env, OPENAI_API_KEY: 'sk-leak', LANGUAGE_OF_TEST: 'größe' },
      secrets: { TOKEN: 'very-secret' },
    });
    const end = await bench.run('test', 'env', {});
    if (end.type !== 'output') throw new Error('no output');
    const seen = JSON.parse(end.output.text ?? '') as Record<string, Json> & { env: Record<string, string> };
    // The server has the secret itself; what it repeats of it goes no further.
    expect(seen['token_length']).toBe('very-secret'.length);
    expect(seen.env).toMatchObject({ TOKEN: '${secret:TOKEN}', PLAIN: 'p', PATH: process.env['PATH'] });
    expect(seen.env).not.toHaveProperty('OPENAI_API_KEY');
    expect(seen.args).toEqual(['with space', '"q"', 'größe']);
    expect(seen.cwd).toBe(server.config.cwd);
    expect(JSON.stringify(bench.servers.statuses())).not.toContain('very-secret');
  });
  it('a missing secret is named with its remedy, and nothing is started', async () => {
    const server = mcpTestServer('test', { env: { TOKEN: '${secret:NONE}' } });
    const bench = workbench([server]);
    const result = await bench.discover('test');
    expect(result).toMatchObject({ ok: false, error: { code: 'secret_missing' } });
    expect(!result.ok && result.error.message).toContain('"env.TOKEN" of server "test"');
    expect(server.starts()).toEqual([]);
    expect(bench.servers.statuses()[0]).toMatchObject({ state: 'failed', error: { code: 'secret_missing' } });
  });
  it('a program or folder that does not exist is named', async () => {
    const bench = workbench([
      mcpTestServer('gone', { program: 'no-such-program-anywhere' }),
      mcpTestServer('nowhere', { cwd: '/no/such/folder' }),
    ]);
    const gone = await bench.discover('gone');
    expect(!gone.ok && gone.error.message).toMatch(
      /Server "gone" cannot be started.*"no-such-program-anywhere"/,
    );
    const nowhere = await bench.discover('nowhere');
    expect(!nowhere.ok && nowhere.error.message).toMatch(/"nowhere".*\/no\/such\/folder.*"cwd"/);
  });
  it('tells listeners of changes until they stop listening', async () => {
    const bench = workbench([mcpTestServer()]);
    let heard = 0;
    const stop = bench.servers.onChanged(() => (heard += 1));
    await bench.catalog('test');
    await expect.poll(() => heard).toBeGreaterThan(0);
    stop();
    await bench.servers.close();
    const before = heard;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(heard).toBe(before);
  });
});

describe('the end', () => {
  it('S0-72: close ends every process and everything that they started, together and soon', async () => {
    const stubborn = [
      hostileServer('ignores-end', { name: 'a' }),
      hostileServer('ignores-end', { name: 'b' }),
      mcpTestServer('c'),
    ];
    const bench = workbench(stubborn);
    await Promise.all(['a', 'b', 'c'].map((name) => bench.catalog(name)));
    const pids = stubborn.flatMap((server) =>
      server.witness().flatMap((line) => /^(?:start|child) (\d+)$/.exec(line)?.[1] ?? []),
    );
    expect(pids).toHaveLength(5);
    const from = Date.now();
    await bench.close();
    expect(Date.now() - from).toBeLessThan(3_500);
    await expect.poll(() => pids.filter((pid) => processRuns(Number(pid)))).toEqual([]);
    expect(stubborn[0]?.witness()).toContain('SIGTERM');
    expect(await bench.discover('a')).toMatchObject({ ok: false, error: { code: 'server_unavailable' } });
  });
  it('S0-72: close during a start leaves nothing behind', async () => {
    const server = hostileServer('slow-start', { extra: '5000' });
    const bench = workbench([server]);
    const pending = bench.discover('hostile');
    await expect.poll(() => server.starts()).toHaveLength(1);
    await bench.close();
    expect(await pending).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    await expect.poll(() => processRuns(server.starts()[0] as number)).toBe(false);
  });
});

describe('another configuration while the app runs', () => {
  it('field report 74: touches nothing that stays the same, ends what is gone or changed, and starts what is new when it is needed', async () => {
    const [kept, changed, gone, added] = ['kept', 'changed', 'gone', 'added'].map((name) =>
      mcpTestServer(name),
    );
    if (!kept || !changed || !gone || !added) throw new Error('No servers.');
    const bench = workbench([kept, changed, gone]);
    made.push(added);
    await Promise.all(['kept', 'changed', 'gone'].map((name) => bench.catalog(name)));
    const other = { ...changed.config, call_timeout_ms: 5_000 };
    await bench.servers.apply([added.config, kept.config, other]);
    expect(bench.servers.statuses().map(({ name, state }) => [name, state])).toEqual([
      ['added', 'not_started'],
      ['kept', 'ready'],
      ['changed', 'not_started'],
    ]);
    expect([...gone.starts(), ...changed.starts()].filter(processRuns)).toEqual([]);
    expect(kept.starts().filter(processRuns)).toHaveLength(1);
    expect(bench.servers.source('gone')).toBeUndefined();
    await Promise.all(['kept', 'changed', 'added'].map((name) => bench.catalog(name)));
    expect([kept, changed, added].map((server) => server.starts().length)).toEqual([1, 2, 1]);
  });

  it('field reports 73, 85, 86: a server that is disabled has no process, and a tool that was found before is not called any more', async () => {
    const server = mcpTestServer();
    const bench = workbench([server]);
    const tool = (await bench.catalog('test')).tools.get('echo');
    if (!tool) throw new Error('No tool.');
    await bench.servers.apply([{ ...server.config, enabled: false }]);
    expect(bench.servers.statuses()[0]).toMatchObject({
      state: 'disabled',
      error: { code: 'server_disabled' },
    });
    expect(await bench.discover('test')).toMatchObject({ error: { code: 'server_disabled' } });
    const signal = new AbortController().signal;
    const end = await tool.run(
      {
        session_id: 's',
        turn_id: 't',
        call_id: 'c',
        qualified_name: 'test.echo',
        model_alias: 'test__echo',
        workspace: null,
        signal,
        progress: () => undefined,
      },
      { message: 'late' },
    );
    expect(end).toMatchObject({ type: 'error', error: { code: 'server_unavailable' } });
    expect(server.witness().filter((line) => line.startsWith('echo'))).toEqual([]);
    expect(server.starts().filter(processRuns)).toEqual([]);
    expect(await bench.servers.restart('test', signal)).toMatchObject({ error: { code: 'server_disabled' } });
    expect(server.starts()).toHaveLength(1);
  });

  it('is started anew by a person, with a process of its own', async () => {
    const server = mcpTestServer();
    const bench = workbench([server]);
    await bench.catalog('test');
    const signal = new AbortController().signal;
    expect(await bench.servers.restart('test', signal)).toEqual({ ok: true, value: null });
    expect(bench.servers.statuses()[0]).toMatchObject({ state: 'ready', restarts: 1 });
    expect(server.starts()).toHaveLength(2);
    expect(server.starts().filter(processRuns)).toHaveLength(1);
    expect(await bench.servers.restart('none', signal)).toMatchObject({ error: { code: 'not_found' } });
  });

  it('hazard 27: after six failures in a row only a person starts it again', async () => {
    const server = mcpTestServer('test', { args: ['-e', 'process.exit(3)'] });
    const bench = workbench([server]);
    for (let start = 0; start < 6; start += 1) {
      expect(await bench.discover('test')).toMatchObject({ error: { data: { exit_code: 3 } } });
    }
    expect(bench.servers.statuses()[0]?.restarts).toBeGreaterThanOrEqual(5);
    const { restarts } = bench.servers.statuses()[0] ?? {};
    expect(await bench.discover('test')).toMatchObject({
      error: { data: { given_up: true, exit_code: 3 } },
    });
    expect(bench.servers.statuses()[0]?.restarts).toBe(restarts);
    await bench.servers.restart('test', new AbortController().signal);
    expect(bench.servers.statuses()[0]?.restarts).toBe((restarts ?? 0) + 1);
  });
});
