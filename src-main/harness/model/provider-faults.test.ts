import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { eachModelServer } from '../testing/each-model-server';
import type { ModelServer, ScriptedResponse } from '../testing/model-server';
import { collect, modelRequest, textOf, wireTable } from '../testing/model-server-wire-table';
import { createModelProvider } from './create-model-provider';
import type { ModelFailure, ModelPart, ModelProvider } from './port';

const never = new AbortController().signal;
let server: ModelServer;

eachModelServer((started) => (server = started));

function failureOf(parts: readonly ModelPart[]): ModelFailure {
  const last = parts.at(-1);
  if (last?.type !== 'failed') throw new Error(`no failure at the end: ${JSON.stringify(parts)}`);
  expect(parts.filter((part) => part.type === 'failed' || part.type === 'finished')).toHaveLength(1);
  expect(last.error.message).not.toContain('test-key');
  return last.error;
}

async function failureFrom(provider: ModelProvider, response?: ScriptedResponse): Promise<ModelFailure> {
  if (response) server.enqueue(response);
  return failureOf(await collect(provider.stream(modelRequest(), never)));
}

const said = (message: string) => ({ error: { type: 'some_error', message } });

describe.each(wireTable)('faults on the $wire wire (hazard 91)', ({ provider }) => {
  it('401 is a refused key, with the way to Settings', async () => {
    const failure = await failureFrom(provider(server, { key: 'wrong-key-123456' }));
    expect(failure).toMatchObject({ code: 'model_unauthorized', retryable: false });
    expect(failure.message).toContain('Settings');
    expect(failure.message).not.toContain('wrong-key');
  });

  it.each([
    [400, 'model_refused_request', false],
    [403, 'model_unauthorized', false],
    [404, 'model_unknown', false],
    [413, 'model_refused_request', false],
    [429, 'model_rate_limited', true],
    [500, 'model_overloaded', true],
    [503, 'model_overloaded', true],
    [529, 'model_overloaded', true],
  ])('status %i is %s, in the words of the provider', async (status, code, retryable) => {
    const failure = await failureFrom(provider(server), { status, body: said('tool 3 has a bad name') });
    expect(failure).toMatchObject({ code, retryable, data: { status } });
    expect(failure.message).toContain('tool 3 has a bad name');
    expect(server.asked()).toHaveLength(1);
  });

  it('names the model that is not known', async () => {
    expect((await failureFrom(provider(server), { status: 404, body: '' })).message).toContain(
      '"test-model"',
    );
  });

  it('takes Retry-After in seconds and as a date', async () => {
    const seconds = { status: 429, headers: { 'retry-after': '7' }, body: said('slow') };
    expect(await failureFrom(provider(server), seconds)).toMatchObject({ retry_after_ms: 7_000 });
    const date = new Date(Date.now() + 60_000).toUTCString();
    const late = await failureFrom(provider(server), {
      status: 429,
      headers: { 'retry-after': date },
      body: '',
    });
    expect(late.retry_after_ms).toBeGreaterThan(50_000);
    expect(late.retry_after_ms).toBeLessThanOrEqual(60_000);
    expect((await failureFrom(provider(server), { status: 429, body: '' })).retry_after_ms).toBeUndefined();
  });

  it('shows no key that a provider repeats in its words', async () => {
    const words = 'key test-key and sk-proj-abcdefghijklmnop and abc****wxyz are bad';
    const failure = await failureFrom(provider(server), { status: 400, body: said(words) });
    expect(failure.message).toContain('key [key] and [key] and [key] are bad');
  });

  it('a web page with status 200 is no model', async () => {
    const failure = await failureFrom(provider(server), { html: '<html>Sign in</html>' });
    expect(failure).toMatchObject({ code: 'model_unreachable', retryable: false });
    expect(failure.message).toContain('web page');
    const untyped = { raw: '\n<!DOCTYPE html><p>Sign in', content_type: 'text/event-stream' };
    expect(await failureFrom(provider(server), untyped)).toMatchObject({ code: 'model_unreachable' });
  });

  it('JSON in place of a stream is said in the words of the answer', async () => {
    const raw = JSON.stringify(said('streaming is off'));
    const failure = await failureFrom(provider(server), { raw, content_type: 'application/json' });
    expect(failure).toMatchObject({ code: 'model_refused_request' });
    expect(failure.message).toContain('streaming is off');
  });

  it('a stream that ends without its end is cut, and gives out no call', async () => {
    const calls = [{ id: 'a', name: 'files__move_file', arguments: { from: 'a', to: 'b' } }];
    server.enqueue({ answer: { text: ['Half'], calls, without_end: true } });
    const parts = await collect(provider(server).stream(modelRequest(), never));
    expect(textOf(parts)).toBe('Half');
    expect(failureOf(parts)).toMatchObject({ code: 'model_stream_cut', retryable: true });
    expect(parts.some((part) => part.type === 'call')).toBe(false);
  });

  it('an empty stream is cut', async () => {
    expect(await failureFrom(provider(server), { raw: '' })).toMatchObject({ code: 'model_stream_cut' });
  });

  it('a connection that breaks in the middle of an event is cut, and loses no text before', async () => {
    const text = ['First. ', 'Second. ', 'Third. ', 'x'.repeat(4_000)];
    server.enqueue({ answer: { text }, cut_after_bytes: 3_000, delay_ms: 1 });
    const parts = await collect(provider(server).stream(modelRequest(), never));
    expect(textOf(parts)).toBe('First. Second. Third. ');
    expect(failureOf(parts)).toMatchObject({ code: 'model_stream_cut', retryable: true });
  });

  it('an event that is no JSON is cut', async () => {
    expect(await failureFrom(provider(server), { raw: 'data: {"broken\n\n' })).toMatchObject({
      code: 'model_stream_cut',
    });
  });

  it('an error inside the stream keeps its kind and words', async () => {
    const error_event = { type: 'server_error', message: 'the engine stopped' };
    server.enqueue({ answer: { text: ['Half'], error_event } });
    const parts = await collect(provider(server).stream(modelRequest(), never));
    expect(textOf(parts)).toBe('Half');
    expect(failureOf(parts)).toMatchObject({ code: 'model_overloaded', retryable: true });
    expect(failureOf(parts).message).toContain('the engine stopped');
  });

  it('silence in the middle of an answer ends after the idle time', async () => {
    server.enqueue({ answer: { text: ['a', 'b', 'c'] }, hang_after_events: 4 });
    const parts = await collect(provider(server, { idle_timeout_ms: 150 }).stream(modelRequest(), never));
    expect(failureOf(parts)).toMatchObject({ code: 'model_stream_cut', retryable: true });
    expect(failureOf(parts).message).toContain('sent nothing for 0.2 seconds');
  });

  it('silence before the answer ends after the idle time', async () => {
    const failure = await failureFrom(provider(server, { idle_timeout_ms: 150 }), { hang: true });
    expect(failure).toMatchObject({ code: 'model_unreachable', retryable: true });
  });

  it('a slow stream that keeps sending is not idle', async () => {
    server.enqueue({ answer: { text: ['a', 'b', 'c', 'd', 'e', 'f'] }, delay_ms: 60 });
    const parts = await collect(provider(server, { idle_timeout_ms: 300 }).stream(modelRequest(), never));
    expect(textOf(parts)).toBe('abcdef');
  });

  it('bounds what one answer may have', async () => {
    const text = Array.from({ length: 400 }, () => 'x'.repeat(100_000));
    server.enqueue({ answer: { text } });
    const parts = await collect(
      provider(server, { max_text_length: 1_000_000 }).stream(modelRequest(), never),
    );
    expect(failureOf(parts)).toMatchObject({ code: 'limit_reached', retryable: false });
    expect(textOf(parts).length).toBeLessThanOrEqual(1_000_000);
  });

  it.each(['before the answer', 'in the middle of it'])(
    'Stop %s ends at once with cancelled',
    async (when) => {
      const middle = when === 'in the middle of it';
      server.enqueue(middle ? { answer: { text: ['a', 'b', 'c'] }, hang_after_events: 4 } : { hang: true });
      const stop = new AbortController();
      const parts: ModelPart[] = [];
      let stopped = 0;
      setTimeout(() => {
        stopped = Date.now();
        stop.abort();
      }, 150);
      for await (const part of provider(server).stream(modelRequest(), stop.signal)) parts.push(part);
      expect(Date.now() - stopped).toBeLessThan(500);
      expect(failureOf(parts)).toMatchObject({ code: 'cancelled', retryable: false });
      await expect.poll(() => server.asked()[0]!.isAborted()).toBe(true);
    },
  );

  it('Stop before the start asks nobody', async () => {
    const parts = await collect(provider(server).stream(modelRequest(), AbortSignal.abort()));
    expect(failureOf(parts)).toMatchObject({ code: 'cancelled' });
    expect(server.requests).toEqual([]);
  });

  it('a reader that leaves closes the connection', async () => {
    server.enqueue({ answer: { text: ['a', 'b', 'c'] }, hang_after_events: 4 });
    for await (const part of provider(server).stream(modelRequest(), never)) if (part.type === 'text') break;
    await expect.poll(() => server.asked()[0]!.isAborted()).toBe(true);
  });

  it('follows no redirect, so that no key goes elsewhere', async () => {
    const failure = await failureFrom(provider(server), {
      status: 307,
      headers: { location: 'https://elsewhere.example/v1/x' },
    });
    expect(failure).toMatchObject({ code: 'model_unreachable' });
    expect(failure.message).toContain('https://elsewhere.example');
  });
});

describe('addresses that do not answer', () => {
  const at = (base_url: string) =>
    createModelProvider({ id: 'e', kind: 'openai-compatible', label: 'My box', base_url, key: null });

  it('names the address where nothing listens', async () => {
    const probe = createServer();
    await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
    const { port } = probe.address() as { port: number };
    await new Promise((resolve) => probe.close(resolve));
    const failure = await failureFrom(at(`http://127.0.0.1:${port}/v1`));
    expect(failure).toMatchObject({ code: 'model_unreachable', data: { reason: 'ECONNREFUSED' } });
    expect(failure.message).toContain(`My box cannot be reached at 127.0.0.1:${port}`);
  });

  it('names a name that is not known', async () => {
    const failure = await failureFrom(at('http://no-such-host.invalid/v1'));
    expect(failure).toMatchObject({ code: 'model_unreachable' });
    expect(failure.message).toContain('no-such-host.invalid');
  });

  it('tells a TLS fault', async () => {
    const failure = await failureFrom(at(server.origin.replace('http:', 'https:')));
    expect(failure).toMatchObject({ code: 'model_unreachable' });
  });
});

describe('keys', () => {
  it('asks nobody where the company needs a key and none is there, whatever the environment holds', async () => {
    process.env.ANTHROPIC_API_KEY = 'from-the-environment';
    try {
      const provider = createModelProvider({ id: 'anthropic', kind: 'anthropic', base_url: null, key: null });
      expect(await failureFrom(provider)).toMatchObject({ code: 'model_unauthorized' });
      const gateway = wireTable[0]!.provider(server, { key: null });
      expect(await failureFrom(gateway)).toMatchObject({ code: 'model_unauthorized' });
      expect(server.asked()[0]!.headers['x-api-key']).toBeUndefined();
    } finally {
      delete process.env.ANTHROPIC_API_KEY;
    }
  });

  it("takes Google's answer 400 for a bad key as a refused key", async () => {
    const google = wireTable.find((row) => row.wire === 'google')!;
    const body = { error: { code: 400, message: 'API key not valid. Please pass a valid API key.' } };
    expect(await failureFrom(google.provider(server), { status: 400, body })).toMatchObject({
      code: 'model_unauthorized',
    });
  });

  it('a used-up quota is not worth another try', async () => {
    const body = { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } };
    const failure = await failureFrom(wireTable[2]!.provider(server), { status: 429, body });
    expect(failure).toMatchObject({ code: 'model_rate_limited', retryable: false });
  });

  it('an overload that Anthropic reports inside status 200 is an overload', async () => {
    const error_event = { type: 'overloaded_error', message: 'Overloaded' };
    const raw = `event: error\ndata: ${JSON.stringify({ type: 'error', error: error_event })}\n\n`;
    expect(await failureFrom(wireTable[0]!.provider(server), { raw })).toMatchObject({
      code: 'model_overloaded',
      retryable: true,
    });
  });
});
