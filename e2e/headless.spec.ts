import fs from 'node:fs';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { expect, test } from '@playwright/test';
import type { ModelServer } from '../src-main/harness/testing/model-server';
import {
  eventsOf,
  expectWholeOutput,
  fileOrganizer,
  keyVariable,
  openworker,
  outcomes,
  program,
  root,
  start,
  until,
  type Place,
} from './parts/openworker';
import { closeWorkplace, openWorkplace } from './parts/workplace';

let server: ModelServer;
let at: Place;

test.beforeEach(async () => {
  ({ server, at } = await openWorkplace({ 'notes.txt': 'Buy milk.\n', 'photo.txt': 'A photo.\n' }));
});

test.afterEach(() => closeWorkplace({ server, at }));

const wires = {
  anthropic: 'anthropic',
  openai: 'openai',
  google: 'google',
  'openai-compatible': 'compatible',
} as const;
type Wire = keyof typeof wires;

function run(wire: Wire, ...more: string[]): string[] {
  return [
    ...['run', '--bundle', fileOrganizer, '--workspace', at.workspace, '--data', at.data],
    ...[
      '--model',
      `${wire}:test-model`,
      '--base-url',
      server.baseUrl(wires[wire]),
      '--api-key-env',
      keyVariable,
    ],
    ...more,
  ];
}

const read = { id: 'call_read', name: 'files__read', arguments: { path: 'notes.txt' } };
const move = {
  id: 'call_move',
  name: 'files__move_file',
  arguments: { source: 'notes.txt', destination: 'Archive/notes.txt' },
};
const moved = (): boolean => fs.existsSync(path.join(at.workspace, 'Archive', 'notes.txt'));

for (const wire of Object.keys(wires) as Wire[]) {
  test(`${wire}: reads without asking, moves after one standing yes, and says both in JSON lines`, async () => {
    server.enqueue(
      { answer: { text: ['I look ', 'first.'], calls: [read] } },
      { answer: { calls: [move] } },
      { answer: { text: ['Moved ', 'it.'] } },
    );
    const ended = await openworker(run(wire, '--approve', 'once', '--json', 'Tidy up, please'));
    expectWholeOutput(ended, 'completed');
    expect(ended.code).toBe(0);
    expect(ended.result?.text).toBe('Moved it.');
    expect(outcomes(ended)).toEqual({ call_read: 'completed', call_move: 'completed' });
    expect(eventsOf(ended, 'approval_requested').map((data) => data.call_id)).toEqual(['call_move']);
    expect(eventsOf(ended, 'approval_resolved')).toMatchObject([
      { call_id: 'call_move', outcome: 'allowed', scope: 'once', by: 'host' },
    ]);
    expect(eventsOf(ended, 'grant_made')).toEqual([]);
    expect(eventsOf(ended, 'tool_started').map((data) => data.rule.rule)).toEqual([
      'classification_read',
      'host_allows_once',
    ]);
    expect(moved()).toBe(true);
    const results = server.asked().at(-1)?.results ?? [];
    expect(results.map((result) => [result.name, result.is_error])).toEqual([
      ['files__read', false],
      ['files__move_file', false],
    ]);
    expect(results[0]?.text).toContain('Buy milk.');
  });
}

test('--approve deny: nothing runs, the model hears it and goes on, and the run has completed', async () => {
  server.enqueue({ answer: { calls: [move] } }, { answer: { text: ['Then I leave it.'] } });
  const ended = await openworker(run('anthropic', '--approve', 'deny', '--json', 'Tidy up'));
  expectWholeOutput(ended, 'completed');
  expect(ended.code).toBe(0);
  expect(outcomes(ended)).toEqual({ call_move: 'denied' });
  expect(eventsOf(ended, 'tool_started')).toEqual([]);
  expect(eventsOf(ended, 'approval_resolved')).toMatchObject([{ outcome: 'denied', by: 'host' }]);
  expect(server.asked().at(-1)?.results).toMatchObject([{ id: 'call_move', is_error: true }]);
  expect(moved()).toBe(false);
});

test('parallel calls of one response all run, and each result goes back to its own call', async () => {
  const other = { id: 'call_other', name: 'files__read', arguments: { path: 'photo.txt' } };
  const list = { id: 'call_list', name: 'files__list', arguments: { path: '.' } };
  server.enqueue(
    { answer: { calls: [read, other, list], interleave: true } },
    { answer: { text: ['All read.'] } },
  );
  const ended = await openworker(run('openai-compatible', '--json', 'Read all'));
  expectWholeOutput(ended, 'completed');
  expect(outcomes(ended)).toEqual({
    call_read: 'completed',
    call_other: 'completed',
    call_list: 'completed',
  });
  const results = server.asked().at(-1)?.results ?? [];
  expect(results.map((result) => result.id)).toEqual(['call_read', 'call_other', 'call_list']);
  expect(results[1]?.text).toContain('A photo.');
});

test('S1-38: a path out of the workspace is refused, and the file stays', async () => {
  const out = { ...move, arguments: { source: 'notes.txt', destination: '../stolen.txt' } };
  server.enqueue({ answer: { calls: [out] } }, { answer: { text: ['Not possible.'] } });
  const ended = await openworker(run('anthropic', '--approve', 'once', '--json', 'Move it out'));
  expectWholeOutput(ended, 'completed');
  expect(eventsOf(ended, 'tool_finished')).toMatchObject([
    { outcome: 'failed', error: { code: 'path_refused' } },
  ]);
  expect(fs.existsSync(path.join(at.folder, 'stolen.txt'))).toBe(false);
  expect(fs.existsSync(path.join(at.workspace, 'notes.txt'))).toBe(true);
});

test('without --json stdout is the answer alone', async () => {
  server.enqueue({ answer: { calls: [read] } }, { answer: { text: ['The note says: ', 'buy milk.'] } });
  const ended = await openworker(run('anthropic', 'What does it say?'));
  expect(ended.code).toBe(0);
  expect(ended.stdout).toBe('The note says: buy milk.\n');
  expect(ended.stderr).toContain('[files.read: completed]');
});

test('practice: the person plays the model, line by line', async () => {
  const ended = await openworker(
    [
      ...[
        'run',
        '--bundle',
        fileOrganizer,
        '--workspace',
        at.workspace,
        '--data',
        at.data,
        '--model',
        'practice',
      ],
      ...['--approve', 'once', '--json', 'Try it'],
    ],
    {
      input: [
        'files.list',
        'call files.list {"path":"."}',
        'call files.move_file {"source":"notes.txt","destination":"Archive/notes.txt"}',
        'say All done.',
        '',
      ].join('\n'),
    },
  );
  expectWholeOutput(ended, 'completed');
  expect(ended.code).toBe(0);
  expect(ended.result?.text).toBe('All done.');
  expect(eventsOf(ended, 'tool_finished').map((data) => data.outcome)).toEqual(['completed', 'completed']);
  expect(ended.stderr).toContain('this is not an AI');
  expect(ended.stderr).toContain('That is neither.');
  expect(moved()).toBe(true);
});

test('an interrupt stops a hanging answer: exit 3, recorded as stopped, gone within five seconds', async () => {
  server.enqueue({ answer: { text: ['One ', 'two ', 'three'] }, hang_after_events: 4 });
  const running = start(run('anthropic', '--json', 'Count'), { input: '' });
  await until(
    () => server.asked().length === 1 && running.stdout().includes('attempt_started'),
    'the request',
  );
  await new Promise((resolve) => setTimeout(resolve, 200));
  const before = Date.now();
  running.child.kill('SIGINT');
  const ended = await running.done;
  expect(Date.now() - before).toBeLessThan(5_000);
  expect(ended.code).toBe(3);
  expectWholeOutput(ended, 'stopped');
  expect(eventsOf(ended, 'turn_finished')).toMatchObject([{ outcome: 'stopped' }]);
  expect(server.asked()[0]?.isAborted()).toBe(true);
});

test('an interrupt closes a waiting question, and the call never ran', async () => {
  server.enqueue({ answer: { calls: [move] } });
  const running = start(run('anthropic', '--json', 'Tidy up'));
  await until(() => running.stderr().includes('Allow?'), 'the question');
  running.child.kill('SIGINT');
  const ended = await running.done;
  expect(ended.code).toBe(3);
  expectWholeOutput(ended, 'stopped');
  expect(outcomes(ended)).toEqual({ call_move: 'cancelled' });
  expect(moved()).toBe(false);
});

test('closing stdout early stops the run, and the journal says so', async () => {
  server.respondWith(() => ({
    answer: { calls: [{ ...read, id: `read_${server.asked().length}` }] },
    delay_ms: 20,
  }));
  const command = [process.execPath, program, ...run('anthropic', '--json', 'Read on and on')];
  const quoted = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const shell = spawn('bash', ['-c', `set -o pipefail; ${quoted} | head -n 1; echo "exit $?" >&2`], {
    env: { ...process.env, [keyVariable]: 'test-key' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  shell.stdout.on('data', (text: Buffer) => (out += text.toString()));
  shell.stderr.on('data', (text: Buffer) => (err += text.toString()));
  await new Promise((resolve) => shell.on('close', resolve));
  expect(out.trim().split('\n')).toHaveLength(1);
  expect(err).toContain('exit 3');
  expect(err).not.toContain('at ');
  const sessions = await openworker(['sessions', 'list', '--data', at.data, '--json']);
  const [summary] = sessions.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { session_id: string });
  const shown = await openworker([
    'sessions',
    'show',
    summary?.session_id ?? '',
    '--data',
    at.data,
    '--json',
  ]);
  expect(shown.events.at(-1)).toMatchObject({ type: 'turn_finished', data: { outcome: 'stopped' } });
});

test('sessions list and show read what was kept, also beside a running process', async () => {
  const none = await openworker(['sessions', 'list', '--data', at.data]);
  expect(none.code).toBe(0);
  expect(none.stdout).toBe('No sessions yet.\n');
  server.enqueue(
    { answer: { calls: [read] } },
    { answer: { text: ['Buy milk.'] } },
    { answer: { calls: [move] } },
  );
  const first = await openworker(run('anthropic', '--json', 'Read my note'));
  const id = first.result?.session_id ?? '';
  const waiting = start(run('anthropic', '--json', 'Now move it'));
  await until(() => waiting.stderr().includes('Allow?'), 'the question');

  const list = await openworker(['sessions', 'list', '--data', at.data]);
  expect(list.code).toBe(0);
  expect(list.stdout.trim().split('\n')).toHaveLength(2);
  expect(list.stdout).toContain('Read my note');
  expect(list.stdout).toContain('needs_you');
  const shown = await openworker(['sessions', 'show', id, '--data', at.data]);
  expect(shown.stdout).toContain('You: Read my note');
  expect(shown.stdout).toContain('[files.read: completed]');
  expect(shown.stdout).toContain('File Organizer: Buy milk.');
  const json = await openworker(['sessions', 'show', id, '--data', at.data, '--json']);
  expect(json.events).toEqual(first.events);
  const unknown = await openworker(['sessions', 'show', 's_none', '--data', at.data]);
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toContain('There is no session s_none');

  waiting.child.kill('SIGINT');
  expect((await waiting.done).code).toBe(3);
});

test('wrong usage exits with 2 and says what is missing', async () => {
  for (const [args, words] of [
    [['run', 'hello'], '--bundle'],
    [['run', '--bundle', 'x', '--model', 'nobody:x', 'hi'], 'PROVIDER:NAME'],
    [['run', '--bundle', 'x', '--model', 'practice', '--approve', 'maybe', 'hi'], 'ask, once, deny'],
    [['sail'], '"sail" is no command'],
  ] as const) {
    const ended = await openworker(args);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(words);
    expect(ended.stdout).toBe('');
  }
});

test('npx openworker works in the repository', async () => {
  test.skip(process.platform === 'win32', 'npx is a script there');
  const child = spawn('npx', ['--no-install', 'openworker', '--version'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  child.stdout.on('data', (text: Buffer) => (out += text.toString()));
  const code = await new Promise((resolve) => child.on('close', resolve));
  const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  expect(code).toBe(0);
  expect(out.trim()).toBe(version);
});
