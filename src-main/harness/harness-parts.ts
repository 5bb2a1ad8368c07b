import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import type { Harness, HarnessNotice, HarnessOptions } from './harness-port';
import type { Journal } from './journal';
import {
  createMcpServers,
  openTrust,
  readServersFile,
  type McpServers,
  type ServerConfig,
  type TrustBook,
} from './mcp';
import {
  createProviderDirectory,
  type ModelProvider,
  type ProviderDirectory,
  type ProviderSettings,
} from './model';
import { isJsonObject, ok, type Json, type Problem, type Result } from './protocol';
import { createRegistry, type Registry } from './tools';

/** Settings are the last value of each key in the app's stream. */
export function readSettings(journal: Journal): Result<Map<string, Json>> {
  const events = journal.readApp();
  if (!events.ok) return events;
  const settings = new Map<string, Json>();
  for (const event of events.value) {
    if (event.type === 'setting_changed') settings.set(event.data.key, event.data.value);
  }
  return ok(settings);
}

/** The servers of this run, and the record of which launches a person has accepted; null where they are the owner's own. */
export interface OpenedServers {
  readonly servers: McpServers;
  readonly trust: TrustBook | null;
  readonly configured: readonly ServerConfig[];
  readonly problems: readonly Problem[];
}

function trustOf(
  options: HarnessOptions,
  journal: Journal,
  configured: readonly ServerConfig[],
): Result<TrustBook | null> {
  if (options.serversTrust === 'owner') return ok(null);
  return openTrust({ journal, platform: process.platform }, configured);
}

/** A file that is missing is no servers; one with problems registers the servers that are in order and names the rest. */
async function openServers(
  options: HarnessOptions,
  journal: Journal,
  registry: Registry,
): Promise<Result<OpenedServers>> {
  const file = options.serversFile;
  const read =
    file !== null && existsSync(file) ? await readServersFile(file) : ok({ servers: [], problems: [] });
  const configured = read.ok ? read.value.servers : [];
  const trust = trustOf(options, journal, configured);
  if (!trust.ok) return trust;
  const servers = createMcpServers({
    config: configured,
    refusal: (config) => registry.nameProblem(config.name) ?? trust.value?.refusal(config) ?? null,
    resolveSecret: options.resolveSecret,
    env: options.env,
    platform: process.platform,
    clientInfo: { name: 'openworker', version: options.appVersion },
    now: () => performance.now(),
    log: options.log,
  });
  const problems: readonly Problem[] = read.ok
    ? read.value.problems
    : [{ ...read.error, file: file ?? 'servers.json', severity: 'error' }];
  return ok({ servers, trust: trust.value, configured, problems });
}

/** What the host offers: its own tools, frozen from here on, and the servers of each moment. */
export async function openTools(
  options: HarnessOptions,
  journal: Journal,
): Promise<Result<{ readonly registry: Registry; readonly hosted: OpenedServers }>> {
  const builder = createRegistry();
  const native = options.registerNative(builder);
  if (!native.ok) return native;
  let hosted: OpenedServers | null = null;
  const registry = builder.freeze({ get: (namespace) => hosted?.servers.source(namespace) });
  const opened = await openServers(options, journal, registry);
  if (!opened.ok) return opened;
  hosted = opened.value;
  return ok({ registry, hosted });
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

export function providersOf(
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

export function settingsOf(
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
