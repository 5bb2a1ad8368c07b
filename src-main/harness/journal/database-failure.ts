import { failure, type Failure } from '../protocol';

/** The code of an error of SQLite or of Node, or an empty text. */
export function errorCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/** The disk did not take or sync what was written. What of it is on the disk is not known (hazard 82). */
export function isWriteInDoubt(error: unknown): boolean {
  const code = errorCode(error);
  // The index in shared memory decides nothing about what is on the disk.
  return (code.startsWith('SQLITE_IOERR') && !code.startsWith('SQLITE_IOERR_SHM')) || code === 'EIO';
}

/** The file itself is not as it was written. */
export function isDamage(error: unknown): boolean {
  const code = errorCode(error);
  return (
    code.startsWith('SQLITE_CORRUPT') || code.startsWith('SQLITE_NOTADB') || error instanceof SyntaxError
  );
}

/** Puts an error of the database driver into words that a person can act on. */
export function databaseFailure(error: unknown, file: string): Failure {
  const code = errorCode(error);
  const detail = error instanceof Error ? error.message : String(error);
  if (error instanceof SyntaxError) {
    return failure(
      'journal_unavailable',
      `A recorded entry of the journal ${file} is damaged and cannot be read (${detail}). The other entries are kept; put a copy of the data folder back if you have one.`,
    );
  }
  if (code === '') {
    return failure(
      'internal',
      `The app failed while it used its journal (${detail}). Nothing of this step was recorded; please report this.`,
    );
  }
  if (code.startsWith('SQLITE_FULL') || /ENOSPC|disk is full|database or disk is full/i.test(detail)) {
    return failure(
      'journal_full',
      `The disk is full: nothing more can be recorded in ${file}, so nothing more was run. Free some space, then try again.`,
    );
  }
  if (isDamage(error)) {
    return failure(
      'journal_unavailable',
      `The journal ${file} is damaged (${detail}). Put a copy of the data folder back if you have one, or move the folder aside to start with an empty one.`,
      { sqlite_code: code },
    );
  }
  return failure(
    'journal_unavailable',
    `The journal ${file} cannot be used (${detail}). What was recorded before is kept; check the disk and the folder's permissions, then start again.`,
    { sqlite_code: code },
  );
}
