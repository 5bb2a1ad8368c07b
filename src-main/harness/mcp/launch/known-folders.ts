import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { windowsVariable } from './launch-command';

type Environment = Readonly<Record<string, string | undefined>>;

/** What looking for folders needs of the disk; no method rejects. */
export interface FolderDisk {
  isFolder(folder: string): Promise<boolean>;
  /** Null where it cannot be read. */
  readText(file: string): Promise<string | null>;
  /** Names in a folder; empty where it cannot be read. */
  list(folder: string): Promise<readonly string[]>;
}

export interface KnownFoldersOptions {
  readonly platform: NodeJS.Platform;
  readonly env: Environment;
  /** The person's home folder. */
  readonly home: string;
  readonly disk?: FolderDisk;
}

const maxTextBytes = 64 * 1024;

const realDisk: FolderDisk = {
  isFolder: (folder) =>
    stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    ),
  async readText(file) {
    try {
      if ((await stat(file)).size > maxTextBytes) return null;
      return await readFile(file, 'utf8');
    } catch {
      return null;
    }
  },
  list: (folder) => readdir(folder).catch(() => []),
};

/**
 * Folders where package and version managers put programs, those that exist, best first. They are for apps started from
 * the Dock, the Explorer or a desktop's menu, whose PATH lacks them.
 */
export async function knownFolders(options: KnownFoldersOptions): Promise<string[]> {
  const { platform, disk = realDisk } = options;
  const paths = platform === 'win32' ? path.win32 : path.posix;
  const wanted = platform === 'win32' ? await onWindows(options, disk) : await onPosix(options, disk);
  const absolute = [...new Set(wanted)].filter((folder) => paths.isAbsolute(folder));
  const present = await Promise.all(absolute.map((folder) => disk.isFolder(folder)));
  return absolute.filter((_, index) => present[index] === true);
}

async function onPosix({ platform, env, home }: KnownFoldersOptions, disk: FolderDisk): Promise<string[]> {
  const at = (...parts: string[]) => path.posix.join(home, ...parts);
  const set = (name: string, fallback: string) => env[name] || fallback;
  const data = set('XDG_DATA_HOME', at('.local/share'));
  const mac = platform === 'darwin';
  const nvm = await nvmDefault(set('NVM_DIR', at('.nvm')), disk);
  return [
    ...nvm,
    path.posix.join(set('VOLTA_HOME', at('.volta')), 'bin'),
    ...[set('FNM_DIR', `${data}/fnm`), at('Library/Application Support/fnm'), at('.fnm')].map(
      (folder) => `${folder}/aliases/default/bin`,
    ),
    path.posix.join(set('MISE_DATA_DIR', `${data}/mise`), 'shims'),
    path.posix.join(set('ASDF_DATA_DIR', at('.asdf')), 'shims'),
    at('.pyenv/shims'),
    at('.local/bin'),
    at('.cargo/bin'),
    at('.bun/bin'),
    at('.deno/bin'),
    ...(mac ? ['/opt/homebrew/bin', '/opt/local/bin'] : ['/home/linuxbrew/.linuxbrew/bin', '/snap/bin']),
    at('.nix-profile/bin'),
    '/run/current-system/sw/bin',
    '/usr/local/bin',
    '/usr/bin',
    '/bin',
  ];
}

async function onWindows({ env, home }: KnownFoldersOptions, disk: FolderDisk): Promise<string[]> {
  const set = (name: string, fallback: string) => windowsVariable(env, name) || fallback;
  const join = path.win32.join;
  const roaming = set('APPDATA', join(home, 'AppData\\Roaming'));
  const local = set('LOCALAPPDATA', join(home, 'AppData\\Local'));
  const files = set('PROGRAMFILES', 'C:\\Program Files');
  const nvm = windowsVariable(env, 'NVM_SYMLINK');
  return [
    ...(nvm ? [nvm] : []),
    join(set('VOLTA_HOME', join(local, 'Volta')), 'bin'),
    join(set('FNM_DIR', join(roaming, 'fnm')), 'aliases\\default'),
    join(local, 'mise\\shims'),
    join(files, 'nodejs'),
    join(roaming, 'npm'),
    join(local, 'pnpm'),
    ...(await pythons(join(local, 'Programs\\Python'), disk)),
    join(local, 'Programs\\nodejs'),
    join(local, 'Microsoft\\WinGet\\Links'),
    join(files, 'WinGet\\Links'),
    join(set('SCOOP', join(home, 'scoop')), 'shims'),
    join(set('PROGRAMDATA', 'C:\\ProgramData'), 'chocolatey\\bin'),
    ...['.local\\bin', '.cargo\\bin', '.bun\\bin', '.deno\\bin'].map((folder) => join(home, folder)),
  ];
}

/** Python's installer for one person makes a folder per version: the newest, with its scripts, and the launcher. */
async function pythons(folder: string, disk: FolderDisk): Promise<string[]> {
  const versions = (await disk.list(folder)).filter((name) => /^Python\d+(-\d+)?$/.test(name));
  const newest = versions.sort(byNumbers).at(-1);
  const own =
    newest === undefined ? [] : [path.win32.join(folder, newest, 'Scripts'), path.win32.join(folder, newest)];
  return [...own, path.win32.join(folder, 'Launcher')];
}

/** Aliases that one default may lead through. */
const maxAliases = 5;

/** The `bin` folder of the version that nvm starts shells with; empty where there is none. */
async function nvmDefault(folder: string, disk: FolderDisk): Promise<string[]> {
  const installed = (await disk.list(path.posix.join(folder, 'versions/node')))
    .filter((name) => /^v\d+\.\d+\.\d+$/.test(name))
    .sort(byNumbers);
  let wanted = 'default';
  for (let step = 0; step < maxAliases; step += 1) {
    if (!/^[\w.*-]+(\/[\w.*-]+)?$/.test(wanted) || wanted.includes('..')) break;
    const text = await disk.readText(path.posix.join(folder, 'alias', wanted));
    if (text === null) break;
    wanted = text.trim();
  }
  const version = pick(installed, wanted);
  return version === undefined ? [] : [path.posix.join(folder, 'versions/node', version, 'bin')];
}

function pick(installed: readonly string[], wanted: string): string | undefined {
  if (wanted === 'node' || wanted === 'stable') return installed.at(-1);
  const version = `v${wanted.replace(/^v/, '')}`;
  return installed.findLast((name) => name === version || name.startsWith(`${version}.`));
}

function byNumbers(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
