import { createModelProvider } from '../model/create-model-provider';
import type { ModelPart, ModelProvider, ModelRequest } from '../model/port';
import type { ModelProviderConfig } from '../model/provider-config';
import type { ModelServer, ServedWire } from './model-server';

type Settings = Partial<ModelProviderConfig>;

export interface WireCase {
  readonly wire: Exclude<ServedWire, 'models'>;
  readonly provider: (server: ModelServer, settings?: Settings) => ModelProvider;
}

/** Sends what is meant for a company's own address to the test server. */
export function redirectTo(server: ModelServer): typeof globalThis.fetch {
  return (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    return globalThis.fetch(`${server.origin}${url.pathname}${url.search}`, init);
  };
}

/** Every wire as a provider against the test server, for tests that hold for all of them. */
export const wireTable: readonly WireCase[] = [
  {
    wire: 'anthropic',
    provider: (server, settings) =>
      createModelProvider({
        id: 'anthropic',
        kind: 'anthropic',
        base_url: server.baseUrl('anthropic'),
        key: 'test-key',
        ...settings,
      }),
  },
  {
    wire: 'chat',
    provider: (server, settings) =>
      createModelProvider({
        id: 'endpoint-1',
        kind: 'openai-compatible',
        base_url: server.baseUrl('compatible'),
        key: 'test-key',
        ...settings,
      }),
  },
  {
    wire: 'responses',
    provider: (server, settings) =>
      createModelProvider({
        id: 'openai',
        kind: 'openai',
        base_url: null,
        key: 'test-key',
        fetch: redirectTo(server),
        ...settings,
      }),
  },
  {
    wire: 'google',
    provider: (server, settings) =>
      createModelProvider({
        id: 'google',
        kind: 'google',
        base_url: server.baseUrl('google'),
        key: 'test-key',
        ...settings,
      }),
  },
];

export function modelRequest(more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: 'test-model',
    system: 'You tidy folders.',
    messages: [{ role: 'user', text: 'Tidy up.', files: [] }],
    tools: [
      {
        name: 'files__move_file',
        description: 'Moves a file.',
        input_schema: {
          type: 'object',
          properties: { from: { type: 'string' }, to: { type: 'string' } },
          required: ['from', 'to'],
        },
      },
    ],
    session_id: 's-1',
    turn_id: 't-1',
    attempt: 1,
    ...more,
  };
}

export async function collect(stream: AsyncIterable<ModelPart>): Promise<ModelPart[]> {
  const parts: ModelPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

export function textOf(parts: readonly ModelPart[], type: 'text' | 'reasoning' = 'text'): string {
  return parts.map((part) => (part.type === type ? part.text : '')).join('');
}
