import type { Effort, ModelFacts } from '../protocol';
import { createAnthropicReader } from './anthropic-reader';
import { anthropicForm } from './anthropic-request';
import { createChatReader } from './chat-reader';
import { chatForm } from './chat-request';
import { listModels } from './list-models';
import { factsByName } from './model-facts';
import { modelFailure, placeOf } from './model-failure';
import type { ModelPart, ModelProvider } from './port';
import { endpointOf, kindFacts, type Endpoint, type ModelProviderConfig } from './provider-config';
import { streamLibrary } from './stream-library';
import { streamWire, type OwnWire } from './stream-wire';
import { createWireRequests } from './wire-request';

function lacksKey(endpoint: Endpoint) {
  return modelFailure(
    'model_unauthorized',
    `${placeOf(endpoint)} needs a key. Enter one ${endpoint.where}.`,
    {
      retryable: false,
    },
  );
}

/** The two wires that most requests go over are spoken directly; the others through their makers' packages. */
function ownWireOf(
  endpoint: Endpoint,
  takesEffort: (model: string, effort: Effort) => boolean,
): OwnWire | null {
  switch (endpoint.wire) {
    case 'anthropic': {
      const form = anthropicForm(endpoint);
      return {
        form,
        requests: createWireRequests(endpoint, form),
        reader: (model, names) => createAnthropicReader(endpoint, model, names),
      };
    }
    case 'openai-chat':
    case 'compatible': {
      const form = chatForm(endpoint, takesEffort);
      return {
        form,
        requests: createWireRequests(endpoint, form),
        reader: (model, names) => createChatReader(endpoint, model, names),
      };
    }
    case 'google':
    case 'openai-responses':
      return null;
  }
}

/** A provider for one endpoint. `base_url` is taken as checked by `parseBaseUrl`. */
export function createModelProvider(config: ModelProviderConfig): ModelProvider {
  const endpoint = endpointOf(config);
  const listed = new Map<string, ModelFacts>();
  const keyMissing = endpoint.official && kindFacts[endpoint.kind].needs_key && endpoint.key === null;
  const facts = (model: string) => listed.get(model) ?? factsByName(endpoint, model);
  const takesEffort = (model: string, effort: Effort) => facts(model)?.efforts?.includes(effort) ?? false;
  const wire = ownWireOf(endpoint, takesEffort);
  const seesImages = (model: string) => facts(model)?.sees_images ?? false;
  return {
    seesImages,
    facts,
    async *stream(request, signal): AsyncGenerator<ModelPart, void, undefined> {
      if (keyMissing) {
        yield { type: 'failed', error: lacksKey(endpoint) };
        return;
      }
      const sees = seesImages(request.model);
      if (wire) yield* streamWire(endpoint, wire, request, sees, signal);
      else yield* streamLibrary(endpoint, request, sees, signal);
    },
    async listModels(signal) {
      if (keyMissing) return { ok: false, error: lacksKey(endpoint) };
      const result = await listModels(endpoint, signal);
      if (result.ok) for (const one of result.value) listed.set(one.name, one);
      return result;
    },
  };
}
