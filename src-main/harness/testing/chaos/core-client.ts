import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { CoreLine } from './crash-points';
import type { CoreOptions, CoreRequest } from './core-process';

/** A core in a process of its own, seen from outside. */
export interface CoreClient {
  readonly pid: number;
  /** The reply, or null when the process ended before it came. */
  ask(request: CoreRequest): Promise<unknown>;
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
  /** What the process wrote to its error stream. */
  errors(): string;
  /** Settles when the process is gone and everything that it said was heard. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

export interface CoreStart {
  readonly script: string;
  readonly options: CoreOptions;
  readonly env: Readonly<Record<string, string>>;
  /** Program and arguments that run the core in the place of Node alone. */
  readonly tracer: readonly string[];
  readonly onLine: (line: CoreLine) => void;
}

/** A killed tracer leaves no word of how its process ended: a missing reply is a kill all the same. */
export function startCore(start: CoreStart): CoreClient {
  const [program = process.execPath, ...args] = [
    ...start.tracer,
    process.execPath,
    start.script,
    JSON.stringify(start.options),
  ];
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(program, args, {
    env: { PATH, HOME, ...start.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-4_000)));
  child.stdin.on('error', () => undefined);
  const waiting = new Map<number, (value: unknown) => void>();
  const giveUp = (): void => {
    for (const settle of waiting.values()) settle(null);
    waiting.clear();
  };
  createInterface({ input: child.stdout }).on('line', (text) => {
    let line: CoreLine;
    try {
      line = JSON.parse(text) as CoreLine;
    } catch {
      // The last line of a killed process may be cut.
      return;
    }
    if (line.type !== 'reply') return start.onLine(line);
    waiting.get(line.id)?.(line.value);
    waiting.delete(line.id);
  });
  let next = 0;
  let gone = false;
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.on('error', () => resolve({ code: -1, signal: null }));
    child.on('close', (code, signal) => resolve({ code, signal }));
  }).finally(() => {
    gone = true;
    giveUp();
  });
  return {
    pid: child.pid ?? 0,
    ask(request) {
      if (gone) return Promise.resolve(null);
      next += 1;
      const id = next;
      const reply = new Promise<unknown>((resolve) => waiting.set(id, resolve));
      child.stdin.write(`${JSON.stringify({ id, ...request })}\n`);
      return reply;
    },
    signal: (name) => void child.kill(name),
    // Node prints the line that threw, and a line of the bundle is as long as a book.
    errors: () =>
      errors
        .split('\n')
        .filter((line) => line.trim() !== '' && line.length < 300)
        .join(' | '),
    ended,
  };
}
