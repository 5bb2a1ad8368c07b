import { spawn, type ChildProcess } from 'node:child_process';
import { watchdogProgram } from './watchdog-program';

/**
 * Ends the servers' process groups within about two seconds after the app was killed. One small process for the whole
 * app, started with the first server. On Windows nothing is watched: servers see the end of their stdin, and what stays
 * all the same is ended by the next start (`endLeftovers`).
 */
export interface Watchdog {
  /** @param pid leader of a process group of its own */
  watch(pid: number): void;
  /** Once the group has ended; its number may belong to somebody else from then on. */
  unwatch(pid: number): void;
  /** Ends the watchdog, and with it every group that is still watched. Resolves when it is gone, at the latest after 3 seconds. */
  close(): Promise<void>;
}

export interface WatchdogOptions {
  readonly platform: NodeJS.Platform;
  /** A line for the app's log: the watchdog could not be started or ended by itself. */
  onLog?(line: string): void;
}

/** Starts, the first one included, before it is given up: something on this computer keeps ending it. */
const maxStarts = 4;
const closeLimitMs = 3_000;

interface Guard {
  readonly onLog: (line: string) => void;
  readonly watched: Set<number>;
  child: ChildProcess | null;
  starts: number;
  closed: boolean;
}

export function createWatchdog({ platform, onLog = () => undefined }: WatchdogOptions): Watchdog {
  if (platform === 'win32') {
    return { watch: () => undefined, unwatch: () => undefined, close: () => Promise.resolve() };
  }
  const guard: Guard = { onLog, watched: new Set(), child: null, starts: 0, closed: false };
  return {
    watch(pid) {
      if (guard.closed || !Number.isSafeInteger(pid) || pid <= 1) return;
      guard.watched.add(pid);
      if (guard.child) write(guard.child, `+${pid}\n`);
      else start(guard);
    },
    unwatch(pid) {
      if (guard.watched.delete(pid) && guard.child) write(guard.child, `-${pid}\n`);
    },
    close() {
      guard.closed = true;
      return end(guard);
    },
  };
}

function start(guard: Guard): void {
  if (guard.starts >= maxStarts) return;
  guard.starts += 1;
  // A session of its own: no Ctrl+C and no closed terminal reaches it. It holds no folder and sees no keys.
  const child = spawn('/bin/sh', ['-c', watchdogProgram, 'openworker-watchdog'], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC0' },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.child = child;
  child.stdin?.on('error', () => undefined);
  const lost = (why: string) => {
    if (guard.child !== child) return;
    guard.child = null;
    if (guard.closed) return;
    guard.onLog(`The watchdog over the servers' processes ${why}.`);
    if (guard.watched.size > 0) start(guard);
  };
  child.once('error', (error) => lost(`could not be started (${error.message})`));
  child.once('exit', (code, signal) => lost(`ended (${signal ?? `exit code ${code}`})`));
  child.unref();
  unref(child);
  write(child, [...guard.watched].map((pid) => `+${pid}\n`).join(''));
}

/** The pipe to it must not keep the app alive. */
function unref({ stdin }: ChildProcess): void {
  if (stdin && 'unref' in stdin && typeof stdin.unref === 'function') stdin.unref();
}

function write({ stdin }: ChildProcess, lines: string): void {
  if (stdin?.writable) stdin.write(lines);
}

function end(guard: Guard): Promise<void> {
  const { child } = guard;
  if (!child || child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(done, closeLimitMs);
    function done() {
      clearTimeout(timer);
      resolve();
    }
    child.once('exit', done);
    child.ref();
    child.stdin?.end();
  });
}
