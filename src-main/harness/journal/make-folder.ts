import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { fail, ok, type Result } from '../protocol';

/** Null where nothing is; also below a file, where nothing can be. */
function isFolder(path: string): boolean | null {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}

/**
 * Makes a folder for the person alone, with the folders above it that are missing. Level by level: on a file system
 * that takes no folders, Node's recursive call would try for ever.
 */
export function makeFolder(path: string): Result<null> {
  const missing: string[] = [];
  try {
    for (let at = path; isFolder(at) !== true; at = dirname(at)) {
      if (isFolder(at) === false) {
        return fail(
          'invalid_input',
          `${at} is a file, so ${path} cannot be the data folder. Choose another folder.`,
        );
      }
      if (dirname(at) === at) break;
      missing.unshift(at);
    }
    for (const folder of missing) mkdirSync(folder, { mode: 0o700 });
    return ok(null);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return fail(
      'journal_unavailable',
      `The data folder ${path} cannot be made (${code}). Choose another folder, or check the permissions.`,
    );
  }
}
