import { spawn, type ChildProcess } from 'node:child_process';
import {
  deserializeMessage,
  SdkError,
  SdkErrorCode,
  serializeMessage,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import type { LaunchCommand } from './launch-command';
import { createLineReader } from './line-reader';
import { wrapListedTools } from '../raw-results';
import { createProcessTree, type ProcessTree } from './process-tree';

/** How a server's process ended. */
export interface ServerExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** Set when we ended it, with the reason as a clause: "it wrote a line of more than 10 MiB". */
  readonly because: string | null;
  /** False when the system refused to start it. */
  readonly started: boolean;
}

export interface StdioTransportOptions {
  readonly command: LaunchCommand;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  /** A line of the server's own output on stderr. */
  onLog(line: string): void;
  /** A line on stdout that is no protocol message; it was skipped. */
  onSkipped(line: string): void;
  /** Once, after the process ended and its last output was read. */
  onExit(exit: ServerExit): void;
}

/**
 * A server as a child process that leads a group of its own. The `stderr` and `pid` members tell the client that it
 * speaks stdio, so that version negotiation takes silence for the older handshake and stays on this one process.
 */
export interface StdioTransport extends Transport {
  readonly pid: number | null;
  readonly stderr: null;
  /** Ends the whole process group within about three seconds. */
  close(): Promise<void>;
}

/** Bytes of one protocol message (field reports of servers that never end a line). */
export const maxLineBytes = 10 * 1024 * 1024;
const maxLogLineBytes = 8 * 1024;
/** Milliseconds that each step of the end may take: the end of stdin, the request to end, the kill. */
const endSteps = { stdin: 600, ask: 1_000, kill: 1_000 } as const;
/** Milliseconds to read what an ended process left in its pipes, which a grandchild may hold open. */
const drainMs = 200;

/** The one process of a transport. */
interface Running {
  readonly options: StdioTransportOptions;
  readonly tree: ProcessTree;
  readonly transport: StdioTransport;
  child: ChildProcess | null;
  /** Why we ended it, where we did. */
  because: string | null;
  ended: boolean;
  closing: Promise<void> | null;
  /** Called once it has ended. */
  readonly waiters: Set<() => void>;
}

export function createStdioTransport(options: StdioTransportOptions): StdioTransport {
  const running: Running = {
    options,
    tree: createProcessTree(options.platform),
    child: null,
    because: null,
    ended: false,
    closing: null,
    waiters: new Set(),
    transport: {
      stderr: null,
      get pid() {
        return running.child?.pid ?? null;
      },
      start: () => start(running),
      send: (message) => send(running, message),
      close() {
        running.closing ??= endProcess(running);
        return running.closing;
      },
    },
  };
  return running.transport;
}

function start(running: Running): Promise<void> {
  const { options, transport } = running;
  if (running.child) return Promise.reject(new Error('The transport was started already.'));
  return new Promise((resolve, reject) => {
    const child = spawn(options.command.file, [...options.command.args], {
      env: { ...options.env },
      cwd: options.cwd,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: options.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: options.command.verbatim,
    });
    running.child = child;
    child.once('spawn', resolve);
    child.once('error', (error) => {
      const exit = { code: null, signal: null, because: error.message, started: false };
      if (child.pid === undefined) finish(running, exit);
      transport.onerror?.(error);
      reject(error);
    });
    readOutput(running, child);
    child.once('exit', (code, signal) => {
      const done = () => finish(running, { code, signal, because: running.because, started: true });
      const timer = setTimeout(done, drainMs);
      child.once('close', () => {
        clearTimeout(timer);
        done();
      });
    });
  });
}

function readOutput(running: Running, child: ChildProcess): void {
  const { options, transport } = running;
  const out = createLineReader({
    limit: maxLineBytes,
    onLine: (line) => receive(running, line),
    onOverflow() {
      running.because = `it wrote a line of more than ${maxLineBytes / 1024 / 1024} MiB`;
      void transport.close();
    },
  });
  const log = createLineReader({
    limit: maxLogLineBytes,
    onLine: options.onLog,
    onOverflow: (line) => options.onLog(`${line}…`),
  });
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk)).on('end', () => out.end());
  child.stderr?.on('data', (chunk: Buffer) => log.push(chunk)).on('end', () => log.end());
  for (const stream of [child.stdin, child.stdout, child.stderr]) {
    stream?.on('error', (error) => transport.onerror?.(error));
  }
}

/**
 * A line that answers a request, and is no valid answer: whoever waits for that id is told so at once, instead of waiting
 * for the time limit. Null for every other line.
 */
function brokenAnswer(line: string): JSONRPCMessage | null {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null || 'method' in value || !('id' in value)) return null;
    const { id } = value;
    if (typeof id !== 'string' && typeof id !== 'number') return null;
    const message = 'the answer is not valid JSON-RPC, so what was done is only known to the server';
    return { jsonrpc: '2.0', id, error: { code: -32603, message } };
  } catch {
    return null;
  }
}

function receive(running: Running, line: string): void {
  if (running.ended || running.because !== null) return;
  let message: JSONRPCMessage;
  try {
    message = deserializeMessage(line);
  } catch {
    running.options.onSkipped(line.slice(0, 1_000));
    const answer = brokenAnswer(line);
    if (answer) running.transport.onmessage?.(answer);
    return;
  }
  try {
    running.transport.onmessage?.(wrapListedTools(message));
  } catch (error) {
    running.transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
  }
}

function finish(running: Running, exit: ServerExit): void {
  const { child } = running;
  if (running.ended) return;
  running.ended = true;
  // Whatever the leader left behind goes with it.
  if (child) running.tree.signal(child, true);
  for (const stream of [child?.stdin, child?.stdout, child?.stderr]) stream?.destroy();
  running.options.onExit(exit);
  running.transport.onclose?.();
  for (const resolve of running.waiters) resolve();
  running.waiters.clear();
}

function send(running: Running, message: JSONRPCMessage): Promise<void> {
  const stdin = running.child?.stdin;
  if (!stdin || running.ended || running.closing || !stdin.writable) {
    return Promise.reject(new SdkError(SdkErrorCode.NotConnected, 'Not connected'));
  }
  return new Promise((resolve) => {
    if (stdin.write(serializeMessage(message))) {
      resolve();
      return;
    }
    // The end of the process settles it as well: the client then hears of the close.
    const settle = () => {
      stdin.off('drain', settle);
      running.waiters.delete(settle);
      resolve();
    };
    stdin.once('drain', settle);
    running.waiters.add(settle);
  });
}

async function endProcess(running: Running): Promise<void> {
  const { child, tree } = running;
  if (!child || running.ended) return;
  child.stdin?.end();
  if (await endsWithin(running, endSteps.stdin)) return;
  tree.signal(child, false);
  if (await endsWithin(running, endSteps.ask)) return;
  tree.signal(child, true);
  if (await endsWithin(running, endSteps.kill)) return;
  finish(running, { code: null, signal: null, because: 'it could not be ended', started: true });
}

function endsWithin(running: Running, ms: number): Promise<boolean> {
  if (running.ended) return Promise.resolve(true);
  return new Promise((resolve) => {
    const settle = () => {
      clearTimeout(timer);
      running.waiters.delete(settle);
      resolve(running.ended);
    };
    const timer = setTimeout(settle, ms);
    running.waiters.add(settle);
  });
}
