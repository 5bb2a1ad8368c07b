import type { Failure } from '../protocol';
import { pathRefused, type Platform } from './path-rules';

/**
 * Names that no tool may write, create, move or replace, wherever they stand in a path: what is below them is run or
 * obeyed by other programs without a question. Reading them is allowed.
 *
 * Folders: version control, editors and IDEs, automation, agents, keys. Files: server and agent configuration,
 * instructions that agents obey, start files of shells.
 */
export const protectedNames: readonly string[] = [
  '.git',
  '.hg',
  '.svn',
  '.jj',
  '.husky',
  '.github',
  '.gitlab-ci.yml',
  '.vscode',
  '.idea',
  '.devcontainer',
  '.claude',
  '.cursor',
  '.codex',
  '.gemini',
  '.windsurf',
  '.openworker',
  '.ssh',
  '.gnupg',
  '.gitmodules',
  '.gitconfig',
  '.mcp.json',
  'AGENTS.md',
  'CLAUDE.md',
  'GEMINI.md',
  '.cursorrules',
  '.windsurfrules',
  '.envrc',
  '.npmrc',
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
];

/**
 * One spelling for all names that some file system takes for the same: letter case, composed and decomposed letters,
 * and characters that some file systems skip.
 */
export function foldName(name: string): string {
  return name
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '')
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase();
}

const folded = new Map(protectedNames.map((name) => [foldName(name), name]));

/** Short names that Windows makes for names that begin with a dot, such as `GIT~1`. */
const shortName = /^[^.]{1,6}~\d+(\.[^.]{0,3})?$/;
const shortStems = new Set(
  protectedNames.map((name) => foldName(name).replace(/^\./, '').split('.')[0]?.slice(0, 6)),
);

/** The protected name that a part of the path spells, or null. The same on every system. */
export function findProtectedName(segments: readonly string[], platform: Platform): string | null {
  for (const segment of segments) {
    const plain = foldName(segment).replace(/[. ]+$/, '');
    const hit = folded.get(plain);
    if (hit !== undefined) return hit;
    if (platform === 'win32' && shortName.test(plain) && shortStems.has(plain.split('~')[0])) return segment;
  }
  return null;
}

export function checkProtected(
  text: string,
  segments: readonly string[],
  platform: Platform,
): Failure | null {
  const name = findProtectedName(segments, platform);
  if (name === null) return null;
  return pathRefused(
    text,
    `is protected: "${name}" steers other programs, so no tool may change it`,
    'Ask the person to change it by hand if it must change.',
  );
}
