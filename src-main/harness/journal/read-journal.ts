import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { fail, ok, type Result, type SessionEvent, type SessionSummary } from '../protocol';
import { databaseFailure, schemaVersion } from './database';
import { toSessionEvent, type EventRow } from './event-row';

/** Reads a journal beside whoever writes it; can change nothing. */
export interface JournalReader {
  summaries(): Result<readonly SessionSummary[]>;
  /** All events of the session, in order; empty when there is no such session. */
  events(sessionId: string): Result<readonly SessionEvent[]>;
  close(): void;
}

/** Opens the journal of a data folder for reading. A folder without a journal is a failure that names it. */
export function openJournalReader(folder: string): Result<JournalReader> {
  const file = join(folder, 'journal.db');
  if (!existsSync(file)) {
    return fail('not_found', `There are no sessions in ${folder}. Name another folder with --data.`);
  }
  const guard = <T>(work: () => T): Result<T> => {
    try {
      return ok(work());
    } catch (error) {
      return { ok: false, error: databaseFailure(error, file) };
    }
  };
  return guard(() => {
    const db = new Database(file);
    db.pragma('query_only=1');
    db.pragma('busy_timeout=5000');
    const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
    if (version !== schemaVersion) {
      db.close();
      throw new Error(
        `schema ${version} is not the ${schemaVersion} of this version; open the folder with the app once`,
      );
    }
    const all = db.prepare('SELECT summary FROM sessions');
    const read = db.prepare(
      'SELECT seq, turn_id, type, version, at, data FROM events WHERE stream = ? ORDER BY seq',
    );
    return {
      summaries: () =>
        guard(() =>
          (all.all() as { summary: string }[]).map((row) => JSON.parse(row.summary) as SessionSummary),
        ),
      events: (sessionId: string) =>
        guard(() => (read.all(sessionId) as EventRow[]).map((row) => toSessionEvent(sessionId, row))),
      close: () => void db.close(),
    };
  });
}
