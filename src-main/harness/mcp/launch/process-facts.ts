import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { systemProgram } from './launch-command';

/** What tells one process from every other that had or will have its id. */
export interface ProcessFacts {
  readonly pid: number;
  /** Its process group; null on Windows. */
  readonly group: number | null;
  /** When it started, in words of the platform: good for comparing only, also after a restart of the computer. */
  readonly started: string;
  /** The program that it runs. Its arguments are left out, since they may hold secrets. */
  readonly program: string;
}

/** The facts of those of the processes that run; a process that has ended is left out. Never rejects. */
export type ReadFacts = (pids: readonly number[]) => Promise<ReadonlyMap<number, ProcessFacts>>;

/** Runs a program of the system and gives what it wrote to stdout, as far as it came. Never rejects. */
export type RunProgram = (
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
) => Promise<string>;

export interface FactsOptions {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly run?: RunProgram;
}

/** Processes that one question may name. */
const maxPids = 500;
const runLimitMs = 10_000;

export const runProgram: RunProgram = (file, args, env) =>
  new Promise((resolve) => {
    const options = { env, timeout: runLimitMs, maxBuffer: 1024 * 1024, windowsHide: true };
    try {
      // `ps` fails where one of several processes is gone, and still tells of the others.
      execFile(file, [...args], options, (_error, stdout) => resolve(stdout));
    } catch {
      resolve('');
    }
  });

export function createReadFacts({ platform, env, run = runProgram }: FactsOptions): ReadFacts {
  return async (asked) => {
    const pids = [...new Set(asked)].filter((pid) => Number.isSafeInteger(pid) && pid > 0).slice(0, maxPids);
    if (pids.length === 0) return new Map();
    const found = await factsOf(platform, pids, env, run);
    return new Map(found.map((facts) => [facts.pid, facts]));
  };
}

async function factsOf(
  platform: NodeJS.Platform,
  pids: readonly number[],
  env: FactsOptions['env'],
  run: RunProgram,
): Promise<ProcessFacts[]> {
  if (platform === 'linux') {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
    const found = await Promise.all(pids.map((pid) => fromProc(pid, boot.trim())));
    return found.filter((facts) => facts !== null);
  }
  if (platform === 'win32') {
    const root = systemProgram(env, '');
    const shell = `${root}WindowsPowerShell\\v1.0\\powershell.exe`;
    const args = ['-NoProfile', '-NonInteractive', '-Command', cimQuery(pids)];
    return parseCim(await run(shell, args, windowsEnvironment(env)));
  }
  const args = ['-o', 'pid=,pgid=,lstart=,ucomm=', '-p', pids.join(',')];
  return parsePs(await run('/bin/ps', args, { LC_ALL: 'C', TZ: 'UTC0' }));
}

/** What programs of Windows need in order to start at all. */
export function windowsEnvironment(env: FactsOptions['env']): Record<string, string> {
  const wanted = new Set([
    'SYSTEMROOT',
    'WINDIR',
    'SYSTEMDRIVE',
    'TEMP',
    'TMP',
    'PROGRAMDATA',
    'USERPROFILE',
  ]);
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value !== undefined && wanted.has(name.toUpperCase()) ? [[name, value] as const] : [],
    ),
  );
}

async function fromProc(pid: number, boot: string): Promise<ProcessFacts | null> {
  try {
    const stat = parseStat(await readFile(`/proc/${pid}/stat`, 'utf8'));
    if (!stat) return null;
    // The program's file may have been replaced by an update while it runs.
    const program = (await readlink(`/proc/${pid}/exe`)).replace(/ \(deleted\)$/, '');
    return { pid, group: stat.group, started: `${boot}:${stat.ticks}`, program };
  } catch {
    return null;
  }
}

/** Group and start, in clock ticks after the boot, of a line of /proc/PID/stat; null for a process that has ended. */
export function parseStat(text: string): { group: number; ticks: string } | null {
  // The name, in brackets, may hold anything, brackets and line ends too.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, , group] = fields;
  const ticks = fields[19];
  if (state === undefined || 'ZX'.includes(state) || group === undefined || ticks === undefined) return null;
  return /^\d+$/.test(group) && /^\d+$/.test(ticks) ? { group: Number(group), ticks } : null;
}

/** Lines of `ps -o pid=,pgid=,lstart=,ucomm=`. */
export function parsePs(text: string): ProcessFacts[] {
  return text.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s+(\S.*?)\s*$/.exec(line);
    const [, pid, group, started, program] = match ?? [];
    if (pid === undefined || group === undefined || started === undefined || program === undefined) return [];
    return [{ pid: Number(pid), group: Number(group), started: started.replace(/\s+/g, ' '), program }];
  });
}

function cimQuery(pids: readonly number[]): string {
  const filter = pids.map((pid) => `ProcessId=${pid}`).join(' OR ');
  const line = `'{0}|{1}|{2}' -f $_.ProcessId, $_.CreationDate.ToUniversalTime().Ticks, $_.ExecutablePath`;
  return (
    `[Console]::OutputEncoding = [Text.Encoding]::UTF8; ` +
    `Get-CimInstance Win32_Process -Filter '${filter}' | ForEach-Object { ${line} }`
  );
}

/** Lines `PID|TICKS|PATH`. A process whose program may not be seen is left out. */
export function parseCim(text: string): ProcessFacts[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, pid, started, program] = /^\uFEFF?(\d+)\|(\d+)\|(.+)$/.exec(line) ?? [];
    if (pid === undefined || started === undefined || program === undefined) return [];
    return [{ pid: Number(pid), group: null, started, program: program.toLowerCase() }];
  });
}
