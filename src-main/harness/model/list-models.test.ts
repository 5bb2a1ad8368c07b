import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startModelServer, type ModelServer } from '../testing/model-server';
import { redirectTo, wireTable } from '../testing/model-server-wire-table';
import { createModelProvider } from './create-model-provider';

const never = new AbortController().signal;
let server: ModelServer;

afterEach(async () => {
  expect(await server.close()).toEqual([]);
});

describe.each(wireTable.filter((row) => row.wire !== 'responses'))(
  'models over the $wire wire',
  ({ wire, provider }) => {
    const models = ['one', 'two', 'three', 'four', 'five'];
    beforeEach(async () => {
      server = await startModelServer({ models, page_size: 2 });
    });

    it('gives all pages, in the order of the endpoint', async () => {
      const result = await provider(server).listModels(never);
      expect(result.ok && result.value.map((model) => model.name)).toEqual(models);
      expect(server.requests).toHaveLength(wire === 'chat' ? 1 : 3);
    });

    it('shows a refused key', async () => {
      const result = await provider(server, { key: 'wrong-key' }).listModels(never);
      expect(result).toMatchObject({ ok: false, error: { code: 'model_unauthorized' } });
      expect(JSON.stringify(result)).not.toContain('wrong-key');
    });

    it('ends as cancelled when stopped', async () => {
      const result = await provider(server).listModels(AbortSignal.abort());
      expect(result).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    });
  },
);

describe('what is kept of a list', () => {
  it("narrows OpenAI's own list to what can be talked to", async () => {
    const chat = ['gpt-5.2', 'gpt-4o', 'o4-mini', 'chatgpt-4o-latest', 'ft:gpt-4o:me::1'];
    const other = [
      'text-embedding-3-large',
      'tts-1',
      'whisper-1',
      'dall-e-3',
      'gpt-image-1',
      'gpt-4o-transcribe',
    ];
    server = await startModelServer({ models: [...chat, ...other, 'omni-moderation-latest', 'davinci-002'] });
    const openai = { id: 'openai', kind: 'openai', base_url: null, key: 'test-key' } as const;
    const result = await createModelProvider({ ...openai, fetch: redirectTo(server) }).listModels(never);
    expect(result.ok && result.value.map((model) => model.name)).toEqual(chat);
  });

  it('keeps the whole list of a compatible endpoint', async () => {
    server = await startModelServer({ models: ['llama3', 'nomic-embed-text'] });
    const result = await wireTable[1]!.provider(server).listModels(never);
    expect(result).toEqual({
      ok: true,
      value: [
        { name: 'llama3', label: 'llama3', sees_images: null },
        { name: 'nomic-embed-text', label: 'nomic-embed-text', sees_images: null },
      ],
    });
  });

  it('believes what an endpoint says of images', async () => {
    server = await startModelServer();
    const body = { data: [{ id: 'odd-name', architecture: { input_modalities: ['text', 'image'] } }] };
    const fetch = () => Promise.resolve(Response.json(body));
    const provider = wireTable[1]!.provider(server, { fetch });
    expect(provider.seesImages('odd-name')).toBe(false);
    await provider.listModels(never);
    expect(provider.seesImages('odd-name')).toBe(true);
  });

  it.each([{ hello: 1 }, [1, 2], 'text', { data: 'x' }])(
    'an answer that is no list says so: %j',
    async (body) => {
      server = await startModelServer();
      const fetch = () => Promise.resolve(Response.json(body));
      const result = await wireTable[1]!.provider(server, { fetch }).listModels(never);
      expect(result).toMatchObject({ ok: false, error: { code: 'model_unreachable' } });
      expect(!result.ok && result.error.message).toContain('not with a list of models');
    },
  );

  it('stops where pages never end', async () => {
    server = await startModelServer();
    let asked = 0;
    const fetch = () => {
      asked += 1;
      return Promise.resolve(
        Response.json({ data: [{ id: `m${asked}` }], has_more: true, last_id: `m${asked}` }),
      );
    };
    const result = await wireTable[0]!.provider(server, { fetch }).listModels(never);
    expect(result.ok && result.value.length).toBe(20);
  });
});
