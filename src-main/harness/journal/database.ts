import { closeSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { fail, ok, type Result } from '../protocol';
import { connect, connectNew, inTransaction, userVersion, type Connection } from './connection';
import { databaseFailure } from './database-failure';
import { backupName, copyDatabase, removeDatabase, syncFolder } from './file-set';
import { migration0001 } from './migrations/0001-streams';
import { migration0002 } from './migrations/0002-key-events';
import { migration0003 } from './migrations/0003-hidden-streams';
import { migration0004 } from './migrations/0004-grants';

/** In order; a released migration is never edited. `user_version` counts those that are done. */
const migrations: readonly string[] = [migration0001, migration0002, migration0003, migration0004];

export const schemaVersion = migrations.length;

export function newerSchema(
  file: string,
  version: number,
): { ok: false; error: ReturnType<typeof databaseFailure> } {
  return fail(
    'journal_unavailable',
    `The journal ${file} was written by a newer version of the app (schema ${version}; this version reads up to ${schemaVersion}). Nothing was changed. Update the app.`,
  );
}

const putBack = (file: string): string =>
  `Nothing was changed. Put it back from a copy, or move ${dirname(file)} aside to start with an empty one.`;

/** The file is gone, and so many entries are known to have been recorded in it. */
export function missingJournal(file: string, recorded: number): Result<never> {
  return fail(
    'journal_unavailable',
    `The journal ${file} is missing; ${recorded} entries were recorded in it. ${putBack(file)}`,
  );
}

/** The first 100 bytes; null where there is no file. */
function headerOf(file: string): Buffer | null {
  if (!statSync(file, { throwIfNoEntry: false })) return null;
  const header = Buffer.alloc(100);
  const handle = openSync(file, 'r');
  try {
    return header.subarray(0, readSync(handle, header, 0, header.length, 0));
  } finally {
    closeSync(handle);
  }
}

/** Looks at the files without opening the database, so that what is refused is not touched. */
function lookBefore(file: string, recorded: number): Result<'open' | 'create'> {
  const header = headerOf(file);
  if (header === null) {
    if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) {
      return fail(
        'journal_unavailable',
        `The journal ${file} is missing, and ${file}-wal, which belongs to it, is there. ${putBack(file)}`,
      );
    }
    if (recorded > 0) {
      return missingJournal(file, recorded);
    }
    return ok('create');
  }
  if (header.length === 0) {
    return fail(
      'journal_unavailable',
      `The journal ${file} is empty: all of it is lost from this file. ${putBack(file)}`,
    );
  }
  if (header.toString('latin1', 0, 16) !== 'SQLite format 3\0') {
    return fail(
      'journal_unavailable',
      `The file ${file} is no journal: it is not a database. ${putBack(file)}`,
    );
  }
  const version = header.length < 64 ? 0 : header.readUInt32BE(60);
  return version > schemaVersion ? newerSchema(file, version) : ok('open');
}

function applyMigrations(db: Connection, from: number): void {
  for (const sql of migrations.slice(from)) db.exec(sql);
  db.exec(`PRAGMA user_version = ${schemaVersion}`);
}

/** A new journal gets its name when it is complete, so an empty file is never one of ours. */
function create(file: string): void {
  const fresh = file.replace(/\.db$/, '.new.db');
  removeDatabase(fresh);
  const db = connectNew(fresh);
  try {
    inTransaction(db, () => applyMigrations(db, 0));
  } finally {
    db.close();
  }
  renameSync(fresh, file);
  syncFolder(dirname(file));
}

/**
 * Brings the journal to this schema in one transaction, after a copy `journal.before-N.db` of the former one. The copy
 * goes when the journal was opened and closed in order with the new schema, or with the next deletion of a session.
 */
function migrate(db: Connection, file: string, from: number): void {
  inTransaction(db, () => {
    if (from > 0) copyDatabase(file, backupName(file, schemaVersion));
    applyMigrations(db, from);
  });
}

export interface OpenOptions {
  /** Entries that are known to have been recorded; a file that is missing or empty is then not made anew. */
  readonly recorded?: number;
  /** Sees the opened journal before a migration changes anything. What it throws ends the opening. */
  readonly examine?: (db: Connection, version: number) => void;
}

/**
 * Opens the journal's database, creating it when missing. Refuses, changing nothing, a file that is empty, no database,
 * or written by a newer version of the app.
 */
export function openDatabase(file: string, { recorded = 0, examine }: OpenOptions = {}): Result<Connection> {
  let db: Connection | undefined;
  try {
    const way = lookBefore(file, recorded);
    if (!way.ok) return way;
    if (way.value === 'create') create(file);
    db = connect(file);
    const version = userVersion(db);
    if (version > schemaVersion) {
      db.close();
      return newerSchema(file, version);
    }
    examine?.(db, version);
    if (version < schemaVersion) migrate(db, file, version);
    return ok(db);
  } catch (error) {
    db?.close();
    return { ok: false, error: databaseFailure(error, file) };
  }
}
