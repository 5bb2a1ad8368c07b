import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sampleSession } from '../testing/sample-events';
import type { NewSessionEvent } from '../protocol';
import { openJournal } from './journal';
import type { Journal } from './journal-port';
import { openJournalReader } from './read-journal';

let folder = '';
let elsewhere = '';
const opened: { close(): void }[] = [];
const at = (name: string, base = folder): string => join(base, name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lost-'));
  elsewhere = mkdtempSync(join(tmpdir(), 'lost-'));
});
afterEach(() => {
  for (const thing of opened.splice(0)) thing.close();
  for (const path of [folder, elsewhere]) rmSync(path, { recursive: true, force: true });
});

const sample: NewSessionEvent[] = sampleSession().events.map(
  ({ turn_id, type, data }) => ({ turn_id, type, data }) as NewSessionEvent,
);

function tryOpen() {
  return openJournal({ folder, now: () => Date.UTC(2026, 0, 1) });
}

function open(): Journal {
  const journal = tryOpen();
  if (!journal.ok) throw new Error(journal.error.message);
  opened.push(journal.value);
  return journal.value;
}

function close(): void {
  opened.pop()?.close();
}

const ownFiles = ['journal.db', 'journal.db-wal', 'journal.mark'];

/** The folder as it would be found had the process been killed now. */
function killed(): void {
  for (const name of ownFiles) if (existsSync(at(name))) copyFileSync(at(name), at(name, elsewhere));
  close();
  for (const name of readdirSync(folder)) rmSync(at(name));
  for (const name of readdirSync(elsewhere)) copyFileSync(at(name, elsewhere), at(name));
}

function seqs(journal: Journal, sessionId = 's_1'): number[] {
  const read = journal.read(sessionId, 0, 10_000);
  if (!read.ok) throw new Error(read.error.message);
  return read.value.map((event) => event.seq);
}

const copies = (): string[] => readdirSync(folder).filter((name) => /^journal\.damaged-.*\.db$/.test(name));

function expectReadOnly(journal: Journal, missing: RegExp): void {
  expect(journal.problems).toMatchObject([{ code: 'journal_unavailable', severity: 'error' }]);
  expect(journal.problems[0]?.message).toMatch(missing);
  expect(journal.append('s_1', sample.slice(1, 2))).toMatchObject({
    ok: false,
    error: { code: 'journal_unavailable' },
  });
  expect(journal.appendApp('setting_changed', { key: 'a', value: 1 }).ok).toBe(false);
  expect(journal.deleteSession('s_1').ok).toBe(false);
}

describe('a sound journal', () => {
  it('has no problems after a close in order, nor after a kill at any commit', () => {
    for (let count = 1; count <= sample.length; count += 1) {
      open().append('s_1', sample.slice(0, 1));
      open().append(`s_${count}`, sample.slice(0, count));
      close();
      killed();
      expect(open().problems).toEqual([]);
      close();
    }
    expect(copies()).toEqual([]);
  });

  it('has no problems with a mark that lags behind, that is cut, or that is gone', () => {
    open().append('s_1', sample);
    killed();
    const mark = readFileSync(at('journal.mark'), 'utf8');
    for (const text of [mark.slice(0, -5), mark.slice(0, 10), '', mark.split('\n')[0] ?? '']) {
      writeFileSync(at('journal.mark'), text);
      expect(open().problems).toEqual([]);
      close();
    }
    rmSync(at('journal.mark'));
    expect(open().problems).toEqual([]);
  });

  it('has no problems after any course of writes, deletions, closes and kills', { timeout: 60_000 }, () => {
    const steps = fc.array(
      fc.tuple(fc.constantFrom('append', 'append', 'delete', 'app', 'close', 'kill'), fc.nat(3)),
      {
        minLength: 1,
        maxLength: 14,
      },
    );
    fc.assert(
      fc.property(steps, (course) => {
        const lengths = new Map<string, number | null>();
        let journal = open();
        for (const [step, number] of course) {
          const id = `s_${number}`;
          const length = lengths.get(id);
          if (step === 'append' && length !== null) {
            const events = length === undefined ? sample.slice(0, number + 1) : sample.slice(1, number + 2);
            expect(journal.append(id, events).ok).toBe(true);
            lengths.set(id, (length ?? 0) + events.length);
          }
          if (step === 'delete' && length !== undefined) {
            expect(journal.deleteSession(id).ok).toBe(true);
            lengths.set(id, null);
          }
          if (step === 'app') journal.appendApp('setting_changed', { key: 'a', value: number });
          if (step !== 'close' && step !== 'kill') continue;
          if (step === 'close') close();
          else killed();
          journal = open();
          expect(journal.problems).toEqual([]);
          for (const [known, count] of lengths) expect(seqs(journal, known)).toHaveLength(count ?? 0);
        }
        close();
        for (const base of [folder, elsewhere]) for (const name of readdirSync(base)) rmSync(at(name, base));
      }),
      { numRuns: 25 },
    );
  });

  it('keeps its mark small and current however many entries there are, and free of texts', () => {
    const journal = open();
    for (let index = 0; index < 5_000; index += 50) {
      journal.append(`s_${index % 700}`, [...sample.slice(0, 1), ...sample.slice(1, 2)]);
    }
    expect(statSync(at('journal.mark')).size).toBeLessThan(200_000);
    const [text] = sample.flatMap((event) => (event.type === 'message_submitted' ? [event.data.text] : []));
    expect(readFileSync(at('journal.mark'), 'utf8')).not.toContain(text ?? '?');
  });
});

describe('hazard 83: entries that vanish', () => {
  it('are noticed when the log was deleted: a copy is kept, nothing is recorded, and what is missing is said', () => {
    open().append('s_1', sample.slice(0, 2));
    close();
    open().append('s_1', sample.slice(2));
    killed();
    rmSync(at('journal.db-wal'));
    const before = readFileSync(at('journal.db'));
    const journal = open();
    expectReadOnly(journal, new RegExp(`session s_1: entries 3 to ${sample.length}`));
    expect(seqs(journal)).toEqual([1, 2]);
    expect(copies()).toHaveLength(1);
    expect(readFileSync(at(copies()[0] ?? '')).equals(before)).toBe(true);
    expect(journal.problems[0]?.message).toContain(copies()[0]);
  });

  it('are noticed when the log was cut by its last bytes', () => {
    const journal = open();
    journal.append('s_1', sample.slice(0, 2));
    journal.append('s_1', sample.slice(2, 3));
    killed();
    truncateSync(at('journal.db-wal'), statSync(at('journal.db-wal')).size - 2_000);
    const cut = readFileSync(at('journal.db-wal'));
    const after = open();
    expectReadOnly(after, /1 recorded entry is missing \(session s_1: entry 3\)/);
    expect(seqs(after)).toEqual([1, 2]);
    expect(readFileSync(at(`${copies()[0]}-wal`)).equals(cut)).toBe(true);
  });

  it('are noticed when an older file was put over a newer one, with whole sessions and settings', () => {
    const first = open();
    first.append('s_1', sample.slice(0, 2));
    first.appendApp('setting_changed', { key: 'a', value: 1 });
    close();
    copyFileSync(at('journal.db'), at('old.db', elsewhere));
    const second = open();
    second.append('s_2', sample.slice(0, 2));
    second.appendApp('setting_changed', { key: 'a', value: 2 });
    close();
    copyFileSync(at('old.db', elsewhere), at('journal.db'));
    expectReadOnly(
      open(),
      /3 recorded entries are missing .*s_2: entries 1 to 2 \(all of it\).*settings: entry 2/,
    );
  });

  it('are noticed when an older file brings a deleted session back', () => {
    open().append('s_1', sample);
    close();
    copyFileSync(at('journal.db'), at('old.db', elsewhere));
    open().deleteSession('s_1');
    close();
    copyFileSync(at('old.db', elsewhere), at('journal.db'));
    expectReadOnly(open(), /1 deleted session is back/);
  });

  it('are told at every start until the person goes on without them, and one copy is kept of them', () => {
    open().append('s_1', sample.slice(0, 3));
    killed();
    rmSync(at('journal.db-wal'));
    for (let start = 0; start < 3; start += 1) {
      expectReadOnly(open(), /3 recorded entries are missing/);
      close();
    }
    expect(copies()).toHaveLength(1);
    const journal = open();
    expect(journal.acceptLoss()).toEqual({ ok: true, value: null });
    expect(journal.problems).toEqual([]);
    const appended = journal.append('s_1', sample.slice(0, 1));
    expect(appended.ok && appended.value[0]?.seq).toBe(1);
    close();
    expect(open().problems).toEqual([]);
    expect(copies()).toHaveLength(1);
  });

  it('are accepted by deleting the mark, as the message says', () => {
    open().append('s_1', sample.slice(0, 3));
    killed();
    rmSync(at('journal.db-wal'));
    expect(open().problems[0]?.message).toContain(`delete ${at('journal.mark')}`);
    close();
    rmSync(at('journal.mark'));
    const journal = open();
    expect(journal.problems).toEqual([]);
    expect(journal.append('s_1', sample.slice(0, 1)).ok).toBe(true);
  });

  it('refuse a missing or an empty file where entries were recorded, and change nothing', () => {
    open().append('s_1', sample);
    close();
    rmSync(at('journal.db'));
    const missing = tryOpen();
    expect(missing).toMatchObject({ ok: false, error: { code: 'journal_unavailable' } });
    expect(!missing.ok && missing.error.message).toMatch(/is missing; \d+ entries .* Put it back/);
    // Who only reads is told the same, and not that nothing was ever there.
    expect(openJournalReader(folder)).toEqual(missing);
    expect(existsSync(at('journal.db'))).toBe(false);
    expect(readFileSync(at('journal.mark'), 'utf8')).toContain('s_1');
    writeFileSync(at('journal.db'), '');
    const empty = tryOpen();
    expect(!empty.ok && empty.error.message).toMatch(/is empty.*Put it back.*move .* aside/);
    expect(statSync(at('journal.db')).size).toBe(0);
  });

  it('never joins a log that is left alone with a new journal', () => {
    open().append('s_1', sample);
    killed();
    rmSync(at('journal.db'));
    rmSync(at('journal.mark'));
    const wal = readFileSync(at('journal.db-wal'));
    const refused = tryOpen();
    expect(!refused.ok && refused.error.message).toContain('journal.db-wal, which belongs to it');
    expect(readFileSync(at('journal.db-wal')).equals(wal)).toBe(true);
    expect(existsSync(at('journal.db'))).toBe(false);
  });
});

/** Changes the journal behind the back of its own rules. */
function tamper(sql: string): void {
  const db = new Database(at('journal.db'));
  db.exec('DROP TRIGGER events_are_not_changed; DROP TRIGGER events_go_with_their_stream;');
  db.exec(sql);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  rmSync(at('journal.mark'), { force: true });
}

describe('hazard 83: damage', () => {
  it('flipped bits in the structure: a copy is kept and what can be read is read', () => {
    const journal = open();
    for (let session = 0; session < 30; session += 1) journal.append(`s_${session}`, sample);
    killed();
    open();
    close();
    const bytes = readFileSync(at('journal.db'));
    const page = 4_096;
    const damaged: number[] = [];
    for (let index = 4; index < bytes.length / page; index += 1) {
      if (bytes[index * page] === 0x0d && damaged.length < 2) {
        bytes.fill(0xa5, index * page + 8, index * page + 40);
        damaged.push(index);
      }
    }
    expect(damaged).toHaveLength(2);
    writeFileSync(at('journal.db'), bytes);
    rmSync(at('journal.mark'));
    const after = open();
    expect(after.problems[0]?.message).toMatch(/the file is damaged .* move .* aside/);
    expect(after.append('s_1', sample.slice(1, 2)).ok).toBe(false);
    expect(after.acceptLoss().ok).toBe(false);
    expect(readFileSync(at(copies()[0] ?? '')).equals(bytes)).toBe(true);
    const readable = Array.from({ length: 30 }, (_one, session) => after.read(`s_${session}`, 0, 100).ok);
    expect(readable.filter(Boolean).length).toBeGreaterThan(15);
  });

  it('met while reading stops recording from there on and keeps a copy', () => {
    open().append('s_1', sample);
    open().append('s_2', sample);
    close();
    close();
    tamper("UPDATE events SET data = '{\"text\": \"cut' WHERE stream = 's_1' AND seq = 2");
    const journal = open();
    expect(journal.problems).toEqual([]);
    const { problems } = { ...journal };
    expect(journal.read('s_1', 0, 10)).toMatchObject({ ok: false, error: { code: 'journal_unavailable' } });
    expect(problems).toMatchObject([{ severity: 'error', data: { kind: 'damage' } }]);
    expect(copies()).toHaveLength(1);
    expect(journal.append('s_2', sample.slice(1, 2)).ok).toBe(false);
    expect(seqs(journal, 's_2')).toHaveLength(sample.length);
  });

  it('holes in one session keep that session from going on and no other', () => {
    open().append('s_1', sample);
    open().append('s_2', sample);
    close();
    close();
    tamper("DELETE FROM events WHERE stream = 's_1' AND seq IN (2, 3)");
    const journal = open();
    expect(journal.problems).toMatchObject([{ severity: 'warning', data: { session_id: 's_1' } }]);
    expect(journal.problems[0]?.message).toMatch(/session s_1: 2 of its \d+ entries are missing in between/);
    expect(journal.append('s_1', sample.slice(1, 2)).ok).toBe(false);
    expect(journal.append('s_2', sample.slice(1, 2)).ok).toBe(true);
    expect(copies()).toHaveLength(1);
    close();
    expect(open().problems).toHaveLength(1);
    expect(copies()).toHaveLength(1);
  });

  it('a summary that says other than the events is told; one that cannot be read is folded anew', () => {
    open().append('s_1', sample);
    open().append('s_2', sample);
    const good = open().summary('s_2');
    for (let count = 0; count < 3; count += 1) close();
    tamper(
      `UPDATE sessions SET summary = json_set(summary, '$.last_seq', 99) WHERE session_id = 's_1'; UPDATE sessions SET summary = '{"x' WHERE session_id = 's_2'`,
    );
    const journal = open();
    expect(journal.problems.map((problem) => problem.message)).toMatchObject([
      expect.stringMatching(/session s_1: its summary ends at entry 99, and its last entry is/),
      expect.stringMatching(/session s_2: its summary cannot be read/),
    ]);
    const listed = journal.summaries();
    expect(listed.ok && listed.value.find((summary) => summary.session_id === 's_2')).toEqual(good);
  });
});
