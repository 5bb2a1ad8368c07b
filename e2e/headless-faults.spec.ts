import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { hostileServer } from '../src-main/harness/testing/hostile-server';
import type { ModelServer } from '../src-main/harness/testing/model-server';
import {
  everythingGuide,
  expectWholeOutput,
  fileOrganizer,
  key,
  keyVariable,
  openworker,
  outcomes,
  start,
  until,
  writeBundle,
  type Ended,
  type Place,
} from './parts/openworker';
import { closeWorkplace, openWorkplace } from './parts/workplace';

let server: ModelServer;
let at: Place;

test.beforeEach(async () => {
  ({ server, at } = await openWorkplace({ 'notes.txt': 'Buy milk.\n' }));
});

test.afterEach(() => closeWorkplace({ server, at }));

function run(bundle: string, ...more: string[]): string[] {
  return [
    ...['run', '--bundle', bundle, '--workspace', at.workspace, '--data', at.data, '--json'],
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

/** A run that failed before or in its turn, told in words and without a stack. */
function expectFailure(ended: Ended, code: string | RegExp, ...words: (string | RegExp)[]): void {
  expect(ended.code, ended.stderr).toBe(1);
  expect(ended.result?.status).toBe('failed');
  expect(ended.result?.error?.code).toMatch(code);
  for (const word of words) expect(ended.result?.error?.message).toMatch(word);
  expect(ended.stdout + ended.stderr).not.toMatch(/^\s+at .*:\d+:\d+/m);
  expect(ended.stdout + ended.stderr).not.toContain(key);
}

test.describe('malformed files', () => {
  for (const [what, file, content, words] of [
    [
      'a manifest without an end of its frontmatter',
      'tester/coworker/manifest.md',
      '---\nid: tester\nname: Tester\n',
      [/manifest\.md/, /---/],
    ],
    [
      'a manifest with a wrong mode',
      'tester/coworker/manifest.md',
      '---\nid: tester\nname: T\ntagline: t\ndescription: d\nicon: compass\nversion: 1.0.0\ndefault_mode: bypass\n---\n\nHi.\n',
      [/manifest\.md:8|manifest\.md, line 8/, /bypass/],
    ],
    [
      'a tools.json with a comma too many',
      'tester/coworker/tools.json',
      '{\n  "version": 3,\n  "tools": ["files.list",]\n}\n',
      [/tools\.json:3|tools\.json, line 3/, /value is expected/],
    ],
    [
      'a tools.json of an older version',
      'tester/coworker/tools.json',
      '{"version": 2, "tools": []}',
      [/tools\.json/, /version 3/],
    ],
    [
      'S0-46: a tool that is listed twice',
      'tester/coworker/tools.json',
      '{\n "version": 3,\n "tools": [\n  "files.list",\n  "files.list"\n ]\n}',
      [/tools\.json:5|tools\.json, line 5/, /files\.list/],
    ],
  ] as const) {
    test(`${what}: refused with file, line and remedy`, async () => {
      const bundle = writeBundle(at, ['files.list']);
      at.write(file, content);
      const ended = await openworker(run(bundle, 'Hello'));
      expectFailure(ended, /bundle_invalid|name_/, ...words);
      expect(server.asked()).toEqual([]);
      const checked = await openworker(['bundle', 'check', bundle]);
      expect(checked.code).toBe(1);
      for (const word of words) expect(checked.stdout).toMatch(word);
    });
  }

  test('a tool that nobody offers: named before the model is asked', async () => {
    const bundle = writeBundle(at, ['files.list', 'files.lsit']);
    expectFailure(await openworker(run(bundle, 'Hello')), 'tool_missing', /files\.lsit/);
    expect(server.asked()).toEqual([]);
    const other = writeBundle(at, ['nowhere.tool'], 'other');
    expectFailure(await openworker(run(other, 'Hello')), /tool_missing|server_/, /nowhere/);
    expect(server.asked()).toEqual([]);
  });

  test('a servers.json that is not JSON, and one with a wrong server: file, line, remedy', async () => {
    const broken = at.write('broken.json', '{\n  "version": 1,\n  "servers": {\n    "a" {}\n  }\n}\n');
    expectFailure(
      await openworker(run(fileOrganizer, '--servers', broken, 'Hi')),
      'servers_invalid',
      /broken\.json, line 4/,
    );
    const wrong = at.write(
      'wrong.json',
      '{\n  "version": 1,\n  "servers": {\n    "a": { "transport": "sse", "url": "https://x.example" }\n  }\n}\n',
    );
    expectFailure(
      await openworker(run(fileOrganizer, '--servers', wrong, 'Hi')),
      'servers_invalid',
      /wrong\.json, line 4/,
      /"stdio" or "streamable_http"/,
    );
    const none = path.join(at.folder, 'none.json');
    expectFailure(
      await openworker(run(fileOrganizer, '--servers', none, 'Hi')),
      'servers_invalid',
      /none\.json/,
    );
    expect(server.asked()).toEqual([]);
  });

  test('a folder without a coworker', async () => {
    expectFailure(await openworker(run(at.workspace, 'Hi')), 'bundle_invalid', /coworker\/manifest\.md/);
  });
});

test.describe('bundle check', () => {
  test('finds nothing in the coworkers that ship', async () => {
    for (const bundle of [fileOrganizer, everythingGuide]) {
      const ended = await openworker(['bundle', 'check', bundle]);
      expect(ended.stdout).toContain('no problems');
      expect(ended.code).toBe(0);
      const json = await openworker(['bundle', 'check', bundle, '--json']);
      expect(json).toMatchObject({ code: 0, stdout: '' });
    }
  });

  test('lists every problem at once, as text and as JSON, and exits with 1', async () => {
    const bundle = writeBundle(at, ['files.list', 'Not A Name', 'files.list', 'nodot', 'files.lsit']);
    const text = await openworker(['bundle', 'check', bundle]);
    expect(text.code).toBe(1);
    const json = await openworker(['bundle', 'check', bundle, '--json']);
    expect(json.code).toBe(1);
    const problems = json.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { code: string; file: string; line: number });
    expect(problems.length).toBeGreaterThanOrEqual(4);
    expect(problems.map((problem) => problem.code)).toContain('tool_missing');
    for (const problem of problems) {
      expect(problem.file).toBe('coworker/tools.json');
      expect(problem.line).toBeGreaterThan(1);
    }
    expect(text.stdout.trim().split('\n')).toHaveLength(problems.length);
  });

  test('--servers asks the servers for their tools', async () => {
    const hostile = hostileServer('good');
    const { program, args, env } = hostile.config;
    const servers = at.write('servers.json', {
      version: 1,
      servers: { hostile: { transport: 'stdio', program, args, env } },
    });
    const fine = writeBundle(at, ['hostile.good']);
    expect((await openworker(['bundle', 'check', fine, '--servers', servers])).code).toBe(0);
    const wrong = writeBundle(at, ['hostile.better'], 'wrong');
    const ended = await openworker(['bundle', 'check', wrong, '--servers', servers]);
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain('offers no tool "better"');
    expect(hostile.starts()).toHaveLength(2);
    hostile.dispose();
  });
});

test.describe('folders', () => {
  test('a workspace that is missing, a file, or unreadable', async () => {
    const missing = path.join(at.folder, 'missing');
    for (const [folder, word] of [
      [missing, /missing/],
      [path.join(at.workspace, 'notes.txt'), /notes\.txt/],
    ] as const) {
      const args = run(fileOrganizer, 'Hello');
      args[args.indexOf('--workspace') + 1] = folder;
      expectFailure(await openworker(args), 'workspace_unavailable', word);
    }
    expect(server.asked()).toEqual([]);
  });

  test('a workspace that vanishes during the turn fails the call, not the program', async () => {
    const list = { id: 'list', name: 'files__list', arguments: { path: '.' } };
    server.respondWith(() => {
      fs.rmSync(at.workspace, { recursive: true, force: true });
      return server.asked().length === 1
        ? { answer: { calls: [list] } }
        : { answer: { text: ['It is gone.'] } };
    });
    const ended = await openworker(run(fileOrganizer, 'Hello'));
    expectWholeOutput(ended, 'completed');
    expect(outcomes(ended)).toEqual({ list: 'failed' });
  });

  test('a second process on the same data is refused, and the first goes on', async () => {
    const move = {
      id: 'm',
      name: 'files__move_file',
      arguments: { source: 'notes.txt', destination: 'n.txt' },
    };
    server.enqueue({ answer: { calls: [move] } }, { answer: { text: ['Done.'] } });
    const first = start(run(fileOrganizer, 'Hello'));
    await until(() => first.stderr().includes('Allow?'), 'the question');
    const second = await openworker(run(fileOrganizer, 'Me too'));
    expectFailure(second, 'data_folder_in_use', at.data);
    expect(second.result?.session_id).toBeNull();
    first.type('y');
    const ended = await first.done;
    expectWholeOutput(ended, 'completed');
    expect(ended.code).toBe(0);
  });

  test('a process that was killed frees the data folder, and its session is told truthfully', async () => {
    const read = { id: 'r', name: 'files__read', arguments: { path: 'notes.txt' } };
    server.enqueue({ answer: { text: ['Half'] }, hang_after_events: 4 });
    const first = start(run(fileOrganizer, 'Hello'), { input: '' });
    await until(
      () => server.asked().length === 1 && first.stdout().includes('attempt_started'),
      'the request',
    );
    first.child.kill('SIGKILL');
    const killed = await first.done;
    server.enqueue({ answer: { calls: [read] } }, { answer: { text: ['Fine.'] } });
    const second = await openworker(run(fileOrganizer, 'Again'));
    expectWholeOutput(second, 'completed');
    const id = killed.events[0]?.session_id ?? '';
    const shown = await openworker(['sessions', 'show', id, '--data', at.data, '--json']);
    expect(shown.events.slice(0, killed.events.length)).toEqual(killed.events);
    expect(shown.events.at(-1)).toMatchObject({ type: 'turn_finished', data: { outcome: 'interrupted' } });
  });

  const mayMount = process.platform === 'linux' && process.getuid?.() === 0;
  test(`a full disk: nothing runs that could not be recorded${mayMount ? '' : ' (skipped: needs root to mount a small disk)'}`, async () => {
    test.skip(!mayMount, 'needs root to mount a small disk');
    fs.mkdirSync(at.data);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', at.data]);
    try {
      const move = {
        id: 'm',
        name: 'files__move_file',
        arguments: { source: 'notes.txt', destination: 'n.txt' },
      };
      server.respondWith(() => {
        // The disk fills up while the model thinks.
        try {
          fs.writeFileSync(path.join(at.data, 'filler'), Buffer.alloc(1024 * 1024));
        } catch {
          // As full as it gets.
        }
        return { answer: { text: ['x'.repeat(20_000)], calls: [move] } };
      });
      const ended = await openworker(run(fileOrganizer, '--approve', 'once', 'Move it'));
      expectFailure(ended, /journal_full/, /disk is full/i);
      expect(fs.existsSync(path.join(at.workspace, 'notes.txt'))).toBe(true);
      expect(fs.existsSync(path.join(at.workspace, 'n.txt'))).toBe(false);
      fs.rmSync(path.join(at.data, 'filler'));
      const shown = await openworker([
        'sessions',
        'show',
        ended.events[0]?.session_id ?? '',
        '--data',
        at.data,
        '--json',
      ]);
      expect(shown.code).toBe(0);
      expect(shown.events.length).toBeGreaterThan(0);
      server.respondWith(() => ({ answer: { text: ['Room again.'] } }));
      const again = await openworker(run(fileOrganizer, 'Again'));
      expectWholeOutput(again, 'completed');
    } finally {
      execFileSync('umount', [at.data]);
    }
  });
});
