import type { LanguageModelV3, LanguageModelV3CallOptions } from '@ai-sdk/provider';
import type { Effort } from '../protocol';
import { catalogEntry } from './model-catalog';
import type { ModelRequest } from './port';
import type { Endpoint } from './provider-config';

/**
 * The provider package for an endpoint of a wire that this app does not speak itself. Address and key are always
 * given, also when empty, so that no package falls back on the environment. A package is loaded with its first request:
 * each takes megabytes of memory.
 */
export async function languageModel(
  endpoint: Endpoint,
  model: string,
  fetch: typeof globalThis.fetch,
): Promise<LanguageModelV3> {
  const settings = { baseURL: endpoint.base_url, apiKey: endpoint.key ?? '', fetch };
  if (endpoint.wire === 'google') {
    const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
    return createGoogleGenerativeAI(settings)(model);
  }
  const { createOpenAI } = await import('@ai-sdk/openai');
  return createOpenAI(settings).responses(model);
}

/** Tokens of thinking for the Gemini models that take a number. */
const budgets: Readonly<Record<Effort, number>> = { low: 2_048, medium: 8_192, high: 24_576 };

function googleThinking(model: string, effort: Effort): Record<string, string | number | boolean> {
  return /^gemini-2\.5/.test(model)
    ? { thinkingBudget: budgets[effort], includeThoughts: true }
    : { thinkingLevel: effort, includeThoughts: true };
}

/** What a request says beside its messages. */
export function wireOptions(
  endpoint: Endpoint,
  { model, effort }: ModelRequest,
): Partial<LanguageModelV3CallOptions> {
  const takes = effort && catalogEntry(endpoint.kind, model)?.efforts?.includes(effort) === true;
  if (endpoint.wire === 'google') {
    return takes ? { providerOptions: { google: { thinkingConfig: googleThinking(model, effort) } } } : {};
  }
  // Nothing stays at the provider: the journal is the only memory, and reasoning comes back to us encrypted.
  return { providerOptions: { openai: { store: false, ...(takes ? { reasoningEffort: effort } : {}) } } };
}
