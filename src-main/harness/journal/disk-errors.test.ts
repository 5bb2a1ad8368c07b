import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { childProgram } from '../testing/child-program';
import { noTracer, traced } from '../testing/chaos/tracer';
import { sampleSession } from '../testing/sample-events';
import type { NewSessionEvent } from '../protocol';
import { openJournal } from './journal';
import type { Journal } from './journal-port';

let folder = '';
/** Failing system calls is what counts here; a disk would only make it slow. */
const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const opened: Journal[] = [];

const sample: NewSessionEvent[] = sampleSession().events.map(
  ({ turn_id, type, data }) => ({ turn_id, type, data }) as NewSessionEvent,
);

/** Appends one event after the other and says of each whether it was taken. */
const script = childProgram(
  'journal-disk',
  import.meta.dirname,
  `import { openJournal } from './journal';
const opened = openJournal({ folder: process.argv[2], now: Date.now });
if (!opened.ok) {
  console.log(JSON.stringify({ open: opened.error.code }));
} else {
  const text = 'words '.repeat(5000);
  for (let index = 0; index < 100; index += 1) {
    const done = opened.value.append('s_1', [
      { turn_id: 't', type: 'message_submitted', data: { message_id: 'm', text, attachments: [], mentions: [] } },
    ]);
    console.log(JSON.stringify(done.ok ? { seq: done.value[0].seq } : { code: done.error.code }));
  }
  opened.value.close();
}`,
);

beforeEach(() => {
  folder = mkdtempSync(join(memory, 'disk-'));
});
afterEach(() => {
  for (const journal of opened.splice(0)) journal.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(): Journal {
  const journal = openJournal({ folder, now: Date.now });
  if (!journal.ok) throw new Error(journal.error.message);
  opened.push(journal.value);
  return journal.value;
}

/** The next commit fails as it does where the disk fails. */
function failNextCommit(code: string, message: string): void {
  const { exec } = Database.prototype;
  let failed = false;
  vi.spyOn(Database.prototype, 'exec').mockImplementation(function (this: Database.Database, sql: string) {
    if (sql === 'COMMIT' && !failed) {
      failed = true;
      throw Object.assign(new Error(message), { code });
    }
    return exec.call(this, sql);
  });
}

describe('hazard 82: a disk that fails', () => {
  it.each(['SQLITE_IOERR_FSYNC', 'SQLITE_IOERR_WRITE', 'SQLITE_IOERR'])(
    'ends all recording after %s until the journal is opened anew',
    (code) => {
      const journal = open();
      journal.append('s_1', sample.slice(0, 1));
      failNextCommit(code, 'disk I/O error');
      const failed = journal.append('s_1', sample.slice(1, 2));
      expect(failed).toMatchObject({ ok: false, error: { code: 'journal_unavailable' } });
      expect(!failed.ok && failed.error.message).toMatch(
        /disk failed.*nothing more is recorded or run.*start the app/,
      );
      expect(journal.append('s_2', sample.slice(0, 1))).toEqual(failed);
      expect(journal.appendApp('setting_changed', { key: 'a', value: 1 })).toEqual(failed);
      expect(journal.putDefinitions([{ pin: 'p', definition: 1 }])).toEqual(failed);
      expect(journal.deleteSession('s_1')).toEqual(failed);
      expect(journal.acceptLoss()).toEqual(failed);
      expect(journal.problems).toMatchObject([{ severity: 'error' }]);
      expect(journal.read('s_1', 0, 10)).toMatchObject({ ok: true, value: [{ seq: 1 }] });
      opened.pop()?.close();
      const anew = open();
      expect(anew.problems).toEqual([]);
      const more = anew.append('s_1', sample.slice(1, 2));
      expect(more.ok && more.value[0]?.seq).toBe(2);
    },
  );

  it('goes on after a full disk, with the next number', () => {
    const journal = open();
    journal.append('s_1', sample.slice(0, 1));
    failNextCommit('SQLITE_FULL', 'database or disk is full');
    expect(journal.append('s_1', sample.slice(1, 2))).toMatchObject({
      ok: false,
      error: { code: 'journal_full' },
    });
    const more = journal.append('s_1', sample.slice(1, 2));
    expect(more.ok && more.value[0]?.seq).toBe(2);
    expect(journal.problems).toEqual([]);
  });

  it('keeps what was committed when the log cannot be moved, and takes nothing more', () => {
    const journal = open();
    const { prepare } = Database.prototype;
    vi.spyOn(Database.prototype, 'prepare').mockImplementation(function (
      this: Database.Database,
      sql: string,
    ) {
      if (sql.includes('wal_checkpoint'))
        throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_FSYNC' });
      return prepare.call(this, sql);
    });
    const attachment = { digest: 'x', media_type: 'text/plain', bytes: new Uint8Array(17 * 1024 * 1024) };
    expect(journal.append('s_1', sample.slice(0, 1), [attachment]).ok).toBe(true);
    expect(journal.append('s_1', sample.slice(1, 2))).toMatchObject({
      ok: false,
      error: { code: 'journal_unavailable' },
    });
    opened.pop()?.close();
    vi.restoreAllMocks();
    expect(open().read('s_1', 0, 10)).toMatchObject({ ok: true, value: [{ seq: 1 }] });
  });

  const reason = noTracer();
  it(
    `takes nothing after the first sync that failed, and has all that it took${reason ? ` (skipped: ${reason})` : ''}`,
    { timeout: 120_000, skip: reason !== null },
    () => {
      const log = join(folder, 'trace');
      const [command = '', ...all] = traced('', log);
      mkdirSync(join(folder, 'count'));
      execFileSync(command, [...all, process.execPath, script, join(folder, 'count')]);
      const syncs = readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => /^f(data)?sync/.test(line)).length;
      expect(syncs).toBeGreaterThan(100);
      let failures = 0;
      // Of the start, of single commits, and of the time about the first move of the log.
      for (const when of [2, 6, 40, syncs - 22, syncs - 20, syncs - 19, syncs - 18, syncs - 3]) {
        const data = join(folder, `data-${when}`);
        mkdirSync(data);
        const [tracer = '', ...options] = traced(`fdatasync,fsync:error=EIO:when=${when}`);
        const ran = spawnSync(tracer, [...options, process.execPath, script, data], { encoding: 'utf8' });
        const said = ran.stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as { seq?: number; code?: string; open?: string });
        const firstRefusal = said.findIndex((line) => line.seq === undefined);
        const taken = firstRefusal === -1 ? said : said.slice(0, firstRefusal);
        if (firstRefusal !== -1) {
          failures += 1;
          expect(
            said.slice(firstRefusal).every((line) => (line.code ?? line.open) === 'journal_unavailable'),
          ).toBe(true);
        }
        expect(taken.map((line) => line.seq)).toEqual(taken.map((_line, index) => index + 1));
        const journal = openJournal({ folder: data, now: Date.now });
        if (!journal.ok) throw new Error(journal.error.message);
        expect(journal.value.problems).toEqual([]);
        const read = journal.value.read('s_1', 0, 1_000);
        expect(read.ok && read.value.length).toBeGreaterThanOrEqual(taken.length);
        journal.value.close();
      }
      expect(failures).toBeGreaterThan(5);
    },
  );
});
