import { describe, expect, it } from 'vitest';
import { eachModelServer } from '../testing/each-model-server';
import type { ModelServer } from '../testing/model-server';
import { collect, modelRequest, textOf, wireTable } from '../testing/model-server-wire-table';
import type { ModelCall, ModelPart, ModelProvider, ModelRequest } from './port';

const never = new AbortController().signal;
let server: ModelServer;

eachModelServer((started) => (server = started));

function ask(provider: ModelProvider, more: Partial<ModelRequest> = {}): Promise<ModelPart[]> {
  return collect(provider.stream(modelRequest(more), never));
}

function callsOf(parts: readonly ModelPart[]): ModelCall[] {
  return parts.flatMap((part) => (part.type === 'call' ? [part.call] : []));
}

const move = { id: 'call_a', name: 'files__move_file', arguments: { from: 'a.txt', to: 'b.txt' } };

describe.each(wireTable)('$wire wire', ({ wire, provider }) => {
  it('streams text piece by piece and ends with usage', async () => {
    server.enqueue({ answer: { text: ['Good ', 'mor', 'ning.'], usage: { input: 21, output: 4 } } });
    const parts = await ask(provider(server));
    expect(parts.filter((part) => part.type === 'text')).toHaveLength(3);
    expect(textOf(parts)).toBe('Good morning.');
    expect(parts.at(-1)).toEqual({
      type: 'finished',
      reason: 'stop',
      usage: { input_tokens: 21, output_tokens: 4 },
    });
  });

  it('tells the shares of the usage where the provider tells them', async () => {
    server.enqueue({ answer: { text: ['Hi.'], usage: { input: 21, output: 9, cached: 15, reasoning: 5 } } });
    expect((await ask(provider(server))).at(-1)).toMatchObject({
      usage: { input_tokens: 21, output_tokens: 9, cached_input_tokens: 15, reasoning_tokens: 5 },
    });
  });

  it('sends system, message and tools, and the key in a header only', async () => {
    server.enqueue({ answer: { text: ['ok'] } });
    await ask(provider(server));
    const [request] = server.asked();
    expect(request).toMatchObject({
      wire,
      model: 'test-model',
      system: 'You tidy folders.',
      user_texts: ['Tidy up.'],
      tool_names: ['files__move_file'],
    });
    expect(request!.path).not.toContain('test-key');
    expect(JSON.stringify(request!.body)).not.toContain('test-key');
  });

  it('sends no half of a character, which strict readers refuse, and changes nothing else', async () => {
    server.enqueue({ answer: { text: ['ok'] } });
    const text = 'cut \ud83d|\udc4d|whole \ud83d\udc4d|literal \\ud83d';
    await ask(provider(server), {
      system: `S ${text}`,
      messages: [{ role: 'user', text: `U ${text}`, files: [] }],
      transient: { text: `T ${text}`, image: null },
    });
    const sound = 'cut \ufffd|\ufffd|whole \ud83d\udc4d|literal \\ud83d';
    const all = JSON.stringify(server.asked()[0]?.body);
    for (const place of ['S', 'U', 'T'])
      expect(all).toContain(JSON.stringify(`${place} ${sound}`).slice(1, -1));
  });

  it('gives parallel calls whole, once and in order, also with interleaved deltas', async () => {
    const second = { id: 'call_b', name: 'files__move_file', arguments: { from: 'ü "q"', to: '\\' } };
    server.enqueue({ answer: { text: ['Moving.'], calls: [move, second], interleave: true } });
    const parts = await ask(provider(server));
    expect(callsOf(parts)).toMatchObject([
      { call_id: 'call_a', name: 'files__move_file', arguments_text: JSON.stringify(move.arguments) },
      { call_id: 'call_b', name: 'files__move_file', arguments_text: JSON.stringify(second.arguments) },
    ]);
    expect(parts.at(-1)).toMatchObject({ type: 'finished', reason: 'tool-calls' });
  });

  it('gives {} for a call without arguments', async () => {
    server.enqueue({ answer: { calls: [{ id: 'call_a', name: 'files__move_file' }] } });
    expect(callsOf(await ask(provider(server)))).toMatchObject([{ call_id: 'call_a', arguments_text: '{}' }]);
  });

  it('gives broken arguments as they came, never repaired (hazard 91, field report 98)', async () => {
    const raw = '{"from": "a.txt", "to": ';
    server.enqueue({ answer: { calls: [{ ...move, raw }] } });
    const parts = await ask(provider(server));
    if (wire === 'google') {
      // Arguments are no text of their own there: a broken one breaks its event.
      expect(callsOf(parts)).toEqual([]);
      expect(parts.at(-1)).toMatchObject({
        type: 'failed',
        error: { code: 'model_stream_cut', retryable: true },
      });
    } else {
      expect(callsOf(parts)).toMatchObject([{ call_id: 'call_a', arguments_text: raw }]);
      expect(parts.at(-1)).toMatchObject({ type: 'finished' });
    }
  });

  it('sends broken arguments back inside an object, with a result for each call', async () => {
    const arguments_text = '{"from": "a.txt", "to": ';
    server.enqueue({ answer: { text: ['Sorry.'] } });
    await ask(provider(server), {
      messages: [
        { role: 'user', text: 'Tidy up.', files: [] },
        {
          role: 'assistant',
          text: '',
          calls: [{ call_id: 'call_a', name: 'files__move_file', arguments_text }],
        },
        { role: 'tool', call_id: 'call_a', name: 'files__move_file', text: 'not JSON', is_error: true },
      ],
    });
    const sent = JSON.stringify(server.asked()[0]!.body).replaceAll('\\', '');
    expect(sent).toContain('malformed_arguments');
    expect(sent).toContain(arguments_text);
    expect(server.asked()[0]!.results).toEqual([
      { id: 'call_a', name: 'files__move_file', text: 'not JSON', is_error: true },
    ]);
  });

  it('sends results of one response together, in order, and closes an open call (field report 94)', async () => {
    const call = (call_id: string) => ({
      call_id,
      name: 'files__move_file',
      arguments_text: '{"from":"a","to":"b"}',
    });
    const result = { role: 'tool', name: 'files__move_file', is_error: false } as const;
    server.enqueue({ answer: { text: ['Done.'] } });
    await ask(provider(server), {
      messages: [
        { role: 'user', text: 'Tidy up.', files: [] },
        { role: 'assistant', text: 'Moving.', calls: [call('c1'), call('c2'), call('c3')] },
        { ...result, call_id: 'c2', text: 'second' },
        { role: 'user', text: 'And?', files: [] },
        { ...result, call_id: 'c1', text: 'first' },
        { role: 'user', text: 'Well?', files: [] },
      ],
    });
    const [request] = server.asked();
    expect(request!.results.map((one) => [one.id, one.text, one.is_error])).toEqual([
      ['c1', 'first', false],
      ['c2', 'second', false],
      ['c3', 'No result was recorded for this call.', true],
    ]);
    if (wire === 'anthropic') {
      const messages = request!.body!.messages as { role: string; content: { type: string }[] }[];
      expect(messages.map((message) => message.role)).toEqual(['user', 'assistant', 'user']);
      expect(messages[2]!.content.map((part) => part.type)).toEqual([
        'tool_result',
        'tool_result',
        'tool_result',
        'text',
        'text',
      ]);
    }
  });

  it('shortens a name over 64 bytes on the wire only, and gives the alias back (C4, field report 50)', async () => {
    const alias = `files__${'very_long_name_'.repeat(5)}`.slice(0, 80);
    const tool = { name: alias, description: 'Long.', input_schema: { type: 'object' } };
    let wireName = '';
    server.respondWith((request) => {
      wireName = request.tool_names[0]!;
      return { answer: { calls: [{ id: 'call_a', name: wireName, arguments: {} }] } };
    });
    const parts = await ask(provider(server), { tools: [tool] });
    expect(wireName).toMatch(/^files__very_long_name_.*_[0-9a-f]{8}$/);
    expect(wireName.length).toBeLessThanOrEqual(64);
    expect(callsOf(parts)).toMatchObject([{ name: alias }]);
  });

  it('gives an unknown tool name as it came', async () => {
    server.enqueue({ answer: { calls: [{ id: 'call_a', name: 'made_up', arguments: {} }] } });
    expect(callsOf(await ask(provider(server)))).toMatchObject([{ name: 'made_up' }]);
  });

  it('says that an answer ended for want of room', async () => {
    server.enqueue({ answer: { text: ['Once upon'], out_of_room: true } });
    expect((await ask(provider(server))).at(-1)).toMatchObject({ type: 'finished', reason: 'length' });
  });

  it('streams 200 calls of one response (hazard 91)', async () => {
    const calls = Array.from({ length: 200 }, (_, index) => ({ ...move, id: `call_${index}` }));
    server.enqueue({ answer: { calls } });
    expect(callsOf(await ask(provider(server))).map((call) => call.call_id)).toEqual(
      calls.map((call) => call.id),
    );
  });

  it('reads a compressed stream', async () => {
    server.enqueue({ answer: { text: ['Hello'] }, gzip: true });
    expect(textOf(await ask(provider(server)))).toBe('Hello');
  });
});

describe('Chat Completions chunks out of the ordinary', () => {
  const chat = wireTable.find((row) => row.wire === 'chat')!;
  const chunk = (delta: object, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const piece = (index: number, more: object) => chunk({ tool_calls: [{ index, ...more }] });

  it('takes deltas of two calls in any order', async () => {
    server.enqueue({
      raw: [
        piece(1, { id: 'b', function: { name: 'two', arguments: '{"x":' } }),
        piece(0, { id: 'a', function: { name: 'one', arguments: '' } }),
        piece(1, { function: { arguments: '2}' } }),
        piece(0, { function: { arguments: '{"x":1}' } }),
        chunk({}, 'tool_calls'),
      ],
    });
    expect(callsOf(await ask(chat.provider(server)))).toMatchObject([
      { call_id: 'a', name: 'one', arguments_text: '{"x":1}' },
      { call_id: 'b', name: 'two', arguments_text: '{"x":2}' },
    ]);
  });

  it('does not repair a delta that came twice', async () => {
    const doubled = piece(0, { function: { arguments: '{"x":1}' } });
    server.enqueue({
      raw: [piece(0, { id: 'a', function: { name: 'one' } }), doubled, doubled, chunk({}, 'tool_calls')],
    });
    expect(callsOf(await ask(chat.provider(server)))).toMatchObject([{ arguments_text: '{"x":1}{"x":1}' }]);
  });

  it('refuses two calls that share an id before any is given out (S1-55)', async () => {
    server.enqueue({ answer: { calls: [move, { ...move, arguments: { from: 'c', to: 'd' } }] } });
    const parts = await ask(chat.provider(server));
    expect(callsOf(parts)).toEqual([]);
    expect(parts.at(-1)).toMatchObject({
      type: 'failed',
      error: { code: 'call_id_reused', retryable: false },
    });
  });

  it('loses no piece of arguments in silence', async () => {
    server.enqueue({
      raw: [
        piece(0, { id: 'a', function: { name: 'one', arguments: '{' } }),
        piece(1, { id: 'b', function: { name: 'two', arguments: '{' } }),
        chunk({ tool_calls: [{ function: { arguments: '}' } }] }),
        chunk({}, 'tool_calls'),
      ],
    });
    const parts = await ask(chat.provider(server));
    expect(callsOf(parts)).toEqual([]);
    expect(parts.at(-1)).toMatchObject({ type: 'failed', error: { code: 'model_stream_cut' } });
  });
});

describe('Anthropic events out of the ordinary', () => {
  const anthropic = wireTable.find((row) => row.wire === 'anthropic')!;
  const event = (data: { type: string }) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

  it('passes over kinds of events that it does not know', async () => {
    const whole = event({ type: 'message_stop' });
    server.enqueue({
      raw: [
        event({ type: 'message_start', message: { id: 'm', usage: { input_tokens: 1 } } } as {
          type: string;
        }),
        event({ type: 'brand_new_event' }),
        event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } } as {
          type: string;
        }),
        event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } } as {
          type: string;
        }),
        event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } } as {
          type: string;
        }),
        whole,
      ],
    });
    const parts = await ask(anthropic.provider(server));
    expect(textOf(parts)).toBe('Hi');
    expect(parts.at(-1)).toMatchObject({ type: 'finished' });
  });

  it('fails where a call began and was never completed', async () => {
    const start = {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'tool_use', id: 'a', name: 'one', input: {} },
    };
    server.enqueue({
      raw: [
        event({ type: 'message_start', message: { id: 'm', usage: { input_tokens: 1 } } } as {
          type: string;
        }),
        event(start),
        event({ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 1 } } as {
          type: string;
        }),
        event({ type: 'message_stop' }),
      ],
    });
    const parts = await ask(anthropic.provider(server));
    expect(parts).toHaveLength(1);
    expect(parts[0]).toMatchObject({ type: 'failed', error: { code: 'model_stream_cut', retryable: true } });
  });
});

describe('files of the person', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const png = { name: 'cat.png', media_type: 'image/png', data: new Uint8Array([137, 80, 78, 71]) };
  const pdf = { name: 'bill.pdf', media_type: 'application/pdf', data: bytes('%PDF-1.7') };
  const notes = { name: 'notes.md', media_type: 'text/markdown', data: bytes('# Hello') };
  const zip = { name: 'a.zip', media_type: 'application/zip', data: new Uint8Array([80, 75, 0, 4]) };
  const messages = [{ role: 'user' as const, text: 'Look.', files: [png, pdf, notes, zip] }];

  it('sends image and PDF where the model takes them, text as named text, and the rest in words', async () => {
    server.enqueue({ answer: { text: ['ok'] } });
    await ask(wireTable[0]!.provider(server), { model: 'claude-sonnet-4-5', messages });
    const sent = (server.asked()[0]!.body!.messages as { content: { type: string; text?: string }[] }[])[0]!
      .content;
    expect(sent.map((part) => part.type)).toEqual(['image', 'document', 'text', 'text', 'text']);
    expect(sent[2]!.text).toContain('notes.md');
    expect(sent[2]!.text).toContain('# Hello');
    expect(sent[3]!.text).toContain('"a.zip"');
    expect(sent[4]!.text).toBe('Look.');
  });

  it('says in words what a model that sees no images was not given', async () => {
    server.enqueue({ answer: { text: ['ok'] } });
    await ask(wireTable[1]!.provider(server), { model: 'llama3.1', messages });
    const [text] = server.asked()[0]!.user_texts;
    expect(text).toContain('"cat.png" (image/png, 4 bytes) was left out: this model does not see images.');
    expect(text).toContain('"bill.pdf"');
    expect(JSON.stringify(server.asked()[0]!.body)).not.toContain('image_url');
  });
});
