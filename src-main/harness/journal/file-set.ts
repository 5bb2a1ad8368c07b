import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** A database is its file and the log beside it; the index in shared memory is made anew. */
const suffixes = ['-wal', ''] as const;

function syncPath(path: string): void {
  // Windows syncs only what is open for writing.
  const handle = openSync(path, process.platform === 'win32' ? 'r+' : 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Makes names in a folder durable. Systems that cannot open a folder do so by themselves. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Copies a database's files under another name, each complete or not there, the main file last: a set with a main file
 * is whole. Nobody may write to the database meanwhile. Throws what the file system says, and leaves no half copy.
 */
export function copyDatabase(from: string, to: string): void {
  const present = suffixes.filter((suffix) => bytesOf(from + suffix) > 0);
  try {
    for (const suffix of present) {
      copyFileSync(from + suffix, `${to}${suffix}.part`, constants.COPYFILE_FICLONE);
      syncPath(`${to}${suffix}.part`);
    }
    for (const suffix of suffixes) {
      if (present.includes(suffix)) renameSync(`${to}${suffix}.part`, to + suffix);
      else rmSync(to + suffix, { force: true });
    }
    syncFolder(dirname(to));
  } finally {
    for (const suffix of suffixes) rmSync(`${to}${suffix}.part`, { force: true });
  }
}

/** A free name `journal.damaged-DATE.db` in the folder; `at` is UTC, ISO 8601. */
function quarantineName(folder: string, at: string): string {
  const date = at.replace(/\.\d+Z$/, 'Z').replaceAll(':', '-');
  for (let turn = 1; ; turn += 1) {
    const path = join(folder, `journal.damaged-${date}${turn === 1 ? '' : `-${turn}`}.db`);
    if (!suffixes.some((suffix) => existsSync(path + suffix))) return path;
  }
}

/** Keeps the files as they were found, beside the mark that they were measured by. Answers the copy's path. */
export function quarantine(file: string, markFile: string, at: string): string {
  const copy = quarantineName(dirname(file), at);
  if (bytesOf(markFile) > 0) copyFileSync(markFile, `${copy}.mark`);
  copyDatabase(file, copy);
  return copy;
}

/** Where the journal is kept as it was before a migration to `version`. */
export function backupName(file: string, version: number): string {
  return file.replace(/\.db$/, `.before-${version}.db`);
}

/** Removes the copies from before migrations. */
export function removeBackups(file: string): void {
  const folder = dirname(file);
  for (const name of readdirSync(folder)) {
    if (/^journal\.before-\d+\.db(-wal|-shm)?$/.test(name)) rmSync(join(folder, name), { force: true });
  }
}

export function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
}
