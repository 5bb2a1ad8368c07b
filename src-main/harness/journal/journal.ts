import { join } from 'node:path';
import { fail, ok, type Result } from '../protocol';
import { watchLog } from './checkpoints';
import type { Connection } from './connection';
import { openDatabase, schemaVersion } from './database';
import { databaseFailure } from './database-failure';
import { createDeletions, type Deletions } from './deletions';
import { examineJournal, takeCensus, type Census } from './examine-journal';
import { removeBackups } from './file-set';
import { createGuards } from './journal-guards';
import { createHiddenStream } from './hidden-stream';
import { watchHealth, type Health } from './journal-health';
import { emptyMark, keepMark, readMark, type Mark } from './journal-mark';
import type { Journal, JournalDeps } from './journal-port';
import { journalReads } from './journal-reads';
import { appStream, createWriter, type KnownSummaries } from './journal-writer';
import { statements, type Statements } from './statements';

function limitSize(db: Connection, bytes: number): void {
  const { page_size: page } = db.prepare('PRAGMA page_size').get() as { page_size: number };
  db.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(bytes / page))}`);
}

/** What the mark says from now on: what is there, unless something is missing that the person has not accepted. */
function markOf(found: Mark | null, census: Census | null, health: Health): Mark {
  const reported = [...health.reported];
  if (health.readOnly() || census === null) return { ...(found ?? emptyMark), clean: false, reported };
  return { ...census, clean: false, reported };
}

function succeeds(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

interface Opened {
  readonly db: Connection;
  readonly health: Health;
  readonly mark: Mark;
}

/** Opens the files and says what is wrong with them; a copy is kept before anything of them is changed. */
function openExamined(deps: JournalDeps, file: string, markFile: string): Result<Opened> {
  const found = readMark(markFile);
  const at = (): string => new Date(deps.now()).toISOString();
  const health = watchHealth({ file, markFile, reported: found?.reported ?? [], at });
  let census: Census | null = null;
  let migrates = false;
  const opened = openDatabase(file, {
    recorded: found?.events ?? 0,
    examine(db, version) {
      migrates = version < schemaVersion;
      const examined = examineJournal(db, file, found);
      ({ census } = examined);
      health.found(examined.findings);
    },
  });
  if (!opened.ok) return opened;
  if (found?.clean && !migrates && health.problems.length === 0) removeBackups(file);
  return ok({ db: opened.value, health, mark: markOf(found, census, health) });
}

/** Opens `journal.db` in the data folder, creating it when missing. See `Journal.problems` for what was found wrong. */
export function openJournal(deps: JournalDeps): Result<Journal> {
  const file = join(deps.folder, 'journal.db');
  const markFile = join(deps.folder, 'journal.mark');
  try {
    const opened = openExamined(deps, file, markFile);
    if (!opened.ok) return opened;
    const { db, health } = opened.value;
    if (deps.maxBytes !== undefined) limitSize(db, deps.maxBytes);
    if (health.readOnly()) db.pragma('query_only=1');
    return ok(assemble(deps, file, markFile, opened.value));
  } catch (error) {
    return { ok: false, error: databaseFailure(error, file) };
  }
}

/** Removes what the last run left: the rest of deleted sessions, and streams that were never shown. */
function tidyUp(sql: Statements, concealed: Set<string>, deletions: Deletions): void {
  const idsOf = (rows: unknown[]): string[] =>
    (rows as { session_id: string }[]).map((row) => row.session_id);
  for (const id of idsOf(sql.unswept.all())) deletions.finish(id);
  for (const id of idsOf(sql.hidden.all())) {
    concealed.add(id);
    deletions.remove(id);
  }
}

function assemble(
  deps: JournalDeps,
  file: string,
  markFile: string,
  { db, health, mark: start }: Opened,
): Journal {
  const sql = statements(db);
  const known: KnownSummaries = new Map();
  const mark = keepMark(markFile, start);
  const log = watchLog(db);
  const writer = createWriter({ db, sql, known, mark, now: deps.now });
  const { guard, write, close } = createGuards({ db, file, health, mark });
  const wroteLittle = (): void => log.wrote(0);
  const concealed = new Set<string>();
  const deletions = createDeletions({ file, log, writer, concealed, write });
  const { remove } = deletions;
  const tidy = (): void => tidyUp(sql, concealed, deletions);
  guard(tidy);
  return {
    ...journalReads({ sql, known, concealed, guard }),
    problems: health.problems,
    hiddenStream: (sessionId) => createHiddenStream({ writer, write, log, concealed, remove }, sessionId),
    swept: () => deletions.swept(),
    append(sessionId, events, attachments = []) {
      if (sessionId === appStream) return notASession(sessionId);
      const done = write(
        sessionId,
        () => writer.append(sessionId, events, attachments),
        ({ bytes }) => log.wrote(bytes),
      );
      return done.ok ? ok(done.value.committed) : done;
    },
    appendApp: (type, data) => write(null, () => writer.appendApp(type, data), wroteLittle),
    putDefinitions: (definitions) => write(null, () => writer.putDefinitions(definitions), wroteLittle),
    deleteSession: (sessionId) => (sessionId === appStream ? notASession(sessionId) : remove(sessionId)),
    acceptLoss() {
      const refusal = health.acceptLoss();
      if (refusal) return { ok: false, error: refusal };
      return guard(() => {
        db.pragma('query_only=0');
        mark.replace({ ...takeCensus(db), clean: false, reported: [...health.reported] });
        tidy();
        return null;
      });
    },
    close() {
      deletions.close();
      close();
      const sound = health.problems.length === 0 && succeeds(() => log.empty());
      db.close();
      mark.close(sound);
    },
  };
}

function notASession(sessionId: string): Result<never> {
  return fail('invalid_input', `${sessionId} is not the name of a session. Nothing was recorded.`);
}
