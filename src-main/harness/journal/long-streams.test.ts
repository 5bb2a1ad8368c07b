import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NewSessionEvent } from '../protocol';
import { sampleSession } from '../testing/sample-events';
import { openJournal } from './journal';
import type { Journal } from './journal-port';
import { openJournalReader } from './read-journal';

let folder = '';
const opened: { close(): void }[] = [];
const sample: readonly NewSessionEvent[] = sampleSession().events.map(
  ({ turn_id, type, data }) => ({ turn_id, type, data }) as NewSessionEvent,
);
const marker = 'a marker that stands nowhere else';
const file = { digest: 'x', media_type: 'text/plain', bytes: new TextEncoder().encode(marker.repeat(100)) };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'long-streams-'));
});
afterEach(() => {
  for (const thing of opened.splice(0)) thing.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(): Journal {
  const journal = openJournal({ folder, now: Date.now });
  if (!journal.ok) throw new Error(journal.error.message);
  opened.push(journal.value);
  return journal.value;
}

const close = (): void => opened.pop()?.close();

const said = (count: number): NewSessionEvent[] =>
  Array.from({ length: count }, (_, index) => ({
    turn_id: 't_1',
    type: 'message_submitted',
    data: { message_id: `m_${index}`, text: `${marker} ${index}`, attachments: [], mentions: [] },
  }));

const holding = (): string[] =>
  readdirSync(folder).filter(
    (name) => !name.endsWith('-shm') && readFileSync(join(folder, name)).includes(marker),
  );

function expectNothingOf(journal: Journal, id: string): void {
  expect(journal.summaries()).toMatchObject({ ok: true, value: [{ session_id: 's_2' }] });
  expect(journal.summary(id)).toBeNull();
  expect(journal.read(id, 0, 10)).toEqual({ ok: true, value: [] });
  expect(journal.readBefore(id, 10_000, 10)).toEqual({ ok: true, value: [] });
  expect(journal.readKeyEvents(id)).toEqual({ ok: true, value: [] });
  expect(journal.readAttachment(id, 'x').ok).toBe(false);
}

describe('a session too long for one step', () => {
  const long = (): Journal => {
    const journal = open();
    journal.append('s_1', [...sample.slice(0, 1), ...said(9_000)], [file]);
    journal.append('s_2', sample.slice(0, 1));
    return journal;
  };

  it('is gone with the deletion, and its texts leave the files while others record', async () => {
    const journal = long();
    expect(journal.deleteSession('s_1')).toEqual({ ok: true, value: null });
    expectNothingOf(journal, 's_1');
    const reader = openJournalReader(folder);
    expect(reader.ok && reader.value.events('s_1')).toEqual({ ok: true, value: [] });
    if (reader.ok) reader.value.close();
    expect(journal.append('s_1', sample.slice(0, 1)).ok).toBe(false);
    const order: string[] = [];
    const swept = journal.swept().then((result) => (order.push('swept'), result));
    await new Promise((resolve) => setImmediate(resolve));
    expect(journal.append('s_2', sample.slice(1, 2)).ok).toBe(true);
    order.push('recorded');
    expect(await swept).toEqual({ ok: true, value: null });
    expect(order).toEqual(['recorded', 'swept']);
    expect(holding()).toEqual([]);
    expectNothingOf(journal, 's_1');
  });

  it('is deleted to the end at the next start where the app ended meanwhile', async () => {
    const journal = long();
    journal.deleteSession('s_1');
    const waiting = journal.swept();
    close();
    expect(await waiting).toMatchObject({ ok: false, error: { code: 'interrupted' } });
    expect(holding()).not.toEqual([]);
    const next = open();
    expect(next.problems).toEqual([]);
    expectNothingOf(next, 's_1');
    expect(await next.swept()).toEqual({ ok: true, value: null });
    expect(holding()).toEqual([]);
    close();
    expect(open().problems).toEqual([]);
  });
});

describe('a hidden stream', () => {
  it('is seen by nobody before it is shown, and then as a session like another', () => {
    const journal = open();
    journal.append('s_2', sample.slice(0, 1));
    const hidden = journal.hiddenStream('s_1');
    expect(hidden.append(sample.slice(0, 2), [file]).ok).toBe(true);
    expect(hidden.append(sample.slice(2)).ok).toBe(true);
    expectNothingOf(journal, 's_1');
    expect(hidden.show()).toEqual({ ok: true, value: null });
    journal.append('s_3', sample);
    const [shown, plain] = [journal.summary('s_1'), journal.summary('s_3')];
    expect({ ...shown, session_id: '', updated_at: '', created_at: '' }).toEqual({
      ...plain,
      session_id: '',
      updated_at: '',
      created_at: '',
    });
    expect(journal.readAttachment('s_1', 'x').ok).toBe(true);
    close();
    const next = open();
    expect(next.problems).toEqual([]);
    expect(next.read('s_1', 0, 1_000)).toMatchObject({ ok: true, value: { length: sample.length } });
  });

  it('is taken back without a trace, by its writer or by the next start', async () => {
    const journal = open();
    journal.append('s_2', sample.slice(0, 1));
    const given = journal.hiddenStream('s_3');
    given.append([...sample.slice(0, 1), ...said(10)], [file]);
    expect(given.discard()).toEqual({ ok: true, value: null });
    expect(holding()).toEqual([]);
    const left = journal.hiddenStream('s_1');
    left.append([...sample.slice(0, 1), ...said(10)], [file]);
    close();
    expect(left.append(said(1))).toMatchObject({ ok: false, error: { code: 'interrupted' } });
    const next = open();
    expect(next.problems).toEqual([]);
    expectNothingOf(next, 's_1');
    expectNothingOf(next, 's_3');
    await next.swept();
    expect(holding()).toEqual([]);
  });
});
