import {
  type Failure,
  type ModelFacts,
  type ProviderKind,
  type ProviderStatus,
  type Result,
} from '../protocol';
import { defaultPathOf, parseBaseUrl } from './base-address';
import type { ModelProvider } from './port';
import { kindFacts } from './provider-config';
import { createEnvironmentSecrets, providerSecretName, type SecretStore } from './secret-store';

/** What is kept of a provider between runs. No secret is in it. */
export interface ProviderSettings {
  readonly id: string;
  readonly kind: ProviderKind;
  readonly label: string;
  /** Null means the kind's own address. */
  readonly base_url: string | null;
}

interface Standing {
  readonly state: ProviderStatus['state'];
  readonly error: Failure | null;
  readonly models: readonly ModelFacts[];
}

export interface Entry extends Standing {
  settings: ProviderSettings;
  state: ProviderStatus['state'];
  error: Failure | null;
  models: readonly ModelFacts[];
  provider: ModelProvider | null;
  /** Grows with each question and change; an answer to an older round is stale. */
  round: number;
}

export interface KeyRing {
  get(provider_id: string): string | null;
  /** Whether the person's own store holds it, and not only the environment. */
  isKept(provider_id: string): boolean;
  placeOf(provider_id: string): 'none' | 'keychain' | 'session' | 'environment';
  keep(provider_id: string, key: string): Result<'keychain' | 'session'>;
  forget(provider_id: string): void;
}

export function createKeyRing(
  secrets: SecretStore,
  env: Readonly<Record<string, string | undefined>>,
): KeyRing {
  const environment = createEnvironmentSecrets(env);
  /** A store may have put a single key elsewhere than its kind says. */
  const places = new Map<string, 'keychain' | 'session'>();
  const kept = (id: string) => secrets.get(providerSecretName(id));
  return {
    get: (id) => kept(id) ?? environment.get(providerSecretName(id)),
    isKept: (id) => secrets.kind !== 'environment' && kept(id) !== null,
    placeOf(id) {
      if (kept(id) !== null) return places.get(id) ?? secrets.kind;
      return environment.get(providerSecretName(id)) === null ? 'none' : 'environment';
    },
    keep(id, key) {
      const result = secrets.set(providerSecretName(id), key);
      if (result.ok) places.set(id, result.value);
      return result;
    },
    forget(id) {
      places.delete(id);
      secrets.delete(providerSecretName(id));
    },
  };
}

const builtIn: readonly ProviderSettings[] = [
  { id: 'anthropic', kind: 'anthropic', label: 'Anthropic', base_url: null },
  { id: 'openai', kind: 'openai', label: 'OpenAI', base_url: null },
  { id: 'google', kind: 'google', label: 'Google', base_url: null },
  { id: 'ollama', kind: 'ollama', label: 'Ollama', base_url: null },
  { id: 'lmstudio', kind: 'lmstudio', label: 'LM Studio', base_url: null },
  { id: 'practice', kind: 'practice', label: 'Practice (no AI)', base_url: null },
];

const practiceModels: readonly ModelFacts[] = [
  { name: 'practice', label: 'Practice (you play the model, no AI)', sees_images: false },
];

/** Built-in providers with what was kept of them, then the added ones. What no longer parses is left out. */
function initialSettings(kept: readonly ProviderSettings[]): ProviderSettings[] {
  const sound = kept.filter(
    (one) => one.base_url === null || parseBaseUrl(one.base_url, defaultPathOf(one.kind)).ok,
  );
  const known = builtIn.map((own) => {
    const changed = sound.find((one) => one.id === own.id && one.kind === own.kind);
    return changed && own.kind !== 'practice' ? { ...own, base_url: changed.base_url } : own;
  });
  const added = sound.filter(
    (one, index) =>
      one.kind === 'openai-compatible' &&
      one.id.startsWith('endpoint-') &&
      one.base_url !== null &&
      sound.findIndex((other) => other.id === one.id) === index,
  );
  return [...known, ...added];
}

interface EntriesDeps {
  readonly settings: {
    load(): readonly ProviderSettings[];
    save(all: readonly ProviderSettings[]): void;
  };
  readonly keys: KeyRing;
  readonly onChanged: (statuses: readonly ProviderStatus[]) => void;
}

export interface Entries {
  all(): readonly Entry[];
  find(id: string): Entry | undefined;
  statuses(): readonly ProviderStatus[];
  statusOf(entry: Entry): ProviderStatus;
  /** Whether the endpoint takes no question without a key. A gateway of the person's own may need none. */
  lacksKey(entry: Entry): boolean;
  settle(entry: Entry, standing: Standing): void;
  settleAnswer(entry: Entry, answer: Result<readonly ModelFacts[]>): void;
  replace(entry: Entry, settings: ProviderSettings): void;
  append(settings: ProviderSettings): Entry;
  drop(entry: Entry): void;
}

/** Programs on this computer that know no keys. A gateway may want one, wherever it stands. */
function takesNoKey(kind: ProviderKind): boolean {
  return kind === 'ollama' || kind === 'lmstudio' || kind === 'practice';
}

function needsKey(settings: ProviderSettings): boolean {
  return settings.kind !== 'practice' && kindFacts[settings.kind].needs_key && settings.base_url === null;
}

/** Only what differs from the built-in state is kept. */
function isWorthKeeping(settings: ProviderSettings): boolean {
  return settings.kind === 'openai-compatible' || settings.base_url !== null;
}

function describe({ settings, state, error, models }: Entry, keys: KeyRing): ProviderStatus {
  const own = settings.kind === 'practice' ? null : kindFacts[settings.kind].base_url;
  const place = keys.placeOf(settings.id);
  return {
    id: settings.id,
    kind: settings.kind,
    label: settings.label,
    base_url: settings.base_url ?? own,
    state,
    error,
    key: place === 'none' && takesNoKey(settings.kind) ? 'not_needed' : place,
    models,
  };
}

export function createEntries(deps: EntriesDeps): Entries {
  const { keys } = deps;
  const lacksKey = (entry: Entry) => needsKey(entry.settings) && keys.get(entry.settings.id) === null;

  const entryOf = (settings: ProviderSettings): Entry => {
    const base = { settings, error: null, models: [], provider: null, round: 0 };
    if (settings.kind === 'practice') return { ...base, state: 'ready', models: practiceModels };
    return {
      ...base,
      state: needsKey(settings) && keys.get(settings.id) === null ? 'needs_key' : 'checking',
    };
  };
  let list = initialSettings(deps.settings.load()).map(entryOf);

  const statusOf = (entry: Entry) => describe(entry, keys);
  const statuses = () => list.map(statusOf);

  const save = () => deps.settings.save(list.map((entry) => entry.settings).filter(isWorthKeeping));
  const settle = (entry: Entry, standing: Standing) => {
    Object.assign(entry, standing);
    deps.onChanged(statuses());
  };

  return {
    all: () => list,
    find: (id) => list.find((entry) => entry.settings.id === id),
    statuses,
    statusOf,
    lacksKey,
    settle,
    settleAnswer(entry, answer) {
      if (answer.ok) {
        settle(entry, { state: 'ready', error: null, models: answer.value });
        return;
      }
      const local = entry.settings.kind === 'ollama' || entry.settings.kind === 'lmstudio';
      const absent = local && answer.error.code === 'model_unreachable';
      settle(entry, {
        state: absent ? 'not_running' : 'failed',
        error: absent ? null : answer.error,
        models: [],
      });
    },
    replace(entry, settings) {
      entry.settings = settings;
      save();
    },
    append(settings) {
      const entry = entryOf(settings);
      list = [...list, entry];
      save();
      return entry;
    },
    drop(entry) {
      list = list.filter((one) => one !== entry);
      save();
      deps.onChanged(statuses());
    },
  };
}
