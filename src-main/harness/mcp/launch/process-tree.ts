import { spawn, type ChildProcess } from 'node:child_process';
import { systemProgram } from './launch-command';

/** Ends a process and everything that it started. */
export interface ProcessTree {
  /** Asks, or with `force` ends, the whole tree. Does nothing when it is gone. Never throws. */
  signal(child: ChildProcess, force: boolean): void;
}

/** On POSIX the child leads a group of its own (`detached`); on Windows `taskkill` knows the tree. */
export function createProcessTree(platform: NodeJS.Platform): ProcessTree {
  return platform === 'win32' ? windowsTree : posixTree;
}

const posixTree: ProcessTree = {
  signal(child, force) {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, force ? 'SIGKILL' : 'SIGTERM');
    } catch {
      // The group is gone.
    }
  },
};

const windowsTree: ProcessTree = {
  signal(child, force) {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    // Without a window there is nothing that could be asked: both ways end it.
    const args = ['/PID', String(child.pid), '/T', ...(force ? ['/F'] : [])];
    const taskkill = systemProgram(process.env, 'taskkill.exe');
    spawn(taskkill, args, { stdio: 'ignore', windowsHide: true }).on('error', () => child.kill());
  },
};
