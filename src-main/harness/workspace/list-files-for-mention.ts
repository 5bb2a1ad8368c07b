import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { fuzzyScore } from './fuzzy-match';
import { openFolder } from './open-folder';
import type { Workspace } from './workspace';

export interface MentionLimits {
  /** Entries that are looked at. */
  readonly max_entries: number;
  /** Milliseconds that the walk may take. */
  readonly max_ms: number;
}

export interface MentionFiles {
  /** Relative paths with `/`, best first. */
  readonly paths: readonly string[];
  /** True when a limit ended the walk, so that files may be missing. */
  readonly cut: boolean;
}

const skipped = new Set(['node_modules', '.git', '.hg', '.svn']);
const defaults: MentionLimits = { max_entries: 20_000, max_ms: 1_500 };

async function entriesOf(workspace: Workspace, segments: readonly string[]): Promise<Dirent[]> {
  const folder = await openFolder(workspace, segments);
  if (!folder.ok) return [];
  try {
    return await readdir(folder.value.path, { withFileTypes: true });
  } catch {
    return [];
  } finally {
    await folder.value.close();
  }
}

/**
 * Regular files that fit what a person typed behind "@". Walks level by level, follows no link, and skips unreadable
 * folders. An aborted walk answers what it has.
 */
export async function listFilesForMention(
  workspace: Workspace,
  query: string,
  limit: number,
  signal: AbortSignal,
  limits: MentionLimits = defaults,
): Promise<MentionFiles> {
  const end = performance.now() + limits.max_ms;
  const found: { readonly path: string; readonly score: number }[] = [];
  const queue: string[][] = [[]];
  let seen = 0;
  let cut = false;
  for (let next = queue.shift(); next !== undefined && !cut; next = queue.shift()) {
    if (signal.aborted || performance.now() > end) {
      cut = true;
      break;
    }
    for (const entry of await entriesOf(workspace, next)) {
      seen += 1;
      if (seen > limits.max_entries) {
        cut = true;
        break;
      }
      const segments = [...next, entry.name];
      if (entry.isDirectory() && !skipped.has(entry.name)) queue.push(segments);
      if (!entry.isFile()) continue;
      const path = segments.join('/');
      const score = fuzzyScore(query, path);
      if (score !== null) found.push({ path, score });
    }
  }
  found.sort((one, other) => other.score - one.score || (one.path < other.path ? -1 : 1));
  return { paths: found.slice(0, limit).map((file) => file.path), cut };
}
