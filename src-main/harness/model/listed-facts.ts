import {
  efforts,
  isJsonObject,
  type Effort,
  type JsonObject,
  type ModelFacts,
  type ModelPrice,
} from '../protocol';
import { catalogFacts } from './model-catalog';
import { isChatModel, seesImagesByName } from './model-facts';
import type { Endpoint } from './provider-config';

/** What an endpoint itself says of images, in the ways that are in use. */
function saysImages(entry: JsonObject): boolean | null {
  const architecture = isJsonObject(entry.architecture) ? entry.architecture : entry;
  const inputs = architecture.input_modalities;
  if (Array.isArray(inputs)) return inputs.includes('image');
  if (entry.type === 'vlm') return true;
  return null;
}

function positive(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null;
}

/**
 * Tokens that fit into one request, under the names that servers give it: what is loaded now before what the model
 * could have.
 */
export function saysWindow(entry: JsonObject): number | null {
  const names = [
    'loaded_context_length',
    'max_model_len',
    'context_length',
    'context_window',
    'max_context_length',
    'max_input_tokens',
    'inputTokenLimit',
  ];
  for (const name of names) {
    const value = positive(entry[name]);
    if (value !== null) return value;
  }
  return null;
}

/** Dollars for one token, as OpenRouter writes them, to dollars for a million. */
function million(value: unknown): number | null {
  const amount = typeof value === 'string' && value !== '' ? Number(value) : value;
  if (typeof amount !== 'number' || !Number.isFinite(amount) || amount < 0) return null;
  return Number((amount * 1_000_000).toPrecision(12));
}

function saysPrice(entry: JsonObject): ModelPrice | null {
  const pricing = isJsonObject(entry.pricing) ? entry.pricing : {};
  const [input, output] = [million(pricing.prompt), million(pricing.completion)];
  if (input === null || output === null) return null;
  const cached_input = million(pricing.input_cache_read);
  return cached_input === null ? { input, output } : { input, output, cached_input };
}

/** Routers list the settings that a model takes. */
function saysEfforts(entry: JsonObject): readonly Effort[] | null {
  const settings = entry.supported_parameters;
  return Array.isArray(settings) && settings.includes('reasoning_effort') ? efforts : null;
}

/** One entry of an endpoint's list, or null where it is no model to talk to. The endpoint's own word goes first. */
export function listedFacts(endpoint: Endpoint, entry: JsonObject): ModelFacts | null {
  const google = endpoint.wire === 'google';
  const id = google ? entry.name : entry.id;
  if (typeof id !== 'string' || id === '') return null;
  const name = google ? id.replace(/^models\//, '') : id;
  const methods = entry.supportedGenerationMethods;
  if (google && Array.isArray(methods) && !methods.includes('generateContent')) return null;
  if (endpoint.official && !isChatModel(endpoint.kind, name)) return null;
  const label = [entry.display_name, entry.displayName].find((text) => typeof text === 'string');
  const context_window = saysWindow(entry);
  const price = saysPrice(entry);
  const settings = saysEfforts(entry);
  return {
    name,
    label: typeof label === 'string' && label !== '' ? label : name,
    sees_images: saysImages(entry) ?? seesImagesByName(endpoint.kind, name),
    ...catalogFacts(endpoint.kind, name, endpoint.official),
    ...(context_window === null ? {} : { context_window }),
    ...(price === null ? {} : { price }),
    ...(settings === null ? {} : { efforts: settings }),
  };
}
