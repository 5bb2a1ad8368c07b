import { join } from 'node:path';
import Database from 'libsql';
import { fail, ok, type Result } from '../protocol';
import { databaseFailure } from './database';
import { makeFolder } from './make-folder';

export interface DataFolderLock {
  close(): void;
}

/**
 * Makes this process the only one that writes to the data folder. The lock is the operating system's own, on a file
 * of its own, so it ends with the process however that ends.
 */
export function lockDataFolder(folder: string): Result<DataFolderLock> {
  const file = join(folder, 'lock.db');
  let db: Database.Database | undefined;
  const made = makeFolder(folder);
  if (!made.ok) return made;
  try {
    db = new Database(file, { timeout: 0 });
    db.exec('BEGIN EXCLUSIVE');
    const held = db;
    return ok({
      close() {
        held.exec('ROLLBACK');
        held.close();
      },
    });
  } catch (error) {
    db?.close();
    if (
      typeof error === 'object' &&
      error !== null &&
      'code' in error &&
      String(error.code).startsWith('SQLITE_BUSY')
    ) {
      return fail(
        'data_folder_in_use',
        `Another OpenWorker is using the data folder ${folder}. Close that window or command first, or choose another folder.`,
      );
    }
    return { ok: false, error: databaseFailure(error, file) };
  }
}
