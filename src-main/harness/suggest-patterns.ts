import { existsSync, statSync } from 'node:fs';
import nodePath, { type PlatformPath } from 'node:path';
import { coversArguments, hostOf, type PatternSubject } from './approvals';
import type { ArgumentCondition, ArgumentPattern, Json, JsonObject, Presentation } from './protocol';
import { canonicalJson } from './validation';

export interface SuggestionQuestion {
  readonly presentation: Presentation;
  readonly subject: PatternSubject;
  /** The words that a permission for the command begins with; null where there are none. */
  readonly prefix: readonly string[] | null;
}

/** The rules of paths of the system, given so that those of Windows are tested everywhere. */
export interface PathRules {
  readonly path: PlatformPath;
  readonly isFolder: (absolute: string) => boolean;
  readonly exists: (absolute: string) => boolean;
}

export const systemPaths: PathRules = {
  path: nodePath,
  isFolder(absolute) {
    try {
      return statSync(absolute, { throwIfNoEntry: false })?.isDirectory() ?? false;
    } catch {
      return false;
    }
  },
  exists: existsSync,
};

const limits = {
  suggestions: 6,
  /** Arguments and entries of lists that are looked at. */
  values: 32,
  pathLength: 4_000,
  /** Bytes of all arguments together, above which their exact values are no permission that anybody reads. */
  exactBytes: 4 * 1024,
} as const;

const pathWords =
  'paths?|files?|filename|filepath|folders?|directory|directories|dirs?|cwd|source|destination|src|dest';
const wholeName = new RegExp(`(^|[_-])(${pathWords})$`, 'i');
const lastOfCamelCase = /[a-z0-9](Paths?|Files?|Folders?|Directory|Directories|Dirs?)$/;

/** Names of arguments that can stand in a condition as they are. */
const plainName = /^[^\p{Cc}\p{Zl}\p{Zp}]{1,200}$/u;

const pointer = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Addresses of other computers are none: on Windows a look at `\\\\host\\share` would already call there. */
function looksLikePath(value: Json): value is string {
  return (
    typeof value === 'string' &&
    value !== '' &&
    value.length <= limits.pathLength &&
    !/\p{Cc}|^[\\/]{2}/u.test(value) &&
    !/^[a-z][a-z0-9+.-]+:\/\//i.test(value)
  );
}

/** Path arguments by name: one path, or all of a list. */
function pathArguments(
  { arguments: args, workspace }: PatternSubject,
  rules: PathRules,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  const { path } = rules;
  const inWorkspace = (value: string): boolean => {
    if (workspace === null || value.length > 500) return false;
    const absolute = path.resolve(workspace, value);
    return absolute.startsWith(workspace + path.sep) && rules.exists(absolute);
  };
  for (const [name, value] of Object.entries(args).slice(0, limits.values)) {
    const values: readonly Json[] = Array.isArray(value) ? (value as readonly Json[]) : [value as Json];
    if (!plainName.test(name) || values.length === 0 || values.length > limits.values) continue;
    const paths = values.filter(looksLikePath);
    if (paths.length !== values.length) continue;
    const says = wholeName.test(name) || lastOfCamelCase.test(name);
    if (says || paths.every(inWorkspace)) found.set(name, paths);
  }
  return found;
}

/** The deepest folder in which all of these lie; null where they have none, as on two drives. */
function commonFolder(folders: readonly string[], { path }: PathRules): string | null {
  let [common = null] = folders;
  for (const folder of folders) {
    while (common !== null) {
      const way = path.relative(common, folder);
      if (way === '' || (way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way))) break;
      const above = path.dirname(common);
      common = above === common ? null : above;
    }
  }
  return common;
}

/** A folder as a condition names it: relative to the workspace with `/` where it lies there, else absolute. */
function named(folder: string, workspace: string | null, { path }: PathRules): string {
  const slashes = (text: string): string => (path.sep === '/' ? text : text.replaceAll(path.sep, '/'));
  if (workspace === null) return slashes(folder);
  const way = path.relative(workspace, folder);
  if (way === '') return '.';
  const outside = way === '..' || way.startsWith(`..${path.sep}`) || path.isAbsolute(way);
  return slashes(outside ? folder : way);
}

/** The folder that these paths lie in, links followed; null where that cannot be told. */
function folderOf(paths: readonly string[], subject: PatternSubject, rules: PathRules): string | null {
  const { workspace, realPath } = subject;
  const { path } = rules;
  const folders: string[] = [];
  for (const value of paths) {
    if (workspace === null && !path.isAbsolute(value)) return null;
    const absolute = path.resolve(workspace ?? path.sep, value);
    const real = realPath(rules.isFolder(absolute) ? absolute : path.dirname(absolute));
    if (real === null) return null;
    folders.push(real);
  }
  const common = commonFolder(folders, rules);
  return common === null ? null : named(common, workspace, rules);
}

type FolderCondition = Extract<ArgumentCondition, { type: 'folder' }>;
type ExactCondition = Extract<ArgumentCondition, { type: 'exact' }>;

function folderConditions(subject: PatternSubject, rules: PathRules): readonly FolderCondition[] {
  const found: FolderCondition[] = [];
  for (const [name, paths] of pathArguments(subject, rules)) {
    const folder = folderOf(paths, subject, rules);
    if (folder === null) return [];
    found.push({ type: 'folder', at: pointer(name), folder });
  }
  return found;
}

function hostConditions(args: JsonObject): readonly ArgumentCondition[] {
  return Object.entries(args)
    .slice(0, limits.values)
    .flatMap(([name, value]): ArgumentCondition[] => {
      const host = plainName.test(name) ? hostOf(value) : null;
      return host === null || host.length > 300 ? [] : [{ type: 'host', at: pointer(name), host }];
    });
}

/** Exactly these arguments and no others, where they are short enough to be read. */
function exactly(args: JsonObject): ArgumentPattern {
  return isReadable(args) ? [{ type: 'exact', at: '', value: args }] : [];
}

function isReadable(args: JsonObject): boolean {
  return Buffer.byteLength(canonicalJson(args)) < limits.exactBytes;
}

/** A command with everything that stands beside it: in its folder and below, and exactly as it is. */
function commandPatterns(
  { arguments: args, command }: PatternSubject,
  prefix: readonly string[] | null,
  folders: readonly FolderCondition[],
  exact: ArgumentPattern,
): ArgumentPattern[] {
  const others = Object.entries(args).filter(([name]) => name !== command?.at);
  if (prefix === null || !isReadable(Object.fromEntries(others))) return [exact];
  const asIs = others.map(([name, value]): ExactCondition => {
    return { type: 'exact', at: pointer(name), value: value as Json };
  });
  const words: ArgumentCondition = { type: 'command', words: prefix };
  const inFolder = asIs.map((one) => folders.find(({ at }) => at === one.at) ?? one);
  return [[words, ...inFolder], [words, ...asIs], exact];
}

/** What may narrow the permission, the widest first; whether it covers the call is not looked at. */
export function candidatePatterns(
  { presentation, subject, prefix }: SuggestionQuestion,
  rules: PathRules,
): ArgumentPattern[] {
  const exact = exactly(subject.arguments);
  // The files of a patch stand in its text, where no condition reaches them.
  if (presentation === 'patch') return [exact];
  const folders = folderConditions(subject, rules);
  if (presentation === 'command') return commandPatterns(subject, prefix, folders, exact);
  const anywhere = folders.map((condition) => ({ ...condition, folder: '.' }));
  const hosts = hostConditions(subject.arguments);
  return [
    ...(subject.workspace === null ? [] : [anywhere]),
    folders,
    hosts,
    hosts.length > 0 && folders.length > 0 ? [...hosts, ...folders] : [],
    exact,
  ];
}

/**
 * Ways to narrow a lasting permission that still cover this call, from the widest to the narrowest. Reads names in the
 * workspace and where paths lead, and changes nothing.
 */
export function suggestPatterns(
  question: SuggestionQuestion,
  rules: PathRules = systemPaths,
): readonly ArgumentPattern[] {
  const seen = new Set<string>();
  return candidatePatterns(question, rules)
    .filter((pattern) => {
      const key = JSON.stringify(pattern);
      if (pattern.length === 0 || pattern.length > 20 || seen.has(key)) return false;
      seen.add(key);
      return coversArguments(pattern, question.subject);
    })
    .slice(0, limits.suggestions);
}
