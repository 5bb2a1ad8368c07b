import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import {
  fail,
  ok,
  type AppEvent,
  type Json,
  type Result,
  type SessionEvent,
  type SessionEventOf,
  type SessionSummary,
} from '../protocol';
import { userVersion } from './connection';
import { missingJournal, newerSchema, schemaVersion } from './database';
import { databaseFailure } from './database-failure';
import { toSessionEvent, type EventRow } from './event-row';
import type { GrantUse } from './journal-port';
import { readMark } from './journal-mark';
import { caughtUp, parseSummary } from './stored-summary';

/** Reads a journal beside whoever writes it; can change nothing. */
export interface JournalReader {
  summaries(): Result<readonly SessionSummary[]>;
  /** All events of the session, in order; empty when there is no such session. */
  events(sessionId: string): Result<readonly SessionEvent[]>;
  /** What happened in the app itself, in order: grants that outlive their session, for example. */
  appEvents(): Result<readonly AppEvent[]>;
  /** Grants and their ends in the streams of all sessions, by session, in order. */
  grantEvents(): Result<readonly (SessionEventOf<'grant_made'> | SessionEventOf<'grant_ended'>)[]>;
  /** How often each grant let a call run; empty where a version of before it was counted wrote the journal. */
  grantUses(): Result<readonly GrantUse[]>;
  /** The definition under a pin, or null. */
  definition(pin: string): Result<Json | null>;
  close(): void;
}

type Guard = <T>(work: () => T) => Result<T>;

/** Streams that can be seen: neither deleted nor hidden ones have a row among the sessions. */
const grantsQuery = `
SELECT stream, seq, turn_id, type, version, at, data FROM events
WHERE type IN ('grant_made', 'grant_ended') AND stream IN (SELECT session_id FROM sessions) ORDER BY stream, seq`;

/** Schemas from which on the journal keeps definitions of tools, and counts the uses of grants. */
const since = { definitions: 2, uses: 4 } as const;

function permissionsOf(
  db: Database.Database,
  guard: Guard,
  version: number,
): Pick<JournalReader, 'appEvents' | 'grantEvents' | 'grantUses' | 'definition'> {
  const app = db.prepare(
    "SELECT seq, turn_id, type, version, at, data FROM events WHERE stream = 'app' ORDER BY seq",
  );
  const grants = db.prepare(grantsQuery);
  const definition =
    version < since.definitions ? null : db.prepare('SELECT definition FROM definitions WHERE pin = ?');
  const uses =
    version < since.uses ? null : db.prepare('SELECT grant_id, uses, last_used_at FROM grant_uses');
  return {
    appEvents: () =>
      guard(() =>
        (app.all() as EventRow[]).map(
          ({ seq, type, version: of, at, data }) =>
            ({ seq, type, version: of, at, data: JSON.parse(data) as unknown }) as AppEvent,
        ),
      ),
    grantEvents: () =>
      guard(() =>
        (grants.all() as (EventRow & { stream: string })[]).map(
          (row) =>
            toSessionEvent(row.stream, row) as SessionEventOf<'grant_made'> | SessionEventOf<'grant_ended'>,
        ),
      ),
    grantUses: () => guard(() => (uses ? (uses.all() as GrantUse[]) : [])),
    definition: (pin) =>
      guard(() => {
        const [row] = (definition?.all(pin) ?? []) as { definition: string }[];
        return row ? (JSON.parse(row.definition) as Json) : null;
      }),
  };
}

function readerOf(db: Database.Database, guard: Guard, schema: number): JournalReader {
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
    ...permissionsOf(db, guard, schema),
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
  const guard: Guard = <T>(work: () => T): Result<T> => {
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
    if (version >= 1 && version <= schemaVersion) return ok(readerOf(db, guard, version));
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
