import Database from 'libsql';

export type Connection = Database.Database;

/** Small pages: a commit of a few short events writes whole pages, and most commits are such. */
export const pageBytes = 1_024;

/** Opens a file with the settings of the journal. Checkpoints are the journal's own: SQLite hides their errors. */
export function connect(file: string): Connection {
  const db = new Database(file);
  try {
    for (const pragma of [
      'journal_mode=WAL',
      'synchronous=FULL',
      'wal_autocheckpoint=0',
      'foreign_keys=ON',
      'trusted_schema=OFF',
      'cell_size_check=ON',
      'secure_delete=ON',
      'busy_timeout=5000',
    ]) {
      db.pragma(pragma);
    }
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Opens a file that does not exist yet. Without a log beside it, it can be renamed while the driver still holds it. */
export function connectNew(file: string): Connection {
  const db = new Database(file);
  db.pragma(`page_size=${pageBytes}`);
  db.pragma('synchronous=FULL');
  return db;
}

export function userVersion(db: Connection): number {
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
