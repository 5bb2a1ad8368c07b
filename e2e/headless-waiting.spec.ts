import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import type { GrantEntry } from '../src-preload/contract';
import type { ModelServer } from '../src-main/harness/testing/model-server';
import {
  fileOrganizer,
  keyVariable,
  openworker,
  start,
  until,
  writeBundle,
  type Ended,
  type Place,
  type Running,
} from './parts/openworker';
import { closeWorkplace, openWorkplace } from './parts/workplace';

let server: ModelServer;
let at: Place;

test.beforeEach(async () => {
  ({ server, at } = await openWorkplace({ 'notes.txt': 'Buy milk.\n', 'photo.txt': 'A photo.\n' }));
});

test.afterEach(() => closeWorkplace({ server, at }));

const move = {
  id: 'call_move',
  name: 'files__move_file',
  arguments: { source: 'notes.txt', destination: 'Archive/notes.txt' },
};
const photo = { ...move, id: 'call_photo', arguments: { source: 'photo.txt', destination: 'P/photo.txt' } };

const there = (...names: string[]): boolean => fs.existsSync(path.join(at.workspace, ...names));

/** What a turn needs beside its session. */
function parts(): string[] {
  const address = ['--base-url', server.baseUrl('anthropic'), '--api-key-env', keyVariable];
  return ['--bundle', fileOrganizer, '--data', at.data, ...address];
}

function startRun(): Running {
  const model = ['--workspace', at.workspace, '--model', 'anthropic:test-model'];
  return start(['run', ...parts(), ...model, 'Tidy up']);
}

/** A turn that waits for an answer while nobody runs it any more. */
async function leftWaiting(...calls: (typeof move)[]): Promise<readonly Listed[]> {
  server.enqueue({ answer: { calls } });
  const running = startRun();
  await until(() => running.stderr().includes('Allow?'), 'the question');
  running.child.kill('SIGKILL');
  await running.done;
  return listed();
}

interface Listed {
  readonly approval_id: string;
  readonly session_id: string;
  readonly qualified_name: string;
  readonly arguments: unknown;
  readonly shown: string;
}

function documentOf(ended: Ended, code = 0): Readonly<Record<string, unknown>> {
  expect(ended.code, ended.stderr).toBe(code);
  return JSON.parse(ended.stdout) as Readonly<Record<string, unknown>>;
}

async function listed(): Promise<readonly Listed[]> {
  const ended = await openworker(['approvals', 'list', '--data', at.data, '--json']);
  return documentOf(ended)['approvals'] as readonly Listed[];
}

function only(requests: readonly Listed[]): Listed {
  expect(requests).toHaveLength(1);
  const [request] = requests;
  if (!request) throw new Error('No request waits.');
  return request;
}

const answer = (id: string, ...more: string[]): Promise<Ended> =>
  openworker(['approvals', 'answer', id, ...parts(), '--json', ...more]);

test.describe('what waits in a running process', () => {
  test('is listed and shown beside it, and is not answered behind its back', async () => {
    server.enqueue({ answer: { calls: [move] } }, { answer: { text: ['Done.'] } });
    const running = startRun();
    await until(() => running.stderr().includes('Allow?'), 'the question');
    const { approval_id, shown } = only(await listed());
    const table = await openworker(['approvals', 'list', '--data', at.data]);
    expect(table.stdout).toMatch(/^ID +SINCE +COWORKER +TOOL +SESSION\na_\S+ {2}\S+ {2}File Organizer {2}/);
    const one = await openworker(['approvals', 'show', approval_id.slice(0, 10), '--data', at.data]);
    expect(one.stdout).toContain('files.move_file');
    expect(one.stdout).toContain('Archive/notes.txt');
    expect(one.stdout).toContain(`Shown: ${shown}`);
    const refused = await answer(approval_id, '--allow', 'once');
    expect(documentOf(refused, 1)).toMatchObject({ error: { code: 'data_folder_in_use' } });
    const plain = await openworker(['approvals', 'answer', approval_id, ...parts(), '--deny']);
    expect(plain.stderr).toContain('It can also be done in that window or at that terminal.');
    expect(there('Archive')).toBe(false);
    running.type('y');
    expect((await running.done).code).toBe(0);
    expect(there('Archive', 'notes.txt')).toBe(true);
    expect(await listed()).toEqual([]);
  });
});

test.describe('what a process left waiting', () => {
  test('field report 24: is answered later, runs exactly then and goes on to the end of its turn', async () => {
    const { approval_id, session_id, shown } = only(await leftWaiting(move));
    expect(there('Archive')).toBe(false);
    server.enqueue({ answer: { text: ['Moved.'] } });
    const ended = await answer(approval_id, '--allow', 'once', '--shown', shown);
    const facts = { approval_id, session_id, answer: 'allow', status: 'completed', text: 'Moved.' };
    expect(documentOf(ended)).toMatchObject({ ...facts, waiting: [] });
    expect(there('Archive', 'notes.txt')).toBe(true);
    expect(documentOf(await answer(approval_id, '--allow', 'once'), 1)).toMatchObject({
      error: { code: 'not_found' },
    });
  });

  test('hazard 9: is not answered as something else than was shown', async () => {
    const requests = await leftWaiting(move, photo);
    expect(requests.map(({ qualified_name }) => qualified_name)).toEqual(Array(2).fill('files.move_file'));
    const [first, second] = requests;
    if (!first || !second) throw new Error('Two requests have to wait.');
    const stale = await answer(first.approval_id, '--allow', 'once', '--shown', second.shown);
    expect(documentOf(stale, 1)).toMatchObject({ error: { code: 'stale_answer' } });
    const ambiguous = await answer('a_', '--allow', 'once');
    expect(documentOf(ambiguous, 1)).toMatchObject({ error: { code: 'invalid_input' } });
    expect(ambiguous.stdout).toContain(second.approval_id);
    expect(await listed()).toEqual(requests);
    expect(there('Archive') || there('P')).toBe(false);
  });

  test('may be denied with words for the model, or allowed with other arguments', async () => {
    const denied = only(await leftWaiting(move));
    server.enqueue({ answer: { text: ['As you wish.'] } });
    const no = await answer(denied.approval_id, '--deny', '--note', 'keep it where it is');
    expect(documentOf(no)).toMatchObject({ answer: 'deny', status: 'completed' });
    expect(server.asked().at(-1)?.results[0]?.text).toContain('keep it where it is');
    const edited = only(await leftWaiting(move));
    const wrong = await answer(edited.approval_id, '--allow', 'once', '--arguments', '{"source":7}');
    expect(documentOf(wrong, 1)).toMatchObject({ error: { code: 'arguments_invalid' } });
    const file = at.write('edited.json', { source: 'notes.txt', destination: 'Other/notes.txt' });
    server.enqueue({ answer: { text: ['Done.'] } });
    const yes = await answer(edited.approval_id, '--allow', 'once', '--arguments', `@${file}`);
    expect(documentOf(yes)).toMatchObject({ answer: 'allow', status: 'completed' });
    expect([there('Archive'), there('Other', 'notes.txt')]).toEqual([false, true]);
  });

  test('goes on until it waits again, and a resumed session asks at the terminal for the rest', async () => {
    const [first, second] = await leftWaiting(move, photo);
    if (!first || !second) throw new Error('Two requests have to wait.');
    const ended = await answer(first.approval_id, '--allow', 'once');
    expect(documentOf(ended)).toMatchObject({ status: 'waiting', waiting: [second.approval_id] });
    expect([there('Archive', 'notes.txt'), there('P')]).toEqual([true, false]);
    expect(await listed()).toEqual([second]);
    server.enqueue({ answer: { text: ['Both moved.'] } });
    const session = first.session_id.slice(0, 12);
    const resumed = await openworker(['sessions', 'resume', session, ...parts()], { input: 'y\n' });
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(resumed.stdout).toBe('Both moved.\n');
    expect(resumed.stderr.match(/Allow\?/g)).toHaveLength(1);
    expect(resumed.stderr).toContain('P/photo.txt');
    expect(there('P', 'photo.txt')).toBe(true);
    const again = await openworker(['sessions', 'resume', session, ...parts(), '--json'], { input: 'y\n' });
    expect(documentOf(again, 1)).toMatchObject({ error: { code: 'stale_answer' } });
  });

  test('is denied by the host where a resumed session has nobody to ask, and allowed where it was told to', async () => {
    const { session_id } = only(await leftWaiting(move));
    server.enqueue({ answer: { calls: [photo] } }, { answer: { text: ['Nobody is there.'] } });
    const resumed = await openworker(['sessions', 'resume', session_id, ...parts(), '--json']);
    expect(documentOf(resumed)).toMatchObject({ status: 'completed', text: 'Nobody is there.' });
    expect(there('Archive') || there('P')).toBe(false);
    const next = only(await leftWaiting(move));
    server.enqueue({ answer: { text: ['Done.'] } });
    const resume = ['sessions', 'resume', next.session_id, ...parts(), '--approve', 'once'];
    expect((await openworker(resume)).code).toBe(0);
    expect(there('Archive', 'notes.txt')).toBe(true);
  });

  test('keeps waiting where the answer comes from another configuration or for another coworker', async () => {
    const request = only(await leftWaiting(move));
    const off = { guardrail: 'hidden_characters', tools: [] };
    const file = at.write('guardrails.json', { version: 1, guardrails: [off] });
    const changed = await answer(request.approval_id, '--allow', 'once', '--guardrails', file);
    expect(documentOf(changed, 1)).toMatchObject({ error: { code: 'identity_changed' } });
    expect(changed.stdout).toContain('--guardrails');
    const other = writeBundle(at, ['files.move_file']);
    const stranger = await answer(request.approval_id, '--deny', '--bundle', other);
    expect(documentOf(stranger, 1)).toMatchObject({ error: { code: 'invalid_input' } });
    expect(stranger.stdout).toContain('--bundle');
    expect(await listed()).toEqual([request]);
    expect(there('Archive')).toBe(false);
  });
});

test.describe('permissions', () => {
  test('are listed beside a running process, and hold no more once they are taken back', async () => {
    const { approval_id } = only(await leftWaiting(move));
    server.enqueue({ answer: { text: ['Done.'] } });
    expect((await answer(approval_id, '--allow', 'coworker')).code).toBe(0);
    server.enqueue({ answer: { calls: [photo] } }, { answer: { text: ['Done.'] } });
    const free = startRun();
    expect((await free.done).code).toBe(0);
    expect(free.stderr()).not.toContain('Allow?');
    const grants = async (): Promise<readonly GrantEntry[]> =>
      documentOf(await openworker(['grants', 'list', '--data', at.data, '--json']))[
        'grants'
      ] as readonly GrantEntry[];
    expect(await grants()).toMatchObject([
      { grant: { approval_id, scope: 'coworker', qualified_name: 'files.move_file' }, uses: 2, ended: null },
    ]);
    const revoked = await openworker(['grants', 'revoke', 'g_', '--data', at.data]);
    expect(revoked.code, revoked.stderr).toBe(0);
    const back = { ...move, id: 'back', arguments: { source: 'Archive/notes.txt', destination: 'n.txt' } };
    server.enqueue({ answer: { calls: [back] } }, { answer: { text: ['Done.'] } });
    const asked = startRun();
    await until(() => asked.stderr().includes('Allow?'), 'the question');
    expect(await grants()).toMatchObject([{ ended: { how: 'revoked' } }]);
    const busy = await openworker(['grants', 'revoke', 'g_', '--data', at.data, '--json']);
    expect(documentOf(busy, 1)).toMatchObject({ error: { code: 'data_folder_in_use' } });
    asked.type('n');
    expect((await asked.done).code).toBe(0);
    expect(there('n.txt')).toBe(false);
  });
});
