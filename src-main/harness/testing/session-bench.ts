import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StandingAnswer } from '../approvals';
import type { Bundle } from '../bundles';
import { openJournal, type Journal } from '../journal';
import type { ModelProvider } from '../model';
import {
  checkSelection,
  emptySessionView,
  fail,
  foldSessionEvents,
  isJsonObject,
  ok,
  orderedRows,
  orderedTurns,
  rowState,
  type Classification,
  type JsonObject,
  type Result,
  type SessionEvent,
  type SessionView,
} from '../protocol';
import { openSession, type Session, type SessionDeps } from '../session';
import {
  createRegistry,
  type CatalogSource,
  type NativeTool,
  type ToolContext,
  type ToolError,
  type ToolOutput,
} from '../tools';
import { createSchemaCompiler } from '../validation';

export interface BenchTool {
  readonly name: string;
  readonly classification?: Classification;
  readonly input_schema?: JsonObject;
  readonly version?: string;
  readonly call: (context: ToolContext, args: JsonObject) => Promise<ToolOutput | ToolError>;
}

function native(tool: BenchTool): NativeTool {
  return {
    descriptor: () => ({
      qualified_name: tool.name,
      description: `Test tool ${tool.name}`,
      input_schema: tool.input_schema ?? { type: 'object' },
      version: tool.version ?? '1',
    }),
    call: (context, args) => tool.call(context, args),
  };
}

export interface BenchOptions {
  readonly model: ModelProvider;
  readonly tools?: readonly BenchTool[];
  readonly sources?: readonly CatalogSource[];
  /** Qualified names; all bench tools unless given. */
  readonly selected?: readonly string[];
  readonly standing?: StandingAnswer;
}

/** Real sessions on a real journal in a temporary folder, with a scripted model and test tools. */
export interface SessionBench {
  readonly journal: Journal;
  readonly folder: string;
  /** Set `full` to have every append refused, as a full disk would. */
  readonly disk: { full: boolean };
  create(): Session;
  /** Forgets the open session, as an ended process would, and opens it anew with other parts where given. */
  reopen(sessionId: string, changed?: Partial<BenchOptions>): Session;
  events(sessionId: string): readonly SessionEvent[];
  view(sessionId: string): SessionView;
  /** The call ids with their states, in order. */
  states(sessionId: string): Record<string, string>;
  close(): void;
}

function bundleOf(tools: readonly string[]): Bundle {
  return {
    id: 'tester',
    name: 'Tester',
    tagline: '',
    description: '',
    icon: 'wrench',
    version: '1.0.0',
    default_mode: 'ask',
    recommended_models: [],
    instructions: 'You test.',
    instructions_line: 1,
    tools: checkSelection(tools).names,
    tool_lines: new Map(),
    skills: [],
    digest: 'd'.repeat(64),
    folder: '/nowhere',
  };
}

function depsOf(journal: Journal, options: BenchOptions): SessionDeps {
  const registry = createRegistry();
  for (const tool of options.tools ?? []) {
    const registered = registry.registerNative(
      native(tool),
      tool.classification ? { classification: tool.classification } : {},
    );
    if (!registered.ok) throw new Error(registered.error.message);
  }
  for (const source of options.sources ?? []) registry.registerSource(source);
  const selected = options.selected ?? (options.tools ?? []).map((tool) => tool.name);
  let next = 0;
  return {
    journal,
    registry: registry.freeze(),
    bundle: () => Promise.resolve(ok(bundleOf(selected))),
    provider: () => ok(options.model),
    schemas: createSchemaCompiler(),
    standing: options.standing ?? 'ask',
    clock: () => performance.now(),
    newId: (kind) => `${kind}_${(next += 1)}_${Math.random().toString(36).slice(2, 8)}`,
    sleep: () => Promise.resolve(),
    onSummary: () => undefined,
  };
}

function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

export function sessionBench(options: BenchOptions): SessionBench {
  const folder = mkdtempSync(join(tmpdir(), 'session-'));
  const real = must(openJournal({ folder, now: Date.now }));
  const disk = { full: false };
  const journal: Journal = {
    ...real,
    append: (...given) => (disk.full ? fail('journal_full', 'The disk is full.') : real.append(...given)),
  };
  let count = 0;
  const bench: SessionBench = {
    journal,
    folder,
    disk,
    create() {
      const sessionId = `s_${(count += 1)}`;
      const { id, name, tagline, icon, version, digest } = bundleOf([]);
      must(
        journal.append(sessionId, [
          {
            turn_id: null,
            type: 'session_created',
            data: {
              title: name,
              coworker: { id, name, tagline, icon, version, bundle_digest: digest },
              workspace: null,
              model: { provider: 'script', name: 'script' },
              mode: 'ask',
              app_version: '0',
            },
          },
        ]),
      );
      return must(openSession(depsOf(journal, options), sessionId));
    },
    reopen: (sessionId, changed = {}) =>
      must(openSession(depsOf(journal, { ...options, ...changed }), sessionId)),
    events: (sessionId) => must(journal.read(sessionId, 0, 100_000)),
    view: (sessionId) => foldSessionEvents(emptySessionView(sessionId), bench.events(sessionId)),
    states(sessionId) {
      const found: Record<string, string> = {};
      for (const turn of orderedTurns(bench.view(sessionId))) {
        for (const row of orderedRows(turn)) found[row.call_id] = rowState(row, turn);
      }
      return found;
    },
    close() {
      journal.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return bench;
}

/** Waits until `find` gives something, looking once a macrotask; a bound of two seconds makes a defect of never. */
export async function until<T>(find: () => T | null | undefined | false, limitMs = 2_000): Promise<T> {
  const end = performance.now() + limitMs;
  for (;;) {
    const found = find();
    if (found !== null && found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error('What the test waits for did not come.');
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

export function textOf(args: JsonObject, key: string): string {
  const value = isJsonObject(args) ? args[key] : undefined;
  return typeof value === 'string' ? value : '';
}
