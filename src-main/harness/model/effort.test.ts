import { describe, expect, it } from 'vitest';
import type { Effort } from '../protocol';
import { eachModelServer } from '../testing/each-model-server';
import type { ModelServer } from '../testing/model-server';
import { collect, modelRequest, wireTable } from '../testing/model-server-wire-table';
import { anthropicForm } from './anthropic-request';
import type { ModelProvider } from './port';
import { endpointOf } from './provider-config';
import { createWireRequests } from './wire-request';

const never = new AbortController().signal;
let server: ModelServer;

eachModelServer((started) => (server = started));

async function bodyFor(provider: ModelProvider, model: string, effort: Effort | null) {
  server.enqueue({ answer: { text: ['ok'] } });
  await collect(provider.stream(modelRequest({ model, effort }), never));
  return server.asked().at(-1)!.body!;
}
const providerOf = (wire: string) => wireTable.find((row) => row.wire === wire)!.provider(server);

describe('effort', () => {
  it('is a field of the newer Claude models and a budget for the older', async () => {
    const anthropic = providerOf('anthropic');
    expect(await bodyFor(anthropic, 'claude-opus-5', 'low')).toMatchObject({
      output_config: { effort: 'low' },
    });
    expect(await bodyFor(anthropic, 'claude-sonnet-4-6', 'high')).toMatchObject({
      thinking: { type: 'adaptive' },
      output_config: { effort: 'high' },
    });
    const older = await bodyFor(anthropic, 'claude-haiku-4-5', 'medium');
    expect(older).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 12_288 } });
    expect(older.output_config).toBeUndefined();
    expect(older.max_tokens).toBeGreaterThan(12_288);
  });

  it('is the field of each of the other wires', async () => {
    expect(await bodyFor(providerOf('responses'), 'gpt-5.2', 'high')).toMatchObject({
      reasoning: { effort: 'high' },
    });
    expect(await bodyFor(providerOf('google'), 'gemini-3-pro-preview', 'low')).toMatchObject({
      generationConfig: { thinkingConfig: { thinkingLevel: 'low' } },
    });
    expect(await bodyFor(providerOf('google'), 'gemini-2.5-flash', 'medium')).toMatchObject({
      generationConfig: { thinkingConfig: { thinkingBudget: 8_192 } },
    });
    const gateway = wireTable[1]!.provider(server, { id: 'openai', kind: 'openai' });
    expect(await bodyFor(gateway, 'gpt-5.2', 'low')).toMatchObject({ reasoning_effort: 'low' });
  });

  it.each(['anthropic', 'chat', 'responses', 'google'])(
    'is left out on the %s wire where the model has no such setting, or none is chosen',
    async (wire) => {
      const words = /effort|thinking/;
      expect(JSON.stringify(await bodyFor(providerOf(wire), 'test-model', 'high'))).not.toMatch(words);
      const model = { anthropic: 'claude-sonnet-4-6', responses: 'gpt-5.2', google: 'gemini-3-pro' }[wire];
      expect(JSON.stringify(await bodyFor(providerOf(wire), model ?? 'x', null))).not.toMatch(words);
    },
  );

  it('goes to a compatible endpoint only for a model of which it says so', async () => {
    const body = {
      data: [
        { id: 'thinker', supported_parameters: ['tools', 'reasoning_effort'] },
        { id: 'talker', supported_parameters: ['tools'] },
      ],
    };
    const router = wireTable[1]!.provider(server, { fetch: () => Promise.resolve(Response.json(body)) });
    await router.listModels(never);
    expect(await bodyFor(router, 'thinker', 'low')).toMatchObject({ reasoning_effort: 'low' });
    expect(await bodyFor(router, 'talker', 'low')).not.toHaveProperty('reasoning_effort');
  });

  it('asks Anthropic itself to drop bound thinking rather than refuse, and to say what was thought', () => {
    const endpoint = endpointOf({ id: 'anthropic', kind: 'anthropic', base_url: null, key: 'k' });
    const form = anthropicForm(endpoint);
    const settings = (model: string) => {
      const { parts } = createWireRequests(endpoint, form).body(modelRequest({ model }), true);
      return JSON.parse(Buffer.concat(parts).toString('utf8')) as Record<string, unknown>;
    };
    expect(settings('claude-opus-5-5').thinking).toEqual({
      type: 'adaptive',
      display: 'summarized',
      block_binding: { prefix_mismatch_behavior: 'drop_block' },
    });
    expect(form.headers(modelRequest({ model: 'claude-opus-5-5' }))).toHaveProperty('anthropic-beta');
    expect(settings('claude-opus-5').thinking).toEqual({ type: 'adaptive', display: 'summarized' });
    expect(settings('claude-sonnet-4-6').thinking).toBeUndefined();
    expect(form.headers(modelRequest({ model: 'claude-opus-5' }))).not.toHaveProperty('anthropic-beta');
  });
});
