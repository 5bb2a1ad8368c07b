import { failure, type Failure } from '../protocol';
import { pathRefused, showPath } from './path-rules';

/** The system's error code of a failed file operation, or null for anything else. */
export function fsErrorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/** Puts a failed file operation into words. Rethrows what no file system says: that is a defect. */
export function fsFailure(error: unknown, text: string): Failure {
  const code = fsErrorCode(error);
  const shown = showPath(text);
  switch (code) {
    case null:
      throw error;
    case 'ENOENT':
      return failure(
        'not_found',
        `"${shown}" does not exist in the session's folder. Look at its folder with files.list.`,
        { path: shown },
      );
    case 'ENOTDIR':
      return failure(
        'not_found',
        `"${shown}" leads through something that is not a folder. Look at the folders on the way with files.list.`,
        { path: shown },
      );
    case 'EACCES':
    case 'EPERM':
      return pathRefused(
        text,
        'may not be opened or changed: the system denies permission',
        'Ask the person to change its permissions.',
      );
    case 'ENAMETOOLONG':
      return pathRefused(text, 'has a name that is too long for this disk', 'Give a shorter name.');
    case 'ELOOP':
      return pathRefused(text, 'is or leads through a link that may not be followed', 'Use the real file.');
    case 'ENOSPC':
    case 'EDQUOT':
      return failure(
        'tool_failed',
        `No space is left on the disk for "${shown}". Free some space, then try again.`,
        { path: shown },
      );
    case 'EROFS':
      return pathRefused(text, 'lies on a disk that is read-only', 'Choose a folder that can be written.');
    default:
      return failure('tool_failed', `The system could not work on "${shown}" (${code}). Try again later.`, {
        path: shown,
        system_code: code,
      });
  }
}
