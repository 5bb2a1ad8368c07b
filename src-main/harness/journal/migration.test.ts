import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { childProgram } from '../testing/child-program';
import { noTracer, traced } from '../testing/chaos/tracer';
import { sampleSession } from '../testing/sample-events';
import { emptySessionView, foldSessionEvents, foldSummary, type SessionSummary } from '../protocol';
import { openJournal } from './journal';
import type { Journal } from './journal-port';
import { migration0001 } from './migrations/0001-streams';
import { openJournalReader } from './read-journal';

const child = childProgram(
  'journal-migration',
  import.meta.dirname,
  `import { openJournal } from './journal';
import Database from 'libsql';
const stop = Number(process.env.STOP_AT ?? 0);
let statements = 0;
const exec = Database.prototype.exec;
Database.prototype.exec = function (sql) {
  statements += 1;
  if (statements === stop) process.kill(process.pid, 'SIGKILL');
  return exec.call(this, sql);
};
const opened = openJournal({ folder: process.argv[2], now: Date.now });
console.log(opened.ok ? 'ok' : opened.error.message);
if (opened.ok) opened.value.close();`,
);
let folder = '';
const opened: { close(): void }[] = [];
const file = (): string => join(folder, 'journal.db');
const backup = (): string => join(folder, 'journal.before-4.db');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'migration-'));
});
afterEach(() => {
  for (const thing of opened.splice(0)) thing.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What the former version recorded: no `follows`, and summaries that know no open turn, unsettled call or meter. */
const events = sampleSession().events.map((event) => {
  if (event.type !== 'message_submitted') return event;
  const { follows: _follows, branch: _branch, queued_id: _queued, ...data } = event.data;
  return { ...event, data };
});
const summary = events.reduce<SessionSummary | null>(foldSummary, null);

function writeFormerJournal(extra = ''): void {
  const db = new Database(file());
  db.pragma('journal_mode=WAL');
  db.exec(migration0001);
  db.exec('PRAGMA user_version = 1');
  const insert = db.prepare(
    'INSERT INTO events (stream, seq, turn_id, type, version, at, data) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  for (const { session_id, seq, turn_id, type, version, at, data } of events) {
    insert.run(session_id, seq, turn_id, type, version, at, JSON.stringify(data));
  }
  insert.run(
    'app',
    1,
    null,
    'setting_changed',
    1,
    '2026-01-01T00:00:00.000Z',
    '{"key":"theme","value":"dark"}',
  );
  const { open_turn: _open, unsettled: _unsettled, meter: _meter, ...former } = summary as SessionSummary;
  db.prepare('INSERT INTO sessions (session_id, summary) VALUES (?, ?)').run('s_1', JSON.stringify(former));
  db.exec(`INSERT INTO tombstones VALUES ('s_0', '2026-01-01T00:00:00.000Z', 4); ${extra}`);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
}

function open(): Journal {
  const journal = openJournal({ folder, now: () => Date.UTC(2026, 0, 2) });
  if (!journal.ok) throw new Error(journal.error.message);
  opened.push(journal.value);
  return journal.value;
}

function contents(path: string): { version: number; integrity: string; rows: unknown[]; tables: string } {
  const db = new Database(path);
  const one = (sql: string): Record<string, unknown> => db.prepare(sql).all()[0] as Record<string, unknown>;
  const found = {
    version: Number(one('PRAGMA user_version')['user_version']),
    integrity: String(one('PRAGMA integrity_check')['integrity_check']),
    rows: db.prepare('SELECT stream, seq, turn_id, type, version, at, data FROM events ORDER BY id').all(),
    tables: (db.prepare('SELECT name FROM sqlite_schema ORDER BY name').all() as { name: string }[])
      .map((row) => row.name)
      .join(' '),
  };
  db.close();
  return found;
}

describe('hazard 85: a journal of the former version', () => {
  it('lists, opens, folds to the same and goes on', () => {
    writeFormerJournal();
    const journal = open();
    expect(journal.problems).toEqual([]);
    const listed = journal.summaries();
    expect(listed).toMatchObject({
      ok: true,
      value: [
        { session_id: 's_1', title: summary?.title, state: summary?.state, open_turn: null, unsettled: [] },
      ],
    });
    expect(listed.ok && listed.value[0]?.meter).toBeDefined();
    const read = journal.read('s_1', 0, 1_000);
    expect(read).toEqual({ ok: true, value: events });
    const view = foldSessionEvents(emptySessionView('s_1'), read.ok ? read.value : []);
    expect(view).toEqual(foldSessionEvents(emptySessionView('s_1'), events));
    const keys = journal.readKeyEvents('s_1');
    expect(keys.ok && keys.value.map((event) => event.type)).toContain('turn_finished');
    expect(journal.readApp()).toMatchObject({ ok: true, value: [{ data: { key: 'theme' } }] });
    const more = journal.append('s_1', [
      { turn_id: null, type: 'session_renamed', data: { title: 'New', by: 'person' } },
    ]);
    expect(more.ok && more.value[0]?.seq).toBe(events.length + 1);
    expect(journal.summary('s_1')).toMatchObject({ title: 'New', last_seq: events.length + 1 });
    expect(journal.append('s_0', []).ok).toBe(true);
  });

  it('can be listed and read by the command line before the app brought it up to date', () => {
    writeFormerJournal();
    const reader = openJournalReader(folder);
    if (!reader.ok) throw new Error(reader.error.message);
    opened.push(reader.value);
    expect(reader.value.summaries()).toMatchObject({
      ok: true,
      value: [{ session_id: 's_1', unsettled: [] }],
    });
    expect(reader.value.events('s_1')).toEqual({ ok: true, value: events });
    expect(reader.value.definition('none')).toEqual({ ok: true, value: null });
    expect(reader.value.grantUses()).toEqual({ ok: true, value: [] });
    expect(contents(file()).version).toBe(1);
  });

  it('is kept as it was beside the new one, until a run with the new one has ended in order', () => {
    writeFormerJournal();
    const before = contents(file());
    open();
    expect(contents(backup())).toEqual(before);
    opened.pop()?.close();
    open();
    expect(existsSync(backup())).toBe(false);
    expect(readdirSync(folder).filter((name) => name.includes('before') || name.includes('part'))).toEqual(
      [],
    );
  });

  it('is kept while no run has ended in order, and goes with the next deletion of a session', () => {
    writeFormerJournal();
    const run = (stop: string): void => {
      spawnSync(process.execPath, [child, folder], { env: { ...process.env, STOP_AT: stop } });
    };
    run('0');
    writeFileSync(join(folder, 'journal.mark'), '');
    const journal = open();
    expect(existsSync(backup())).toBe(true);
    journal.deleteSession('s_1');
    expect(existsSync(backup())).toBe(false);
  });

  it('stays as it was where the migration does not fit, with its copy', () => {
    writeFormerJournal('CREATE TABLE definitions (mine TEXT);');
    const before = contents(file());
    const refused = openJournal({ folder, now: Date.now });
    expect(refused).toMatchObject({ ok: false, error: { code: 'journal_unavailable' } });
    expect(contents(file())).toEqual(before);
    expect(contents(backup())).toEqual(before);
  });

  it('is the old or the new one after a kill at each statement of the migration', { timeout: 60_000 }, () => {
    let kills = 0;
    for (let stop = 1; ; stop += 1) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
      writeFormerJournal();
      const before = contents(file());
      const ran = spawnSync(process.execPath, [child, folder], {
        env: { ...process.env, STOP_AT: String(stop) },
        encoding: 'utf8',
      });
      const after = contents(file());
      expect([1, 4]).toContain(after.version);
      expect(after).toMatchObject({ integrity: 'ok', rows: before.rows });
      if (after.version === 1) expect(after.tables).toBe(before.tables);
      if (existsSync(backup())) expect(contents(backup())).toEqual(before);
      if (ran.signal !== 'SIGKILL') break;
      kills += 1;
      expect(open().read('s_1', 0, 1_000)).toEqual({ ok: true, value: events });
      opened.pop()?.close();
    }
    expect(kills).toBeGreaterThanOrEqual(4);
  });

  const reason = noTracer();
  it(
    `is the old or the new one after a kill at any write${reason ? ` (skipped: ${reason})` : ''}`,
    { timeout: 120_000, skip: reason !== null },
    () => {
      writeFormerJournal();
      const former = readFileSync(file());
      const log = join(folder, 'trace');
      const [command = '', ...traceAll] = traced('', log);
      execFileSync(command, [...traceAll, process.execPath, child, folder]);
      const writes = readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('pwrite64')).length;
      expect(writes).toBeGreaterThan(5);
      const reset = (): void => {
        rmSync(folder, { recursive: true, force: true });
        mkdirSync(folder);
        writeFileSync(file(), former);
      };
      reset();
      const before = contents(file());
      let killed = 0;
      for (let when = 1; when <= writes; when += Math.max(1, Math.floor(writes / 12))) {
        reset();
        const [tracer = '', ...options] = traced(`pwrite64:signal=SIGKILL:when=${when}`);
        const ran = spawnSync(tracer, [...options, process.execPath, child, folder]);
        if (ran.signal !== null || ran.status !== 0) killed += 1;
        const journal = open();
        expect(journal.problems).toEqual([]);
        expect(journal.read('s_1', 0, 1_000)).toEqual({ ok: true, value: events });
        opened.pop()?.close();
        expect(contents(file())).toMatchObject({ version: 4, integrity: 'ok', rows: before.rows });
      }
      expect(killed).toBeGreaterThan(5);
    },
  );
});
