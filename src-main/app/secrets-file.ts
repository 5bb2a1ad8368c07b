import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { isJsonObject } from '../harness';

/** The stored entries. A file that cannot be read is kept aside under another name, never written over. */
export function readEntries(file: string, log: (line: string) => void): Map<string, string> {
  const entries = new Map<string, string>();
  if (!existsSync(file)) return entries;
  try {
    const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const stored = isJsonObject(parsed) ? parsed['entries'] : undefined;
    if (!isJsonObject(stored)) throw new Error('it has no "entries"');
    for (const [name, value] of Object.entries(stored))
      if (typeof value === 'string') entries.set(name, value);
    return entries;
  } catch (error) {
    const aside = `${file}.unreadable-${Date.now()}`;
    renameSync(file, aside);
    const detail = error instanceof Error ? error.message : String(error);
    log(
      `The file of keys ${file} cannot be read (${detail}). It was kept as ${aside}; enter the keys again.`,
    );
    return new Map();
  }
}

/** Replaces the file as a whole: after a crash it is the old one or the new one. */
export function writeEntries(file: string, entries: ReadonlyMap<string, string>): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const text = JSON.stringify({ version: 1, entries: Object.fromEntries(entries) }, null, 2);
  const fresh = openSync(`${file}.new`, 'w', 0o600);
  try {
    writeSync(fresh, text);
    fsyncSync(fresh);
  } finally {
    closeSync(fresh);
  }
  renameSync(`${file}.new`, file);
}
