import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../model';
import { foldSession, emptySessionView, type SessionView } from '../protocol';
import {
  calls,
  fails,
  knownModel,
  says,
  scriptedModel,
  type ScriptedAnswer,
} from '../testing/scripted-model';
import { benches, only, say, start, types } from '../testing/session-acts';
import { until, type BenchTool, type SessionBench } from '../testing/session-bench';
import type { Session } from './session-port';

const bench = benches();

/** A tool whose result is as long as it is asked to be. */
const long: BenchTool = {
  name: 'test.long',
  classification: 'read',
  call: (_context, args) => Promise.resolve({ text: 'r'.repeat(Number(args['n'])) }),
};
const longCall = (id: string, n: number) => calls([id, 'test__long', { n }]);

/** The same answer, with the provider's own count of what it read. */
function counted(input: number, answer: ReturnType<typeof says>): ReturnType<typeof says> {
  return answer.map((part) =>
    part.type === 'finished' ? { ...part, usage: { input_tokens: input, output_tokens: 10 } } : part,
  );
}

function small(window: number, ...answers: ScriptedAnswer[]) {
  return knownModel(scriptedModel(...answers), { context_window: window });
}

const isSummary = (request: ModelRequest | undefined) =>
  request?.messages.at(-1)?.text.startsWith('Write a summary of the conversation so far') === true;
const asText = (request: ModelRequest | undefined) => JSON.stringify(request?.messages);

function compactions(made: SessionBench, session: Session) {
  return only(made.events(session.session_id), 'context_compacted');
}

describe('a context that grows towards the window', () => {
  it("gives its older part up for the model's own summary, in the middle of a turn, the request word for word", async () => {
    const model = small(
      10_000,
      counted(3_000, longCall('c1', 8_000)),
      counted(5_000, longCall('c2', 8_000)),
      counted(9_000, longCall('c3', 400)),
      counted(9_000, says('THE SUMMARY')),
      says('Done.'),
    );
    const made = bench({ model, tools: [long] });
    const session = made.create();
    expect(await say(session, 'Sort the files, and name none of them "a".')).toMatchObject({
      outcome: 'completed',
    });
    expect(model.requests.map(isSummary)).toEqual([false, false, false, true, false]);
    const [first] = model.requests[4]?.messages ?? [];
    expect(first).toMatchObject({ role: 'user' });
    expect(first?.text).toContain('THE SUMMARY');
    expect(first?.text.endsWith('Sort the files, and name none of them "a".')).toBe(true);
    const [event] = compactions(made, session);
    expect(event?.data).toMatchObject({
      attempt: 4,
      summary: 'THE SUMMARY',
      by: 'model',
      usage: { input_tokens: 9_000, output_tokens: 10 },
    });
    expect(event?.data.tokens_after).toBeLessThan(event?.data.tokens_before ?? 0);
    // The journal keeps all of it.
    const results = only(made.events(session.session_id), 'tool_finished').map(
      ({ data }) => data.result?.text.length,
    );
    expect(results).toEqual([8_000, 8_000, 400]);
  });

  it('says that it is being summarised until it is, also to who comes late, and shows it nowhere else', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const scripted = scriptedModel(
      counted(3_000, longCall('c1', 8_000)),
      counted(9_000, longCall('c2', 400)),
      says('THE SUMMARY'),
      says('Done.'),
    );
    const model = knownModel(
      {
        ...scripted,
        async *stream(request, signal) {
          if (isSummary(request)) await gate;
          yield* scripted.stream(request, signal);
        },
      },
      { context_window: 10_000 },
    );
    const made = bench({ model, tools: [long] });
    const session = made.create();
    const views: SessionView[] = [emptySessionView(session.session_id)];
    session.subscribe(0, ({ events, signals }) => {
      views.push(
        foldSession(views.at(-1) ?? emptySessionView(session.session_id), [
          ...events.map((event) => ({ kind: 'event', event }) as const),
          ...signals.map((signal) => ({ kind: 'signal', signal }) as const),
        ]),
      );
    });
    const { done, turn_id } = await start(session);
    await until(() => scripted.requests.length === 2 && views.at(-1)?.turns.get(turn_id)?.compacting);
    expect(views.at(-1)?.turns.get(turn_id)?.compacting).toEqual({ attempt: 3 });
    const late: string[] = [];
    session.subscribe(0, ({ signals }) => late.push(...signals.map((signal) => signal.type)))();
    expect(late).toContain('compacting');
    release();
    await done;
    expect(views.at(-1)?.turns.get(turn_id)?.compacting).toBeNull();
    expect(views.at(-1)?.turns.get(turn_id)?.compactions).toHaveLength(1);
    const answers = only(made.events(session.session_id), 'assistant_message').map(({ data }) => data.text);
    expect(answers).toEqual(['', '', 'Done.']);
  });

  it('is only added to between two compactions', async () => {
    const model = small(10_000, longCall('c1', 100), longCall('c2', 100), says('ok'), says('again'));
    const made = bench({ model, tools: [long] });
    const session = made.create();
    await say(session);
    await say(session);
    for (const [index, request] of model.requests.slice(1).entries()) {
      const before = model.requests[index]?.messages ?? [];
      before.forEach((message, at) => expect(request.messages[at]).toBe(message));
    }
  });

  it('is the same after a restart as before', async () => {
    const answers = (): ScriptedAnswer[] => [
      counted(3_000, longCall('c1', 8_000)),
      counted(6_000, longCall('c2', 8_000)),
      counted(9_000, says('Half.')),
      says('THE SUMMARY'),
      says('Done.'),
    ];
    const model = small(10_000, ...answers(), says('live'));
    const made = bench({ model, tools: [long] });
    const session = made.create();
    await say(session, 'one');
    await say(session, 'two');
    expect(compactions(made, session)).toHaveLength(1);
    await session.close();
    made.disk.reads['read'] = 0;
    const later = small(10_000, says('later'));
    const again = made.reopen(session.session_id, { model: later });
    await say(again, 'three');
    const before = model.requests[4]?.messages ?? [];
    expect(later.requests[0]?.messages.slice(0, before.length)).toEqual(before);
    expect(later.requests[0]?.messages.slice(before.length).map((message) => message.text)).toEqual([
      'Done.',
      'three',
    ]);
    // What the summary stands for was not read again.
    expect(made.disk.reads['read']).toBeLessThan(made.events(session.session_id).length);
  });

  it('gives way a second time, over the first summary', async () => {
    const model = small(
      10_000,
      counted(1_000, longCall('c1', 9_000)),
      counted(9_000, longCall('c2', 400)),
      says('FIRST'),
      counted(1_000, longCall('c3', 9_000)),
      counted(9_000, longCall('c4', 400)),
      (request) => {
        expect(asText(request)).toContain('FIRST');
        return says('SECOND');
      },
      says('Done.'),
    );
    const made = bench({ model, tools: [long] });
    const session = made.create();
    await say(session, 'the one request');
    expect(compactions(made, session).map(({ data }) => data.summary)).toEqual(['FIRST', 'SECOND']);
    const [head] = model.requests[6]?.messages ?? [];
    expect(head?.text).toContain('SECOND');
    expect(head?.text).not.toContain('FIRST');
    expect(head?.text.match(/the one request/g)).toHaveLength(1);
  });

  it('asks for no summary again and again where nothing can go', async () => {
    const model = small(100, says('x'.repeat(2_000)), says('ok'), says('ok'));
    const made = bench({ model, tools: [] });
    const session = made.create();
    await say(session, 'y'.repeat(3_000));
    expect(compactions(made, session)).toEqual([]);
    expect(model.requests).toHaveLength(1);
  });
});

describe('a request that the provider refuses as too long', () => {
  const overflow = () => fails('context_overflow', false);

  it('is made again with a shorter context, also where nobody knows the window', async () => {
    const model = scriptedModel(
      longCall('c1', 9_000),
      longCall('c2', 100),
      overflow(),
      says('SUMMARY'),
      says('Done.'),
    );
    const made = bench({ model, tools: [long] });
    const session = made.create();
    expect(await say(session)).toMatchObject({ outcome: 'completed' });
    expect(types(made.events(session.session_id)).slice(-6)).toEqual([
      'attempt_started',
      'attempt_failed',
      'context_compacted',
      'attempt_started',
      'assistant_message',
      'turn_finished',
    ]);
    expect(asText(model.requests[4])).toContain('SUMMARY');
  });

  it('loses the results of its latest response too before it is given up', async () => {
    const model = scriptedModel(longCall('c1', 200_000), overflow(), says('Done.'));
    const made = bench({ model, tools: [long] });
    const session = made.create();
    expect(await say(session)).toMatchObject({ outcome: 'completed' });
    const told = model.requests[2]?.messages.at(-1);
    expect(told?.role).toBe('tool');
    expect(told?.text).toContain('characters of this older result were left out');
  });

  it('ends the turn where nothing can go, with the provider’s reason', async () => {
    const model = scriptedModel(overflow());
    const made = bench({ model, tools: [] });
    const session = made.create();
    expect(await say(session)).toMatchObject({ outcome: 'failed', error: { code: 'context_overflow' } });
    expect(model.requests).toHaveLength(1);
  });

  it('is not asked for ever: after two compactions the refusal is final', async () => {
    const model = scriptedModel(
      longCall('c1', 9_000),
      longCall('c2', 9_000),
      overflow(),
      says('SUMMARY'),
      overflow(),
      overflow(),
    );
    const made = bench({ model, tools: [long] });
    const session = made.create();
    expect(await say(session)).toMatchObject({ outcome: 'failed', error: { code: 'context_overflow' } });
    expect(model.rest()).toBe(0);
    expect(compactions(made, session)).toHaveLength(2);
  });

  it.each([
    [
      'fails again and again',
      Array.from({ length: 4 }, () => fails('model_overloaded', true, 'Half a summ')),
    ],
    ['says nothing', [says('')]],
    ['calls a tool instead', [longCall('c9', 5)]],
  ])('goes on with a plain list where the model %s', async (_, answers) => {
    const model = scriptedModel(
      says('One.'),
      longCall('c1', 9_000),
      longCall('c2', 100),
      overflow(),
      ...answers,
      says('Done.'),
    );
    const made = bench({ model, tools: [long] });
    const session = made.create();
    await say(session, 'the first wish');
    await say(session, 'the second wish');
    const [event] = compactions(made, session);
    expect(event?.data.by).toBe('app');
    expect(event?.data.summary).toMatch(/No summary could be made\.[^]*- the first wish\n- the second wish/);
    expect(event?.data.summary).not.toContain('Half a summ');
    expect(made.states(session.session_id)).toEqual({ c1: 'completed', c2: 'completed' });
  });

  it('can be stopped while the summary is written', async () => {
    const model = scriptedModel(longCall('c1', 9_000), longCall('c2', 9_000), overflow(), ['hang']);
    const made = bench({ model, tools: [long] });
    const session = made.create();
    const { done } = await start(session);
    await until(() => model.requests.length === 4);
    await session.stop();
    expect(await done).toMatchObject({ outcome: 'stopped' });
    expect(compactions(made, session)).toEqual([]);
  });
});
