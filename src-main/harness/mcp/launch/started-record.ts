import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { ProcessFacts, ReadFacts } from './process-facts';

/** A server's process as it was when it was written down. */
export interface StartedServer extends ProcessFacts {
  /** The server's name in servers.json. */
  readonly name: string;
}

/** The content of `running-servers.json`. */
export interface StartedServers {
  readonly version: 1;
  /** The app that started them; null where the system did not tell. */
  readonly app: ProcessFacts | null;
  readonly servers: readonly StartedServer[];
}

/**
 * Keeps on disk which servers' processes run, so that a start after a crash can end what the crash left behind. What is
 * written follows behind, in the background; a failure to write is logged once and changes nothing else.
 */
export interface StartedRecord {
  add(pid: number, name: string): void;
  remove(pid: number): void;
  /** Writes what is left; removes the file where nothing runs. */
  close(): Promise<void>;
}

export interface StartedRecordOptions {
  /** Absolute path, `running-servers.json` in the data folder. */
  readonly file: string;
  readonly readFacts: ReadFacts;
  /** The app's own process id. */
  readonly pid: number;
  onLog(line: string): void;
}

export const startedFileName = 'running-servers.json';
const maxServers = 500;
const maxFileBytes = 1024 * 1024;
/** Milliseconds that further changes are waited for before the system is asked, so that twenty starts are one question. */
const gatherMs = 100;
/** Milliseconds after which a process is looked at again: by then a script has given way to its interpreter. */
const settleMs = 3_000;

interface Entry {
  readonly name: string;
  facts: ProcessFacts | null;
  /** When to ask the system for the facts, on the clock of `performance.now`; null when that is done. */
  due: number | null;
  again: boolean;
}

interface State {
  readonly options: StartedRecordOptions;
  readonly entries: Map<number, Entry>;
  app: ProcessFacts | null;
  changed: boolean;
  failed: boolean;
  closed: boolean;
  timer: NodeJS.Timeout | null;
  work: Promise<void>;
}

export function createStartedRecord(options: StartedRecordOptions): StartedRecord {
  const state: State = {
    options,
    entries: new Map(),
    app: null,
    changed: false,
    failed: false,
    closed: false,
    timer: null,
    work: Promise.resolve(),
  };
  return {
    add(pid, name) {
      if (state.closed || state.entries.size >= maxServers) return;
      state.entries.set(pid, { name, facts: null, due: performance.now(), again: true });
      schedule(state, gatherMs);
    },
    remove(pid) {
      if (!state.entries.delete(pid) || state.closed) return;
      state.changed = true;
      schedule(state, gatherMs);
    },
    close() {
      if (!state.closed) {
        state.closed = true;
        if (state.timer) clearTimeout(state.timer);
        queue(state);
      }
      return state.work;
    },
  };
}

function schedule(state: State, ms: number): void {
  if (state.timer || state.closed) return;
  state.timer = setTimeout(() => {
    state.timer = null;
    queue(state);
  }, ms);
  state.timer.unref();
}

function queue(state: State): void {
  state.work = state.work.then(() => update(state));
}

async function update(state: State): Promise<void> {
  await ask(state);
  if (state.changed || state.closed) await save(state);
  const next = [...state.entries.values()].flatMap(({ due }) => (due === null ? [] : [due]));
  if (next.length > 0) schedule(state, Math.max(gatherMs, Math.min(...next) - performance.now()));
}

async function ask(state: State): Promise<void> {
  const now = performance.now();
  const due = [...state.entries].filter(([, entry]) => entry.due !== null && entry.due <= now);
  if (due.length === 0) return;
  const own = state.app ? [] : [state.options.pid];
  const facts = await state.options.readFacts([...due.map(([pid]) => pid), ...own]);
  state.app ??= facts.get(state.options.pid) ?? null;
  for (const [pid, entry] of due) {
    entry.facts = facts.get(pid) ?? null;
    entry.due = entry.again ? performance.now() + settleMs : null;
    entry.again = false;
  }
  state.changed = true;
}

async function save(state: State): Promise<void> {
  const { file, onLog } = state.options;
  state.changed = false;
  const servers = [...state.entries].flatMap(([, { name, facts }]) => (facts ? [{ name, ...facts }] : []));
  try {
    if (servers.length === 0) {
      await rm(file, { force: true });
      return;
    }
    const content: StartedServers = { version: 1, app: state.app, servers };
    await writeFile(`${file}.part`, `${JSON.stringify(content, null, 1)}\n`, { mode: 0o600 });
    await rename(`${file}.part`, file);
  } catch (error) {
    if (state.failed) return;
    state.failed = true;
    const detail = error instanceof Error ? error.message : String(error);
    onLog(
      `${file} cannot be written (${detail}), so servers that a crash leaves behind would not be ended by the next start. Check the permissions of its folder.`,
    );
  }
}

/** What an earlier run wrote; entries that are not whole are left out. Null where there is no file or it is no such record. */
export async function readStarted(file: string): Promise<StartedServers | null> {
  try {
    if ((await stat(file)).size > maxFileBytes) return null;
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (!isObject(value) || value['version'] !== 1 || !Array.isArray(value['servers'])) return null;
    const servers = value['servers'].slice(0, maxServers).flatMap((entry: unknown) => {
      const facts = readFactsOf(entry);
      return facts && isObject(entry) && typeof entry['name'] === 'string'
        ? [{ name: entry['name'], ...facts }]
        : [];
    });
    return { version: 1, app: readFactsOf(value['app']), servers };
  } catch {
    return null;
  }
}

function readFactsOf(value: unknown): ProcessFacts | null {
  if (!isObject(value)) return null;
  const { pid, group, started, program } = value;
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 1) return null;
  if (group !== null && typeof group !== 'number') return null;
  if (typeof started !== 'string' || typeof program !== 'string') return null;
  return { pid, group, started, program };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
