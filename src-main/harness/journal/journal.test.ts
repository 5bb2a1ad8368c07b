import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sampleSession } from '../testing/sample-events';
import type { NewSessionEvent } from '../protocol';
import { openDatabase } from './database';
import { lockDataFolder } from './data-folder-lock';
import { openJournal, type Journal } from './journal';
import { openJournalReader } from './read-journal';

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
    opened.pop()?.close();
    const refused = openJournal({ folder, now: Date.now });
    expect(refused).toMatchObject({ ok: false, error: { code: 'journal_unavailable' } });
    expect(!refused.ok && refused.error.message).toContain('newer version');
  });

  it('lets only one process at a time write to a data folder, and frees it at the end', () => {
    const first = lockDataFolder(folder);
    expect(first.ok).toBe(true);
    const second = lockDataFolder(folder);
    expect(second).toMatchObject({ ok: false, error: { code: 'data_folder_in_use' } });
    if (first.ok) first.value.close();
    const third = lockDataFolder(folder);
    expect(third.ok).toBe(true);
    if (third.ok) third.value.close();
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
