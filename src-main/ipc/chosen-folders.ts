import { fail, type Harness, type Result } from '../harness';

/**
 * A page cannot name a folder of its own: only one that the person picked in the system's dialog, now or for an earlier
 * session.
 */
export function createChosenFolders(harness: Harness): {
  add(folder: string): void;
  mayUse(folder: string): boolean;
} {
  const picked = new Set<string>();
  return {
    add: (folder) => void picked.add(folder),
    mayUse: (folder) =>
      picked.has(folder) || harness.sessions.list().some((session) => session.workspace === folder),
  };
}

export function folderNotChosen(folder: string): Result<never> {
  return fail(
    'workspace_unavailable',
    `The folder ${folder} was not chosen by you. Choose it with the folder button.`,
  );
}
