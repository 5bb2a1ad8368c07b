import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { fail, ok, type Result, type SessionEvent, type SessionSummary } from '../protocol';
import { userVersion } from './connection';
import { missingJournal, newerSchema, schemaVersion } from './database';
import { databaseFailure } from './database-failure';
import { toSessionEvent, type EventRow } from './event-row';
import { readMark } from './journal-mark';
import { caughtUp, parseSummary } from './stored-summary';

/** Reads a journal beside whoever writes it; can change nothing. */
export interface JournalReader {
  summaries(): Result<readonly SessionSummary[]>;
  /** All events of the session, in order; empty when there is no such session. */
  events(sessionId: string): Result<readonly SessionEvent[]>;
  close(): void;
}

function readerOf(db: Database.Database, guard: <T>(work: () => T) => Result<T>): JournalReader {
  const all = db.prepare('SELECT summary FROM sessions');
  const read = db.prepare(
    `SELECT seq, turn_id, type, version, at, data FROM events
     WHERE stream = ? AND stream NOT IN (SELECT session_id FROM tombstones) ORDER BY seq`,
  );
  const after = db.prepare(
    'SELECT seq, turn_id, type, version, at, data FROM events WHERE stream = ? AND seq > ? ORDER BY seq',
  );
  return {
    summaries: () =>
      guard(() =>
        (all.all() as { summary: string }[]).flatMap((row) => {
          const summary = parseSummary(row.summary);
          return summary
            ? [caughtUp(summary, (seq) => after.all(summary.session_id, seq) as EventRow[])]
            : [];
        }),
      ),
    events: (sessionId: string) =>
      guard(() => (read.all(sessionId) as EventRow[]).map((row) => toSessionEvent(sessionId, row))),
    close: () => void db.close(),
  };
}

/**
 * Opens the journal of a data folder for reading; one that an older version wrote is readable too. A folder without a
 * journal is a failure that names it, and another one where entries are known to have been recorded in it.
 */
export function openJournalReader(folder: string): Result<JournalReader> {
  const file = join(folder, 'journal.db');
  if (!existsSync(file)) {
    const recorded = readMark(join(folder, 'journal.mark'))?.events ?? 0;
    if (recorded > 0) return missingJournal(file, recorded);
    return fail('not_found', `There are no sessions in ${folder}. Name another folder with --data.`);
  }
  const guard = <T>(work: () => T): Result<T> => {
    try {
      return ok(work());
    } catch (error) {
      return { ok: false, error: databaseFailure(error, file) };
    }
  };
  let db: Database.Database | undefined;
  try {
    db = new Database(file);
    db.pragma('query_only=1');
    db.pragma('busy_timeout=5000');
    const version = userVersion(db);
    if (version >= 1 && version <= schemaVersion) return ok(readerOf(db, guard));
    db.close();
    if (version > schemaVersion) return newerSchema(file, version);
    return fail(
      'journal_unavailable',
      `The file ${file} is no journal: it holds no sessions. Name another folder with --data.`,
    );
  } catch (error) {
    db?.close();
    return { ok: false, error: databaseFailure(error, file) };
  }
}
