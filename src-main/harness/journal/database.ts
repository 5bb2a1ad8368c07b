import Database from 'libsql';
import { fail, ok, type Failure, type Result } from '../protocol';
import { migration0001 } from './migrations/0001-streams';

export type Connection = Database.Database;

/** In order; a released migration is never edited. `user_version` counts those that are done. */
const migrations: readonly string[] = [migration0001];

export const schemaVersion = migrations.length;

function sqliteCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/** Puts an error of the database driver into words that a person can act on. */
export function databaseFailure(error: unknown, file: string): Failure {
  const code = sqliteCode(error);
  if (code === '') {
    const detail = error instanceof Error ? error.message : String(error);
    return {
      code: 'internal',
      message: `The app failed while it used its journal (${detail}). Nothing of this step was recorded; please report this.`,
    };
  }
  const detail = error instanceof Error ? error.message : String(error);
  if (code.startsWith('SQLITE_FULL') || /ENOSPC|disk is full|database or disk is full/i.test(detail)) {
    return {
      code: 'journal_full',
      message: `The disk is full: nothing more can be recorded in ${file}, so nothing more was run. Free some space, then try again.`,
    };
  }
  return {
    code: 'journal_unavailable',
    message: `The journal ${file} cannot be used (${detail}). What was recorded before is kept; check the disk and the folder's permissions, then start again.`,
    data: { sqlite_code: code },
  };
}

function applyPragmas(db: Connection): void {
  for (const pragma of [
    'journal_mode=WAL',
    'synchronous=FULL',
    'foreign_keys=ON',
    'trusted_schema=OFF',
    'cell_size_check=ON',
    'secure_delete=ON',
    'busy_timeout=5000',
  ]) {
    db.pragma(pragma);
  }
}

function userVersion(db: Connection): number {
  const row = db.prepare('PRAGMA user_version').get() as { user_version: number };
  return row.user_version;
}

/**
 * Runs the work in one write transaction: all of it is kept, or nothing. SQLite itself rolls back on a full disk, where
 * the driver's own wrapper would then report the failed second rollback in place of the cause.
 */
export function inTransaction<T>(db: Connection, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const value = work();
    db.exec('COMMIT');
    return value;
  } catch (error) {
    try {
      db.exec('ROLLBACK');
    } catch {
      // It was rolled back already.
    }
    throw error;
  }
}

function migrate(db: Connection, from: number): void {
  inTransaction(db, () => {
    for (const sql of migrations.slice(from)) db.exec(sql);
    db.exec(`PRAGMA user_version = ${migrations.length}`);
  });
}

/**
 * Opens the journal's database, creating it when missing. Refuses, changing nothing, a file that is no database or
 * that a newer version of the app wrote.
 */
export function openDatabase(file: string): Result<Connection> {
  let db: Connection | undefined;
  try {
    db = new Database(file);
    const version = userVersion(db);
    if (version > schemaVersion) {
      db.close();
      return fail(
        'journal_unavailable',
        `The journal ${file} was written by a newer version of the app (schema ${version}; this version reads up to ${schemaVersion}). Nothing was changed. Update the app.`,
      );
    }
    applyPragmas(db);
    if (version < schemaVersion) migrate(db, version);
    return ok(db);
  } catch (error) {
    db?.close();
    return { ok: false, error: databaseFailure(error, file) };
  }
}
