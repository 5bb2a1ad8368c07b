import { isAbsolute, relative, resolve, sep } from 'node:path';
import {
  isJsonObject,
  type ArgumentCondition,
  type ArgumentPattern,
  type Json,
  type JsonObject,
} from '../protocol';
import { canonicalDigest } from '../validation';

/** What a command is, as far as a grant has to know it. */
export interface CommandFacts {
  /** The argument that holds the command. */
  readonly at: string;
  /** False where nobody can tell what the command does. */
  readonly inspectable: boolean;
  /** Whether the command begins with these words and does nothing beside that. */
  covers(words: readonly string[]): boolean;
}

/** A call as a pattern looks at it. */
export interface PatternSubject {
  readonly arguments: JsonObject;
  /** Absolute real path of the session's folder, or null. */
  readonly workspace: string | null;
  /** The path with its links followed, as far as it exists; null where that cannot be told. */
  readonly realPath: (absolute: string) => string | null;
  /** Null for a tool that runs no commands. */
  readonly command: CommandFacts | null;
}

/** The value at a JSON Pointer (RFC 6901); undefined where there is none. */
export function valueAt(value: Json, pointer: string): Json | undefined {
  if (pointer === '') return value;
  if (!pointer.startsWith('/')) return undefined;
  let current: Json | undefined = value;
  for (const part of pointer.slice(1).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(current))
      current = /^(0|[1-9]\d*)$/.test(key) ? (current[Number(key)] as Json | undefined) : undefined;
    else if (isJsonObject(current) && Object.hasOwn(current, key)) current = current[key];
    else return undefined;
  }
  return current;
}

function liesIn(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function inFolder(subject: PatternSubject, folder: string, value: Json | undefined): boolean {
  if (typeof value !== 'string' || value === '' || value.includes('\0')) return false;
  const { workspace, realPath } = subject;
  if (workspace === null && !(isAbsolute(value) && isAbsolute(folder))) return false;
  const base = workspace ?? sep;
  const wanted = realPath(resolve(base, folder));
  const real = realPath(resolve(base, value));
  return wanted !== null && real !== null && liesIn(wanted, real);
}

/** Host and port of an http or https address without credentials; null for anything else. */
export function hostOf(value: Json | undefined): string | null {
  if (typeof value !== 'string' || !/^https?:\/\//i.test(value) || !URL.canParse(value)) return null;
  const url = new URL(value);
  return url.username === '' && url.password === '' ? url.host : null;
}

function holds(condition: ArgumentCondition, subject: PatternSubject): boolean {
  switch (condition.type) {
    case 'exact': {
      const value = valueAt(subject.arguments, condition.at);
      return value !== undefined && canonicalDigest(value) === canonicalDigest(condition.value);
    }
    case 'folder': {
      const value = valueAt(subject.arguments, condition.at);
      // Of a list every path has to lie there, and an empty list names none.
      if (Array.isArray(value)) {
        return value.length > 0 && value.every((path) => inFolder(subject, condition.folder, path as Json));
      }
      return inFolder(subject, condition.folder, value);
    }
    case 'host':
      return hostOf(valueAt(subject.arguments, condition.at)) === condition.host;
    case 'command':
      return subject.command?.covers(condition.words) === true;
  }
}

/** The first name in a pointer, which is the argument that a condition speaks of; null where it speaks of all. */
function argumentOf(pointer: string): string | null {
  const [, name] = pointer.split('/', 2);
  return name === undefined ? null : name.replaceAll('~1', '/').replaceAll('~0', '~');
}

/**
 * Whether nothing stands beside the command that no condition speaks of: another folder or environment makes another
 * command of the same words.
 */
function commandAlone(pattern: ArgumentPattern, { arguments: args, command }: PatternSubject): boolean {
  if (!pattern.some(({ type }) => type === 'command')) return true;
  const spoken = new Set<string | null>([command?.at ?? null]);
  for (const condition of pattern) if (condition.type !== 'command') spoken.add(argumentOf(condition.at));
  return Object.keys(args).every((name) => spoken.has(name));
}

/**
 * Whether all conditions hold. A command that nobody can read is covered by no pattern, not even by the empty one: it is
 * asked about each time. Of a command with conditions, each other argument has to be spoken of too.
 */
export function coversArguments(pattern: ArgumentPattern, subject: PatternSubject): boolean {
  if (subject.command?.inspectable === false) return false;
  return commandAlone(pattern, subject) && pattern.every((condition) => holds(condition, subject));
}
