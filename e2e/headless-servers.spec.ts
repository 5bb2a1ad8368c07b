import path from 'node:path';
import { expect, test } from '@playwright/test';
import { hostileServer, type Misbehaviour } from '../src-main/harness/testing/hostile-server';
import { mcpTestServer, processRuns, type TestServer } from '../src-main/harness/testing/mcp-test-server';
import { startModelServer, type ModelServer } from '../src-main/harness/testing/model-server';
import { everythingScript, startEverythingHttp } from './parts/everything-http';
import {
  eventsOf,
  everythingGuide,
  expectWholeOutput,
  key,
  keyVariable,
  openworker,
  outcomes,
  place,
  start,
  until,
  writeBundle,
  type Ended,
  type Place,
} from './parts/openworker';

let server: ModelServer;
let at: Place;
const hired: TestServer[] = [];

test.beforeEach(async () => {
  server = await startModelServer();
  at = place();
});

test.afterEach(async () => {
  const faults = await server.close();
  for (const one of hired.splice(0)) {
    for (const pid of one.starts()) expect(processRuns(pid), `server process ${pid} still runs`).toBe(false);
    one.dispose();
  }
  at.close();
  expect(faults).toEqual([]);
});

function run(bundle: string, servers: string, ...more: string[]): string[] {
  return [
    ...['run', '--bundle', bundle, '--servers', servers, '--data', at.data, '--json'],
    ...[
      '--model',
      'anthropic:test-model',
      '--base-url',
      server.baseUrl('anthropic'),
      '--api-key-env',
      keyVariable,
    ],
    ...more,
  ];
}

const everythingStdio = { transport: 'stdio', program: process.execPath, args: [everythingScript, 'stdio'] };

/** Writes servers.json for servers of the test, by their names. */
function serversFile(...servers: TestServer[]): string {
  hired.push(...servers);
  const entries = servers.map(({ config }) => [
    config.name,
    {
      transport: 'stdio',
      program: config.program,
      args: config.args,
      env: config.env,
      call_timeout_seconds: 5,
    },
  ]);
  return at.write('servers.json', { version: 1, servers: Object.fromEntries(entries) });
}

async function tour(servers: string): Promise<Ended> {
  server.enqueue(
    {
      answer: {
        text: ['Two demonstrations.'],
        calls: [
          { id: 'sum', name: 'everything__get-sum', arguments: { a: 2, b: 40 } },
          { id: 'echo', name: 'everything__echo', arguments: { message: 'grüezi' } },
        ],
      },
    },
    {
      answer: {
        calls: [
          { id: 'weather', name: 'everything__get-structured-content', arguments: { location: 'Chicago' } },
          {
            id: 'long',
            name: 'everything__trigger-long-running-operation',
            arguments: { duration: 1, steps: 4 },
          },
        ],
      },
    },
    { answer: { text: ['That was all.'] } },
  );
  return openworker(run(everythingGuide, servers, '--approve', 'once', 'Show me around'));
}

function expectTour(ended: Ended, placement: string): void {
  expectWholeOutput(ended, 'completed');
  expect(ended.code).toBe(0);
  expect(outcomes(ended)).toEqual({
    sum: 'completed',
    echo: 'completed',
    weather: 'completed',
    long: 'completed',
  });
  const finished = eventsOf(ended, 'tool_finished');
  const result = (id: string) => finished.find((data) => data.call_id === id);
  expect(result('sum')?.result?.text).toContain('42');
  expect(result('echo')?.result?.text).toContain('grüezi');
  expect(result('weather')?.result?.structured).toMatchObject({
    temperature: expect.any(Number) as unknown as number,
  });
  expect(result('long')?.progress.length).toBeGreaterThan(0);
  expect(eventsOf(ended, 'approval_requested')).toHaveLength(4);
  for (const data of eventsOf(ended, 'tool_started')) {
    expect(data).toMatchObject({
      placement,
      classification: 'external',
      origin: { kind: 'mcp', server: 'everything' },
    });
  }
  const presented = server.asked()[0]?.tool_names ?? [];
  expect([...presented].sort()).toEqual(
    eventsOf(ended, 'turn_started')[0]
      ?.tools.map((tool) => tool.model_alias)
      .sort(),
  );
  expect(presented).toHaveLength(8);
}

test('S0-20: Everything Guide on the real reference server over stdio', async () => {
  const servers = at.write('servers.json', { version: 1, servers: { everything: everythingStdio } });
  expectTour(await tour(servers), 'host_process');
});

test('S0-20: Everything Guide on the real reference server over streamable HTTP', async () => {
  const http = await startEverythingHttp();
  try {
    const entry = { transport: 'streamable_http', url: http.url };
    expectTour(
      await tour(at.write('servers.json', { version: 1, servers: { everything: entry } })),
      'remote',
    );
  } finally {
    await http.close();
  }
});

test('S1-42, hazard 95: no key of a model reaches the environment or the arguments of a server', async () => {
  const bundle = writeBundle(at, ['plain.env']);
  server.enqueue({ answer: { calls: [{ id: 'env', name: 'plain__env' }] } }, { answer: { text: ['Seen.'] } });
  const secrets = {
    ANTHROPIC_API_KEY: 'sk-ant-marker',
    OPENAI_API_KEY: 'sk-marker',
    AWS_SECRET_ACCESS_KEY: 'aws-marker',
  };
  const ended = await openworker(
    run(bundle, serversFile(mcpTestServer('plain')), '--approve', 'once', 'Look'),
    {
      env: secrets,
    },
  );
  expectWholeOutput(ended, 'completed');
  const text = eventsOf(ended, 'tool_finished')[0]?.result?.text ?? '';
  expect(text).toContain('MCP_WITNESS');
  for (const marker of [...Object.values(secrets), ...Object.keys(secrets), key, keyVariable]) {
    expect(ended.stdout + ended.stderr).not.toContain(marker);
  }
});

test('a ${secret:NAME} reaches its server alone, and a missing one is named with the remedy', async () => {
  const bundle = writeBundle(at, ['plain.env']);
  const servers = serversFile(mcpTestServer('plain', { env: { TOKEN: '${secret:ACME}' } }));
  const missing = await openworker(run(bundle, servers, '--approve', 'once', 'Look'));
  expectWholeOutput(missing, 'failed');
  expect(missing.result?.error).toMatchObject({ code: 'secret_missing' });
  expect(missing.result?.error?.message).toContain('OPENWORKER_SECRET_ACME');
  expect(hired[0]?.starts()).toEqual([]);

  server.enqueue({ answer: { calls: [{ id: 'env', name: 'plain__env' }] } }, { answer: { text: ['Seen.'] } });
  const ended = await openworker(run(bundle, servers, '--approve', 'once', 'Look'), {
    env: { OPENWORKER_SECRET_ACME: 'acme-marker' },
  });
  expectWholeOutput(ended, 'completed');
  expect(eventsOf(ended, 'tool_finished')[0]?.result?.text).toContain('"TOKEN":"${secret:ACME}"');
  expect(eventsOf(ended, 'tool_finished')[0]?.result?.text).toContain(
    `"token_length":${'acme-marker'.length}`,
  );
  expect(eventsOf(ended, 'tool_finished')[0]?.result?.text).not.toContain('OPENWORKER_SECRET_ACME');
  // The server has it; what the server repeats of it reaches neither the model, nor the output, nor the journal.
  expect(ended.stdout + ended.stderr + JSON.stringify(server.requests)).not.toContain('acme-marker');
});

async function withHostile(how: Misbehaviour, tools: readonly string[] = ['hostile.good']): Promise<Ended> {
  const bundle = writeBundle(at, tools);
  return openworker(run(bundle, serversFile(hostileServer(how)), '--approve', 'once', 'Go'));
}

const good = { id: 'call_1', name: 'hostile__good', arguments: { message: 'hi' } };

test('rubbish on the stdout of a server is skipped, and the call completes', async () => {
  server.enqueue({ answer: { calls: [good] } }, { answer: { text: ['Fine.'] } });
  const ended = await withHostile('rubbish-stdout');
  expectWholeOutput(ended, 'completed');
  expect(eventsOf(ended, 'tool_finished')).toMatchObject([
    { outcome: 'completed', result: { text: 'Echo: hi' } },
  ]);
});

test('a server that dies at its start fails the turn before the model is asked, with its last words', async () => {
  const ended = await withHostile('dies-at-start');
  expectWholeOutput(ended, 'failed');
  expect(ended.code).toBe(1);
  expect(ended.result?.error?.code).toMatch(/^server_/);
  expect(ended.result?.error?.message).toContain('hostile');
  expect(ended.result?.error?.message).toContain('ACME_KEY is not set');
  expect(server.asked()).toEqual([]);
});

test('a program that does not exist is named, with the remedy', async () => {
  const bundle = writeBundle(at, ['gone.good']);
  const entry = { transport: 'stdio', program: 'no-such-program-here', args: [] };
  const servers = at.write('servers.json', { version: 1, servers: { gone: entry } });
  const ended = await openworker(run(bundle, servers, 'Go'));
  expectWholeOutput(ended, 'failed');
  expect(ended.code).toBe(1);
  expect(ended.result?.error?.message).toContain('no-such-program-here');
  expect(server.asked()).toEqual([]);
});

for (const how of ['dies-on-call', 'killed-on-call'] as const) {
  test(`a server that ${how === 'dies-on-call' ? 'dies' : 'is killed'} in a call: outcome unknown, and nothing runs again`, async () => {
    server.enqueue({ answer: { calls: [good] } });
    const ended = await withHostile(how);
    expectWholeOutput(ended, 'failed');
    expect(ended.code).toBe(1);
    expect(outcomes(ended)).toEqual({ call_1: 'outcome_unknown' });
    expect(ended.result?.error?.code).toBe('outcome_unknown');
    expect(hired[0]?.witness().filter((line) => line.startsWith('call '))).toEqual(['call good']);
    expect(server.asked()).toHaveLength(1);
  });
}

test('a server that never answers is given up after its time, as unknown', async () => {
  server.enqueue({ answer: { calls: [good] } });
  const ended = await withHostile('never-answers');
  expectWholeOutput(ended, 'failed');
  expect(outcomes(ended)).toEqual({ call_1: 'outcome_unknown' });
  expect(hired[0]?.witness().filter((line) => line.startsWith('call '))).toHaveLength(1);
});

test('S0-46: a server that names one tool twice offers neither, and the other tools stay usable', async () => {
  server.enqueue({ answer: { calls: [good] } }, { answer: { text: ['Fine.'] } });
  const ended = await withHostile('duplicate-tools');
  expectWholeOutput(ended, 'completed');
  at.write('tester/coworker/tools.json', { version: 3, tools: ['hostile.twin'] });
  const twin = await openworker(
    run(path.join(at.folder, 'tester'), serversFile(hostileServer('duplicate-tools')), 'Go'),
  );
  expectWholeOutput(twin, 'failed');
  expect(twin.code).toBe(1);
  expect(twin.result?.error?.message).toContain('twin');
});

test('an interrupt during a long call of a server stops it, and no process is left', async () => {
  const bundle = writeBundle(at, ['plain.slow']);
  const plain = mcpTestServer('plain');
  const slow = { id: 'slow', name: 'plain__slow', arguments: { steps: 100, step_ms: 200 } };
  server.enqueue({ answer: { calls: [slow] } });
  const running = start(run(bundle, serversFile(plain), '--approve', 'once', 'Work long'), { input: '' });
  await until(() => running.stdout().includes('"tool_started"'), 'the start of the call');
  const before = Date.now();
  running.child.kill('SIGINT');
  const ended = await running.done;
  expect(ended.code).toBe(3);
  expect(Date.now() - before).toBeLessThan(5_000);
  expectWholeOutput(ended, 'stopped');
  expect(outcomes(ended)).toEqual({ slow: 'cancelled_may_have_run' });
});
