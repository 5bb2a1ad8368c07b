import { createHash } from 'node:crypto';
import { opendir } from 'node:fs/promises';
import type { Problem } from '../protocol';
import {
  fsFailure,
  foldName,
  openFolder,
  readBytes,
  resolveExisting,
  showPath,
  type Workspace,
} from '../workspace';
import { bundleLimits } from './bundle';
import { problemAt, problemFrom } from './problem';

export interface BundleFiles {
  /** Paths relative to the bundle with `/`, sorted by their bytes. */
  readonly files: readonly string[];
  readonly problems: readonly Problem[];
}

/** What systems leave behind in folders; it is no part of a bundle. */
const litter = new Set(['.ds_store', 'thumbs.db', 'desktop.ini', '.directory', '.localized']);

function isLitter(name: string): boolean {
  return litter.has(name.toLowerCase()) || name.startsWith('._');
}

interface Walk {
  readonly bundle: Workspace;
  readonly files: string[];
  readonly problems: Problem[];
  /** Folded path to the path that has it. */
  readonly folded: Map<string, string>;
}

async function namesIn(walk: Walk, path: string): Promise<string[]> {
  const folder = await openFolder(walk.bundle, path.split('/'));
  if (!folder.ok) {
    walk.problems.push(problemFrom({ file: path }, folder.error));
    return [];
  }
  const names: string[] = [];
  try {
    for await (const entry of await opendir(folder.value.path)) {
      if (names.length > bundleLimits.files) break;
      if (!isLitter(entry.name)) names.push(entry.name);
    }
  } catch (error) {
    walk.problems.push(problemFrom({ file: path }, fsFailure(error, path)));
  } finally {
    await folder.value.close();
  }
  return names.sort();
}

function checkTwin(walk: Walk, path: string): void {
  const key = path.split('/').map(foldName).join('/');
  const twin = walk.folded.get(key);
  if (twin === undefined) {
    walk.folded.set(key, path);
    return;
  }
  const text = `it differs from "${twin}" only in letter case or spelling, and some systems keep only one. Rename one.`;
  walk.problems.push(problemAt({ file: showPath(path) }, text));
}

async function walkFolder(walk: Walk, path: string, depth: number): Promise<void> {
  if (depth > bundleLimits.depth) {
    const text = `it lies more than ${bundleLimits.depth} folders deep. Move it up.`;
    walk.problems.push(problemAt({ file: showPath(path) }, text));
    return;
  }
  for (const name of await namesIn(walk, path)) {
    if (walk.files.length > bundleLimits.files) return;
    const child = `${path}/${name}`;
    checkTwin(walk, child);
    const found = await resolveExisting(walk.bundle, child, { kind: 'any', links: 'inside' });
    if (!found.ok) {
      walk.problems.push(problemFrom({ file: showPath(child) }, found.error));
    } else if (found.value.kind === 'file') {
      walk.files.push(child);
    } else if (found.value.path === child) {
      await walkFolder(walk, child, depth + 1);
    } else {
      const text = 'it is a link to a folder. Put a copy of the folder in its place.';
      walk.problems.push(problemAt({ file: showPath(child) }, text));
    }
  }
}

function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/** All files under `coworker/` of a bundle, without what systems litter folders with. Never throws for what it meets. */
export async function walkBundle(bundle: Workspace): Promise<BundleFiles> {
  const walk: Walk = { bundle, files: [], problems: [], folded: new Map() };
  await walkFolder(walk, 'coworker', 1);
  if (walk.files.length > bundleLimits.files) {
    const text = `it holds more than ${bundleLimits.files} files. Keep only what the coworker needs.`;
    walk.problems.push(problemAt({ file: 'coworker' }, text));
  }
  return { files: walk.files.sort(byBytes), problems: walk.problems };
}

/**
 * SHA-256 over each path and its bytes, both with their length before them, in the order of the paths. The same on
 * every system, wherever the bundle lies.
 */
export async function digestFiles(
  bundle: Workspace,
  files: readonly string[],
): Promise<{ readonly digest: string; readonly problems: readonly Problem[] }> {
  const hash = createHash('sha256');
  const problems: Problem[] = [];
  let left: number = bundleLimits.total_bytes;
  for (const file of files) {
    const found = await resolveExisting(bundle, file, { kind: 'file', links: 'inside' });
    const bytes = found.ok ? await readBytes(bundle, found.value, left) : found;
    if (!bytes.ok) {
      problems.push(problemFrom({ file }, bytes.error));
      continue;
    }
    left -= bytes.value.length;
    for (const part of [Buffer.from(file.slice('coworker/'.length)), bytes.value]) {
      const length = Buffer.alloc(8);
      length.writeBigUInt64BE(BigInt(part.length));
      hash.update(length).update(part);
    }
  }
  return { digest: hash.digest('hex'), problems };
}
