import path from 'node:path';
import { expect, test } from '@playwright/test';
import type { ModelServer } from '../src-main/harness/testing/model-server';
import {
  eventsOf,
  expectWholeOutput,
  fileOrganizer,
  keyVariable,
  openworker,
  type Place,
} from './parts/openworker';
import { closeWorkplace, openWorkplace } from './parts/workplace';

let server: ModelServer;
let at: Place;

// Put together here, so that no scanner takes this file for a leak.
const secret = ['ghp', 'q8Zt3mVb7Lr2Kx9Wd4Ys6Nf1Hc5Jp0Tg8AeU'].join('_');

test.beforeEach(async () => {
  ({ server, at } = await openWorkplace({ 'deploy.txt': `token=${secret}\n` }));
});

test.afterEach(() => closeWorkplace({ server, at }));

function run(...more: string[]): string[] {
  return [
    ...['run', '--bundle', fileOrganizer, '--workspace', at.workspace, '--data', at.data],
    ...['--model', 'anthropic:test-model', '--base-url', server.baseUrl('anthropic')],
    ...['--api-key-env', keyVariable, ...more],
  ];
}

const read = { name: 'files__read', arguments: { path: 'deploy.txt' } };

/** A model that looks at the folder again and again, and answers after so many requests. */
function lookAround(requests: number): void {
  let asked = 0;
  server.respondWith(() => {
    asked += 1;
    const calls = [{ id: `call_${asked}`, name: 'files__list', arguments: { path: '.' } }];
    return asked > requests ? { answer: { text: ['Enough.'] } } : { answer: { calls } };
  });
}

test.describe('a turn that asks the model 250 times without an end', () => {
  test.setTimeout(120_000);

  test('goes on after a yes on the terminal, recorded as the word of a person', async () => {
    lookAround(252);
    const ended = await openworker(run('--json', 'Look around'), { input: 'y\n' });
    expectWholeOutput(ended, 'completed');
    expect(ended.code).toBe(0);
    expect(eventsOf(ended, 'pause_started')).toMatchObject([
      { kind: 'requests_in_turn', used: 250, limit: 250 },
    ]);
    expect(eventsOf(ended, 'pause_ended')).toMatchObject([{ outcome: 'continued', by: 'person' }]);
    expect(ended.stderr).toContain('requests in turn: 250 of 250');
  });

  test('is stopped where nobody can be asked, without a word in the name of a person', async () => {
    lookAround(300);
    const ended = await openworker(run('--json', 'Look around'), { input: '' });
    expectWholeOutput(ended, 'stopped');
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('Nobody could be asked');
    expect(eventsOf(ended, 'pause_ended').map(({ by }) => by)).toEqual(['turn_end']);
    expect(server.asked()).toHaveLength(250);
  });

  test('is stopped by a standing answer of the host, which says why', async () => {
    lookAround(300);
    const ended = await openworker(run('--approve', 'once', 'Look around'));
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('reached its limit of 250 requests');
    const { stdout } = await openworker(['sessions', 'list', '--data', at.data]);
    const shown = await openworker(['sessions', 'show', stdout.split(' ')[0] ?? '', '--data', at.data]);
    expect(shown.stdout).toContain('(limit of requests in turn: 250 of 250; stopped)');
  });
});

test('the built-in guardrails look at every run, and --json says what they did', async () => {
  server.enqueue({ answer: { calls: [{ id: 'c1', ...read }] } }, { answer: { text: ['Read.'] } });
  const ended = await openworker(run('--json', 'Read it'));
  expectWholeOutput(ended, 'completed');
  expect(eventsOf(ended, 'tool_finished')[0]?.guardrails).toMatchObject([
    { guardrail: 'secret_redaction', stage: 'output', action: 'transformed' },
  ]);
  expect(ended.stdout).not.toContain(secret);
  expect(JSON.stringify(server.asked().at(-1)?.body)).not.toContain(secret);
  const created = eventsOf(ended, 'session_created')[0];
  expect(created?.identity?.digest).toMatch(/^[0-9a-f]{64}$/);
});

test('--guardrails decides for the tools that it names', async () => {
  const file = at.write('guardrails.json', {
    version: 1,
    guardrails: [{ guardrail: 'secret_redaction', tools: ['files.*'], options: { arguments: 'block' } }],
  });
  server.enqueue(
    { answer: { calls: [{ id: 'c1', name: 'files__read', arguments: { path: secret } }] } },
    { answer: { text: ['Blocked.'] } },
  );
  const ended = await openworker(run('--guardrails', file, '--json', 'Read it'));
  expectWholeOutput(ended, 'completed');
  expect(eventsOf(ended, 'tool_finished')).toMatchObject([
    { outcome: 'rejected', error: { code: 'guardrail_blocked' } },
  ]);
  expect(eventsOf(ended, 'tool_started')).toEqual([]);
  expect(ended.stdout).not.toContain(secret);
});

test('--guardrails that is not there, or wrong, runs nothing and exits with 1', async () => {
  const gone = await openworker(run('--guardrails', path.join(at.folder, 'none.json'), 'Hello'));
  expect(gone.code).toBe(1);
  expect(gone.stderr).toContain('Correct --guardrails');
  const file = at.write('guardrails.json', '{"version": 2}');
  const wrong = await openworker(run('--guardrails', file, '--json', 'Hello'));
  expect(wrong.code).toBe(1);
  expect(wrong.result).toMatchObject({
    status: 'failed',
    session_id: null,
    error: { code: 'invalid_input' },
  });
  expect(wrong.result?.error?.message).toContain(file);
  expect(server.asked()).toHaveLength(0);
});
