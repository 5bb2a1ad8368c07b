import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openJournal, openJournalReader, type JournalReader } from '.';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'read-journal-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function read<T>(work: (reader: JournalReader) => T): T {
  const reader = openJournalReader(folder);
  if (!reader.ok) throw new Error(reader.error.message);
  try {
    return work(reader.value);
  } finally {
    reader.value.close();
  }
}

function write(): void {
  const journal = openJournal({ folder, now: () => 0 });
  if (!journal.ok) throw new Error(journal.error.message);
  journal.value.putDefinitions([{ pin: 'p', definition: { input_schema: { type: 'object' } } }]);
  journal.value.appendApp('tool_classified', { qualified_name: 'x.y', pin: 'p', classification: 'read' });
  journal.value.close();
}

describe('a journal that is read beside the app', () => {
  it('gives definitions by their pin, and what happened in the app', () => {
    write();
    read((reader) => {
      expect(reader.definition('p')).toEqual({ ok: true, value: { input_schema: { type: 'object' } } });
      expect(reader.definition('q')).toEqual({ ok: true, value: null });
      expect(reader.appEvents()).toMatchObject({ value: [{ type: 'tool_classified', seq: 1 }] });
    });
  });

  it('is readable as an older version left it, which counted no uses of permissions', () => {
    write();
    const db = new Database(join(folder, 'journal.db'));
    db.exec('DROP TABLE grant_uses; PRAGMA user_version = 3;');
    db.close();
    read((reader) => {
      expect(reader.grantUses()).toEqual({ ok: true, value: [] });
      expect(reader.grantEvents()).toEqual({ ok: true, value: [] });
    });
  });
});
