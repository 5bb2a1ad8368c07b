import { constants } from 'node:fs';
import { lstat, open, type FileHandle } from 'node:fs/promises';
import { ok, type Failure, type Result } from '../protocol';
import { fsErrorCode, fsFailure } from './fs-failure';
import { pathRefused } from './path-rules';
import { fileId, sameFile, type FileId, type ResolvedPath, type Workspace } from './workspace';

/** Linux's O_PATH, which Node does not name: a handle on a folder for walking on from it, nothing else. */
const openPathOnly = 0o10000000;

/** A folder of a workspace that was reached without following any link. Close it. */
export interface Folder {
  /** Where its entries are reached: `entry(name)`. */
  entry(name: string): string;
  /** Path for reading the folder itself. */
  readonly path: string;
  readonly id: FileId;
  /** Null while the way to the folder is still the one that was walked; the refusal otherwise. */
  recheck(): Promise<Failure | null>;
  close(): Promise<void>;
}

function changed(text: string): Failure {
  return pathRefused(
    text,
    'changed while it was being opened',
    'Make sure that no other program is changing the folder, then try again.',
  );
}

async function openAnchored(path: string): Promise<Folder> {
  const flags = openPathOnly | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  const handle = await open(path, flags);
  try {
    const stats = await handle.stat({ bigint: true });
    const anchor = `/proc/self/fd/${handle.fd}`;
    return {
      path: anchor,
      entry: (name) => `${anchor}/${name}`,
      id: fileId(stats),
      recheck: () => Promise.resolve(null),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openChecked(path: string, text: string, parent: Folder | null): Promise<Result<Folder>> {
  const stats = await lstat(path, { bigint: true });
  if (!stats.isDirectory()) return { ok: false, error: changed(text) };
  const id = fileId(stats);
  return ok({
    path,
    entry: (name) => `${path}/${name}`,
    id,
    recheck: async () => {
      const above = parent === null ? null : await parent.recheck();
      if (above !== null) return above;
      const now = await lstat(path, { bigint: true }).catch(() => null);
      return now !== null && now.isDirectory() && sameFile(fileId(now), id) ? null : changed(text);
    },
    close: () => Promise.resolve(),
  });
}

async function openAt(
  workspace: Workspace,
  path: string,
  text: string,
  parent: Folder | null,
): Promise<Result<Folder>> {
  try {
    if (!workspace.anchored) return await openChecked(path, text, parent);
    return ok(await openAnchored(path));
  } catch (error) {
    const code = fsErrorCode(error);
    // A link where a folder was decided: either it always was one, or somebody swapped it in between.
    if (code === 'ENOTDIR' || code === 'ELOOP') {
      return {
        ok: false,
        error: pathRefused(text, 'leads through a link or a file', 'Use real folders only, then try again.'),
      };
    }
    return { ok: false, error: fsFailure(error, text) };
  }
}

export function openRoot(workspace: Workspace, text = '.'): Promise<Result<Folder>> {
  return openAt(workspace, workspace.root, text, null);
}

/** Opens the folder `name` of an opened folder; refuses links. `text` is the path as messages show it. */
export function openChild(
  workspace: Workspace,
  folder: Folder,
  name: string,
  text: string,
): Promise<Result<Folder>> {
  return openAt(workspace, folder.entry(name), text, folder);
}

/** Walks from the root, part by part, following no link. `segments` are real names, as `resolveExisting` gives them. */
export async function openFolder(
  workspace: Workspace,
  segments: readonly string[],
  text = segments.join('/'),
): Promise<Result<Folder>> {
  let current = await openRoot(workspace, text);
  for (const segment of segments) {
    if (!current.ok) return current;
    const parent = current.value;
    const next = await openChild(workspace, parent, segment, text);
    await parent.close();
    current = next;
  }
  return current;
}

/**
 * Opens a resolved file for reading and makes sure that it is the file that was decided on: no link, no device, no
 * other file that took its place. The caller closes the handle.
 */
export async function openFile(workspace: Workspace, file: ResolvedPath): Promise<Result<FileHandle>> {
  const folder = await openFolder(workspace, file.segments.slice(0, -1), file.path);
  if (!folder.ok) return folder;
  const path = folder.value.entry(file.segments.at(-1) ?? '.');
  let handle: FileHandle | null = null;
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  try {
    handle = await open(path, flags);
    const stats = await handle.stat({ bigint: true });
    const moved = await folder.value.recheck();
    if (moved === null && stats.isFile() && sameFile(fileId(stats), file.id)) {
      const opened = handle;
      handle = null;
      return ok(opened);
    }
    return { ok: false, error: moved ?? changed(file.path) };
  } catch (error) {
    return { ok: false, error: fsFailure(error, file.path) };
  } finally {
    await handle?.close();
    await folder.value.close();
  }
}
