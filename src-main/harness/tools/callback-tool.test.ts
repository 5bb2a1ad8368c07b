import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../protocol';
import { samplePng } from '../testing/sample-images';
import {
  presentCallbackTool,
  ToolImageResult,
  type CallbackContext,
  type CallbackDefinition,
} from './callback-tool';
import { ToolError, type ToolContext, type ToolProgress } from './tool';

const definition = (execute: CallbackDefinition['execute']): CallbackDefinition => ({
  namespace: 'app',
  name: 'show_status',
  title: 'Show status',
  description: 'Display a status update in this app.',
  inputSchema: {
    type: 'object',
    properties: { text: { type: 'string' } },
    required: ['text'],
    additionalProperties: false,
  },
  execute,
});

function run(execute: CallbackDefinition['execute'], args: JsonObject = {}, stop = new AbortController()) {
  const reported: ToolProgress[] = [];
  const context: ToolContext = {
    session_id: 's_1',
    turn_id: 't_1',
    call_id: 'c_1',
    qualified_name: 'app.show_status',
    model_alias: 'app__show_status',
    workspace: null,
    signal: stop.signal,
    progress: (progress) => void reported.push(progress),
  };
  const end = presentCallbackTool(definition(execute), {}).run(context, args);
  return { end, reported };
}

const image = { mimeType: 'image/png', base64: samplePng().toString('base64') };

describe('a callback of an application', () => {
  it('S1-03 S1-06 S1-08 S0-67: runs in the application and is external and plain unless the host says otherwise', () => {
    const made = definition(() => null);
    const tool = presentCallbackTool(made, {});
    expect(tool).toMatchObject({
      model_alias: 'app__show_status',
      origin: { kind: 'callback' },
      placement: 'application',
      classification: 'external',
      presentation: 'plain',
    });
    expect(tool.descriptor).toMatchObject({
      qualified_name: 'app.show_status',
      input_schema: made.inputSchema,
    });
    const vetted = presentCallbackTool(made, { classification: 'read', presentation: 'message' });
    expect([vetted.classification, vetted.presentation, vetted.placement]).toEqual([
      'read',
      'message',
      'application',
    ]);
    expect(vetted.pin).toBe(tool.pin);
    expect(presentCallbackTool({ ...made, description: 'Other.' }, {}).pin).not.toBe(tool.pin);
  });

  it('S1-16 (in part) S1-17 S1-18 S1-19: the example of the page works as it is written', async () => {
    const shown: string[] = [];
    const example: CallbackDefinition['execute'] = async (args, context) => {
      context.signal.throwIfAborted();
      await context.progress('Updating app');
      if (typeof args['text'] !== 'string') throw new Error('Expected text');
      shown.push(args['text']);
      return { displayed: true };
    };
    const { end, reported } = run(example, { text: 'Hello' });
    expect(await end).toEqual({ type: 'output', output: { structured: { displayed: true } } });
    expect([shown, reported]).toEqual([['Hello'], [{ message: 'Updating app' }]]);
    expect(await run(example, {}).end).toEqual({
      type: 'error',
      error: { code: 'tool_failed', message: 'Expected text' },
    });
  });

  it('S1-45 S1-48 S1-88: is given its ids and names', async () => {
    const seen: CallbackContext[] = [];
    await run((_, context) => void seen.push(context)).end;
    expect(seen[0]).toMatchObject({
      sessionId: 's_1',
      turnId: 't_1',
      callId: 'c_1',
      qualifiedName: 'app.show_status',
      modelAlias: 'app__show_status',
    });
  });

  it('S1-07 S1-62: its progress may carry data, and never waits for anybody', async () => {
    const { end, reported } = run(async (_, { progress }) => {
      await progress('half', { done: 1 });
      await progress('all');
    });
    expect(await end).toEqual({ type: 'output', output: { structured: null } });
    expect(reported).toEqual([{ message: 'half', data: { done: 1 } }, { message: 'all' }]);
  });

  it('progress that is no text with plain JSON is rejected, and nobody dies of it unseen', async () => {
    const { end, reported } = run(async (_, { progress }) => {
      void progress(1 as never);
      await progress('x', new Map() as never);
    });
    expect(await end).toMatchObject({ type: 'error', error: { code: 'tool_failed' } });
    expect(reported).toEqual([]);
  });
});

describe('what a callback returns', () => {
  it.each<[unknown, Json, string | undefined]>([
    [{ a: [1, 'b', null, true] }, { a: [1, 'b', null, true] }, undefined],
    [undefined, null, undefined],
    ['plain words', 'plain words', 'plain words'],
    [7, 7, undefined],
  ])('S1-77: plain JSON (%j)', async (value, structured, text) => {
    const output = text === undefined ? { structured } : { structured, text };
    expect(await run(() => value).end).toEqual({ type: 'output', output });
  });

  it.each<[string, () => unknown]>([
    ['a function', () => () => undefined],
    ['a date inside', () => ({ at: new Date() })],
    ['bytes', () => Buffer.from('x')],
    ['a map', () => new Map()],
    ['a big number', () => ({ n: 1n })],
    ['metadata that is none', () => new ToolImageResult(new Date() as never, image)],
    [
      'a cycle',
      () => {
        const cycle: Record<string, unknown> = {};
        cycle['self'] = cycle;
        return cycle;
      },
    ],
    [
      'a trap',
      () => ({
        get a() {
          throw new Error('trap');
        },
      }),
    ],
  ])('S1-77: what is no plain JSON fails, and says so: %s', async (_what, execute) => {
    expect(await run(execute).end).toMatchObject({ type: 'error', error: { code: 'tool_failed' } });
  });

  it('S1-63 S1-64 S1-68: one image beside JSON metadata', async () => {
    const { end } = run(() => new ToolImageResult({ width: 4, height: 3, scope: 'game-preview' }, image));
    const ended = await end;
    expect(ended).toMatchObject({
      type: 'output',
      output: {
        structured: { width: 4, height: 3, scope: 'game-preview' },
        image: { media_type: 'image/png' },
      },
    });
    expect(ended.type === 'output' && Buffer.from(ended.output.image?.data ?? []).equals(samplePng())).toBe(
      true,
    );
  });

  it.each<[string, { mimeType: string; base64: string }, RegExp]>([
    ['S1-69: more than 768,000 characters', { ...image, base64: 'A'.repeat(768_004) }, /768000/],
    ['S1-67: another type', { ...image, mimeType: 'image/gif' }, /image\/png and image\/jpeg/],
    ['no base64', { ...image, base64: 'data:image/png;base64,AAAA' }, /base64/],
    ['nothing', { ...image, base64: '' }, /empty/],
    ['no text', { mimeType: 1, base64: 2 } as never, /base64/],
  ])(
    'S1-71: an image that cannot be taken is spoken of in words, and the metadata stays: %s',
    async (_what, bad, words) => {
      const ended = await run(() => new ToolImageResult({ ok: true }, bad)).end;
      expect(ended).toMatchObject({ type: 'output', output: { structured: { ok: true } } });
      const text = ended.type === 'output' ? (ended.output.text ?? '') : '';
      expect(text).toMatch(/^\{"ok":true\}\n\[The tool returned an image, which was refused\. /);
      expect(text).toMatch(words);
      expect(ended).not.toHaveProperty('output.image');
    },
  );
});

describe('what a callback throws', () => {
  const token = 'gh' + 'p_aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYzA1b';
  const thrown = async (error: unknown) => {
    const end = await run(() => {
      throw error;
    }).end;
    return end.type === 'output' ? null : { type: end.type, ...end.error };
  };

  it('C13: is its own failure, with a short code of the error, and goes back to the model', async () => {
    expect(await thrown(Object.assign(new Error('No such file'), { code: 'ENOENT' }))).toEqual({
      type: 'error',
      code: 'ENOENT',
      message: 'No such file',
    });
    expect(await thrown(new ToolError('busy', 'Try again', { in_s: 3 }))).toEqual({
      type: 'error',
      code: 'busy',
      message: 'Try again',
      data: { in_s: 3 },
    });
    expect(await thrown('just words')).toEqual({ type: 'error', code: 'tool_failed', message: 'just words' });
  });

  it.each([
    ['a code that is a sentence', Object.assign(new Error('x'), { code: 'not an identifier' })],
    ['a long code', Object.assign(new Error('x'), { code: 'a'.repeat(65) })],
    ['a code that is a number', Object.assign(new Error('x'), { code: 7 })],
    ['nothing', undefined],
    [
      'a trap',
      {
        get message() {
          throw new Error('trap');
        },
      },
    ],
  ])('C13: else the code is tool_failed: %s', async (_what, error) => {
    expect(await thrown(error)).toMatchObject({ type: 'error', code: 'tool_failed' });
  });

  it('C13 S0-71: secrets leave its message, and a long one is cut', async () => {
    const ended = await thrown(new Error(`Refused ${token}`));
    expect(ended?.message).toMatch(/^Refused \[redacted github_token sha256:[0-9a-f]{12}\]$/);
    expect((await thrown(new Error('x'.repeat(10_000))))?.message).toHaveLength(2_000);
  });

  it('C13: an abort while cancelled is a cancellation; the same error without one is a failure', async () => {
    const stop = new AbortController();
    const { end } = run(
      (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
      {},
      stop,
    );
    stop.abort('stopped');
    expect(await end).toMatchObject({ type: 'unknown', error: { code: 'cancelled' } });
    expect(await thrown(new DOMException('aborted', 'AbortError'))).toMatchObject({ type: 'error' });
  });
});
