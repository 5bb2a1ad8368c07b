import { describe, expect, it } from 'vitest';
import { eachModelServer } from '../testing/each-model-server';
import type { ModelServer } from '../testing/model-server';
import { collect, modelRequest, wireTable } from '../testing/model-server-wire-table';
import type { ModelMessage, ModelRequest } from './port';

const never = new AbortController().signal;
let server: ModelServer;

eachModelServer((started) => (server = started));

const seeing = {
  anthropic: 'claude-sonnet-4-5',
  chat: 'gemma-3-27b',
  responses: 'gpt-5.2',
  google: 'gemini-3-pro',
} as const;
const image = { name: 'now.png', media_type: 'image/png', data: new Uint8Array([137, 80, 78, 71]) };
const pixels = Buffer.from(image.data).toString('base64');

const hello: ModelMessage = { role: 'user', text: 'Look at it.', files: [] };
const call = { call_id: 'c1', name: 'files__move_file', arguments_text: '{"from":"a","to":"b"}' };
const moving: ModelMessage = { role: 'assistant', text: 'Moving.', calls: [call] };
const moved: ModelMessage = { role: 'tool', call_id: 'c1', name: call.name, text: 'moved', is_error: false };
const done: ModelMessage = { role: 'assistant', text: 'Done.', calls: [] };

/** The list of messages under the name that each wire gives it. */
function listOf(body: Record<string, unknown>): readonly unknown[] {
  return (body.messages ?? body.input ?? body.contents) as readonly unknown[];
}

describe.each(wireTable)('what goes with one request only, over the $wire wire', ({ wire, provider }) => {
  async function send(more: Partial<ModelRequest>): Promise<Record<string, unknown>> {
    server.enqueue({ answer: { text: ['ok'] } });
    await collect(provider(server).stream(modelRequest({ model: seeing[wire], ...more }), never));
    return server.asked().at(-1)!.body!;
  }
  const ends = {
    'after a message': [hello],
    'after a result': [hello, moving, moved],
    'after an answer': [hello, done],
  };

  it.each(Object.entries(ends))('stands behind all messages, %s (S0-04)', async (_where, messages) => {
    const body = await send({ messages, transient: { text: 'The window shows notes.txt.', image } });
    const text = JSON.stringify(listOf(body));
    const last = JSON.stringify(listOf(body).at(-1));
    expect(last).toContain('The window shows notes.txt.');
    expect(last).toContain(pixels);
    const words = ['Look at it.', ...(messages.length > 2 ? ['moved'] : [])];
    for (const word of words) expect(text.indexOf(word)).toBeLessThan(text.indexOf(pixels));
    expect(JSON.stringify({ ...body, messages: [], input: [], contents: [] })).not.toContain('notes.txt');
  });

  it.each(Object.entries(ends))('leaves what stands before as it was, %s', async (_where, messages) => {
    const without = await send({ messages });
    const once = await send({ messages, transient: { text: 'Now.', image } });
    const start = (body: Record<string, unknown>) =>
      JSON.stringify(listOf(body)).replaceAll(',"cache_control":{"type":"ephemeral"}', '');
    // The brackets that end the list are all that may come later.
    const stable = start(without).replace(/["\]}]+$/, '');
    expect(start(once).slice(0, stable.length)).toBe(stable);
    const later = await send({ messages: [...messages, done, hello] });
    expect(start(later)).not.toContain('Now.');
  });

  it('sends nothing for an image that the model does not see, nor for nothing (S1-66)', async () => {
    const model = { anthropic: 'claude-2', chat: 'llama3.1', responses: 'gpt-4', google: 'gemma-2' }[wire];
    const blind = await send({ model, transient: { text: '', image } });
    expect(blind).toEqual(await send({ model }));
    const empty = await send({ transient: { text: ' ', image: null } });
    expect(empty).toEqual(await send({}));
  });
});

describe('marks for the cache of Anthropic', () => {
  const { provider } = wireTable[0]!;
  type Block = { type: string; text?: string; cache_control?: object };
  type Body = { tools: Block[]; system: Block[]; messages: { content: Block[] }[] };
  const mark = { type: 'ephemeral' };

  it('stand at tools, system and the last two ends, and never in or behind the transient part', async () => {
    const anthropic = provider(server);
    const transient = { text: 'Now.', image };
    const model = seeing.anthropic;
    const messages = [hello, moving, moved];
    for (const until of [1, 3]) {
      server.enqueue({ answer: { text: ['ok'] } });
      const request = modelRequest({ model, messages: messages.slice(0, until), transient });
      await collect(anthropic.stream(request, never));
    }
    const body = server.asked().at(-1)!.body as unknown as Body;
    expect(body.tools.at(-1)!.cache_control).toEqual(mark);
    expect(body.system.at(-1)!.cache_control).toEqual(mark);
    const blocks = body.messages.flatMap((message) => message.content);
    expect(blocks.map((block) => [block.type, block.cache_control !== undefined])).toEqual([
      ['text', true],
      ['text', false],
      ['tool_use', false],
      ['tool_result', true],
      ['image', false],
      ['text', false],
    ]);
  });
});
