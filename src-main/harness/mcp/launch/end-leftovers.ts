import { rm } from 'node:fs/promises';
import { systemProgram } from './launch-command';
import {
  runProgram,
  windowsEnvironment,
  type ProcessFacts,
  type ReadFacts,
  type RunProgram,
} from './process-facts';
import { readStarted, type StartedServer } from './started-record';

export interface EndLeftoversOptions {
  /** The record that an earlier run wrote. */
  readonly file: string;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly readFacts: ReadFacts;
  /** The app's own process id. */
  readonly pid: number;
  readonly run?: RunProgram;
  /** Sends a signal as `process.kill` does. */
  readonly kill?: (pid: number, signal: 'SIGTERM' | 'SIGKILL') => void;
  onLog(line: string): void;
}

/** Milliseconds that leftovers get to end when asked, and how often it is looked. */
const askMs = 1_000;
const lookMs = 100;

/**
 * Ends the servers' processes that an earlier run of the app left behind, each with everything that it started. Only
 * what still has the recorded id, start time and program is touched; where the app that recorded it still runs, nothing
 * is. The record is removed. Names of the servers whose processes were ended. Never rejects.
 *
 * To be called before anything of this run is recorded, and behind the lock of the data folder.
 */
export async function endLeftovers(options: EndLeftoversOptions): Promise<readonly string[]> {
  const record = await readStarted(options.file);
  if (!record) {
    await remove(options.file);
    return [];
  }
  const owner = record.app;
  const facts = await options.readFacts([
    ...record.servers.map(({ pid }) => pid),
    ...(owner ? [owner.pid] : []),
  ]);
  if (owner && owner.pid !== options.pid && isSame(owner, facts.get(owner.pid))) return [];
  const left = record.servers.filter((server) => isLeftover(server, facts.get(server.pid), options));
  if (left.length > 0) await (options.platform === 'win32' ? endTrees : endGroups)(left, options);
  await remove(options.file);
  for (const { name, pid } of left) {
    options.onLog(
      `Server "${name}" still ran from an earlier start of the app (process ${pid}) and was ended.`,
    );
  }
  return left.map(({ name }) => name);
}

function isSame(recorded: ProcessFacts, now: ProcessFacts | undefined): boolean {
  return now?.started === recorded.started && now.program === recorded.program;
}

function isLeftover(
  server: StartedServer,
  now: ProcessFacts | undefined,
  options: EndLeftoversOptions,
): boolean {
  if (server.pid === options.pid || !isSame(server, now)) return false;
  // Only a group that it leads itself is the server's own.
  return options.platform === 'win32' || now?.group === server.pid;
}

async function endTrees(left: readonly StartedServer[], options: EndLeftoversOptions): Promise<void> {
  const { env, run = runProgram } = options;
  const taskkill = systemProgram(env, 'taskkill.exe');
  for (const { pid } of left) {
    await run(taskkill, ['/PID', String(pid), '/T', '/F'], windowsEnvironment(env));
  }
}

async function endGroups(left: readonly StartedServer[], options: EndLeftoversOptions): Promise<void> {
  const { kill = (pid, signal) => void process.kill(pid, signal) } = options;
  const signal = (pid: number, name: 'SIGTERM' | 'SIGKILL'): void => {
    try {
      kill(-pid, name);
    } catch {
      // The group is gone.
    }
  };
  for (const { pid } of left) signal(pid, 'SIGTERM');
  for (let waited = 0; waited < askMs; waited += lookMs) {
    await new Promise((resolve) => setTimeout(resolve, lookMs));
    const now = await options.readFacts(left.map(({ pid }) => pid));
    if (left.every((server) => !isSame(server, now.get(server.pid)))) break;
  }
  // A leader that is gone may have left others of its group behind; another process with its number is no leader of it.
  const now = await options.readFacts(left.map(({ pid }) => pid));
  for (const server of left) {
    const found = now.get(server.pid);
    if (!found || isSame(server, found)) signal(server.pid, 'SIGKILL');
  }
}

async function remove(file: string): Promise<void> {
  await rm(file, { force: true }).catch(() => undefined);
  await rm(`${file}.part`, { force: true }).catch(() => undefined);
}
