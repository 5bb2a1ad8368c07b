import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openHarness, type Harness, type HarnessOptions, type NativeTool, type SessionEvent } from '.';
import { harnessOptions } from './testing/harness-options';
import { mcpTestServer, type TestServer } from './testing/mcp-test-server';
import { until } from './testing/session-bench';

let folder: string;
let server: TestServer;
let log: string[];
const open: Harness[] = [];

const notes: NativeTool = {
  descriptor: () => ({
    qualified_name: 'notes.add',
    description: 'Keeps a note.',
    input_schema: {
      type: 'object',
      properties: { text: { type: 'string' } },
      required: ['text'],
      additionalProperties: false,
    },
    version: '1.0.0',
  }),
  call: (_context, args) => Promise.resolve({ structured: { kept: args['text'] ?? null } }),
};

const manifest = `---
id: tester
name: Tester
description: Tests things.
version: 1.0.0
---

Add notes with notes__add.
`;

function write(name: string, text: string): void {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'open-harness-')));
  log = [];
  server = mcpTestServer('acer');
  const { program, args, env } = server.config;
  write(
    'servers.json',
    JSON.stringify({ version: 1, servers: { acer: { transport: 'stdio', program, args, env } } }),
  );
  write('bundle/coworker/manifest.md', manifest);
  write('bundle/coworker/tools.json', '{"version":3,"tools":["notes.add","acer.echo"]}');
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((harness) => harness.close()));
  server.dispose();
  rmSync(folder, { recursive: true, force: true });
});

async function harnessOf(changed: Partial<HarnessOptions> = {}): Promise<Harness> {
  const opened = await openHarness(
    harnessOptions(join(folder, 'data'), {
      bundleFolders: [join(folder, 'bundle')],
      serversFile: join(folder, 'servers.json'),
      registerNative: (registry) => registry.registerNative(notes),
      standing: 'once',
      log: (line) => log.push(line),
      ...changed,
    }),
  );
  if (!opened.ok) throw new Error(opened.error.message);
  open.push(opened.value);
  return opened.value;
}

interface Run {
  readonly events: readonly SessionEvent[];
  only<T extends SessionEvent['type']>(type: T): Extract<SessionEvent, { type: T }>[];
}

/** One turn in which "the model" makes the calls, one a response, and then says "Done.". */
async function runTurn(
  harness: Harness,
  calls: readonly [alias: string, args: Record<string, string>][],
): Promise<Run> {
  const model = { provider: 'practice', name: 'practice' };
  const created = await harness.sessions.create({
    coworker_id: 'tester',
    model,
    mode: 'ask',
    workspace: null,
  });
  if (!created.ok) throw new Error(created.error.message);
  const { session_id: sessionId } = created.value;
  const session = harness.sessions.get(sessionId);
  if (!session.ok) throw new Error(session.error.message);
  const events: SessionEvent[] = [];
  const stop = session.value.subscribe(0, (push) => events.push(...push.events));
  const submitted = session.value.submit({ text: 'Go', files: [], mentions: [] });
  if (!submitted.ok) throw new Error(submitted.error.message);
  const { turn_id: turnId, done } = submitted.value;
  let ended = false;
  void done.then(() => (ended = true));
  const acts = [
    ...calls.map(([name, args]) => ({ type: 'call', name, arguments: args }) as const),
    { type: 'reply', text: 'Done.' } as const,
  ];
  for (const act of acts) await until(() => ended || harness.practice(sessionId, turnId, act).ok, 15_000);
  await done;
  stop();
  return {
    events,
    only: <T extends SessionEvent['type']>(type: T) =>
      events.filter((event): event is Extract<SessionEvent, { type: T }> => event.type === type),
  };
}

describe('a host that opens the runtime', () => {
  it('S0-15 S0-16 S0-17 S1-02 S1-04 S1-05 S1-26 S0-41 (in part): registers tools and servers at start; the bundle picks by qualified name', async () => {
    const harness = await harnessOf();
    expect(harness.servers.statuses()).toMatchObject([{ name: 'acer', state: 'not_started' }]);
    const run = await runTurn(harness, [
      ['notes__add', { text: 'milk' }],
      ['acer__echo', { message: 'hello' }],
    ]);
    expect(run.only('turn_finished')[0]?.data).toMatchObject({ outcome: 'completed', error: null });
    expect(run.only('turn_started')[0]?.data.tools).toMatchObject([
      { qualified_name: 'notes.add', origin: { kind: 'native' }, placement: 'in_app' },
      { qualified_name: 'acer.echo', origin: { kind: 'mcp', server: 'acer' }, placement: 'host_process' },
    ]);
    expect(run.only('approval_requested').map(({ data }) => data.qualified_name)).toEqual([
      'notes.add',
      'acer.echo',
    ]);
    expect(run.only('tool_finished').map(({ data }) => [data.outcome, data.result?.text])).toEqual([
      ['completed', '{"kept":"milk"}'],
      ['completed', 'Echo: hello'],
    ]);
    expect(server.starts()).toHaveLength(1);
  });

  it('S0-23: servers.json brings servers and changes neither the native tools nor what a coworker selected', async () => {
    write('bundle/coworker/tools.json', '{"version":3,"tools":["notes.add"]}');
    const tools = [];
    for (const serversFile of [join(folder, 'servers.json'), null]) {
      const harness = await harnessOf({ serversFile });
      tools.push((await runTurn(harness, [])).only('turn_started')[0]?.data.tools);
      await harness.close();
    }
    expect(tools[0]).toHaveLength(1);
    expect(tools[0]).toEqual(tools[1]);
    expect(server.starts()).toEqual([]);
  });

  it('S0-19 S1-27 S1-31: what is registered and offered but not selected cannot be called', async () => {
    write('bundle/coworker/tools.json', '{"version":3,"tools":["acer.add"]}');
    const run = await runTurn(await harnessOf(), [
      ['notes__add', { text: 'milk' }],
      ['acer__echo', { message: 'hello' }],
    ]);
    expect(run.only('turn_started')[0]?.data.tools.map((tool) => tool.qualified_name)).toEqual(['acer.add']);
    expect(run.only('tool_finished').map(({ data }) => [data.outcome, data.error?.code])).toEqual([
      ['rejected', 'tool_unknown'],
      ['rejected', 'tool_unknown'],
    ]);
    expect(server.witness().filter((line) => line.startsWith('echo'))).toEqual([]);
  });

  it("S1-87: a call's arguments and result stay out of the host's log, whether it ends well or badly", async () => {
    const broken: NativeTool = { ...notes, call: () => Promise.reject(new Error('s3cret-argument')) };
    const harness = await harnessOf({ registerNative: (registry) => registry.registerNative(broken) });
    const run = await runTurn(harness, [
      ['acer__echo', { message: 's3cret-argument' }],
      ['acer__echo', { wrong: 's3cret-argument' }],
      ['notes__add', { text: 's3cret-argument' }],
    ]);
    await harness.close();
    expect(run.only('tool_finished').map(({ data }) => data.outcome)).toEqual([
      'completed',
      'rejected',
      'outcome_unknown',
    ]);
    expect(log.join('\n')).not.toContain('s3cret-argument');
  });
});
