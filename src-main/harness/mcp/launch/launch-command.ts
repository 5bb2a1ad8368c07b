import path from 'node:path';
import { fail, ok, type Result } from '../../protocol';

/** What the search for a program needs of the machine; pure, so that each platform can be tested on any. */
export interface ProgramSearch {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute folder that a relative path with a slash starts from. */
  readonly folder: string;
  /** True for an existing file that may be executed. */
  exists(file: string): boolean;
}

/** Arguments for `spawn`. */
export interface LaunchCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** Windows: the arguments are one finished command line and are passed as they are. */
  readonly verbatim: boolean;
}

/** Finds the absolute path of a program. Failure `server_unavailable` with where it was looked for. */
export function resolveProgram(program: string, search: ProgramSearch): Result<string> {
  const windows = search.platform === 'win32';
  const paths = windows ? path.win32 : path.posix;
  const hasSlash = program.includes('/') || (windows && program.includes('\\'));
  const names = windows ? windowsNames(program, search.env) : [program];
  if (hasSlash || paths.isAbsolute(program)) {
    for (const name of names) {
      const file = paths.resolve(search.folder, name);
      if (search.exists(file)) return ok(file);
    }
    const file = paths.resolve(search.folder, program);
    return fail(
      'server_unavailable',
      `The program ${file} does not exist or may not be executed. Correct "program".`,
    );
  }
  for (const folder of searchPath(search)) {
    for (const name of names) {
      const file = paths.join(folder, name);
      if (search.exists(file)) return ok(file);
    }
  }
  return fail(
    'server_unavailable',
    `The program "${program}" was not found in PATH. Install it, or write its absolute path as "program".`,
  );
}

function searchPath({ platform, env }: ProgramSearch): string[] {
  const windows = platform === 'win32';
  const text = (windows ? windowsVariable(env, 'PATH') : env['PATH']) ?? '';
  // A relative entry would let the working directory choose the program.
  return pathEntries(platform, text);
}

/** The absolute folders of a PATH, in order; Windows allows quotes around an entry. */
export function pathEntries(platform: NodeJS.Platform, text: string): string[] {
  const windows = platform === 'win32';
  const paths = windows ? path.win32 : path.posix;
  return text
    .split(windows ? ';' : ':')
    .map((entry) => (windows ? entry.trim().replace(/^"(.*)"$/, '$1') : entry))
    .filter((entry) => paths.isAbsolute(entry));
}

/** A variable by its name as Windows compares names. */
export function windowsVariable(env: ProgramSearch['env'], name: string): string | undefined {
  const key = Object.keys(env).find((other) => other.toUpperCase() === name);
  return key === undefined ? undefined : env[key];
}

/** The absolute path of a program of Windows itself: by its name alone, one in the working directory would come first. */
export function systemProgram(env: ProgramSearch['env'], name: string): string {
  const root = windowsVariable(env, 'SYSTEMROOT');
  return `${root !== undefined && path.win32.isAbsolute(root) ? root : 'C:\\Windows'}\\System32\\${name}`;
}

/** What Windows can start and we know how to; PATHEXT also lists scripts that only its shell opens. */
const startable = ['.COM', '.EXE', '.BAT', '.CMD'];

function windowsNames(program: string, env: ProgramSearch['env']): string[] {
  const wanted = (windowsVariable(env, 'PATHEXT') ?? '')
    .split(';')
    .map((extension) => extension.trim().toUpperCase())
    .filter((extension) => startable.includes(extension));
  const listed = wanted.length > 0 ? wanted : startable;
  if (startable.includes(path.win32.extname(program).toUpperCase())) return [program];
  return listed.map((extension) => `${program}${extension.toLowerCase()}`);
}

/** Characters that one command line may have: for `cmd.exe`, and for Windows itself. */
const maxBatchLine = 8_191;
const maxWindowsLine = 32_766;
/** Bytes of one argument on Linux. */
const maxPosixWord = 128 * 1024 - 1;

/**
 * Turns a resolved program and its arguments into what `spawn` takes; batch files go through `cmd.exe`. Failure
 * `server_unavailable` where the system could not hand the arguments over as they are.
 */
export function launchCommand(
  file: string,
  args: readonly string[],
  search: Pick<ProgramSearch, 'platform' | 'env'>,
): Result<LaunchCommand> {
  const windows = search.platform === 'win32';
  const words = [file, ...args];
  if (words.some((word) => word.includes('\0'))) {
    return fail('server_unavailable', `An argument of ${file} holds a NUL character. Remove it from "args".`);
  }
  // Windows ignores dots and spaces at the end of a name.
  if (windows && /\.(cmd|bat)[. ]*$/i.test(file)) return batchCommand(file, words, search.env);
  const tooLong = windows
    ? words.reduce((sum, word) => sum + quotedLength(word) + 1, 0) > maxWindowsLine
    : words.some((word) => Buffer.byteLength(word) > maxPosixWord);
  if (tooLong) return tooLongFor(file);
  return ok({ file, args, verbatim: false });
}

function batchCommand(
  file: string,
  words: readonly string[],
  env: ProgramSearch['env'],
): Result<LaunchCommand> {
  if (words.some((word) => /[\r\n]/.test(word))) {
    return fail(
      'server_unavailable',
      `An argument of ${file} holds a line break, which a batch file cannot take. Remove it from "args".`,
    );
  }
  const shell = systemProgram(env, 'cmd.exe');
  const args = ['/d', '/e:on', '/v:off', '/s', '/c', `"${words.map(quoteForBatch).join(' ')}"`];
  if ([shell, ...args].join(' ').length > maxBatchLine) return tooLongFor(file);
  return ok({ file: shell, args, verbatim: true });
}

function tooLongFor(file: string): Result<never> {
  return fail(
    'server_unavailable',
    `The arguments of ${file} are longer than this system can hand over. Shorten "args", or let the server read a file.`,
  );
}

/** At most what a word takes on a command line of Windows: quotes around it, a backslash before each quote or backslash. */
function quotedLength(word: string): number {
  return word.length + 2 + (word.match(/["\\]/g)?.length ?? 0);
}

/**
 * Quotes one word for a batch file. `cmd.exe` reads the line once and the batch file reads it again where it passes its
 * arguments on, so nothing may leave the quotes in either reading: a quote is doubled, which keeps every reader inside,
 * and a percent sign is written so that it expands to itself, since quotes do not protect it.
 */
export function quoteForBatch(word: string): string {
  const slashes = word.replace(/(\\*)("|$)/g, (_, run: string, end: string) =>
    end === '' ? run + run : `${run}${run}""`,
  );
  return `"${slashes.replaceAll('%', '%%cd:~,%')}"`;
}
