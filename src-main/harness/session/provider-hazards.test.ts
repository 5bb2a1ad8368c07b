import { afterEach, describe, expect, it } from 'vitest';
import type { ModelPart, ModelProvider } from '../model';
import type { SessionEvent } from '../protocol';
import { loopLag } from '../testing/loop-lag';
import { calls, fails, says, scriptedModel } from '../testing/scripted-model';
import { sessionBench, textOf, until, type BenchTool, type SessionBench } from '../testing/session-bench';
import type { Session } from './session-port';

const benches: SessionBench[] = [];
afterEach(() => {
  for (const made of benches.splice(0)) made.close();
});

const reading = (ran: string[]): BenchTool => ({
  name: 'test.read',
  classification: 'read',
  input_schema: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
  call: (_context, args) => {
    ran.push(textOf(args, 'what'));
    return Promise.resolve({ text: `read ${textOf(args, 'what')}` });
  },
});

/** A session with a tool that notes what it ran with. */
function sessionOf(model: ModelProvider) {
  const ran: string[] = [];
  const made = sessionBench({ model, tools: [reading(ran)] });
  benches.push(made);
  const session = made.create();
  return { made, session, ran, events: () => made.events(session.session_id) };
}
function submit(session: Session): Promise<unknown> {
  const submitted = session.submit({ text: 'Go', files: [], mentions: [] });
  if (!submitted.ok) throw new Error(submitted.error.message);
  return submitted.value.done;
}
function only<T extends SessionEvent['type']>(events: readonly SessionEvent[], type: T) {
  return events.filter((event): event is Extract<SessionEvent, { type: T }> => event.type === type);
}
const usage = { input_tokens: 10, output_tokens: 5 };
const ids = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`);
const readCall = (id: string) => [id, 'test__read', { what: id }] as const;

describe('many calls', () => {
  it('200 in one response run once each, and the model gets all results in its own order', async () => {
    const all = ids(200);
    const unknown = (id: string) => Number(id.slice(1)) % 50 === 7;
    const model = scriptedModel(
      calls(...all.map((id) => (unknown(id) ? ([id, 'test__none', {}] as const) : readCall(id)))),
      says('Done.'),
    );
    const { made, session, ran, events } = sessionOf(model);
    const lag = await loopLag(() => submit(session));
    expect(lag).toBeLessThan(2_500);
    expect([...ran].sort()).toEqual(all.filter((id) => !unknown(id)).sort());
    const results = model.requests[1]?.messages.slice(-200) ?? [];
    expect(results.map((message) => message.role === 'tool' && message.call_id)).toEqual(all);
    expect(results.filter((message) => message.role === 'tool' && message.is_error)).toHaveLength(4);
    expect(only(events(), 'tool_finished')).toHaveLength(200);
    expect(new Set(Object.values(made.states(session.session_id)))).toEqual(
      new Set(['completed', 'rejected']),
    );
  });

  it('200 one after the other run once each, and the turn ends', async () => {
    const model = scriptedModel(...ids(200).map((id) => calls(readCall(id))), says('Done.'));
    const { session, ran, events } = sessionOf(model);
    await submit(session);
    expect(ran).toEqual(ids(200));
    expect(events().at(-1)).toMatchObject({ type: 'turn_finished', data: { outcome: 'completed' } });
  });
});

describe('arguments that are no JSON object', () => {
  const texts = [
    '{"what": "x"',
    '{"what": "x",}',
    "{'what': 'x'}",
    '{what: "x"}',
    '{"what": "x"}{"what": "x"}',
    '```json\n{"what": "x"}\n```',
    '"{\\"what\\": \\"x\\"}"',
    '[{"what": "x"}]',
    '{"what": NaN}',
    '{"what": "x\n"}',
    'null',
    'Sure! {"what": "x"}',
  ];

  it('are never repaired: nothing runs, each text is kept as it came, the model reads why', async () => {
    const all = texts.map((text, index) => [`c${index}`, 'test__read', text] as const);
    const model = scriptedModel(calls(...all, readCall('good')), says('ok'));
    const { session, ran, events } = sessionOf(model);
    await submit(session);
    expect(ran).toEqual(['good']);
    const kept = only(events(), 'assistant_message')[0]?.data.calls ?? [];
    expect(kept.map((call) => call.arguments_text)).toEqual([...texts, undefined]);
    expect(kept.slice(0, -1).map((call) => call.arguments)).toEqual(texts.map(() => null));
    const codes = only(events(), 'tool_finished').map(({ data }) => data.error?.code ?? null);
    expect(codes.sort()).toEqual([...texts.map(() => 'arguments_malformed'), null].sort());
    for (const message of model.requests[1]?.messages.slice(-13, -1) ?? []) {
      expect(message).toMatchObject({ role: 'tool', is_error: true });
      expect(message.text).toContain('Send one plain JSON object');
    }
  });
});

describe('a stream without order', () => {
  const call = (call_id: string): ModelPart => ({
    type: 'call',
    call: { call_id, name: 'test__read', arguments_text: '{"what":"x"}' },
  });
  const text = (words: string): ModelPart => ({ type: 'text', text: words });
  const finished: ModelPart = { type: 'finished', reason: 'stop', usage };

  it('a call that comes twice is refused with its whole response before anything runs', async () => {
    const { session, ran, events } = sessionOf(scriptedModel([call('c1'), call('c1'), finished]));
    await submit(session);
    expect(ran).toEqual([]);
    expect(events().at(-1)?.data).toMatchObject({ error: { code: 'call_id_reused' } });
  });

  it('text between and behind calls is kept in the order in which it came, the calls run once', async () => {
    const model = scriptedModel(
      [text('a'), call('c1'), text('b'), call('c2'), text('b'), finished],
      says('.'),
    );
    const { session, ran, events } = sessionOf(model);
    await submit(session);
    expect(ran).toEqual(['x', 'x']);
    expect(only(events(), 'assistant_message')[0]?.data.text).toBe('abb');
  });

  it('a failure behind calls discards them: none has run when the request is made again', async () => {
    const broken = [text('Half'), call('c1'), ...fails('model_overloaded', true)];
    const { session, ran, events } = sessionOf(scriptedModel(broken, says('Whole.')));
    await submit(session);
    expect(ran).toEqual([]);
    expect(only(events(), 'attempt_failed')[0]?.data).toMatchObject({ partial_text: 'Half' });
    expect(only(events(), 'assistant_message').map(({ data }) => data.text)).toEqual(['Whole.']);
  });

  it('a stream that ends without an end has failed, and its calls do not run', async () => {
    const { session, ran, events } = sessionOf(scriptedModel([call('c1')], says('Whole.')));
    await submit(session);
    expect(ran).toEqual([]);
    expect(only(events(), 'attempt_failed')[0]?.data.error.code).toBe('model_stream_cut');
  });
});

describe('requests that fail', () => {
  it('are made again at most three times each, and never repeat a call that ran before', async () => {
    const overloaded = fails('model_overloaded', true);
    const model = scriptedModel(
      overloaded,
      calls(readCall('c1')),
      overloaded,
      overloaded,
      calls(readCall('c2')),
      overloaded,
      overloaded,
      overloaded,
      overloaded,
      says('At last.'),
    );
    const { session, ran, events } = sessionOf(model);
    await submit(session);
    expect(ran).toEqual(['c1', 'c2']);
    expect(events().at(-1)?.data).toMatchObject({ outcome: 'failed', error: { code: 'model_overloaded' } });
    const retried = session.retry();
    if (!retried.ok) throw new Error(retried.error.message);
    await retried.value.done;
    expect(model.rest()).toBe(0);
    expect(ran).toEqual(['c1', 'c2']);
  });
});

describe('an answer without measure', () => {
  it('40 MB of text are cut off, without another try, with the beginning kept and other sessions alive', async () => {
    const piece = 'lorem ipsum '.repeat(4_000);
    let sent = 0;
    let closed = false;
    const model: ModelProvider = {
      ...scriptedModel(),
      async *stream() {
        try {
          for (; sent < 40_000_000; sent += piece.length) {
            await Promise.resolve();
            yield { type: 'text', text: piece };
          }
          yield { type: 'finished', reason: 'stop', usage };
        } finally {
          closed = true;
        }
      },
    };
    const { session, events } = sessionOf(model);
    const other = sessionOf(scriptedModel(calls(readCall('c1')), says('Done.')));
    await Promise.all([submit(session), submit(other.session)]);
    expect(closed).toBe(true);
    expect(sent).toBeLessThan(9_000_000);
    const failed = only(events(), 'attempt_failed');
    expect(failed).toHaveLength(1);
    expect(failed[0]?.data).toMatchObject({
      retry_in_ms: null,
      error: { code: 'limit_reached', message: expect.stringContaining('Ask for a shorter answer') },
    });
    expect(failed[0]?.data.partial_text.startsWith('lorem ipsum')).toBe(true);
    expect(other.ran).toEqual(['c1']);
  });

  it.each([
    [1_000_000, [1_000_000]],
    [3_000_000, []],
  ])('arguments of %i characters are checked, or refused, without standing still', async (length, taken) => {
    const model = scriptedModel(
      calls(['c1', 'test__read', JSON.stringify({ what: 'x'.repeat(length) })]),
      says('ok'),
    );
    const { session, ran } = sessionOf(model);
    expect(await loopLag(() => submit(session))).toBeLessThan(2_500);
    expect(ran.map((what) => what.length)).toEqual(taken);
  });
});

describe('a model that never ends', () => {
  /** Calls the same tool for ever. */
  function endless(): ModelProvider & { asked: () => number } {
    let asked = 0;
    return {
      ...scriptedModel(),
      asked: () => asked,
      async *stream() {
        asked += 1;
        await Promise.resolve();
        yield* calls(readCall(`c${asked}`));
      },
    };
  }
  /** The pauses of a session as they come; asking the journal each time would take longer than the turn. */
  function pausesOf(session: Session) {
    const pauses: Extract<SessionEvent, { type: 'pause_started' }>['data'][] = [];
    session.subscribe(0, ({ events }) =>
      pauses.push(...only(events, 'pause_started').map(({ data }) => data)),
    );
    return pauses;
  }

  it(
    'stands after 250 requests and asks; going on buys as many once more, stopping ends it',
    { timeout: 60_000 },
    async () => {
      const model = endless();
      const { session, ran, events } = sessionOf(model);
      const pauses = pausesOf(session);
      const done = submit(session);
      const first = await until(() => pauses[0], 30_000);
      expect(first).toMatchObject({ kind: 'requests_in_turn', limit: 250 });
      expect([model.asked(), ran.length]).toEqual([250, 250]);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(model.asked()).toBe(250);
      expect(session.answerPause(first.pause_id, true).ok).toBe(true);
      const second = await until(() => pauses[1], 30_000);
      expect(model.asked()).toBe(500);
      expect(session.answerPause(second.pause_id, false).ok).toBe(true);
      await done;
      expect([model.asked(), ran.length]).toEqual([500, 500]);
      expect(events().at(-1)?.data).toMatchObject({ outcome: 'stopped', error: { code: 'limit_reached' } });
    },
  );

  it('stands at the limit of tokens that the person set, and Stop ends it there', async () => {
    const model = endless();
    const { session, ran, events } = sessionOf(model);
    const none = { tokens: null, cost_usd: null, turns: null, minutes: null };
    expect(session.setLimits({ ...none, tokens: 100 }).ok).toBe(true);
    const pauses = pausesOf(session);
    const done = submit(session);
    const pause = await until(() => pauses[0], 10_000);
    expect(pause).toMatchObject({ kind: 'tokens', limit: 100 });
    const spent = model.asked();
    expect(spent).toBeLessThan(10);
    await session.stop();
    await done;
    expect([model.asked(), ran.length]).toEqual([spent, spent]);
    expect(only(events(), 'pause_ended')).toHaveLength(1);
  });
});

describe('a provider that refuses one tool', () => {
  const refusal = (words: string): ModelPart[] => [
    {
      type: 'failed',
      error: {
        code: 'model_refused_request',
        message: `Script refused the request (status 400): "${words}".`,
        retryable: false,
        data: { status: 400 },
      },
    },
  ];
  function offering(model: ModelProvider) {
    const ran: string[] = [];
    const made = sessionBench({ model, tools: [reading([]), { ...reading(ran), name: 'test.write' }] });
    benches.push(made);
    const session = made.create();
    return { session, ran, events: () => made.events(session.session_id) };
  }
  const offered = (model: ReturnType<typeof scriptedModel>) =>
    model.requests.map(({ tools }) => tools.map(({ name }) => name));

  it.each([
    ['by name', "Invalid schema for function 'test__write': object schema missing properties."],
    ['by number', 'tools.1.custom.input_schema: JSON schema is invalid.'],
  ])('field report 55: %s, it is left out, once, and the turn goes on with the rest', async (_, words) => {
    const model = scriptedModel(refusal(words), calls(['c1', 'test__write', { what: 'x' }]), says('Done.'));
    const { session, ran, events } = offering(model);
    await submit(session);
    expect(offered(model)).toEqual([['test__read', 'test__write'], ['test__read'], ['test__read']]);
    expect(ran).toEqual([]);
    expect(only(events(), 'attempt_failed').map(({ data }) => data)).toMatchObject([
      { left_out: 'test.write', retry_in_ms: 0 },
    ]);
    expect(only(events(), 'turn_finished')[0]?.data.outcome).toBe('completed');
  });

  it.each([
    ['of none', ['The request is malformed.']],
    ['of two', ['test__read and test__write share something.']],
    ['of one more', ['test__write is bad.', 'test__read is bad.']],
  ])('field report 55: ends the turn where it speaks %s', async (_, words) => {
    const model = scriptedModel(...words.map(refusal));
    const { session, events } = offering(model);
    await submit(session);
    expect(model.rest()).toBe(0);
    expect(only(events(), 'turn_finished')[0]?.data).toMatchObject({
      outcome: 'failed',
      error: { code: 'model_refused_request' },
    });
  });
});
