import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../journal/database';
import { openJournalReader } from '../../journal';
import type { SessionEvent } from '../../protocol';
import { processRuns } from '../mcp-test-server';
import { witnessServer } from './build-core';
import type { CoreOptions } from './core-process';
import type { Remains } from './history';
import { openOutside, type Outside } from './outside';
import type { Plan } from './plan';

/** A data folder of its own with the world around it, for one scenario. */
export interface Stage {
  readonly folder: string;
  readonly outside: Outside;
  readonly options: CoreOptions;
  /** The file of tool servers, in which the server's own fault is written: `server:after#2`, or empty. */
  setServerFault(at: string): void;
  remains(): Promise<Remains>;
  close(): Promise<void>;
}

/** A killed process leaves its pages to the kernel, so a folder in memory proves the same and is fast. */
const base = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

const manifest = `---
id: tester
name: Tester
tagline: Tests what a crash leaves
description: A coworker of the crash runs.
icon: wrench
version: 1.0.0
default_mode: ask
---

You test.
`;

function writeBundle(folder: string): void {
  mkdirSync(join(folder, 'coworker'), { recursive: true });
  writeFileSync(join(folder, 'coworker/manifest.md'), manifest);
  const tools = { version: 3, tools: ['notes.read', 'notes.write', 'ledger.add'] };
  writeFileSync(join(folder, 'coworker/tools.json'), JSON.stringify(tools));
}

function integrityOf(folder: string): string {
  const db = openDatabase(join(folder, 'journal.db'));
  if (!db.ok) return db.error.message;
  const row = db.value.prepare('PRAGMA integrity_check').get() as { integrity_check: string };
  db.value.close();
  return row.integrity_check;
}

/** Tool servers end with their input; a moment is theirs. */
async function stillRunning(pids: readonly number[]): Promise<number[]> {
  const end = performance.now() + 3_000;
  for (;;) {
    const left = pids.filter(processRuns);
    if (left.length === 0 || performance.now() > end) return left;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function remainsOf(dataFolder: string, outside: Outside): Promise<Remains> {
  const left_running = await stillRunning(outside.serverStarts().map(({ server }) => server));
  const integrity = integrityOf(dataFolder);
  const reader = openJournalReader(dataFolder);
  if (!reader.ok) throw new Error(reader.error.message);
  const summaries = reader.value.summaries();
  if (!summaries.ok) throw new Error(summaries.error.message);
  const sessions = new Map<string, readonly SessionEvent[]>();
  for (const { session_id } of summaries.value) {
    const events = reader.value.events(session_id);
    if (!events.ok) throw new Error(events.error.message);
    sessions.set(session_id, events.value);
  }
  reader.value.close();
  return {
    integrity,
    sessions,
    summaries: summaries.value,
    effects: outside.effects(),
    contexts: outside.contexts,
    left_running,
  };
}

export async function openStage(plan: Plan): Promise<Stage> {
  const folder = mkdtempSync(join(base, 'chaos-'));
  const data_folder = join(folder, 'data');
  const bundle_folder = join(folder, 'bundle');
  const servers_file = join(folder, 'servers.json');
  writeBundle(bundle_folder);
  const outside = await openOutside(folder, plan);
  const setServerFault = (at: string): void => {
    const ledger = {
      transport: 'stdio',
      program: process.execPath,
      args: [witnessServer],
      env: { WITNESS: outside.ledger_file, DIE_AT: at },
    };
    writeFileSync(servers_file, JSON.stringify({ version: 1, servers: { ledger } }));
  };
  return {
    folder,
    outside,
    options: {
      data_folder,
      bundle_folder,
      servers_file,
      model_url: outside.model_url,
      effect_url: outside.effect_url,
    },
    setServerFault,
    remains: () => remainsOf(data_folder, outside),
    async close() {
      await outside.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
