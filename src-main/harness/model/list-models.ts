import { isJsonObject, ok, type Json, type JsonObject, type ModelFacts, type Result } from '../protocol';
import { createGuardedFetch, readBounded } from './guarded-fetch';
import { cancelled, modelFailure, ModelFailureError, placeOf } from './model-failure';
import { listedFacts } from './listed-facts';
import { withLocalFacts } from './local-facts';
import type { ModelFailure } from './port';
import type { Endpoint } from './provider-config';

const maxPages = 20;
const maxPageBytes = 16 * 1024 * 1024;
const maxModels = 5_000;
const timeoutMs = 20_000;

function headersFor(endpoint: Endpoint): Record<string, string> {
  const key = endpoint.key ?? '';
  switch (endpoint.wire) {
    case 'anthropic':
      return { 'x-api-key': key, 'anthropic-version': '2023-06-01' };
    case 'google':
      return { 'x-goog-api-key': key };
    case 'openai-responses':
    case 'openai-chat':
    case 'compatible':
      return { authorization: `Bearer ${key}` };
  }
}

function pageAddress(endpoint: Endpoint, cursor: string | null): string {
  const url = new URL(`${endpoint.base_url}/models`);
  if (endpoint.wire === 'anthropic') url.searchParams.set('limit', '1000');
  if (endpoint.wire === 'google') url.searchParams.set('pageSize', '1000');
  if (cursor !== null) url.searchParams.set(endpoint.wire === 'google' ? 'pageToken' : 'after_id', cursor);
  return url.href;
}

function nextCursor(endpoint: Endpoint, page: JsonObject): string | null {
  const cursor =
    endpoint.wire === 'google'
      ? page.nextPageToken
      : endpoint.wire === 'anthropic' && page.has_more === true
        ? page.last_id
        : null;
  return typeof cursor === 'string' && cursor !== '' ? cursor : null;
}

function notAList(endpoint: Endpoint): ModelFailure {
  return modelFailure(
    'model_unreachable',
    `${placeOf(endpoint)} answered, but not with a list of models. Check the address ${endpoint.where}.`,
    { retryable: false },
  );
}

async function fetchPage(
  endpoint: Endpoint,
  cursor: string | null,
  signal: AbortSignal,
): Promise<JsonObject> {
  const guard = createGuardedFetch(endpoint, { model: null, expects: 'json' }, signal);
  const response = await guard.fetch(pageAddress(endpoint, cursor), { headers: headersFor(endpoint) });
  const { text, whole } = await readBounded(response, maxPageBytes, timeoutMs);
  let page: Json | undefined;
  try {
    page = whole ? (JSON.parse(text) as Json) : undefined;
  } catch {
    page = undefined;
  }
  if (!isJsonObject(page)) throw new ModelFailureError(notAList(endpoint));
  return page;
}

async function allPages(endpoint: Endpoint, signal: AbortSignal): Promise<ModelFacts[]> {
  const found = new Map<string, ModelFacts>();
  let cursor: string | null = null;
  for (let count = 0; count < maxPages && found.size < maxModels; count += 1) {
    const page = await fetchPage(endpoint, cursor, signal);
    const entries: Json | undefined = endpoint.wire === 'google' ? page.models : page.data;
    // Google leaves the list out where it is empty.
    if (!Array.isArray(entries) && !(endpoint.wire === 'google' && entries === undefined)) {
      throw new ModelFailureError(notAList(endpoint));
    }
    for (const entry of Array.isArray(entries) ? (entries as readonly Json[]) : []) {
      const facts = isJsonObject(entry) ? listedFacts(endpoint, entry) : null;
      if (facts) found.set(facts.name, facts);
    }
    cursor = nextCursor(endpoint, page);
    if (cursor === null) break;
  }
  return [...found.values()];
}

/**
 * Asks the endpoint for its models, page by page, in at most twenty seconds. A refused key shows here as
 * `model_unauthorized`. A company's own list is narrowed to what can be talked to.
 */
export async function listModels(
  endpoint: Endpoint,
  signal: AbortSignal,
): Promise<Result<readonly ModelFacts[]>> {
  const limit = AbortSignal.timeout(timeoutMs);
  const both = AbortSignal.any([signal, limit]);
  try {
    return ok(await withLocalFacts(endpoint, await allPages(endpoint, both), both));
  } catch (error) {
    if (signal.aborted) return { ok: false, error: cancelled() };
    if (error instanceof ModelFailureError) return { ok: false, error: error.failure };
    const why = limit.aborted
      ? `${placeOf(endpoint)} did not give its list of models within ${timeoutMs / 1_000} seconds. Try again.`
      : `${placeOf(endpoint)} could not be asked for its models. Check the address ${endpoint.where}.`;
    return { ok: false, error: modelFailure('model_unreachable', why, { retryable: true }) };
  }
}
