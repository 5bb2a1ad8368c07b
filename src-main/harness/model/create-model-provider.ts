import type { ModelFacts } from '../protocol';
import { listModels } from './list-models';
import { seesImagesByName } from './model-facts';
import { modelFailure, placeOf } from './model-failure';
import type { ModelPart, ModelProvider } from './port';
import { endpointOf, kindFacts, type Endpoint, type ModelProviderConfig } from './provider-config';
import { streamResponse } from './stream-response';

function lacksKey(endpoint: Endpoint) {
  return modelFailure(
    'model_unauthorized',
    `${placeOf(endpoint)} needs a key. Enter one ${endpoint.where}.`,
    {
      retryable: false,
    },
  );
}

/** A provider for one endpoint. `base_url` is taken as checked by `parseBaseUrl`. */
export function createModelProvider(config: ModelProviderConfig): ModelProvider {
  const endpoint = endpointOf(config);
  const known = new Map<string, ModelFacts>();
  const keyMissing = endpoint.official && kindFacts[endpoint.kind].needs_key && endpoint.key === null;
  const seesImages = (model: string) =>
    known.get(model)?.sees_images ?? seesImagesByName(endpoint.kind, model) ?? false;
  return {
    seesImages,
    facts: (model) => known.get(model) ?? null,
    async *stream(request, signal): AsyncGenerator<ModelPart, void, undefined> {
      if (keyMissing) {
        yield { type: 'failed', error: lacksKey(endpoint) };
        return;
      }
      yield* streamResponse(endpoint, request, seesImages(request.model), signal);
    },
    async listModels(signal) {
      if (keyMissing) return { ok: false, error: lacksKey(endpoint) };
      const result = await listModels(endpoint, signal);
      if (result.ok) for (const facts of result.value) known.set(facts.name, facts);
      return result;
    },
  };
}
