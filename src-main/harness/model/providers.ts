import { fail, ok, type ModelChoice, type ModelFacts, type ProviderStatus, type Result } from '../protocol';
import { checkKey, defaultPathOf, parseBaseUrl } from './base-address';
import { createModelProvider } from './create-model-provider';
import { isRunning } from './local-discovery';
import type { ModelProvider } from './port';
import {
  createEntries,
  createKeyRing,
  type Entries,
  type Entry,
  type KeyRing,
  type ProviderSettings,
} from './provider-entries';
import { kindFacts, type RemoteKind } from './provider-config';
import type { SecretStore } from './secret-store';

export type { ProviderSettings } from './provider-entries';

export interface ProviderDirectoryDeps {
  readonly settings: {
    load(): readonly ProviderSettings[];
    save(all: readonly ProviderSettings[]): void;
  };
  readonly secrets: SecretStore;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly fetch: typeof globalThis.fetch;
  /** A fresh suffix for the id of an added endpoint. */
  readonly newId: () => string;
  readonly practice: ModelProvider;
  readonly onChanged: (statuses: readonly ProviderStatus[]) => void;
}

export interface ConfigureProvider {
  readonly provider_id: string;
  /** Null goes back to the kind's own address. */
  readonly base_url?: string | null;
  /** Null forgets the kept key. */
  readonly key?: string | null;
}

export interface AddProvider {
  readonly label: string;
  readonly base_url: string;
  readonly key?: string;
}

export interface ProviderDirectory {
  statuses(): readonly ProviderStatus[];
  /** Asks one endpoint or all for their models; each status changes as its answer comes. */
  refresh(id?: string, signal?: AbortSignal): Promise<void>;
  /** Changes address or key. A key is asked at the endpoint before it is kept; a refused one changes nothing. */
  configure(change: ConfigureProvider, signal?: AbortSignal): Promise<Result<ProviderStatus>>;
  /** Adds an OpenAI-compatible endpoint that answered. */
  add(endpoint: AddProvider, signal?: AbortSignal): Promise<Result<{ provider_id: string }>>;
  /** Removes an added endpoint with its key; of a built-in one, its key and address. */
  remove(id: string): Result<null>;
  get(choice: ModelChoice): Result<{ provider: ModelProvider }>;
}

/** Local models load from disk before their first word. */
const localIdleTimeoutMs = 300_000;

const never = new AbortController().signal;

interface Directory {
  readonly deps: ProviderDirectoryDeps;
  readonly keys: KeyRing;
  readonly entries: Entries;
}

function providerFor({ deps }: Directory, settings: ProviderSettings, key: string | null): ModelProvider {
  if (settings.kind === 'practice') return deps.practice;
  return createModelProvider({
    id: settings.id,
    kind: settings.kind,
    label: settings.label,
    base_url: settings.base_url,
    key,
    fetch: deps.fetch,
    ...(kindFacts[settings.kind].needs_key ? {} : { idle_timeout_ms: localIdleTimeoutMs }),
  });
}

function providerOf(directory: Directory, entry: Entry): ModelProvider {
  entry.provider ??= providerFor(directory, entry.settings, directory.keys.get(entry.settings.id));
  return entry.provider;
}

/** Asks an endpoint for its models, also with a configuration that is not kept yet. */
async function ask(
  { deps }: Directory,
  settings: ProviderSettings,
  provider: ModelProvider,
  signal: AbortSignal,
): Promise<Result<readonly ModelFacts[]>> {
  const { kind } = settings;
  if (kind === 'ollama' || kind === 'lmstudio') {
    const base = settings.base_url ?? kindFacts[kind].base_url ?? '';
    if (!(await isRunning(kind, base, { fetch: deps.fetch, signal }))) {
      return fail(
        'model_unreachable',
        `${settings.label} does not answer at ${new URL(base).host}. Start it and try again.`,
      );
    }
  }
  return provider.listModels(signal);
}

async function refreshEntry(directory: Directory, entry: Entry, signal: AbortSignal): Promise<void> {
  const { entries } = directory;
  if (entries.lacksKey(entry)) {
    entries.settle(entry, { state: 'needs_key', error: null, models: [] });
    return;
  }
  const round = (entry.round += 1);
  const before = { state: entry.state, error: entry.error, models: entry.models };
  entries.settle(entry, { ...before, state: 'checking', error: null });
  const result = await ask(directory, entry.settings, providerOf(directory, entry), signal);
  // A later question, or a change of the configuration, has made this answer stale.
  if (entry.round !== round) return;
  if (signal.aborted) entries.settle(entry, before);
  else entries.settleAnswer(entry, result);
}

/** Takes a configuration that has just answered. */
function adopt(
  { entries }: Directory,
  entry: Entry,
  provider: ModelProvider,
  models: readonly ModelFacts[],
): ProviderStatus {
  entry.round += 1;
  entry.provider = provider;
  entries.settle(entry, { state: 'ready', error: null, models });
  return entries.statusOf(entry);
}

function forgetKey({ keys, entries }: Directory, entry: Entry): void {
  keys.forget(entry.settings.id);
  entry.round += 1;
  entry.provider = null;
  const state = entries.lacksKey(entry) ? 'needs_key' : 'checking';
  entries.settle(entry, { state, error: null, models: [] });
}

function addressAfter(entry: Entry, change: ConfigureProvider): Result<string | null> {
  const { base_url } = change;
  const { kind, label } = entry.settings;
  if (base_url === undefined) return ok(entry.settings.base_url);
  if (base_url !== null) return parseBaseUrl(base_url, defaultPathOf(kind));
  return kind === 'openai-compatible'
    ? fail('invalid_input', `"${label}" needs an address. Enter one, or remove it.`)
    : ok(null);
}

/** The key that a changed configuration is asked with. A kept key never goes to another address unasked. */
function keyAfter(
  { keys }: Directory,
  entry: Entry,
  settings: ProviderSettings,
  given: string | undefined,
): Result<string | null> {
  if (given !== undefined) return checkKey(given);
  const [before, after] = [originOf(entry.settings), originOf(settings)];
  if (keys.isKept(settings.id) && before !== after) {
    return fail(
      'invalid_input',
      `The kept key of ${settings.label} belongs to ${before}. Enter the key for ${after} too.`,
    );
  }
  return ok(keys.get(settings.id));
}

async function configure(
  directory: Directory,
  change: ConfigureProvider,
  signal: AbortSignal,
): Promise<Result<ProviderStatus>> {
  const { entries, keys } = directory;
  const entry = entries.find(change.provider_id);
  if (!entry || entry.settings.kind === 'practice') return unknownProvider(change.provider_id);
  const address = addressAfter(entry, change);
  if (!address.ok) return address;
  const settings = { ...entry.settings, base_url: address.value };
  if (change.key === null) {
    entries.replace(entry, settings);
    forgetKey(directory, entry);
    await refreshEntry(directory, entry, signal);
    return ok(entries.statusOf(entry));
  }
  const key = keyAfter(directory, entry, settings, change.key);
  if (!key.ok) return key;
  const provider = providerFor(directory, settings, key.value);
  const answer = await ask(directory, settings, provider, signal);
  if (!answer.ok) return answer;
  if (change.key !== undefined && key.value !== null) {
    const kept = keys.keep(settings.id, key.value);
    if (!kept.ok) return kept;
  }
  entries.replace(entry, settings);
  return ok(adopt(directory, entry, provider, answer.value));
}

async function add(
  directory: Directory,
  given: AddProvider,
  signal: AbortSignal,
): Promise<Result<{ provider_id: string }>> {
  const { deps, entries, keys } = directory;
  const label = given.label.trim();
  if (label === '' || label.length > 80) {
    return fail('invalid_input', 'The endpoint needs a name of 1 to 80 characters.');
  }
  const address = parseBaseUrl(given.base_url, defaultPathOf('openai-compatible'));
  if (!address.ok) return address;
  const none = given.key === undefined || given.key.trim() === '';
  const key: Result<string | null> = none ? ok(null) : checkKey(given.key ?? '');
  if (!key.ok) return key;
  const id = `endpoint-${deps.newId()}`;
  const settings: ProviderSettings = { id, kind: 'openai-compatible', label, base_url: address.value };
  const provider = providerFor(directory, settings, key.value);
  const answer = await ask(directory, settings, provider, signal);
  if (!answer.ok) return answer;
  const kept = key.value === null ? ok(null) : keys.keep(id, key.value);
  if (!kept.ok) return kept;
  adopt(directory, entries.append(settings), provider, answer.value);
  return ok({ provider_id: id });
}

function remove(directory: Directory, id: string): Result<null> {
  const { entries, keys } = directory;
  const entry = entries.find(id);
  if (!entry || entry.settings.kind === 'practice') return unknownProvider(id);
  if (entry.settings.kind === 'openai-compatible') {
    keys.forget(id);
    entry.round += 1;
    entries.drop(entry);
  } else {
    entries.replace(entry, { ...entry.settings, base_url: null });
    forgetKey(directory, entry);
  }
  return ok(null);
}

/**
 * All providers that the person can choose from: the built-in ones and added endpoints (ids `endpoint-…`). A key that
 * the person entered goes before one of the environment.
 */
export function createProviderDirectory(deps: ProviderDirectoryDeps): ProviderDirectory {
  const keys = createKeyRing(deps.secrets, deps.env);
  const directory: Directory = { deps, keys, entries: createEntries({ ...deps, keys }) };
  const { entries } = directory;
  return {
    statuses: entries.statuses,
    async refresh(id, signal = never) {
      const chosen = entries.all().filter((entry) => id === undefined || entry.settings.id === id);
      await Promise.all(chosen.map((entry) => refreshEntry(directory, entry, signal)));
    },
    configure: (change, signal = never) => configure(directory, change, signal),
    add: (endpoint, signal = never) => add(directory, endpoint, signal),
    remove: (id) => remove(directory, id),
    get(choice) {
      const entry = entries.find(choice.provider);
      if (!entry) return unknownProvider(choice.provider);
      return entries.lacksKey(entry)
        ? fail('model_unauthorized', `${entry.settings.label} needs a key. Enter one in Settings, Models.`)
        : ok({ provider: providerOf(directory, entry) });
    },
  };
}

function unknownProvider(id: string) {
  return fail(
    'not_found',
    `There is no model provider "${id}" that can be changed or asked. Choose another.`,
    {
      provider: id,
    },
  );
}

function originOf(settings: ProviderSettings): string {
  const base = settings.base_url ?? kindFacts[settings.kind as RemoteKind].base_url ?? '';
  return URL.canParse(base) ? new URL(base).origin : base;
}
