import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { homedir, userInfo } from 'node:os';
import path from 'node:path';
import { childEnvironment } from './child-environment';
import { knownFolders, type FolderDisk } from './known-folders';
import { pathEntries, windowsVariable } from './launch-command';

type Environment = Readonly<Record<string, string | undefined>>;

/** One run of a shell. */
export interface ShellRun {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Whether the output so far holds what was asked for. */
  isComplete(output: string): boolean;
}

/** What the shell wrote to stdout. Never rejects; nothing that it started in its group stays. */
export type RunShell = (run: ShellRun) => Promise<string>;

export interface LoginPathOptions {
  readonly platform: NodeJS.Platform;
  readonly env: Environment;
  /** The person's home folder; the system's own answer unless given. */
  readonly home?: string;
  /** Shell of the person's account, for where SHELL is not set; the system's own answer unless given. */
  readonly shell?: string | null;
  readonly run?: RunShell;
  readonly disk?: FolderDisk;
  /** Milliseconds that the shell may take. */
  readonly timeoutMs?: number;
}

export interface LoginPath {
  /** Value for PATH. */
  readonly path: string;
  /** Why the shell's own answer is missing, as a clause; null where it is in, and on Windows, where none is asked. */
  readonly problem: string | null;
}

const shellTimeoutMs = 3_000;
const maxOutputBytes = 1024 * 1024;
const maxEntries = 500;
/** Milliseconds that a shell which has answered gets to end by itself. */
const lingerMs = 500;

/**
 * The PATH of the person's login shell, then the app's own, then known folders that exist; absolute folders only, none
 * twice. On Windows, where apps get the person's PATH, no shell is asked. Never rejects.
 */
export async function readLoginPath(options: LoginPathOptions): Promise<LoginPath> {
  const { platform, env, home = homedir() } = options;
  const [asked, known] = await Promise.all([
    platform === 'win32' ? { path: '', problem: null } : askShell(options),
    knownFolders({ platform, env, home, ...(options.disk ? { disk: options.disk } : {}) }),
  ]);
  const own = (platform === 'win32' ? windowsVariable(env, 'PATH') : env['PATH']) ?? '';
  const folders = [...pathEntries(platform, asked.path), ...pathEntries(platform, own), ...known];
  return { path: joinPath(platform, folders), problem: asked.problem };
}

/**
 * {@link readLoginPath}, asked once at the first use, and the same answer from then on.
 * @param onLog gets one line where the shell did not answer
 */
export function createLoginPath(
  options: LoginPathOptions & { readonly onLog?: (line: string) => void },
): () => Promise<string> {
  let reading: Promise<string> | null = null;
  return () => {
    reading ??= readLoginPath(options).then(({ path: value, problem }) => {
      if (problem !== null) {
        options.onLog?.(
          `The PATH of your shell is not known: ${problem}. Servers get the app's own PATH and the usual folders.`,
        );
      }
      return value;
    });
    return reading;
  };
}

function joinPath(platform: NodeJS.Platform, folders: readonly string[]): string {
  const windows = platform === 'win32';
  const byKey = new Map<string, string>();
  for (const folder of folders) {
    const trimmed = folder.length > 1 ? folder.replace(windows ? /[\\/]+$/ : /\/+$/, '') : folder;
    const key = windows ? trimmed.toLowerCase() : trimmed;
    if (!byKey.has(key)) byKey.set(key, /^[A-Za-z]:$/.test(trimmed) ? `${trimmed}\\` : trimmed);
  }
  return [...byKey.values()].slice(0, maxEntries).join(windows ? ';' : ':');
}

async function askShell(options: LoginPathOptions): Promise<LoginPath> {
  const { platform, env, run = runShell, timeoutMs = shellTimeoutMs } = options;
  const shell = env['SHELL'] || (options.shell === undefined ? accountShell() : options.shell) || '';
  if (!path.posix.isAbsolute(shell)) return { path: '', problem: 'no login shell is set' };
  const [first, second] = [randomBytes(12).toString('hex'), randomBytes(12).toString('hex')];
  const answer = new RegExp(`${first}${second}([^\\0\\n\\r]*)${second}${first}`);
  const output = await run({
    file: shell,
    args: shellArguments(path.posix.basename(shell), first, second),
    env: shellEnvironment(platform, env),
    timeoutMs,
    isComplete: (text) => answer.test(text),
  });
  const value = answer.exec(output)?.[1];
  if (value === undefined)
    return { path: '', problem: `${shell} gave no answer (limit: ${timeoutMs / 1_000} s)` };
  return { path: value.includes('\uFFFD') ? withoutBroken(value) : value, problem: null };
}

function withoutBroken(value: string): string {
  return value
    .split(':')
    .filter((entry) => !entry.includes('\uFFFD'))
    .join(':');
}

/**
 * Every shell reads the same simple command: the plain shell prints the PATH that it inherits, so it does not matter how
 * a shell writes lists. The two marks stand apart in the command, so that a shell which prints the command itself, for
 * a window's title, is not mistaken for the answer.
 */
function shellArguments(name: string, first: string, second: string): string[] {
  const command = `/bin/sh -c 'printf %s%s%s%s%s ${first} ${second} "$PATH" ${second} ${first}'`;
  // The C shell takes -l as its only option.
  if (name === 'csh' || name === 'tcsh') return ['-ic', command];
  if (name === 'nu') return ['-i', '-l', '-c', command];
  if (name === 'pwsh') return ['-Login', '-Command', command];
  return ['-ilc', command];
}

function shellEnvironment(platform: NodeJS.Platform, env: Environment): Record<string, string> {
  const places: Record<string, string> = {};
  for (const name of ['ZDOTDIR', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR', 'TMPDIR']) {
    const value = env[name];
    if (value !== undefined) places[name] = value;
  }
  // Frequent parts of zsh configurations that would ask a question or open another program.
  const quiet = { TERM: 'dumb', DISABLE_AUTO_UPDATE: 'true', ZSH_TMUX_AUTOSTART: 'false' };
  return childEnvironment(platform, env, { ...places, ...quiet });
}

function accountShell(): string | null {
  try {
    return userInfo().shell;
  } catch {
    return null;
  }
}

/** In a session of its own: a shell that is interactive would otherwise stop for a terminal. */
const runShell: RunShell = (run) =>
  new Promise((resolve) => {
    const child = spawn(run.file, [...run.args], {
      env: { ...run.env },
      cwd: '/',
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    const text = () => Buffer.concat(chunks).toString('utf8');
    const timer = setTimeout(finish, run.timeoutMs);
    let lingering: NodeJS.Timeout | null = null;
    let finished = false;
    function finish() {
      if (finished) return;
      finished = true;
      clearTimeout(timer);
      if (lingering) clearTimeout(lingering);
      child.stdout.destroy();
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // Nothing of it is left.
      }
      resolve(text());
    }
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxOutputBytes) finish();
      else if (!lingering && run.isComplete(text())) lingering = setTimeout(finish, lingerMs);
    });
    child.stdout.on('error', () => undefined);
    child.once('error', finish);
    // What it wrote last may still be in the pipe, which a program that it left behind may hold open.
    child.once('exit', () => {
      lingering ??= setTimeout(finish, lingerMs);
    });
    child.once('close', finish);
  });
