import { existsSync, type BigIntStats } from 'node:fs';
import { access, constants, lstat, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { fail, ok, type Failure, type Result } from '../protocol';
import { fsErrorCode, fsFailure } from './fs-failure';
import { parseRelativePath, pathRefused, segmentsInside, showPath, type Platform } from './path-rules';
import { checkProtected } from './protected-names';

/** The folder that a session's tools may touch (S1-36). Path checks are no isolation by the kernel (S1-40). */
export interface Workspace {
  /** Absolute real path. */
  readonly root: string;
  readonly platform: Platform;
  /**
   * True where an opened folder stays the same folder for every later step (Linux, through /proc). Elsewhere each step
   * re-checks the way, which leaves a small window to a program that swaps folders at the same time (S1-39).
   */
  readonly anchored: boolean;
}

/** What identifies a file beyond its name. */
export interface FileId {
  readonly dev: bigint;
  readonly ino: bigint;
}

/** An entry that exists, decided on its real path. */
export interface ResolvedPath {
  /** Relative path with `/`, after links were followed. */
  readonly path: string;
  readonly segments: readonly string[];
  /** Absolute real path. */
  readonly real: string;
  readonly kind: 'file' | 'folder';
  readonly id: FileId;
}

/** A place for a new entry. Neither it nor its parents are links. */
export interface ResolvedPlace {
  readonly path: string;
  readonly segments: readonly string[];
  readonly real: string;
  /** What stands there already, or null. */
  readonly taken: FileId | null;
}

export interface ResolveOptions {
  readonly kind: 'file' | 'folder' | 'any';
  /** `inside`: a link is followed when its real path stays inside. `refuse`: no link anywhere on the way (S1-38). */
  readonly links: 'inside' | 'refuse';
  /** The entry will be changed: protected names are refused. */
  readonly change?: boolean;
}

export function fileId(stats: BigIntStats): FileId {
  return { dev: stats.dev, ino: stats.ino };
}

export function sameFile(one: FileId, other: FileId): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}

/** Opens a folder as a workspace. Holds nothing open. Failure: `workspace_unavailable`. */
export async function openWorkspace(
  folder: string,
  platform: Platform = process.platform,
): Promise<Result<Workspace>> {
  const refuse = (reason: string, remedy: string): Result<Workspace> =>
    fail('workspace_unavailable', `The folder "${showPath(folder)}" ${reason}. ${remedy}`, {
      folder: showPath(folder),
    });
  if (folder === '' || folder.includes('\0')) return refuse('has no usable name', 'Choose a folder.');
  try {
    const root = await realpath(path.resolve(folder));
    if (!(await stat(root)).isDirectory()) return refuse('is not a folder', 'Choose a folder, not a file.');
    await access(root, constants.R_OK | constants.X_OK);
    return ok({ root, platform, anchored: platform === 'linux' && existsSync('/proc/self/fd') });
  } catch (error) {
    switch (fsErrorCode(error)) {
      case null:
        throw error;
      case 'ENOENT':
      case 'ENOTDIR':
        return refuse('does not exist', 'Choose another folder, or bring it back.');
      case 'EACCES':
      case 'EPERM':
        return refuse('may not be read', 'Change its permissions, or choose another folder.');
      default:
        return refuse(`cannot be opened (${fsErrorCode(error)})`, 'Choose another folder.');
    }
  }
}

/** The link, if any, that stands first on the way. Missing parts end the search. */
async function firstLink(workspace: Workspace, segments: readonly string[]): Promise<string | null> {
  let at = workspace.root;
  for (const segment of segments) {
    at = path.join(at, segment);
    if ((await lstat(at)).isSymbolicLink()) return at;
  }
  return null;
}

function linkRefused(text: string, workspace: Workspace, link: string): Failure {
  const shown = path.relative(workspace.root, link).split(path.sep).join('/');
  return pathRefused(
    text,
    `is or leads through a link ("${showPath(shown)}")`,
    'Use the real file or folder; links are neither moved nor followed here.',
  );
}

function kindProblem(text: string, stats: BigIntStats, wanted: ResolveOptions['kind']): Failure | null {
  if (!stats.isFile() && !stats.isDirectory()) {
    return pathRefused(text, 'is a special file (device, pipe or socket)', 'Choose a regular file.');
  }
  if (wanted === 'file' && !stats.isFile()) {
    return pathRefused(text, 'is a folder', 'Give the path of a file in it; files.list shows them.');
  }
  if (wanted === 'folder' && !stats.isDirectory()) {
    return pathRefused(text, 'is a file, not a folder', 'Give the path of a folder.');
  }
  return null;
}

async function realPathOf(workspace: Workspace, text: string, full: string): Promise<Result<string>> {
  try {
    return ok(await realpath(full));
  } catch (error) {
    const dangling =
      fsErrorCode(error) === 'ENOENT' &&
      (await lstat(full).then(
        (stats) => stats.isSymbolicLink(),
        () => false,
      ));
    if (dangling) return { ok: false, error: linkRefused(text, workspace, full) };
    return { ok: false, error: fsFailure(error, text) };
  }
}

/** Finds an entry that exists. Failures: `path_refused`, `not_found`. What it answers may change: open with `openFile`. */
export async function resolveExisting(
  workspace: Workspace,
  text: string,
  options: ResolveOptions,
): Promise<Result<ResolvedPath>> {
  const parsed = parseRelativePath(text, workspace.platform);
  if (!parsed.ok) return parsed;
  const refuse = (error: Failure): { ok: false; error: Failure } => ({ ok: false, error });
  try {
    if (options.links === 'refuse') {
      const link = await firstLink(workspace, parsed.value);
      if (link !== null) return refuse(linkRefused(text, workspace, link));
    }
    const real = await realPathOf(workspace, text, path.join(workspace.root, ...parsed.value));
    if (!real.ok) return real;
    const segments = segmentsInside(workspace.root, real.value, workspace.platform);
    if (segments === null) {
      return refuse(
        pathRefused(
          text,
          "leads outside the session's folder through a link",
          'Use a file inside the folder.',
        ),
      );
    }
    if (options.change === true) {
      const problem =
        checkProtected(text, parsed.value, workspace.platform) ??
        checkProtected(text, segments, workspace.platform);
      if (problem !== null) return refuse(problem);
    }
    const stats = await lstat(real.value, { bigint: true });
    const problem = kindProblem(text, stats, options.kind);
    if (problem !== null) return refuse(problem);
    return ok({
      path: segments.length === 0 ? '.' : segments.join('/'),
      segments,
      real: real.value,
      kind: stats.isDirectory() ? 'folder' : 'file',
      id: fileId(stats),
    });
  } catch (error) {
    return refuse(fsFailure(error, text));
  }
}

/** Decides a place for a new entry (S1-38). Creates nothing. Failure: `path_refused`. */
export async function resolveNew(workspace: Workspace, text: string): Promise<Result<ResolvedPlace>> {
  const parsed = parseRelativePath(text, workspace.platform);
  if (!parsed.ok) return parsed;
  const segments = parsed.value;
  const refuse = (error: Failure): { ok: false; error: Failure } => ({ ok: false, error });
  if (segments.length === 0) {
    return refuse(pathRefused(text, "is the session's folder itself", 'Give a path inside it.'));
  }
  const problem = checkProtected(text, segments, workspace.platform);
  if (problem !== null) return refuse(problem);
  let at = workspace.root;
  let taken: FileId | null = null;
  try {
    for (const [index, segment] of segments.entries()) {
      at = path.join(at, segment);
      const stats = await lstat(at, { bigint: true });
      if (stats.isSymbolicLink()) return refuse(linkRefused(text, workspace, at));
      if (index === segments.length - 1) taken = fileId(stats);
      else if (!stats.isDirectory()) {
        const shown = segments.slice(0, index + 1).join('/');
        return refuse(
          pathRefused(
            text,
            `leads through "${showPath(shown)}", which is not a folder`,
            'Choose another path.',
          ),
        );
      }
    }
  } catch (error) {
    if (fsErrorCode(error) !== 'ENOENT') return refuse(fsFailure(error, text));
  }
  // A short or differently spelled name reaches the same entry: the decision is on the real names of what exists.
  const existing = await deepestReal(workspace, segments);
  if (existing === null) {
    return refuse(pathRefused(text, "leads outside the session's folder", 'Choose a place inside it.'));
  }
  const hidden = checkProtected(text, existing, workspace.platform);
  if (hidden !== null) return refuse(hidden);
  return ok({ path: segments.join('/'), segments, real: path.join(workspace.root, ...segments), taken });
}

/** Real names of the part of the way that exists; null when they lie outside. */
async function deepestReal(workspace: Workspace, segments: readonly string[]): Promise<string[] | null> {
  for (let count = segments.length; count > 0; count -= 1) {
    try {
      const real = await realpath(path.join(workspace.root, ...segments.slice(0, count)));
      return segmentsInside(workspace.root, real, workspace.platform);
    } catch (error) {
      if (fsErrorCode(error) === null) throw error;
    }
  }
  return [];
}
