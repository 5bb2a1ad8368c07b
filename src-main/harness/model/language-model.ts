import { createAnthropic } from '@ai-sdk/anthropic';
import { getModelCapabilities } from '@ai-sdk/anthropic/internal';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV3, LanguageModelV3CallOptions } from '@ai-sdk/provider';
import type { Endpoint } from './provider-config';

/**
 * The provider package for an endpoint. Address and key are always given, also when empty, so that no package falls
 * back on the environment.
 */
export function languageModel(
  endpoint: Endpoint,
  model: string,
  fetch: typeof globalThis.fetch,
): LanguageModelV3 {
  const settings = { baseURL: endpoint.base_url, apiKey: endpoint.key ?? '', fetch };
  switch (endpoint.wire) {
    case 'anthropic':
      return createAnthropic(settings)(model);
    case 'google':
      return createGoogleGenerativeAI(settings)(model);
    case 'openai-responses':
      return createOpenAI(settings).responses(model);
    case 'openai-chat':
      return createOpenAI(settings).chat(model);
    case 'compatible':
      return createOpenAICompatible({ ...settings, name: 'compatible', includeUsage: true })(model);
  }
}

/** Room for an answer of a model that the package does not know; its own choice of 4,096 cuts files in half. */
const unknownModelTokens = 32_000;

/** What a request says beside its messages. */
export function wireOptions(endpoint: Endpoint, model: string): Partial<LanguageModelV3CallOptions> {
  switch (endpoint.wire) {
    case 'anthropic':
      return getModelCapabilities(model).isKnownModel ? {} : { maxOutputTokens: unknownModelTokens };
    case 'openai-responses':
      // Nothing stays at the provider: the journal is the only memory, and reasoning comes back to us encrypted.
      return { providerOptions: { openai: { store: false } } };
    case 'openai-chat':
    case 'compatible':
      return { includeRawChunks: true };
    case 'google':
      return {};
  }
}
