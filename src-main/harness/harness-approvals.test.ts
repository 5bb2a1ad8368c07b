import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openHarness, registerFilesTools, type Harness } from '.';
import { harnessOptions } from './testing/harness-options';
import { until } from './testing/session-bench';

let folder: string;
let harness: Harness;

function write(name: string, text: string): void {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'harness-approvals-')));
  write(
    'bundle/coworker/manifest.md',
    '---\nid: tester\nname: Tester\ndescription: Tests.\nversion: 1.0.0\n---\n\nYou test.\n',
  );
  write('bundle/coworker/tools.json', '{"version":3,"tools":["files.move_file"]}');
  write('work/docs/a.txt', 'a');
  const opened = await openHarness(
    harnessOptions(join(folder, 'data'), {
      bundleFolders: [join(folder, 'bundle')],
      registerNative: registerFilesTools,
    }),
  );
  if (!opened.ok) throw new Error(opened.error.message);
  harness = opened.value;
});

afterEach(async () => {
  await harness.close();
  rmSync(folder, { recursive: true, force: true });
});

async function waitingMove(): Promise<{ readonly session_id: string; readonly approval_id: string }> {
  const created = await harness.sessions.create({
    coworker_id: 'tester',
    model: { provider: 'practice', name: 'practice' },
    mode: 'ask',
    workspace: join(folder, 'work'),
  });
  if (!created.ok) throw new Error(created.error.message);
  const { session_id } = created.value;
  const session = harness.sessions.get(session_id);
  if (!session.ok) throw new Error(session.error.message);
  const turn = session.value.submit({ text: 'Move it', files: [], mentions: [] });
  if (!turn.ok) throw new Error(turn.error.message);
  const args = { source: 'docs/a.txt', destination: 'Archive/a.txt' };
  const call = { type: 'call', name: 'files__move_file', arguments: args } as const;
  await until(() => harness.practice(session_id, turn.value.turn_id, call).ok);
  const waiting = (): readonly string[] =>
    harness.sessions.list().find((summary) => summary.session_id === session_id)?.waiting ?? [];
  await until(() => waiting().length === 1);
  return { session_id, approval_id: waiting()[0] ?? '' };
}

describe('the reading of a request', () => {
  it('comes with the schema on record and with permissions that may be given as they are', async () => {
    const { session_id, approval_id } = await waitingMove();
    const reading = await harness.approvals.reading(session_id, approval_id);
    if (!reading.ok) throw new Error(reading.error.message);
    const { shape, schema, suggestions } = reading.value;
    expect(shape).toEqual({ type: 'plain' });
    expect(schema).toMatchObject({ type: 'object', required: ['source', 'destination'] });
    expect(suggestions).toHaveLength(3);
    const session = harness.sessions.get(session_id);
    const request = session.ok ? session.value.request(approval_id) : session;
    if (!session.ok || !request.ok) throw new Error('The request does not wait.');
    const [, pattern] = suggestions;
    const answer = { type: 'allow', scope: 'coworker', by: 'person', pattern: pattern ?? [] } as const;
    expect(session.value.answer(approval_id, request.value, answer)).toEqual({ ok: true, value: null });
    await until(() => {
      const grants = harness.grants.list();
      return grants.ok && grants.value.length === 1;
    });
    expect(harness.grants.list()).toMatchObject({ value: [{ grant: { pattern } }] });
  });

  it('is refused for what waits no more, and for sessions that are not there', async () => {
    const { session_id, approval_id } = await waitingMove();
    expect(await harness.approvals.reading(session_id, 'a_other')).toMatchObject({
      error: { code: 'stale_answer' },
    });
    expect(await harness.approvals.reading('s_other', approval_id)).toMatchObject({
      error: { code: 'not_found' },
    });
  });
});
