import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sampleSession } from '../testing/sample-events';
import {
  isKeyEvent,
  type NewSessionEvent,
  type Result,
  type SessionEvent,
  type SessionEventType,
} from '../protocol';
import { openDatabase } from './database';
import { openJournal } from './journal';
import type { Journal } from './journal-port';
import { openJournalReader } from './read-journal';
import { beforeQuery, keyEventsQuery, readQuery } from './statements';

let folder = '';
const opened: { close(): void }[] = [];

function open(): Journal {
  const journal = openJournal({ folder, now: () => Date.UTC(2026, 0, 1) });
  if (!journal.ok) throw new Error(journal.error.message);
  opened.push(journal.value);
  return journal.value;
}

function raw(): Database.Database {
  const db = new Database(join(folder, 'journal.db'));
  opened.push(db);
  return db;
}

const sample: NewSessionEvent[] = sampleSession().events.map(
  ({ turn_id, type, data }) => ({ turn_id, type, data }) as NewSessionEvent,
);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'));
});

afterEach(() => {
  for (const thing of opened.splice(0)) thing.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the journal', () => {
  it('numbers events of each session from 1 without holes and reads them back as they were', () => {
    const journal = open();
    const first = journal.append('s_1', sample.slice(0, 3));
    const other = journal.append('s_2', sample.slice(0, 1));
    const second = journal.append('s_1', sample.slice(3));
    expect(first.ok && second.ok && [...first.value, ...second.value].map((event) => event.seq)).toEqual(
      sample.map((_event, index) => index + 1),
    );
    expect(other.ok && other.value[0]?.seq).toBe(1);
    const read = journal.read('s_1', 0, 1000);
    expect(read.ok && read.value.map(({ type, data }) => ({ type, data }))).toEqual(
      sample.map(({ type, data }) => ({ type, data })),
    );
    const page = journal.read('s_1', 2, 2);
    expect(page.ok && page.value.map((event) => event.seq)).toEqual([3, 4]);
  });

  it('has every acknowledged event and the same summaries after it was opened anew', () => {
    const before = open();
    before.append('s_1', sample);
    const summaries = before.summaries();
    opened.pop()?.close();
    const after = open();
    expect(after.summaries()).toEqual(summaries);
    expect(after.read('s_1', 0, 1000)).toMatchObject({ ok: true, value: { length: sample.length } });
    const more = after.append('s_1', sample.slice(1, 2));
    expect(more.ok && more.value[0]?.seq).toBe(sample.length + 1);
  });

  it('is append-only: the database itself refuses to change or remove an event', () => {
    open().append('s_1', sample);
    const db = raw();
    expect(() => db.exec("UPDATE events SET data = '{}'")).toThrow(/append-only/);
    expect(() => db.exec('DELETE FROM events WHERE seq = 1')).toThrow(/append-only/);
  });

  it('commits with synchronous=FULL in WAL, also on a database that existed before', () => {
    for (let round = 0; round < 2; round += 1) {
      const db = openDatabase(join(folder, 'journal.db'));
      if (!db.ok) throw new Error(db.error.message);
      expect(db.value.prepare('PRAGMA synchronous').get()).toMatchObject({ synchronous: 2 });
      expect(db.value.prepare('PRAGMA journal_mode').get()).toMatchObject({ journal_mode: 'wal' });
      db.value.close();
    }
  });

  it('deletes a session as a whole, leaves a tombstone, and lets nobody write to it again', () => {
    const journal = open();
    journal.append('s_1', sample, [{ digest: 'x', media_type: 'text/plain', bytes: new Uint8Array([1]) }]);
    journal.append('s_2', sample.slice(0, 1));
    expect(journal.deleteSession('s_1').ok).toBe(true);
    expect(journal.read('s_1', 0, 10)).toEqual({ ok: true, value: [] });
    expect(journal.readAttachment('s_1', 'x').ok).toBe(false);
    expect(journal.summaries()).toMatchObject({ ok: true, value: [{ session_id: 's_2' }] });
    expect(journal.append('s_1', sample.slice(0, 1)).ok).toBe(false);
    const rows = raw().prepare('SELECT session_id, last_seq FROM tombstones').all();
    expect(rows).toEqual([{ session_id: 's_1', last_seq: sample.length }]);
  });

  it('keeps attached bytes beside their session', () => {
    const journal = open();
    journal.append('s_1', sample.slice(0, 1), [
      { digest: 'x', media_type: 'image/png', bytes: new Uint8Array([1, 2, 3]) },
    ]);
    expect(journal.readAttachment('s_1', 'x')).toEqual({
      ok: true,
      value: { digest: 'x', media_type: 'image/png', bytes: new Uint8Array([1, 2, 3]) },
    });
    expect(journal.readAttachment('s_2', 'x')).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });

  it('says on a full disk that nothing was recorded, commits nothing of the batch, and goes on when there is space', () => {
    const journal = open();
    journal.append('s_1', sample.slice(0, 1));
    opened.pop();
    journal.close();
    const small = openJournal({ folder, now: Date.now, maxBytes: 200_000 });
    if (!small.ok) throw new Error(small.error.message);
    opened.push(small.value);
    const big: NewSessionEvent = {
      turn_id: 't_1',
      type: 'message_submitted',
      data: { message_id: 'm', text: 'x'.repeat(400_000), attachments: [], mentions: [] },
    };
    const refused = small.value.append('s_1', [...sample.slice(1, 3), big]);
    expect(refused).toMatchObject({ ok: false, error: { code: 'journal_full' } });
    expect(!refused.ok && refused.error.message).toMatch(/disk is full.*Free some space/);
    const after = small.value.append('s_1', sample.slice(1, 2));
    expect(after.ok && after.value[0]?.seq).toBe(2);
  });

  it('refuses a file that is no database and changes nothing of it', () => {
    writeFileSync(join(folder, 'journal.db'), 'this is a note, not a database. '.repeat(100));
    const refused = openJournal({ folder, now: Date.now });
    expect(refused).toMatchObject({ ok: false, error: { code: 'journal_unavailable' } });
    expect(readdirSync(folder)).toEqual(['journal.db']);
  });

  it('hazard 85: refuses the journal of a newer version and changes nothing', () => {
    open();
    opened.pop()?.close();
    const db = raw();
    db.exec('PRAGMA user_version = 99');
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    opened.pop()?.close();
    const before = readFileSync(join(folder, 'journal.db'));
    const refused = openJournal({ folder, now: Date.now });
    expect(refused).toMatchObject({ ok: false, error: { code: 'journal_unavailable' } });
    expect(!refused.ok && refused.error.message).toContain('newer version');
    expect(readFileSync(join(folder, 'journal.db')).equals(before)).toBe(true);
    expect(openJournalReader(folder)).toMatchObject({ ok: false, error: { code: 'journal_unavailable' } });
  });

  it('takes the texts and files of a deleted session out of the files on the disk', () => {
    const marker = 'a marker that stands nowhere else';
    const said = (text: string): NewSessionEvent => ({
      turn_id: 't_1',
      type: 'message_submitted',
      data: { message_id: 'm', text, attachments: [], mentions: [] },
    });
    const journal = open();
    const bytes = new TextEncoder().encode(`${marker}, attached. `.repeat(1_000));
    journal.append(
      's_1',
      [...sample.slice(0, 1), said(`${marker}, long. `.repeat(2_000))],
      [{ digest: 'x', media_type: 'text/plain', bytes }],
    );
    for (let index = 0; index < 30; index += 1) {
      journal.append('s_1', [said(`${marker} ${index}`)]);
      journal.append('s_2', [...sample.slice(0, 1), said('kept words')]);
    }
    const holding = (words: string): string[] =>
      readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(words));
    expect(holding(marker)).toContain('journal.db-wal');
    expect(journal.deleteSession('s_1').ok).toBe(true);
    expect(holding(marker).filter((name) => name !== 'journal.db-shm')).toEqual([]);
    expect(holding('kept words')).toEqual(['journal.db']);
    expect(journal.deleteSession('s_1')).toEqual({ ok: true, value: null });
    opened.pop()?.close();
    expect(holding(marker)).toEqual([]);
  });

  it('hazard 88: orders by number alone, whatever the clock says', () => {
    let now = Date.UTC(2026, 0, 10);
    const opening = openJournal({ folder, now: () => now });
    if (!opening.ok) throw new Error(opening.error.message);
    const journal = opening.value;
    opened.push(journal);
    const day = 86_400_000;
    for (const shift of [0, -day, 3_650 * day, 1, -400 * day]) {
      now += shift;
      journal.append('s_1', sample.slice(journal.summary('s_1') ? 1 : 0, journal.summary('s_1') ? 2 : 1));
    }
    journal.append('s_1', [{ ...(sample[1] as NewSessionEvent), at: '1999-01-01T00:00:00.000Z' }]);
    const read = journal.read('s_1', 0, 100);
    if (!read.ok) throw new Error(read.error.message);
    expect(read.value.map((event) => event.seq)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(read.value.map((event) => event.at.slice(0, 4))).toEqual([
      '2026',
      '2026',
      '2036',
      '2036',
      '2034',
      '1999',
    ]);
    const before = journal.readBefore('s_1', 6, 2);
    expect(before.ok && before.value.map((event) => event.seq)).toEqual([4, 5]);
    opened.pop()?.close();
    expect(open().problems).toEqual([]);
  });

  it('keeps nothing in memory for an event that it recorded', { timeout: 60_000 }, () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const journal = open();
    journal.append('s_1', sample.slice(0, 1));
    const batch = Array.from({ length: 100 }, (): NewSessionEvent => ({
      turn_id: 't_1',
      type: 'message_submitted',
      data: { message_id: 'm', text: 'words '.repeat(200), attachments: [], mentions: [] },
    }));
    const heapAfter = (batches: number): number => {
      for (let index = 0; index < batches; index += 1) journal.append('s_1', batch);
      collect();
      return process.memoryUsage().heapUsed;
    };
    const first = heapAfter(20);
    const events = 60 * batch.length;
    expect((heapAfter(60) - first) / events).toBeLessThan(50);
  });

  it('has one name that is no session: the stream of the app', () => {
    const journal = open();
    journal.appendApp('setting_changed', { key: 'a', value: 1 });
    expect(journal.append('app', sample.slice(0, 1))).toMatchObject({
      ok: false,
      error: { code: 'invalid_input' },
    });
    expect(journal.deleteSession('app').ok).toBe(false);
    expect(journal.readApp()).toMatchObject({ ok: true, value: [{ seq: 1, data: { key: 'a' } }] });
  });

  it('keeps each definition once under its pin', () => {
    const journal = open();
    expect(journal.definition('p')).toBeNull();
    expect(journal.putDefinitions([{ pin: 'p', definition: { a: [1, null] } }]).ok).toBe(true);
    expect(
      journal.putDefinitions([
        { pin: 'p', definition: 'another' },
        { pin: 'q', definition: null },
      ]).ok,
    ).toBe(true);
    expect(journal.definition('p')).toEqual({ a: [1, null] });
    expect(journal.definition('q')).toBeNull();
    const db = raw();
    expect(() => db.exec("UPDATE definitions SET definition = '1'")).toThrow(/append-only/);
    expect(() => db.exec('DELETE FROM definitions')).toThrow(/append-only/);
  });

  it('is readable beside the process that writes it', () => {
    const journal = open();
    journal.append('s_1', sample);
    const reader = openJournalReader(folder);
    expect(reader.ok).toBe(true);
    if (!reader.ok) return;
    opened.push(reader.value);
    expect(reader.value.summaries()).toMatchObject({ ok: true, value: [{ session_id: 's_1' }] });
    expect(reader.value.events('s_1')).toMatchObject({ ok: true, value: { length: sample.length } });
    expect(openJournalReader(join(folder, 'nowhere'))).toMatchObject({
      ok: false,
      error: { code: 'not_found' },
    });
  });
});

const types = [
  ...new Set<SessionEventType>([
    ...sample.map((event) => event.type),
    'session_archived',
    'session_model_changed',
    'session_mode_changed',
    'session_effort_changed',
    'session_limits_changed',
    'branch_selected',
    'message_queued',
    'message_unqueued',
    'turn_retried',
    'call_rerun',
    'message_steered',
    'text_saved',
    'attempt_failed',
    'context_compacted',
    'pause_started',
    'pause_ended',
    'definition_changed',
    'grant_made',
    'call_settled',
  ]),
];

/** Events of any type, in or out of a turn; what they say does not matter to the queries. */
const anyEvent = fc
  .record({ type: fc.constantFrom(...types), turn_id: fc.constantFrom('t_1', 't_2', null) })
  .map(({ type, turn_id }) => ({ type, turn_id, data: { approval_id: 'a', pause_id: 'p', call_id: 'c' } }))
  .map((event) => event as unknown as NewSessionEvent)
  .filter((event) => !['session_created', 'session_renamed', 'assistant_message'].includes(event.type));

describe('pages and key events', () => {
  it('answer, for any stream, what a filter over the whole of it would', () => {
    const journal = open();
    let session = 0;
    fc.assert(
      fc.property(
        fc.array(anyEvent, { minLength: 1, maxLength: 30 }),
        fc.nat(35),
        fc.integer({ min: 1, max: 12 }),
        (events, seq, limit) => {
          session += 1;
          const id = `s_${session}`;
          const appended = journal.append(id, events);
          if (!appended.ok) throw new Error(appended.error.message);
          const all = appended.value;
          const given = (found: Result<readonly SessionEvent[]>) =>
            found.ok ? found.value : found.error.message;
          expect(given(journal.read(id, 0, 100))).toEqual(all);
          expect(given(journal.read(id, seq, limit))).toEqual(
            all.filter((event) => event.seq > seq).slice(0, limit),
          );
          expect(given(journal.readBefore(id, seq, limit))).toEqual(
            all.filter((event) => event.seq < seq).slice(-limit),
          );
          expect(given(journal.readBefore(id, Number.MAX_SAFE_INTEGER, limit))).toEqual(all.slice(-limit));
          expect(given(journal.readKeyEvents(id))).toEqual(all.filter(isKeyEvent));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('come out of an index without sorting, the key events out of their own', () => {
    open();
    const db = raw();
    const plan = (query: string, ...values: unknown[]): string =>
      (db.prepare(`EXPLAIN QUERY PLAN ${query}`).all(...values) as { detail: string }[])
        .map((row) => row.detail)
        .join('; ');
    expect(plan(keyEventsQuery, 's_1', 5, 10)).toBe(
      'SEARCH events USING INDEX key_events (stream=? AND seq>?)',
    );
    for (const query of [readQuery, beforeQuery]) {
      expect(plan(query, 's_1', 5, 10)).toMatch(
        /^SEARCH events USING INDEX events_by_stream \(stream=\? AND seq[<>]\?\)$/,
      );
    }
  });
});
