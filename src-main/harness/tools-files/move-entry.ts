import { failure, ok, type Failure, type Result } from '../protocol';
import {
  fileId,
  fsErrorCode,
  fsFailure,
  openFolder,
  pathRefused,
  sameFile,
  showPath,
  type FileId,
  type Folder,
  type ResolvedPath,
  type ResolvedPlace,
  type Workspace,
} from '../workspace';
import { copyFileExclusive } from './copy-file-exclusive';
import { openDestination } from './destination-folders';
import { realMoveFs, type MoveFs } from './move-fs';

export interface Move {
  readonly workspace: Workspace;
  readonly source: ResolvedPath;
  readonly destination: ResolvedPlace;
  readonly signal: AbortSignal;
  progress(fraction: number): void;
}

interface Ends {
  readonly from: string;
  readonly to: string;
  readonly toFolder: Folder;
  readonly toName: string;
}

/** Codes with which a file system says that it knows no hard links, or not here. */
const noLinks = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
  'EACCES',
  'EINVAL',
  'UNKNOWN',
]);

function cancelled(): Failure {
  return failure('cancelled', 'The call was cancelled; nothing was moved.');
}

function exists(destination: ResolvedPlace): Failure {
  return pathRefused(
    destination.path,
    'exists already, and nothing is ever overwritten',
    'Choose another name or folder. To move something into a folder, give the whole new path.',
  );
}

function sourceChanged(source: ResolvedPath): Failure {
  return pathRefused(
    source.path,
    'was changed or replaced by another program during the move; it was left alone',
    'Look at the folder with files.list, then try again.',
  );
}

async function idAt(fs: MoveFs, path: string): Promise<FileId | null> {
  try {
    return fileId(await fs.lstat(path));
  } catch (error) {
    if (fsErrorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

async function isStill(fs: MoveFs, path: string, id: FileId): Promise<boolean> {
  const now = await idAt(fs, path);
  return now !== null && sameFile(now, id);
}

/** Removes `path` when it is the file that this move made. */
async function removeOwn(fs: MoveFs, path: string, id: FileId | null): Promise<void> {
  if (id !== null && (await isStill(fs, path, id))) await fs.unlink(path);
}

/**
 * Moves an entry that was resolved with links refused. Never overwrites, also when another program makes the
 * destination at the same moment:
 * - a file gets a second hard link, which fails when the name is taken, then loses its first one;
 * - on disks without hard links, and between disks, it is copied into a file that must be new, then removed;
 * - a folder is renamed onto an empty folder that was made for it, which a system replaces only while it is empty;
 * - a change of letter case alone, on a system that takes both for one name, is one rename.
 * A folder on another disk is refused. Folders made on the way are removed when the move fails.
 */
export async function moveEntry(move: Move, fs: MoveFs = realMoveFs): Promise<Result<null>> {
  const { workspace, source, destination } = move;
  const sourceFolder = await openFolder(workspace, source.segments.slice(0, -1), source.path);
  if (!sourceFolder.ok) return sourceFolder;
  try {
    if (move.signal.aborted) return { ok: false, error: cancelled() };
    const target = await openDestination(workspace, destination.segments, source.id, fs);
    if (!target.ok) return target;
    try {
      const ends: Ends = {
        from: sourceFolder.value.entry(source.segments.at(-1) ?? ''),
        to: target.value.parent.entry(destination.segments.at(-1) ?? ''),
        toFolder: target.value.parent,
        toName: destination.segments.at(-1) ?? '',
      };
      const moved =
        (await sourceFolder.value.recheck()) ??
        (await target.value.parent.recheck()) ??
        (await moveBetween(move, ends, fs));
      if (moved === null) return ok(null);
      await target.value.undo();
      return { ok: false, error: moved };
    } catch (error) {
      await target.value.undo();
      throw error;
    } finally {
      await target.value.close();
    }
  } catch (error) {
    return { ok: false, error: fsFailure(error, source.path) };
  } finally {
    await sourceFolder.value.close();
  }
}

async function moveBetween(move: Move, ends: Ends, fs: MoveFs): Promise<Failure | null> {
  const { source, destination } = move;
  if (!(await isStill(fs, ends.from, source.id))) return sourceChanged(source);
  const standing = await idAt(fs, ends.to);
  if (move.signal.aborted) return cancelled();
  if (standing !== null) {
    if (!sameFile(standing, source.id)) return exists(destination);
    if (source.path === destination.path) {
      return pathRefused(source.path, 'is already there', 'Choose another destination.');
    }
    // One entry under two spellings, or two hard links of one file? Only the folder's own list of names tells.
    if ((await fs.readdir(ends.toFolder.path)).includes(ends.toName)) return exists(destination);
    await fs.rename(ends.from, ends.to);
    return null;
  }
  return source.kind === 'file' ? moveFile(move, ends, fs) : moveFolder(move, ends, fs);
}

async function moveFile(move: Move, ends: Ends, fs: MoveFs): Promise<Failure | null> {
  const { source, destination } = move;
  try {
    await fs.link(ends.from, ends.to);
  } catch (error) {
    const code = fsErrorCode(error);
    if (code === 'EEXIST') return exists(destination);
    if (code === 'EXDEV' || (code !== null && noLinks.has(code))) return copyThenRemove(move, ends, fs);
    throw error;
  }
  // Some systems follow a link that was put in the source's place in between: then what was made is not ours to keep.
  const made = await fs.lstat(ends.to);
  if (!sameFile(fileId(made), source.id)) {
    // A link holds no content, and what has a second name elsewhere is not lost when this one goes.
    if (made.nlink < 2n && !made.isSymbolicLink()) return leftBehind(source, destination);
    await fs.unlink(ends.to);
    return sourceChanged(source);
  }
  return removeSource(source, ends, source.id, fs);
}

function leftBehind(source: ResolvedPath, destination: ResolvedPlace): Failure {
  return failure(
    'path_refused',
    `"${showPath(source.path)}" was replaced by another program during the move, and "${showPath(destination.path)}" ` +
      'may now be what stood in its place. Look at both with files.list before going on.',
    { path: source.path, destination: destination.path },
  );
}

/** Takes the old name away after `made` stands at the new one; takes `made` away again when that fails. */
async function removeSource(
  source: ResolvedPath,
  ends: Ends,
  made: FileId,
  fs: MoveFs,
): Promise<Failure | null> {
  if (!(await isStill(fs, ends.from, source.id))) {
    await removeOwn(fs, ends.to, made);
    return sourceChanged(source);
  }
  try {
    await fs.unlink(ends.from);
    return null;
  } catch (error) {
    await removeOwn(fs, ends.to, made);
    throw error;
  }
}

async function copyThenRemove(move: Move, ends: Ends, fs: MoveFs): Promise<Failure | null> {
  const { source, destination } = move;
  let created: FileId | null = null;
  try {
    const end = await copyFileExclusive(
      { from: ends.from, to: ends.to, id: source.id, signal: move.signal, progress: move.progress },
      (id) => {
        created = id;
      },
    );
    if (end.type === 'copied') return await removeSource(source, ends, end.created, fs);
    await removeOwn(fs, ends.to, end.created);
    return end.type === 'aborted' ? cancelled() : sourceChanged(source);
  } catch (error) {
    if (fsErrorCode(error) === 'EEXIST') return exists(destination);
    await removeOwn(fs, ends.to, created);
    throw error;
  }
}

async function moveFolder(move: Move, ends: Ends, fs: MoveFs): Promise<Failure | null> {
  const { source, destination, workspace } = move;
  // Windows never replaces a folder by a rename; elsewhere the empty folder keeps the name free for this move.
  const reserves = workspace.platform !== 'win32';
  try {
    if (reserves) await fs.mkdir(ends.to);
  } catch (error) {
    if (fsErrorCode(error) === 'EEXIST') return exists(destination);
    throw error;
  }
  try {
    await fs.rename(ends.from, ends.to);
  } catch (error) {
    if (reserves) await fs.rmdir(ends.to).catch(() => undefined);
    const code = fsErrorCode(error);
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return exists(destination);
    if (code === 'EXDEV') {
      return pathRefused(
        source.path,
        'is a folder, and the destination lies on another disk',
        'Move its files one by one, or choose a destination on the same disk.',
      );
    }
    throw error;
  }
  return (await isStill(fs, ends.to, source.id)) ? null : leftBehind(source, destination);
}
