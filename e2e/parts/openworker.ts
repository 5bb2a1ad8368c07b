import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect } from '@playwright/test';
import type { SessionEvent, SessionEventOf, SessionEventType } from '../../src-preload/contract';

export const root = path.join(import.meta.dirname, '..', '..');
export const program = path.join(root, 'out', 'openworker.mjs');
export const fileOrganizer = path.join(root, 'assets/coworkers/file-organizer');
export const everythingGuide = path.join(root, 'assets/coworkers/everything-guide');

export const key = 'test-key';
export const keyVariable = 'WORK_TEST_MODEL_KEY';

export interface RunResult {
  readonly type: 'result';
  readonly status: string;
  readonly text: string;
  readonly session_id: string | null;
  readonly error?: { readonly code: string; readonly message: string };
}

/** An ended `openworker`, with what it printed; `events` and `result` are there after `--json`. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly events: readonly SessionEvent[];
  readonly result: RunResult | null;
}

export interface Running {
  readonly child: ChildProcess;
  readonly done: Promise<Ended>;
  stdout(): string;
  stderr(): string;
  /** Writes one line to its stdin. */
  type(line: string): void;
}

export interface CliOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** All of stdin; an open stdin that `type` writes to unless given. */
  readonly input?: string;
  readonly cwd?: string;
}

/** The environment of a test without any key of the person who runs it. */
function environment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !/_API_KEY$/.test(name));
  const plain = Object.fromEntries(
    kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return { ...plain, [keyVariable]: key, ...extra };
}

/** Every line must be an object; the last one of a run is its result. */
function readLines(stdout: string): { events: SessionEvent[]; result: RunResult | null } {
  const lines = stdout.split('\n').filter((line) => line !== '');
  if (!lines[0]?.startsWith('{')) return { events: [], result: null };
  const objects = lines.map((line) => JSON.parse(line) as SessionEvent | RunResult);
  const last = objects.at(-1);
  const result = last?.type === 'result' ? last : null;
  return { events: (result ? objects.slice(0, -1) : objects) as SessionEvent[], result };
}

/** Starts the built command line as a user would. */
export function start(args: readonly string[], options: CliOptions = {}): Running {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: options.cwd ?? os.tmpdir(),
    env: environment(options.env),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.on('error', () => undefined);
  if (options.input !== undefined) child.stdin.end(options.input);
  const done = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const json = args.includes('--json');
      const read = json ? readLines(stdout) : { events: [], result: null };
      resolve({ code, signal, stdout, stderr, ...read });
    });
  });
  return {
    child,
    done,
    stdout: () => stdout,
    stderr: () => stderr,
    type: (line) => void child.stdin.write(`${line}\n`),
  };
}

/** Runs it to its end with an empty stdin unless one is given. */
export function openworker(args: readonly string[], options: CliOptions = {}): Promise<Ended> {
  return start(args, { input: '', ...options }).done;
}

export function eventsOf<T extends SessionEventType>(
  ended: Ended,
  type: T,
): readonly SessionEventOf<T>['data'][] {
  return ended.events
    .filter((event) => event.type === type)
    .map((event) => event.data as SessionEventOf<T>['data']);
}

/** Ends of calls in the order in which they were proposed: `call id → outcome`. */
export function outcomes(ended: Ended): Record<string, string> {
  return Object.fromEntries(eventsOf(ended, 'tool_finished').map((data) => [data.call_id, data.outcome]));
}

/** What holds for the output of every run with `--json`. */
export function expectWholeOutput(ended: Ended, status: string): void {
  expect(ended.result, ended.stdout + ended.stderr).toMatchObject({ type: 'result', status });
  expect(ended.events.map((event) => event.seq)).toEqual(ended.events.map((_, index) => index + 1));
  expect(new Set(ended.events.map((event) => event.session_id))).toEqual(new Set([ended.result?.session_id]));
  expect(ended.events[0]?.type).toBe('session_created');
  expect(ended.events.at(-1)?.type).toBe('turn_finished');
  expect(ended.stdout + ended.stderr).not.toContain(key);
}

/** Folders of one test; `close` removes them. */
export interface Place {
  readonly folder: string;
  readonly workspace: string;
  readonly data: string;
  /** Writes a file below the folder and answers its path. */
  write(file: string, content: unknown): string;
  close(): void;
}

export function place(): Place {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'openworker-cli-')));
  const workspace = path.join(folder, 'workspace');
  fs.mkdirSync(workspace);
  return {
    folder,
    workspace,
    data: path.join(folder, 'data'),
    write(file, content) {
      const target = path.join(folder, file);
      fs.mkdirSync(path.dirname(target), { recursive: true });
      fs.writeFileSync(target, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
      return target;
    },
    close: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}

/** A coworker of the test's own, below the place's folder. */
export function writeBundle(at: Place, tools: readonly string[], name = 'tester'): string {
  at.write(
    `${name}/coworker/manifest.md`,
    `---\nid: ${name}\nname: Tester\ntagline: Tests\ndescription: Tests tools.\nicon: compass\nversion: 1.0.0\n---\n\nYou test.\n`,
  );
  at.write(`${name}/coworker/tools.json`, { version: 3, tools });
  return path.join(at.folder, name);
}

/** Waits until `look` gives something. */
export async function until<T>(
  look: () => T | null | undefined | false,
  what: string,
  limitMs = 15_000,
): Promise<T> {
  const end = Date.now() + limitMs;
  for (;;) {
    const found = look();
    if (found !== null && found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`This did not happen in ${limitMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
