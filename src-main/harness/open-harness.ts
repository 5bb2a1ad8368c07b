import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { openLibrary, type Library } from './bundles';
import type { Harness, HarnessNotice, HarnessOptions, NewSession } from './harness-port';
import { lockDataFolder, openJournal, type Journal } from './journal';
import { createMcpServers, readServersFile, type McpServers } from './mcp';
import {
  createOwnerProvider,
  createPracticeModel,
  createProviderDirectory,
  type ModelProvider,
  type ProviderDirectory,
  type ProviderSettings,
} from './model';
import { isJsonObject, ok, type Json, type Problem, type Result } from './protocol';
import { openSession, type IdKind, type Session, type SessionDeps } from './session';
import { createRegistry, type Registry } from './tools';
import { createSchemaCompiler } from './validation';
import { listFilesForMention, openWorkspace } from './workspace';

const idPrefix: Record<IdKind, string> = { session: 's', turn: 't', message: 'm', approval: 'a', grant: 'g' };

function newId(kind: IdKind): string {
  return `${idPrefix[kind]}_${randomUUID()}`;
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}

/** Settings are the last value of each key in the app's stream. */
function readSettings(journal: Journal): Result<Map<string, Json>> {
  const events = journal.readApp();
  if (!events.ok) return events;
  const settings = new Map<string, Json>();
  for (const event of events.value) settings.set(event.data.key, event.data.value);
  return ok(settings);
}

/** A file that is missing is no servers; one with problems registers the servers that are in order and names the rest. */
async function openServers(
  options: HarnessOptions,
  notify: (notice: HarnessNotice) => void,
): Promise<{ servers: McpServers; problems: readonly Problem[] }> {
  const file = options.serversFile;
  const read =
    file !== null && existsSync(file) ? await readServersFile(file) : ok({ servers: [], problems: [] });
  const servers = createMcpServers({
    config: read.ok ? read.value.servers : [],
    resolveSecret: options.resolveSecret,
    env: options.env,
    platform: process.platform,
    clientInfo: { name: 'openworker', version: options.appVersion },
    now: () => performance.now(),
    log: options.log,
  });
  servers.onChanged(() => notify({ type: 'servers_changed', servers: servers.statuses() }));
  const problems: readonly Problem[] = read.ok
    ? read.value.problems
    : [{ ...read.error, file: file ?? 'servers.json', severity: 'error' }];
  return { servers, problems };
}

function buildRegistry(options: HarnessOptions, servers: McpServers): Result<Registry> {
  const builder = createRegistry();
  const native = options.registerNative(builder);
  if (!native.ok) return native;
  for (const source of servers.sources()) {
    const registered = builder.registerSource(source);
    if (!registered.ok) return registered;
  }
  return ok(builder.freeze());
}

interface Parts {
  readonly options: HarnessOptions;
  readonly journal: Journal;
  readonly library: Library;
  readonly sessionDeps: SessionDeps;
  readonly open: Map<string, Session>;
  readonly notify: (notice: HarnessNotice) => void;
}

async function createSession(
  { options, journal, library, notify }: Parts,
  fresh: NewSession,
): Promise<Result<{ readonly session_id: string }>> {
  const bundle = await library.get(fresh.coworker_id);
  if (!bundle.ok) return bundle;
  const { id, name, tagline, icon, version, digest } = bundle.value;
  let workspace: string | null = null;
  if (fresh.workspace !== null) {
    const opened = await openWorkspace(fresh.workspace);
    if (!opened.ok) return opened;
    workspace = opened.value.root;
  }
  const session_id = newId('session');
  const created = journal.append(session_id, [
    {
      turn_id: null,
      type: 'session_created',
      data: {
        title: name,
        coworker: { id, name, tagline, icon, version, bundle_digest: digest },
        workspace,
        model: fresh.model,
        mode: fresh.mode,
        app_version: options.appVersion,
      },
    },
  ]);
  if (!created.ok) return created;
  const summary = journal.summary(session_id);
  if (summary) notify({ type: 'session_changed', summary });
  return ok({ session_id });
}

function sessionsOf(parts: Parts): Harness['sessions'] {
  const { journal, open, sessionDeps, notify } = parts;
  const get = (sessionId: string): Result<Session> => {
    const known = open.get(sessionId);
    if (known) return ok(known);
    const opened = openSession(sessionDeps, sessionId);
    if (opened.ok) open.set(sessionId, opened.value);
    return opened;
  };
  return {
    list() {
      const summaries = journal.summaries();
      return summaries.ok ? [...summaries.value].sort((a, b) => (a.updated_at < b.updated_at ? 1 : -1)) : [];
    },
    create: (fresh) => createSession(parts, fresh),
    get,
    async delete(sessionId) {
      const session = get(sessionId);
      if (!session.ok) return session;
      await session.value.stop();
      await session.value.close();
      open.delete(sessionId);
      const deleted = journal.deleteSession(sessionId);
      if (deleted.ok) notify({ type: 'session_removed', session_id: sessionId });
      return deleted;
    },
    attachment: (sessionId, digest) => journal.readAttachment(sessionId, digest),
    async mentionable(sessionId, query, signal) {
      const session = get(sessionId);
      if (!session.ok) return session;
      if (session.value.workspace === null) return ok([]);
      const workspace = await openWorkspace(session.value.workspace);
      if (!workspace.ok) return workspace;
      const found = await listFilesForMention(workspace.value, query, 30, signal);
      return ok(found.paths);
    },
  };
}

const providerKinds = [
  'anthropic',
  'openai',
  'google',
  'openai-compatible',
  'ollama',
  'lmstudio',
  'practice',
] as const;

function readProviderSettings(stored: Json | undefined): readonly ProviderSettings[] {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((entry: Json) => {
    if (!isJsonObject(entry)) return [];
    const { id, label, base_url: address } = entry;
    const kind = providerKinds.find((known) => known === entry['kind']);
    if (typeof id !== 'string' || typeof label !== 'string' || !kind) return [];
    return [{ id, kind, label, base_url: typeof address === 'string' ? address : null }];
  });
}

/** Sessions that the last run left in the middle of something are settled truthfully before anything else happens. */
function settleInterrupted(sessions: Harness['sessions'], log: (line: string) => void): void {
  for (const summary of sessions.list()) {
    if (summary.state !== 'working' && summary.state !== 'needs_you') continue;
    const session = sessions.get(summary.session_id);
    if (!session.ok) log(`Session ${summary.session_id} could not be recovered: ${session.error.message}`);
  }
}

function providersOf(
  options: HarnessOptions,
  settings: Harness['settings'],
  practice: ModelProvider,
  notify: (notice: HarnessNotice) => void,
): ProviderDirectory {
  const key = 'providers';
  return createProviderDirectory({
    settings: {
      load: () => readProviderSettings(settings.get()[key]),
      save: (all) => {
        const stored = settings.set(
          key,
          all.map((provider) => ({ ...provider })),
        );
        if (!stored.ok) options.log(`The providers could not be saved: ${stored.error.message}`);
      },
    },
    secrets: options.secrets,
    env: options.env,
    fetch: globalThis.fetch,
    newId: () => randomUUID().slice(0, 8),
    practice,
    onChanged: (providers) => notify({ type: 'providers_changed', providers }),
  });
}

function settingsOf(
  journal: Journal,
  values: Map<string, Json>,
  notify: (notice: HarnessNotice) => void,
): Harness['settings'] {
  return {
    get: () => Object.fromEntries(values),
    set(key, value) {
      const appended = journal.appendApp('setting_changed', { key, value });
      if (!appended.ok) return appended;
      values.set(key, value);
      notify({ type: 'settings_changed', settings: Object.fromEntries(values) });
      return ok(null);
    },
  };
}

/** Runs the steps in order, the last opened first, and once. */
function closerOf(steps: readonly (() => void | Promise<void>)[]): () => Promise<void> {
  let closing: Promise<void> | null = null;
  const closeAll = async (): Promise<void> => {
    for (const step of steps) await step();
  };
  return () => (closing ??= closeAll());
}

async function assemble(
  options: HarnessOptions,
  journal: Journal,
  release: () => void,
): Promise<Result<Harness>> {
  const listeners = new Set<(notice: HarnessNotice) => void>();
  const notify = (notice: HarnessNotice): void => {
    for (const listener of listeners) listener(notice);
  };
  const stored = readSettings(journal);
  if (!stored.ok) return stored;
  const { servers, problems } = await openServers(options, notify);
  const registry = buildRegistry(options, servers);
  if (!registry.ok) return registry;
  const settings = settingsOf(journal, stored.value, notify);
  const practice = createPracticeModel();
  const providers = providersOf(options, settings, practice.provider, notify);
  const owner =
    options.ownerProvider && createOwnerProvider(options.ownerProvider, options.env, practice.provider);
  if (owner && !owner.ok) return owner;
  const library = openLibrary({
    folders: [
      ...options.bundleFolders.map((path) => ({ path, source: 'folder' as const, holds: 'bundle' as const })),
      ...options.libraryFolders.map(({ folder, source }) => ({
        path: folder,
        source,
        holds: 'bundles' as const,
      })),
    ],
  });
  const sessionDeps: SessionDeps = {
    journal,
    registry: registry.value,
    bundle: (id) => library.get(id),
    provider(choice) {
      if (owner && choice.provider === options.ownerProvider?.kind) return owner;
      const found = providers.get(choice);
      return found.ok ? ok(found.value.provider) : found;
    },
    schemas: createSchemaCompiler(),
    standing: options.standing,
    clock: () => performance.now(),
    newId,
    sleep,
    onSummary: (summary) => notify({ type: 'session_changed', summary }),
  };
  const open = new Map<string, Session>();
  const sessions = sessionsOf({ options, journal, library, sessionDeps, open, notify });
  settleInterrupted(sessions, options.log);
  return ok({
    sessions,
    coworkers: { list: async () => (await library.list()).map((entry) => entry.card) },
    providers,
    servers: { statuses: () => servers.statuses(), problems, file: options.serversFile },
    settings,
    practice: (sessionId, turnId, act) => practice.act(sessionId, turnId, act),
    listen(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    close: closerOf([
      async () => {
        await Promise.all([...open.values()].map((session) => session.close()));
      },
      () => servers.close(),
      () => listeners.clear(),
      release,
    ]),
  });
}

/**
 * Opens the runtime on a data folder. Failures: `data_folder_in_use` when another process has it, `journal_unavailable`
 * and `journal_full`, and those of the registry when the host's own registrations conflict.
 */
export async function openHarness(options: HarnessOptions): Promise<Result<Harness>> {
  const lock = lockDataFolder(options.dataFolder);
  if (!lock.ok) return lock;
  const journal = openJournal({ folder: options.dataFolder, now: Date.now });
  if (!journal.ok) {
    lock.value.close();
    return journal;
  }
  const release = (): void => {
    journal.value.close();
    lock.value.close();
  };
  const harness = await assemble(options, journal.value, release);
  if (!harness.ok) release();
  return harness;
}
