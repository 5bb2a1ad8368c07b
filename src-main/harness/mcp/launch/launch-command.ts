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
  const key = windows ? Object.keys(env).find((name) => name.toUpperCase() === 'PATH') : 'PATH';
  const text = (key === undefined ? undefined : env[key]) ?? '';
  const paths = windows ? path.win32 : path.posix;
  // A relative entry would let the working directory choose the program.
  return text
    .split(windows ? ';' : ':')
    .map((entry) => (windows ? entry.replace(/^"(.*)"$/, '$1') : entry))
    .filter((entry) => paths.isAbsolute(entry));
}

function windowsNames(program: string, env: ProgramSearch['env']): string[] {
  const key = Object.keys(env).find((name) => name.toUpperCase() === 'PATHEXT');
  const listed = ((key === undefined ? undefined : env[key]) ?? '.COM;.EXE;.BAT;.CMD')
    .split(';')
    .filter((extension) => /^\.\w+$/.test(extension));
  const own = path.win32.extname(program).toUpperCase();
  const named = listed.some((extension) => extension.toUpperCase() === own);
  return named ? [program] : listed.map((extension) => `${program}${extension.toLowerCase()}`);
}

/** Turns a resolved program and its arguments into what `spawn` takes; batch files go through `cmd.exe`. */
export function launchCommand(
  file: string,
  args: readonly string[],
  search: Pick<ProgramSearch, 'platform' | 'env'>,
): Result<LaunchCommand> {
  if (search.platform !== 'win32' || !/\.(cmd|bat)$/i.test(file)) return ok({ file, args, verbatim: false });
  const words = [file, ...args];
  if (words.some((word) => /[\r\n\0]/.test(word))) {
    return fail(
      'server_unavailable',
      `An argument of ${file} holds a line break, which a batch file cannot take. Remove it from "args".`,
    );
  }
  const root = search.env['SystemRoot'] ?? search.env['SYSTEMROOT'] ?? 'C:\\Windows';
  const line = words.map(quoteForBatch).join(' ');
  return ok({
    file: `${root}\\System32\\cmd.exe`,
    args: ['/d', '/e:on', '/v:off', '/s', '/c', `"${line}"`],
    verbatim: true,
  });
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
