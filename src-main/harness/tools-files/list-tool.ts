import type { BigIntStats } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import type { JsonObject } from '../protocol';
import { ToolError, type NativeTool, type ToolContext, type ToolOutput } from '../tools/tool';
import {
  fsErrorCode,
  fsFailure,
  openChild,
  openFolder,
  resolveExisting,
  showPath,
  type Folder,
  type Workspace,
} from '../workspace';
import {
  cancelledError,
  integerArgument,
  jsonBytes,
  openSessionFolder,
  sizeText,
  textArgument,
  toToolError,
} from './session-folder';

const maxEntries = 1_000;
/** Names that are looked at in one folder before it is sorted and cut. */
const maxNames = 20_000;
/** Structured entries and their text together stay below the bound of a native result (S0-77). */
const maxBytes = 200 * 1024;

interface Entry extends JsonObject {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  readonly size: number | null;
  /** ISO 8601 in UTC; null where the disk gives a time that no calendar has. */
  readonly modified: string | null;
}

interface Listing {
  readonly entries: Entry[];
  bytes: number;
  cut: boolean;
  unreadable: number;
}

function isoTime(milliseconds: number): string | null {
  const time = new Date(milliseconds);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

function kindOf(stats: BigIntStats): Entry['kind'] {
  if (stats.isSymbolicLink()) return 'link';
  if (stats.isDirectory()) return 'folder';
  return stats.isFile() ? 'file' : 'other';
}

function lineOf(entry: Entry): string {
  const name = showPath(entry.name);
  if (entry.kind === 'folder') return `${name}/`;
  if (entry.kind === 'link') return `${name} (link, not followed)`;
  if (entry.kind === 'other') return `${name} (special file)`;
  return `${name} (${sizeText(entry.size ?? 0)}, ${entry.modified ?? 'time unknown'})`;
}

async function namesIn(folder: Folder, listing: Listing, signal: AbortSignal): Promise<string[]> {
  const names: string[] = [];
  for await (const entry of await opendir(folder.path)) {
    if (signal.aborted) break;
    if (names.length >= maxNames) {
      listing.cut = true;
      break;
    }
    names.push(entry.name);
  }
  return names.sort();
}

interface Walk {
  readonly workspace: Workspace;
  readonly listing: Listing;
  readonly signal: AbortSignal;
}

async function listInto(walk: Walk, folder: Folder, prefix: string, depth: number): Promise<void> {
  const { listing, signal } = walk;
  const folders: string[] = [];
  for (const name of await namesIn(folder, listing, signal)) {
    if (signal.aborted) return;
    const stats = await lstat(folder.entry(name), { bigint: true }).catch(() => null);
    if (stats === null) {
      listing.unreadable += 1;
      continue;
    }
    const kind = kindOf(stats);
    const entry: Entry = {
      name: prefix + name,
      kind,
      size: kind === 'file' ? Number(stats.size) : null,
      modified: isoTime(Number(stats.mtimeMs)),
    };
    const cost = jsonBytes(entry) + jsonBytes(lineOf(entry)) + 1;
    if (listing.entries.length >= maxEntries || listing.bytes + cost > maxBytes) {
      listing.cut = true;
      return;
    }
    listing.bytes += cost;
    listing.entries.push(entry);
    if (kind === 'folder') folders.push(name);
  }
  if (depth <= 1) return;
  for (const name of folders) {
    if (listing.cut || signal.aborted) return;
    const child = await openChild(walk.workspace, folder, name, prefix + name);
    if (!child.ok) {
      listing.unreadable += 1;
      continue;
    }
    try {
      await listInto(walk, child.value, `${prefix}${name}/`, depth - 1);
    } catch (error) {
      if (fsErrorCode(error) === null) throw error;
      listing.unreadable += 1;
    } finally {
      await child.value.close();
    }
  }
}

function outputOf(path: string, listing: Listing): ToolOutput {
  const { entries, cut, unreadable } = listing;
  const notes = [
    ...(entries.length === 0 ? ['The folder is empty.'] : []),
    ...(unreadable > 0 ? [`Left out, since they could not be read: ${unreadable}.`] : []),
    ...(cut
      ? [`The list is cut after ${entries.length} entries: list a subfolder, or use a smaller depth.`]
      : []),
  ];
  const head = `${showPath(path)}: ${entries.length} ${entries.length === 1 ? 'entry' : 'entries'}`;
  return {
    structured: { path, entries, cut, unreadable },
    text: [head, ...entries.map(lineOf), ...notes].join('\n'),
  };
}

async function call(context: ToolContext, args: JsonObject): Promise<ToolOutput | ToolError> {
  const path = textArgument(args, 'path', '.');
  if (path instanceof ToolError) return path;
  const depth = integerArgument(args, 'depth', { min: 1, max: 10, fallback: 1 });
  if (depth instanceof ToolError) return depth;
  const workspace = await openSessionFolder(context);
  if (workspace instanceof ToolError) return workspace;
  const resolved = await resolveExisting(workspace, path, { kind: 'folder', links: 'inside' });
  if (!resolved.ok) return toToolError(resolved.error);
  const folder = await openFolder(workspace, resolved.value.segments, resolved.value.path);
  if (!folder.ok) return toToolError(folder.error);
  const listing: Listing = { entries: [], bytes: 0, cut: false, unreadable: 0 };
  try {
    await listInto({ workspace, listing, signal: context.signal }, folder.value, '', depth);
    const moved = await folder.value.recheck();
    if (moved !== null) return toToolError(moved);
  } catch (error) {
    return toToolError(fsFailure(error, resolved.value.path));
  } finally {
    await folder.value.close();
  }
  if (context.signal.aborted) return cancelledError('nothing was changed');
  return outputOf(resolved.value.path, listing);
}

export const listTool: NativeTool = {
  descriptor: () => ({
    qualified_name: 'files.list',
    title: 'List a folder',
    description:
      "Lists a folder inside the session's folder: name, kind (file, folder, link, other), size in bytes and " +
      'time of last change. With depth above 1, names are paths relative to the listed folder. At most 1,000 ' +
      'entries; "cut" tells when there are more.',
    input_schema: {
      type: 'object',
      properties: {
        path: {
          type: 'string',
          description:
            'Folder, relative to the session\'s folder, parts separated by "/". Default: "." (all of it).',
        },
        depth: {
          type: 'integer',
          minimum: 1,
          maximum: 10,
          description: 'Levels of folders to list. Default: 1, the folder itself only.',
        },
      },
      additionalProperties: false,
    },
    version: '1.0.0',
  }),
  call,
};
