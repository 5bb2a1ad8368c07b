import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLedger, type Ledger, type StandingAnswer } from '../approvals';
import type { Bundle } from '../bundles';
import { createGuardrails, type Guardrail, type GuardrailSelection } from '../guardrails';
import { createImageStore, type ImageStore } from '../images';
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
  type Failure,
  type JsonObject,
  type Result,
  type SessionEvent,
  type SessionView,
} from '../protocol';
import { currentIdentity, openSession, type Session, type SessionDeps } from '../session';
import {
  createRegistry,
  type CallbackDefinition,
  type CatalogSource,
  type NativeTool,
  type ToolContext,
  type ToolError,
  type ToolHooks,
  type ToolOutput,
} from '../tools';
import { createSchemaCompiler } from '../validation';

export interface BenchTool extends ToolHooks {
  readonly name: string;
  readonly description?: string;
  readonly classification?: Classification;
  readonly input_schema?: JsonObject;
  readonly version?: string;
  readonly call: (context: ToolContext, args: JsonObject) => Promise<ToolOutput | ToolError>;
}

function native(tool: BenchTool): NativeTool {
  const { modelContext, turnFinished, revoke, mayForwardImage } = tool;
  return {
    ...(modelContext ? { modelContext } : {}),
    ...(turnFinished ? { turnFinished } : {}),
    ...(revoke ? { revoke } : {}),
    ...(mayForwardImage ? { mayForwardImage } : {}),
    descriptor: () => ({
      qualified_name: tool.name,
      description: tool.description ?? `Test tool ${tool.name}`,
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
  readonly codeDigest?: string;
  /** Callbacks of an application, all `read`. */
  readonly callbacks?: readonly CallbackDefinition[];
  readonly guardrails?: {
    readonly guardrails: readonly Guardrail[];
    readonly selections: readonly GuardrailSelection[];
  };
  readonly forwardsImages?: boolean;
  readonly policies?: JsonObject;
  readonly bundleDigest?: string;
  /** Why a turn cannot be prepared now; none where it answers null. */
  readonly unprepared?: () => Failure | null;
  /** Milliseconds since 1970; the real clock unless given. */
  readonly wallClock?: () => number;
  /** Milliseconds after which a request expires; never unless given. */
  readonly expiryMs?: number;
  readonly command?: SessionDeps['command'];
  /** Monotonic milliseconds; the real clock unless given. */
  readonly clock?: () => number;
}

/** What the disk does, and what was asked of the journal. */
export interface BenchDisk {
  /** Set to have every append refused, as a full disk would. */
  full: boolean;
  /** So many appends are taken, then the disk is full. */
  fullAfter: number | null;
  /** Types of the events of each transaction that was committed. */
  readonly appends: string[][];
  /** Events that were read, by the journal's method. */
  readonly reads: Record<string, number>;
}

/** Real sessions on a real journal in a temporary folder, with a scripted model and test tools. */
export interface SessionBench {
  readonly journal: Journal;
  readonly folder: string;
  readonly disk: BenchDisk;
  readonly logged: readonly string[];
  create(): Session;
  /** The image store of the process in which the session was opened last. */
  images(sessionId: string): ImageStore;
  /** Forgets the open session, as an ended process would, and opens it anew with other parts where given. */
  reopen(sessionId: string, changed?: Partial<BenchOptions>): Session;
  events(sessionId: string): readonly SessionEvent[];
  view(sessionId: string): SessionView;
  /** The call ids with their states, in order. */
  states(sessionId: string): Record<string, string>;
  close(): void;
}

function bundleOf(tools: readonly string[], digest = 'd'.repeat(64)): Bundle {
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
    tools_version: 3,
    tools: checkSelection(tools).names,
    tool_lines: new Map(),
    skills: [],
    digest,
    folder: '/nowhere',
  };
}

function selectionOf({ selected, tools = [], callbacks = [] }: BenchOptions): readonly string[] {
  return (
    selected ?? [
      ...tools.map((tool) => tool.name),
      ...callbacks.map(({ namespace, name }) => `${namespace}.${name}`),
    ]
  );
}

function depsOf(
  journal: Journal,
  ledger: Ledger,
  options: BenchOptions,
  log: (line: string) => void,
): SessionDeps {
  const registry = createRegistry();
  for (const tool of options.tools ?? []) {
    const registered = registry.registerNative(
      native(tool),
      tool.classification ? { classification: tool.classification } : {},
    );
    if (!registered.ok) throw new Error(registered.error.message);
  }
  for (const source of options.sources ?? []) registry.registerSource(source);
  for (const callback of options.callbacks ?? []) {
    const registered = registry.registerCallback(callback, { classification: 'read' });
    if (!registered.ok) throw new Error(registered.error.message);
  }
  const selected = selectionOf(options);
  const clock = options.clock ?? (() => performance.now());
  let next = 0;
  return {
    journal,
    registry: registry.freeze(),
    bundle: () => Promise.resolve(ok(bundleOf(selected, options.bundleDigest))),
    provider: () => {
      const error = options.unprepared?.() ?? null;
      return error ? { ok: false, error } : ok(options.model);
    },
    schemas: createSchemaCompiler(),
    guardrails: createGuardrails(options.guardrails ?? { guardrails: [], selections: [] }),
    images: createImageStore({ clock, newId: () => `image_${(next += 1)}` }),
    forwardsImages: options.forwardsImages ?? true,
    policies: options.policies ?? {},
    codeDigest: options.codeDigest ?? null,
    log,
    standing: options.standing ?? 'ask',
    ledger,
    command: options.command ?? (() => null),
    expiryMs: () => options.expiryMs ?? null,
    wallClock: options.wallClock ?? Date.now,
    clock,
    newId: (kind) => `${kind}_${(next += 1)}_${Math.random().toString(36).slice(2, 8)}`,
    sleep: () => Promise.resolve(),
    onSummary: () => undefined,
  };
}

function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

function watchedJournal(real: Journal, disk: BenchDisk): Journal {
  const counted = <T extends readonly unknown[]>(method: string, read: Result<T>): Result<T> => {
    if (read.ok) disk.reads[method] = (disk.reads[method] ?? 0) + read.value.length;
    return read;
  };
  return {
    ...real,
    append(sessionId, events, attachments) {
      if (disk.full || disk.fullAfter === 0) return fail('journal_full', 'The disk is full.');
      if (disk.fullAfter !== null) disk.fullAfter -= 1;
      const appended = real.append(sessionId, events, attachments);
      if (appended.ok) disk.appends.push(appended.value.map((event) => event.type));
      return appended;
    },
    read: (...given) => counted('read', real.read(...given)),
    readBefore: (...given) => counted('readBefore', real.readBefore(...given)),
    readKeyEvents: (...given) => counted('readKeyEvents', real.readKeyEvents(...given)),
  };
}

export function sessionBench(options: BenchOptions): SessionBench {
  const folder = mkdtempSync(join(tmpdir(), 'session-'));
  const real = must(openJournal({ folder, now: Date.now }));
  const disk: BenchDisk = { full: false, fullAfter: null, appends: [], reads: {} };
  const journal = watchedJournal(real, disk);
  const ledger = must(openLedger({ journal, now: options.wallClock ?? Date.now }));
  const logged: string[] = [];
  const stores = new Map<string, ImageStore>();
  const opened = (sessionId: string, with_: BenchOptions): Session => {
    const deps = depsOf(journal, ledger, with_, (line) => logged.push(line));
    stores.set(sessionId, deps.images);
    return must(openSession(deps, sessionId));
  };
  let count = 0;
  const bench: SessionBench = {
    journal,
    folder,
    disk,
    logged,
    images(sessionId) {
      const store = stores.get(sessionId);
      if (!store) throw new Error(`Session ${sessionId} was not opened.`);
      return store;
    },
    create() {
      const sessionId = `s_${(count += 1)}`;
      const bundle = bundleOf(selectionOf(options), options.bundleDigest);
      const { id, name, tagline, icon, version, digest } = bundle;
      const identity = currentIdentity(
        depsOf(journal, ledger, options, () => undefined),
        bundle,
      );
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
              ...(identity ? { identity } : {}),
            },
          },
        ]),
      );
      return opened(sessionId, options);
    },
    reopen: (sessionId, changed = {}) => opened(sessionId, { ...options, ...changed }),
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
