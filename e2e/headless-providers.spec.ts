import { expect, test } from '@playwright/test';
import type { ModelServer } from '../src-main/harness/testing/model-server';
import {
  eventsOf,
  expectWholeOutput,
  fileOrganizer,
  key,
  keyVariable,
  openworker,
  outcomes,
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

test.describe('providers', () => {
  const hello = (...more: string[]) => openworker(run(fileOrganizer, ...more, 'Hello'));

  test('hazard 91: 401 fails at once, says what to do, and repeats no key', async () => {
    const ended = await openworker(run(fileOrganizer, 'Hello'), {
      env: { [keyVariable]: 'sk-wrong-key-marker' },
    });
    expectFailure(ended, 'model_unauthorized', /key/);
    expect(ended.stdout + ended.stderr).not.toContain('sk-wrong-key-marker');
    expect(server.asked()).toHaveLength(1);
    server.enqueue({
      status: 401,
      body: { error: { type: 'authentication_error', message: `Incorrect API key provided: ${key}` } },
    });
    expectFailure(await hello(), 'model_unauthorized', /refused the key/);
  });

  test('hazard 91: 429 waits as long as Retry-After says and then goes on', async () => {
    const body = { type: 'error', error: { type: 'rate_limit_error', message: 'slow down' } };
    server.enqueue({ status: 429, headers: { 'retry-after': '2' }, body }, { answer: { text: ['Hello.'] } });
    const before = Date.now();
    const ended = await hello();
    expectWholeOutput(ended, 'completed');
    expect(Date.now() - before).toBeGreaterThanOrEqual(2_000);
    expect(eventsOf(ended, 'attempt_failed')).toMatchObject([
      { attempt: 1, error: { code: 'model_rate_limited' }, retry_in_ms: 2_000 },
    ]);
  });

  test('hazard 91: 500 is asked again three times, then the turn fails', async () => {
    const body = { type: 'error', error: { type: 'api_error', message: 'broken' } };
    const fault = { status: 500, headers: { 'retry-after-ms': '50' }, body };
    server.enqueue(fault, fault, fault, fault);
    const ended = await hello();
    expectFailure(ended, 'model_overloaded', /500/);
    expectWholeOutput(ended, 'failed');
    expect(eventsOf(ended, 'attempt_failed').map((data) => data.retry_in_ms === null)).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  test('hazard 91: a cut stream is asked again, and its half answer and half call are not used', async () => {
    const call = { id: 'half', name: 'files__read', arguments: { path: 'notes.txt' } };
    server.enqueue(
      { answer: { text: ['Half'], calls: [call], without_end: true } },
      { answer: { text: ['Whole.'] } },
    );
    const ended = await hello();
    expectWholeOutput(ended, 'completed');
    expect(ended.result?.text).toBe('Whole.');
    expect(eventsOf(ended, 'attempt_failed')).toMatchObject([
      { partial_text: 'Half', error: { code: 'model_stream_cut' } },
    ]);
    expect(eventsOf(ended, 'tool_started')).toEqual([]);
    expect(JSON.stringify(server.asked()[1]?.body)).not.toContain('Half');
  });

  test('a torn connection fails in words after its retries', async () => {
    server.respondWith(() => ({ answer: { text: ['Never whole'] }, cut_after_bytes: 120 }));
    const ended = await hello();
    expectFailure(ended, /model_(stream_cut|unreachable)/);
    expect(server.asked()).toHaveLength(4);
  });

  test('a provider that is not there', async () => {
    const args = run(fileOrganizer, 'Hello');
    args[args.indexOf('--base-url') + 1] = 'http://127.0.0.1:9/v1';
    expectFailure(await openworker(args), 'model_unreachable', /127\.0\.0\.1:9/);
  });

  test('a key variable that is empty', async () => {
    const args = run(fileOrganizer, 'Hello');
    args[args.indexOf('--api-key-env') + 1] = 'NO_SUCH_VARIABLE';
    expectFailure(await openworker(args), 'model_unauthorized', /NO_SUCH_VARIABLE/);
  });

  test('malformed arguments and an unknown tool are rejected, told to the model, and never repaired', async () => {
    server.enqueue(
      {
        answer: {
          calls: [
            { id: 'broken', name: 'files__read', raw: '{"path": "notes.txt"' },
            { id: 'invalid', name: 'files__read', arguments: { path: 7 } },
            { id: 'unknown', name: 'files__delete', arguments: { path: 'notes.txt' } },
          ],
        },
      },
      { answer: { text: ['My mistake.'] } },
    );
    const ended = await hello('--approve', 'once');
    expectWholeOutput(ended, 'completed');
    expect(ended.code).toBe(0);
    expect(
      eventsOf(ended, 'tool_finished').map((data) => [data.call_id, data.outcome, data.error?.code]),
    ).toEqual(
      expect.arrayContaining([
        ['broken', 'rejected', 'arguments_malformed'],
        ['invalid', 'rejected', 'arguments_invalid'],
        ['unknown', 'rejected', 'tool_unknown'],
      ]),
    );
    expect(eventsOf(ended, 'tool_started')).toEqual([]);
    expect(server.asked()[1]?.results.map((result) => [result.id, result.is_error])).toEqual([
      ['broken', true],
      ['invalid', true],
      ['unknown', true],
    ]);
  });

  test('S1-55: a reused call id fails the turn before anything of that response runs', async () => {
    const read = { id: 'same', name: 'files__read', arguments: { path: 'notes.txt' } };
    server.enqueue({ answer: { calls: [read] } }, { answer: { calls: [read] } });
    const ended = await hello();
    expectFailure(ended, 'call_id_reused', /same/);
    expectWholeOutput(ended, 'failed');
    expect(eventsOf(ended, 'tool_started')).toHaveLength(1);
    expect(outcomes(ended)).toEqual({ same: 'completed' });
  });
});
