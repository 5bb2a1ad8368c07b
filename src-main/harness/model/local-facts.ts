import { efforts, isJsonObject, type Json, type JsonObject, type ModelFacts } from '../protocol';
import { createGuardedFetch, readBounded } from './guarded-fetch';
import { saysWindow } from './listed-facts';
import type { Endpoint } from './provider-config';

const maxBytes = 4 * 1024 * 1024;
const patienceMs = 3_000;
/** So many models are asked about, so many at a time. */
const maxAsked = 64;
const atATime = 8;

/** Asks a path beside the compatible one; null for anything but a good answer. */
async function ask(
  endpoint: Endpoint,
  path: string,
  body: JsonObject | null,
  signal: AbortSignal,
): Promise<JsonObject | null> {
  try {
    const both = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
    const guard = createGuardedFetch(endpoint, { model: null, expects: 'json' }, both);
    const post = {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    };
    const response = await guard.fetch(new URL(path, endpoint.base_url), body === null ? {} : post);
    const { text, whole } = await readBounded(response, maxBytes, patienceMs);
    const answer = whole ? (JSON.parse(text) as Json) : null;
    return isJsonObject(answer) ? answer : null;
  } catch {
    return null;
  }
}

function entriesOf(list: Json | undefined): readonly JsonObject[] {
  return Array.isArray(list) ? (list as readonly Json[]).filter(isJsonObject) : [];
}

/** LM Studio tells in its own list what its compatible one leaves out. */
async function lmStudioFacts(
  endpoint: Endpoint,
  models: readonly ModelFacts[],
  signal: AbortSignal,
): Promise<readonly ModelFacts[]> {
  const answer = await ask(endpoint, '/api/v0/models', null, signal);
  const told = new Map(entriesOf(answer?.data).map((entry) => [entry.id, entry]));
  return models.map((facts) => {
    const entry = told.get(facts.name);
    const context_window = entry ? saysWindow(entry) : null;
    return {
      ...facts,
      ...(entry?.type === 'vlm' ? { sees_images: true } : {}),
      ...(entry?.type === 'llm' ? { sees_images: false } : {}),
      ...(context_window === null ? {} : { context_window }),
    };
  });
}

/** The window that a model file sets; what the model was trained for is not what Ollama gives it. */
function setWindow(shown: JsonObject): number | null {
  const parameters = typeof shown.parameters === 'string' ? shown.parameters : '';
  const value = Number(/^\s*num_ctx\s+(\d+)\s*$/m.exec(parameters)?.[1] ?? Number.NaN);
  return Number.isNaN(value) ? null : value;
}

function ollamaEntry(
  facts: ModelFacts,
  shown: JsonObject | null,
  loaded: JsonObject | undefined,
): ModelFacts {
  const context_window = (loaded ? saysWindow(loaded) : null) ?? (shown ? setWindow(shown) : null);
  const can = shown && Array.isArray(shown.capabilities) ? (shown.capabilities as readonly Json[]) : null;
  return {
    ...facts,
    ...(can === null ? {} : { sees_images: can.includes('vision') }),
    ...(can?.includes('thinking') ? { efforts } : {}),
    ...(context_window === null ? {} : { context_window }),
  };
}

async function ollamaFacts(
  endpoint: Endpoint,
  models: readonly ModelFacts[],
  signal: AbortSignal,
): Promise<readonly ModelFacts[]> {
  const running = await ask(endpoint, '/api/ps', null, signal);
  // Without that answer it is no Ollama, or one that is busy: no use in asking on.
  if (running === null) return models;
  const loaded = new Map(entriesOf(running.models).map((entry) => [entry.name, entry]));
  const result = [...models];
  const asked = models.slice(0, maxAsked);
  for (let from = 0; from < asked.length && !signal.aborted; from += atATime) {
    await Promise.all(
      asked.slice(from, from + atATime).map(async (facts, index) => {
        const shown = await ask(endpoint, '/api/show', { model: facts.name }, signal);
        result[from + index] = ollamaEntry(facts, shown, loaded.get(facts.name));
      }),
    );
  }
  return result;
}

/** What a server on this computer knows of its models beyond the list. Whatever it does not answer stays unknown. */
export function withLocalFacts(
  endpoint: Endpoint,
  models: readonly ModelFacts[],
  signal: AbortSignal,
): Promise<readonly ModelFacts[]> {
  if (endpoint.kind === 'lmstudio') return lmStudioFacts(endpoint, models, signal);
  if (endpoint.kind === 'ollama') return ollamaFacts(endpoint, models, signal);
  return Promise.resolve(models);
}
