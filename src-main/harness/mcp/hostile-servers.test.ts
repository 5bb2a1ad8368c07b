import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Result } from '../protocol';
import { hostileServer, type Misbehaviour } from '../testing/hostile-server';
import { processRuns, type TestServer } from '../testing/mcp-test-server';
import { createMcpWorkbench, type McpWorkbench } from '../testing/mcp-workbench';

const opened: McpWorkbench[] = [];
const made: TestServer[] = [];
type Options = Parameters<typeof hostileServer>[1] & { startTimeoutMs?: number };

/** A misbehaving server beside a good one; the good one must work whatever the other does. */
function beside(how: Misbehaviour, { startTimeoutMs, ...options }: Options = {}) {
  const server = hostileServer(how, options);
  const good = hostileServer('good', { name: 'good' });
  made.push(server, good);
  const bench = createMcpWorkbench([server.config, good.config], startTimeoutMs ? { startTimeoutMs } : {});
  opened.push(bench);
  return { bench, server };
}
afterEach(async () => {
  for (const bench of opened) {
    expect(await bench.run('good', 'good', { message: 'hi' })).toEqual({
      type: 'output',
      output: { text: 'Echo: hi' },
    });
  }
  await Promise.all(opened.splice(0).map((bench) => bench.close()));
  for (const server of made.splice(0)) server.dispose();
});
function message<T>(result: Result<T>): string {
  if (result.ok) throw new Error('It worked.');
  return result.error.message;
}
const status = (bench: McpWorkbench) => bench.servers.statuses()[0];

describe('starts', () => {
  it('a silent server ends with a message after the time limit, and its process is gone', async () => {
    const { bench, server } = beside('silent', { startTimeoutMs: 1_500 });
    const said = message(await bench.discover('hostile'));
    expect(said).toMatch(/Server "hostile" did not answer within 1\.5 seconds.*hostile-server\.mjs silent/);
    expect(status(bench)).toMatchObject({ state: 'failed', error: { code: 'server_unavailable' } });
    expect(server.starts().map(processRuns)).toEqual([false]);
  });
  it('a server that ignores the question of the newest handshake is reached by the older one on the same process', async () => {
    const { bench, server } = beside('silent-on-probe', { startTimeoutMs: 3_000 });
    await bench.catalog('hostile');
    expect(server.starts()).toHaveLength(1);
    expect(status(bench)?.protocol_version).toBe('2025-11-25');
  });
  it('a server that ends at that question is started once more without it', async () => {
    const { bench, server } = beside('dies-on-probe');
    await bench.catalog('hostile');
    expect(server.starts()).toHaveLength(2);
    expect(await bench.run('hostile', 'good', { message: 'x' })).toMatchObject({ type: 'output' });
    expect(server.starts()).toHaveLength(2);
  });
  it('a server that dies at its start is named with exit code, last line and command; the next discover tries again', async () => {
    const { bench, server } = beside('dies-at-start');
    const result = await bench.discover('hostile');
    expect(message(result)).toMatch(
      /Server "hostile" ended with exit code 3\. Its last log line: Error: ACME_KEY is not set.*dies-at-start.*servers\.json/,
    );
    expect(result).toMatchObject({ error: { code: 'server_failed', data: { exit_code: 3, signal: null } } });
    expect(status(bench)?.log).toContain('reading config');
    const before = server.starts().length;
    await bench.discover('hostile');
    expect(server.starts().length).toBeGreaterThan(before);
  });
  it('failed starts wait longer each time, within bounds', async () => {
    const { bench } = beside('dies-at-start', { config: { program: '/no/such/program' } });
    const from = Date.now();
    for (let i = 0; i < 4; i += 1) expect((await bench.discover('hostile')).ok).toBe(false);
    expect(Date.now() - from).toBeGreaterThan(700);
    expect(Date.now() - from).toBeLessThan(3_000);
  });
  it('a slow start is waited for', async () => {
    const { bench, server } = beside('slow-start', { extra: '1200', startTimeoutMs: 3_000 });
    await bench.catalog('hostile');
    expect(server.starts()).toHaveLength(1);
  });
});

describe('the 2026-07-28 revision', () => {
  it('is spoken without the older handshake, on one process', async () => {
    const { bench, server } = beside('modern');
    expect(await bench.run('hostile', 'good', { message: 'new' })).toEqual({
      type: 'output',
      output: { text: 'Echo: new', structured: [1, 'two'] },
    });
    expect(status(bench)).toMatchObject({ state: 'ready', protocol_version: '2026-07-28' });
    expect(server.starts()).toHaveLength(1);
    expect(server.witness()).not.toContain('initialized');
  });
  it('one malformed tool does not take the others with it', async () => {
    const catalog = await beside('modern-bad-tools').bench.catalog('hostile');
    expect([...catalog.tools.keys()]).toEqual(['good', 'draft-07', 'with.dot']);
    expect(catalog.unusable.get('no-schema')).toMatchObject({ code: 'schema_unusable' });
  });
  it('a call that asks for more input ends with an error, and is not sent again', async () => {
    const { bench, server } = beside('modern-asks-for-input');
    expect(await bench.run('hostile', 'good', {})).toMatchObject({
      type: 'error',
      error: { code: 'tool_failed' },
    });
    expect(server.witness().filter((line) => line.startsWith('call'))).toHaveLength(1);
  });
});

describe('output that is no protocol', () => {
  it('lines on stdout that are no messages are skipped, counted and shown in the log', async () => {
    const { bench } = beside('rubbish-stdout');
    expect(await bench.run('hostile', 'good', { message: 'x' })).toMatchObject({ type: 'output' });
    expect(status(bench)).toMatchObject({ state: 'ready', skipped_lines: 6 });
    expect(status(bench)?.log.join('\n')).toContain('*** Welcome! ***');
  });
  it('a line without end closes that server only, with its reason', async () => {
    const { bench, server } = beside('huge-line');
    expect(message(await bench.discover('hostile'))).toContain('it wrote a line of more than 10 MiB');
    expect(server.starts().map(processRuns)).not.toContain(true);
  });
});

describe('catalogs', () => {
  it('S0-46 a name that comes twice is refused, the rest is kept', async () => {
    const { bench } = beside('duplicate-tools');
    const catalog = await bench.catalog('hostile');
    expect([...catalog.tools.keys()]).toEqual(['good']);
    expect(catalog.unusable.get('twin')).toMatchObject({ code: 'name_duplicate' });
  });
  it('S0-51 S0-52 bad names and schemas make one tool unusable with its reason, and nothing is fetched', async () => {
    let requests = 0;
    const canary = createServer((_, response) => {
      requests += 1;
      response.end('{}');
    });
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
    const { bench } = beside('bad-tools', {
      extra: `http://127.0.0.1:${(canary.address() as AddressInfo).port}/x`,
    });
    const catalog = await bench.catalog('hostile');
    expect([...catalog.tools.keys()]).toEqual(['good', 'draft-07', 'with.dot']);
    expect(catalog.tools.get('with.dot')?.model_alias).toBe('hostile__with__dot');
    const reasons = Object.fromEntries([...catalog.unusable].map(([name, why]) => [name, why.code]));
    expect(reasons).toEqual({
      'string-schema': 'schema_unusable',
      'no-schema': 'schema_unusable',
      'remote-ref': 'schema_unusable',
      'draft-04': 'schema_unusable',
      'bad-output': 'schema_unusable',
      'bad name!': 'name_invalid',
      ['x'.repeat(90)]: 'name_too_long',
      'task-only': 'tool_missing',
      '#12': 'tool_missing',
      '#13': 'tool_missing',
    });
    expect(requests).toBe(0);
    await new Promise((resolve) => canary.close(resolve));
  });
  it('a cursor that comes back ends the list, and an endless one is cut', async () => {
    const stuck = beside('stuck-cursor');
    expect([...(await stuck.bench.catalog('hostile')).tools.keys()]).toEqual(['page-0', 'page-1', 'page-2']);
    const endless = beside('endless-cursor');
    expect((await endless.bench.catalog('hostile')).tools.size).toBe(100);
    expect(status(endless.bench)?.log.join('\n')).toContain('cut after 100 tools on 100 pages');
  });
  it('one page of more tools than are taken is cut as well', async () => {
    const wide = beside('wide-page');
    expect((await wide.bench.catalog('hostile')).tools.size).toBe(2_000);
    expect(status(wide.bench)?.log.join('\n')).toContain('cut after 2000 tools on 1 pages');
  });
  it('S0-55 S0-56 C7 a definition that changes has another pin at the next discover', async () => {
    const { bench } = beside('changing-definition');
    const first = await bench.catalog('hostile');
    const second = await bench.catalog('hostile');
    expect(second.tools.get('good')?.descriptor.description).toBe('Version 2 of the tool.');
    expect(second.tools.get('good')?.pin).not.toBe(first.tools.get('good')?.pin);
  });
});

describe('calls', () => {
  it.each([
    ['dies-on-call', /exit code 7\. Its last log line: fatal: the ice is thin/],
    ['killed-on-call', /signal SIGKILL/],
  ] as const)(
    'S0-78 a server that %s leaves an unknown outcome, and the call is never sent again',
    async (how, words) => {
      const { bench, server } = beside(how);
      const end = await bench.run('hostile', 'good', {});
      expect(end).toMatchObject({ type: 'unknown', error: { code: 'outcome_unknown' } });
      expect(end.type === 'unknown' && end.error.message).toMatch(words);
      expect(status(bench)).toMatchObject({ state: 'failed', error: { code: 'server_failed' } });
      expect((await bench.catalog('hostile')).tools.size).toBe(1);
      expect(status(bench)).toMatchObject({ state: 'ready' });
      expect(server.witness().filter((line) => line.startsWith('call'))).toHaveLength(1);
      expect(server.starts()).toHaveLength(2);
    },
  );
  it('C9 silence ends a call at its limit with an unknown outcome, the server is told, the late answer is dropped', async () => {
    const { bench, server } = beside('answers-late', { extra: '900', config: { call_timeout_ms: 300 } });
    expect(await bench.run('hostile', 'good', {})).toMatchObject({
      type: 'unknown',
      error: { code: 'tool_timed_out', message: expect.stringContaining('0.3 seconds') },
    });
    await expect.poll(() => server.witness()).toContain('cancelled');
    await new Promise((resolve) => setTimeout(resolve, 900));
    expect(bench.log.join('\n')).toContain('unknown message ID');
    expect(status(bench)?.state).toBe('ready');
  });
  it('C9 a ceiling ends a call, whatever it says', async () => {
    const { bench } = beside('never-answers', { config: { call_ceiling_ms: 300 } });
    expect(await bench.run('hostile', 'good', {})).toMatchObject({
      type: 'unknown',
      error: { code: 'tool_timed_out', message: expect.stringContaining('not done after 0.3 seconds') },
    });
  });
  it('S1-53 the first of two answers counts', async () => {
    const { bench } = beside('answers-twice');
    expect(await bench.run('hostile', 'good', {})).toEqual({ type: 'output', output: { text: 'first' } });
    expect(await bench.run('hostile', 'good', {})).toEqual({ type: 'output', output: { text: 'first' } });
  });
  it('a result that breaks its schema or the protocol is an error that the model can read', async () => {
    const wrong = await beside('wrong-output').bench.run('hostile', 'good', {});
    expect(wrong).toMatchObject({ type: 'error', error: { code: 'tool_failed' } });
    expect(wrong.type === 'error' && wrong.error.message).toMatch(/\/sum must be number[\s\S]*not a number/);
    expect(await beside('invalid-result').bench.run('hostile', 'good', {})).toMatchObject({
      type: 'error',
      error: { code: 'tool_failed', message: expect.stringContaining('not valid MCP') },
    });
  });
  it('an answer that is no valid message fails its call at once, and says so', async () => {
    const end = await beside('null-result').bench.run('hostile', 'good', {});
    expect(end).toMatchObject({ type: 'error', error: { code: 'tool_failed' } });
    expect(end.type === 'error' && end.error.message).toContain('not valid JSON-RPC');
  });
  it('a result that is too large keeps its beginning and its end', async () => {
    const end = await beside('huge-result').bench.run('hostile', 'good', {});
    expect(end.type === 'output' && end.output.text).toMatch(/^BEGINé+\n\[… \d+ bytes left out …\]\né+END$/);
  });
  it('a request for a completion by the model is refused', async () => {
    expect(await beside('asks-for-input').bench.run('hostile', 'good', {})).toMatchObject({
      output: { text: expect.stringMatching(/^refused: /) },
    });
  });
  it('a server that died between catalog and call is started again; its tool runs only if it is still the same', async () => {
    for (const [how, expected] of [
      ['good', { type: 'output' }],
      ['changes-after-restart', { type: 'error', error: { code: 'tool_missing' } }],
    ] as const) {
      const { bench, server } = beside(how);
      const tool = (await bench.catalog('hostile')).tools.get('good');
      process.kill(server.starts()[0] as number, 'SIGKILL');
      await expect.poll(() => status(bench)?.state).toBe('failed');
      const end = await tool?.run(
        {
          session_id: 's',
          turn_id: 't',
          call_id: 'c',
          qualified_name: 'hostile.good',
          model_alias: 'hostile__good',
          workspace: null,
          signal: new AbortController().signal,
          progress: () => undefined,
        },
        { message: 'again' },
      );
      expect(end).toMatchObject(expected);
      expect(server.starts()).toHaveLength(2);
    }
  });
});

describe('a list of tools that changes', () => {
  it('field report 62: is read again once it is quiet, and what the server logs stands in its log on one line', async () => {
    const { bench, server } = beside('announces-change');
    await bench.catalog('hostile');
    expect(status(bench)?.tools).toBe(1);
    expect(await bench.run('hostile', 'good', {})).toMatchObject({ type: 'output' });
    await expect.poll(() => status(bench)?.tools).toBe(2);
    expect(status(bench)?.log).toContain('[warning] fan: two ⏎ lines');
    const lists = () => server.witness().filter((line) => line === 'list').length;
    const before = lists();
    // Twenty announcements: one more look, besides those of the test itself.
    expect(before).toBe(3);
  });

  it('field report 64, S0-56: a tool that is another by now is not called, although the turn still knows it', async () => {
    const { bench, server } = beside('announces-change');
    const tool = (await bench.catalog('hostile')).tools.get('good');
    await bench.run('hostile', 'good', {});
    await expect.poll(() => status(bench)?.tools).toBe(2);
    const calls = () => server.witness().filter((line) => line.startsWith('call')).length;
    const before = calls();
    const context = {
      session_id: 's',
      turn_id: 't',
      call_id: 'c',
      qualified_name: 'hostile.good',
      model_alias: 'hostile__good',
      workspace: null,
      signal: new AbortController().signal,
      progress: () => undefined,
    };
    expect(await tool?.run(context, {})).toMatchObject({ type: 'error', error: { code: 'tool_missing' } });
    expect(calls()).toBe(before);
    expect(await bench.run('hostile', 'good', {})).toMatchObject({ type: 'output' });
  });
});
