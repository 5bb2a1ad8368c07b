import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { ModelFacts } from '../protocol';
import { createModelProvider } from './create-model-provider';
import { catalogEntry } from './model-catalog';
import type { RemoteKind } from './provider-config';

const never = new AbortController().signal;
const official = (kind: RemoteKind) => createModelProvider({ id: kind, kind, base_url: null, key: 'k' });

describe('facts by name', () => {
  it.each([
    ['anthropic', 'claude-opus-5-5', 1_000_000, 4, 20],
    ['anthropic', 'claude-sonnet-4-5-20250929', 200_000, 3, 15],
    ['anthropic', 'claude-sonnet-4-20250514', 200_000, 3, 15],
    ['anthropic', 'claude-opus-4-1', 200_000, 15, 75],
    ['openai', 'gpt-5-2025-08-07', 400_000, 1.25, 10],
    ['openai', 'gpt-5.4-mini', 400_000, 0.75, 4.5],
    ['openai', 'gpt-5.6', 1_050_000, 4, 20],
    ['google', 'gemini-2.5-flash-lite', 1_048_576, 0.1, 0.4],
    ['google', 'gemini-3.1-pro-preview', 1_048_576, 2, 12],
  ] as const)('%s knows %s', (kind, model, context_window, input, output) => {
    expect(official(kind).facts(model)).toMatchObject({
      context_window,
      efforts: ['low', 'medium', 'high'],
      price: { input, output },
    });
  });

  it('knows models that take no effort, and those that take some of it', () => {
    expect(official('openai').facts('gpt-4.1')?.efforts).toBeUndefined();
    expect(official('openai').facts('gpt-5-pro')?.efforts).toEqual(['high']);
    expect(official('anthropic').facts('claude-3-haiku-20240307')?.efforts).toBeUndefined();
  });

  it('leaves unknown what nobody said', () => {
    expect(official('openai').facts('gpt-99')).toEqual({
      name: 'gpt-99',
      label: 'gpt-99',
      sees_images: true,
    });
    const box = createModelProvider({ id: 'e', kind: 'ollama', base_url: null, key: null });
    expect(box.facts('nobody-knows')).toBeNull();
  });

  it('takes a price at the address of the company only', () => {
    const gateway = createModelProvider({
      id: 'a',
      kind: 'anthropic',
      base_url: 'https://g.example/v1',
      key: 'k',
    });
    expect(gateway.facts('claude-opus-5')).toMatchObject({ context_window: 1_000_000 });
    expect(gateway.facts('claude-opus-5')).not.toHaveProperty('price');
  });

  it('knows a model behind the name of its maker', () => {
    expect(catalogEntry('openai-compatible', 'anthropic/claude-sonnet-4.5')?.context_window).toBe(200_000);
    expect(catalogEntry('openai-compatible', 'somebody/claude-sonnet-4.5')).toBeNull();
  });
});

describe('facts that an endpoint tells', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  async function factsFrom(
    kind: RemoteKind,
    answers: Readonly<Record<string, (body: string) => unknown>>,
  ): Promise<readonly ModelFacts[]> {
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (part) => (body += String(part)));
      request.on('end', () => {
        const answer = answers[request.url ?? '']?.(body);
        response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(answer ?? { error: 'no such path' }));
      });
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const provider = createModelProvider({ id: kind, kind, base_url, key: null });
    const result = await provider.listModels(never);
    if (!result.ok) throw new Error(result.error.message);
    for (const facts of result.value) expect(provider.facts(facts.name)).toBe(facts);
    return result.value;
  }

  it('reads window, price and settings of a router', async () => {
    const entry = {
      id: 'maker/model',
      context_length: 64_000,
      pricing: { prompt: '0.0000003', completion: '0.0000012', input_cache_read: '0.00000003' },
      supported_parameters: ['reasoning_effort'],
    };
    expect(await factsFrom('openai-compatible', { '/v1/models': () => ({ data: [entry] }) })).toEqual([
      {
        name: 'maker/model',
        label: 'maker/model',
        sees_images: null,
        context_window: 64_000,
        price: { input: 0.3, output: 1.2, cached_input: 0.03 },
        efforts: ['low', 'medium', 'high'],
      },
    ]);
  });

  it('asks LM Studio for what is loaded before what could be', async () => {
    const facts = await factsFrom('lmstudio', {
      '/v1/models': () => ({ data: [{ id: 'a' }, { id: 'b' }] }),
      '/api/v0/models': () => ({
        data: [
          { id: 'a', type: 'vlm', max_context_length: 131_072, loaded_context_length: 8_192 },
          { id: 'b', type: 'llm', max_context_length: 32_768 },
        ],
      }),
    });
    expect(facts).toMatchObject([
      { name: 'a', sees_images: true, context_window: 8_192 },
      { name: 'b', sees_images: false, context_window: 32_768 },
    ]);
  });

  it('asks Ollama for each model, and takes no window that it would not give', async () => {
    const shown: Record<string, unknown> = {
      a: { capabilities: ['completion', 'vision', 'thinking'], parameters: 'stop "x"\nnum_ctx    16384' },
      b: { capabilities: ['completion'], model_info: { 'llama.context_length': 131_072 } },
      c: { capabilities: ['completion'] },
    };
    const facts = await factsFrom('ollama', {
      '/v1/models': () => ({ data: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] }),
      '/api/ps': () => ({ models: [{ name: 'c', context_length: 4_096 }] }),
      '/api/show': (body) => shown[(JSON.parse(body) as { model: string }).model],
    });
    expect(facts).toEqual([
      {
        name: 'a',
        label: 'a',
        sees_images: true,
        efforts: ['low', 'medium', 'high'],
        context_window: 16_384,
      },
      { name: 'b', label: 'b', sees_images: false },
      { name: 'c', label: 'c', sees_images: false, context_window: 4_096 },
    ]);
  });

  it('takes a list without any of it as it is', async () => {
    const plain = await factsFrom('ollama', { '/v1/models': () => ({ data: [{ id: 'a' }] }) });
    expect(plain).toEqual([{ name: 'a', label: 'a', sees_images: null }]);
  });
});
