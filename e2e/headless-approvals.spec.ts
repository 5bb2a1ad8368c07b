import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import type { ModelServer } from '../src-main/harness/testing/model-server';
import {
  eventsOf,
  expectWholeOutput,
  fileOrganizer,
  keyVariable,
  openworker,
  outcomes,
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

const move = {
  id: 'call_move',
  name: 'files__move_file',
  arguments: { source: 'notes.txt', destination: 'Archive/notes.txt' },
};
const moved = (): boolean => fs.existsSync(path.join(at.workspace, 'Archive', 'notes.txt'));

test.describe('--approve ask', () => {
  test('shows the request and lets it run after y', async () => {
    server.enqueue({ answer: { calls: [move] } }, { answer: { text: ['Done.'] } });
    const running = start(run('anthropic', '--json', 'Tidy up'));
    await until(() => running.stderr().includes('Allow?'), 'the question');
    expect(running.stderr()).toContain('files.move_file');
    expect(running.stderr()).toContain('Archive/notes.txt');
    expect(moved()).toBe(false);
    running.type('perhaps');
    await until(() => running.stderr().includes('Please answer y, s, a, e or n.'), 'the question again');
    expect(moved()).toBe(false);
    running.type('y');
    const ended = await running.done;
    expectWholeOutput(ended, 'completed');
    expect(eventsOf(ended, 'approval_resolved')).toMatchObject([
      { outcome: 'allowed', scope: 'once', by: 'person' },
    ]);
    expect(eventsOf(ended, 'grant_made')).toEqual([]);
    expect(moved()).toBe(true);
  });

  test('n with words denies, and the words reach the model', async () => {
    server.enqueue({ answer: { calls: [move] } }, { answer: { text: ['As you wish.'] } });
    const ended = await openworker(run('openai', '--json', 'Tidy up'), { input: 'n keep it where it is\n' });
    expectWholeOutput(ended, 'completed');
    expect(outcomes(ended)).toEqual({ call_move: 'denied' });
    expect(eventsOf(ended, 'approval_resolved')).toMatchObject([
      { outcome: 'denied', note: 'keep it where it is', by: 'person' },
    ]);
    expect(server.asked().at(-1)?.results[0]?.text).toContain('keep it where it is');
    expect(moved()).toBe(false);
  });

  test('an ended input denies', async () => {
    server.enqueue({ answer: { calls: [move] } }, { answer: { text: ['Nobody is there.'] } });
    const ended = await openworker(run('anthropic', '--json', 'Tidy up'), { input: '' });
    expectWholeOutput(ended, 'completed');
    expect(outcomes(ended)).toEqual({ call_move: 'denied' });
    expect(moved()).toBe(false);
  });

  test('s grants for the session: the next call of the tool runs without a question', async () => {
    const second = {
      ...move,
      id: 'call_2',
      arguments: { source: 'photo.txt', destination: 'Archive/photo.txt' },
    };
    server.enqueue(
      { answer: { calls: [move] } },
      { answer: { calls: [second] } },
      { answer: { text: ['Done.'] } },
    );
    const ended = await openworker(run('anthropic', '--json', 'Tidy up'), { input: 's\n' });
    expectWholeOutput(ended, 'completed');
    expect(outcomes(ended)).toEqual({ call_move: 'completed', call_2: 'completed' });
    expect(eventsOf(ended, 'grant_made')).toMatchObject([
      { scope: 'session', qualified_name: 'files.move_file' },
    ]);
    expect(eventsOf(ended, 'tool_started').map((data) => data.rule.rule)).toEqual([
      'asked_person',
      'grant_session',
    ]);
    expect(ended.stderr.match(/Allow\?/g)).toHaveLength(1);
  });

  test('asks for parallel calls one by one, each question with its own request', async () => {
    const photo = {
      id: 'photo',
      name: 'files__move_file',
      arguments: { source: 'photo.txt', destination: 'P/p.txt' },
    };
    server.enqueue({ answer: { calls: [move, photo] } }, { answer: { text: ['Done.'] } });
    const running = start(run('anthropic', '--json', 'Tidy up'));
    await until(() => running.stderr().includes('Allow?'), 'the first question');
    expect(running.stderr()).toContain('Archive/notes.txt');
    expect(running.stderr()).not.toContain('P/p.txt');
    running.type('n');
    await until(() => running.stderr().includes('P/p.txt'), 'the second request');
    running.type('y');
    const ended = await running.done;
    expectWholeOutput(ended, 'completed');
    expect(outcomes(ended)).toEqual({ call_move: 'denied', photo: 'completed' });
    expect(moved()).toBe(false);
    expect(fs.existsSync(path.join(at.workspace, 'P', 'p.txt'))).toBe(true);
  });

  test('a grant answers the parallel request that it covers, and nobody is asked again', async () => {
    const photo = {
      id: 'photo',
      name: 'files__move_file',
      arguments: { source: 'photo.txt', destination: 'P/p.txt' },
    };
    const last = {
      id: 'last',
      name: 'files__move_file',
      arguments: { source: 'P/p.txt', destination: 'P/q.txt' },
    };
    server.enqueue(
      { answer: { calls: [move, photo] } },
      { answer: { calls: [last] } },
      { answer: { text: ['Done.'] } },
    );
    const ended = await openworker(run('anthropic', '--json', 'Tidy up'), { input: 's\n' });
    expectWholeOutput(ended, 'completed');
    expect(outcomes(ended)).toEqual({ call_move: 'completed', photo: 'completed', last: 'completed' });
    expect(ended.stderr.match(/Allow\?/g)).toHaveLength(1);
  });

  test('a allows it in every session of the coworker, until it is taken back', async () => {
    const photo = { ...move, id: 'photo', arguments: { source: 'photo.txt', destination: 'P/p.txt' } };
    server.enqueue({ answer: { calls: [move] } }, { answer: { text: ['Done.'] } });
    const first = await openworker(run('anthropic', '--json', 'Tidy up'), { input: 'a\n' });
    expectWholeOutput(first, 'completed');
    server.enqueue({ answer: { calls: [photo] } }, { answer: { text: ['Done.'] } });
    const second = await openworker(run('anthropic', '--json', 'And the photo'), { input: '' });
    expectWholeOutput(second, 'completed');
    expect(eventsOf(second, 'tool_started').map((data) => data.rule.rule)).toEqual(['grant_coworker']);
    expect(second.stderr).not.toContain('Allow?');
  });

  test('e asks for other arguments, says what is wrong with them, and runs exactly those', async () => {
    server.enqueue({ answer: { calls: [move] } }, { answer: { text: ['Done.'] } });
    const edited = '{"source":"notes.txt","destination":"Elsewhere/notes.txt"}';
    const input = `e\n{"source":\ne\n{"source":7}\ne\n${edited}\n`;
    const ended = await openworker(run('anthropic', '--json', 'Tidy up'), { input });
    expectWholeOutput(ended, 'completed');
    expect(ended.stderr).toContain('This is no JSON');
    expect(ended.stderr.match(/Allow\?/g)).toHaveLength(3);
    expect(eventsOf(ended, 'approval_resolved')).toMatchObject([
      { outcome: 'allowed', scope: 'once', by: 'person', arguments: JSON.parse(edited) as unknown },
    ]);
    expect(moved()).toBe(false);
    expect(fs.existsSync(path.join(at.workspace, 'Elsewhere', 'notes.txt'))).toBe(true);
  });

  test('hazard 5: warns of characters that cannot be seen, and writes them out', async () => {
    const hidden = { ...move, arguments: { source: 'notes.txt', destination: 'Arch\u202eive/notes.txt' } };
    server.enqueue({ answer: { calls: [hidden] } }, { answer: { text: ['As you wish.'] } });
    const ended = await openworker(run('anthropic', '--json', 'Tidy up'), { input: 'n\n' });
    expectWholeOutput(ended, 'completed');
    expect(ended.stderr).toContain('Careful: 1 character in this request cannot be seen (U+202E)');
    expect(ended.stderr).toContain('Arch<U+202E>ive');
  });
});
