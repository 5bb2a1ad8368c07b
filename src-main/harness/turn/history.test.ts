import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelMessage } from '../model';
import type { ContextCompacted, SessionEvent } from '../protocol';
import { createHistory, type History } from './history';

/** Events of one branch, numbered as they are made. */
function story() {
  const events: SessionEvent[] = [];
  let turn = 0;
  const add = (type: SessionEvent['type'], data: object): SessionEvent => {
    const made = {
      seq: events.length + 1,
      session_id: 's_1',
      turn_id: `t_${turn}`,
      type,
      version: 1,
      at: '',
      data,
    } as unknown as SessionEvent;
    events.push(made);
    return made;
  };
  return {
    events,
    ask(text: string): SessionEvent {
      turn += 1;
      return add('message_submitted', {
        message_id: 'm',
        text,
        attachments: [],
        mentions: [],
        follows: null,
      });
    },
    steer: (text: string) =>
      add('message_steered', {
        message_id: 'm',
        queued_id: 'q',
        text,
        attachments: [],
        mentions: [],
        attempt: 1,
      }),
    say: (text: string, calls: readonly string[], input: number | null = null) =>
      add('assistant_message', {
        message_id: 'm',
        attempt: 1,
        text,
        reasoning: '',
        calls: calls.map((call_id) => ({
          call_id,
          name: 'tool',
          qualified_name: 'a.tool',
          arguments: { n: 1 },
        })),
        finish_reason: 'stop',
        usage: { input_tokens: input, output_tokens: input === null ? null : 1 },
        partial: false,
      }),
    finish: (call_id: string, text: string, outcome = 'completed') =>
      add('tool_finished', {
        call_id,
        name: 'tool',
        qualified_name: 'a.tool',
        model_alias: 'tool',
        outcome,
        duration_ms: 1,
        result: { text },
        error: outcome === 'completed' ? null : { code: outcome, message: `It ended as ${outcome}.` },
        progress: [],
      }),
    settle: (call_id: string, settlement: string) =>
      add('call_settled', { call_id, settlement, note: 'looked' }),
    end: () => add('turn_finished', { outcome: 'completed', error: null }),
    compact: (data: Partial<ContextCompacted>) =>
      add('context_compacted', {
        compaction_id: 'k',
        attempt: 1,
        model: { provider: 'p', name: 'n' },
        summary: 'SUMMARY',
        by: 'model',
        summarised_to_seq: 0,
        shortened_to_seq: 0,
        tokens_before: 100,
        tokens_after: 10,
        usage: { input_tokens: 1, output_tokens: 1 },
        ...data,
      }),
  };
}

function historyOf(events: readonly SessionEvent[]): History {
  const history = createHistory(() => null);
  for (const event of events) history.apply(event);
  return history;
}

/** What every provider demands: each call is answered once, right behind the response that made it. */
function expectSound(messages: readonly ModelMessage[]): void {
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      expect(open[0]).toBe(message.call_id);
      open = open.slice(1);
      continue;
    }
    expect(open).toEqual([]);
    open = message.role === 'assistant' ? message.calls.map((call) => call.call_id) : [];
  }
  expect(open).toEqual([]);
}

interface Step {
  readonly say: number;
  readonly calls: number;
  readonly results: number;
  readonly steer: boolean;
  readonly next: 'goes_on' | 'turn' | 'crash';
  readonly compact: 'no' | 'soon' | 'much';
  readonly keep: number;
}

const steps = fc.array(
  fc.record<Step>({
    say: fc.integer({ min: 0, max: 3_000 }),
    calls: fc.integer({ min: 0, max: 4 }),
    results: fc.integer({ min: 0, max: 9_000 }),
    steer: fc.boolean(),
    next: fc.constantFrom('goes_on', 'turn', 'crash'),
    compact: fc.constantFrom('no', 'no', 'soon', 'much'),
    keep: fc.double({ min: 0, max: 0.9, noNaN: true }),
  }),
  { minLength: 1, maxLength: 14 },
);

/** Plays the steps into a history that grows; `look` sees it before each request to a model. */
function play(plan: readonly Step[], look: (live: History, compacted: boolean) => void): SessionEvent[] {
  const told = story();
  const live = createHistory(() => null);
  const put = (event: SessionEvent): void => live.apply(event);
  put(told.ask('request 1'));
  plan.forEach((step, index) => {
    let compacted = false;
    if (step.compact !== 'no') {
      const cut = live.cut(step.keep, step.compact === 'much');
      if (cut) {
        expectSound(cut.older);
        const { summarised_to_seq, shortened_to_seq } = cut;
        put(told.compact({ summarised_to_seq, shortened_to_seq, summary: `summary ${index}` }));
        compacted = true;
      }
    }
    if (step.steer) put(told.steer(`steered ${index}`));
    look(live, compacted);
    const ids = Array.from({ length: step.calls }, (_, n) => `c_${index}_${n}`);
    put(told.say('s'.repeat(step.say), ids));
    // They finish in an order of their own; a crash leaves the last one without an end.
    const finished = step.next === 'crash' ? ids.slice(0, -1) : ids;
    for (const id of [...finished].reverse()) put(told.finish(id, 'r'.repeat(step.results)));
    if (step.next === 'goes_on' && ids.length > 0) return;
    put(told.end());
    put(told.ask(`request ${index + 2}`));
  });
  look(live, false);
  return told.events;
}

describe('the conversation that a model reads', () => {
  it('no compaction parts a call from its result, whatever the conversation was', () => {
    fc.assert(
      fc.property(steps, (plan) => void play(plan, (live) => expectSound(live.messages()))),
      { numRuns: 300 },
    );
  });

  it('between two compactions it is only added to: the same objects at the same places', () => {
    fc.assert(
      fc.property(steps, (plan) => {
        let before: readonly ModelMessage[] = [];
        play(plan, (live, compacted) => {
          const now = [...live.messages()];
          if (!compacted) before.forEach((message, index) => expect(now[index]).toBe(message));
          before = now;
        });
      }),
      { numRuns: 200 },
    );
  });

  it('is the same after a restart, and the latest request is there word for word', () => {
    fc.assert(
      fc.property(steps, (plan) => {
        let last: readonly ModelMessage[] = [];
        const events = play(plan, (live) => (last = [...live.messages()]));
        expect(historyOf(events).messages()).toEqual(last);
        const compaction = events.findLast((event) => event.type === 'context_compacted');
        const from = compaction?.type === 'context_compacted' ? compaction.data.summarised_to_seq : 0;
        const isRequest = (event: SessionEvent) => /message_(submitted|steered)/.test(event.type);
        const known = events.findLast((event) => event.seq <= from && isRequest(event));
        const short = historyOf([...(known ? [known] : []), ...events.filter((event) => event.seq > from)]);
        expect(short.messages()).toEqual(last);
        const request = events.findLast(isRequest);
        const text = request?.data && 'text' in request.data ? request.data.text : '-';
        expect(last.some((message) => message.role === 'user' && message.text.endsWith(text))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('a second compaction takes the first summary up and does not wrap it', () => {
    const told = story();
    told.ask('do it all');
    for (const [index, id] of ['a', 'b', 'c', 'd'].entries()) {
      told.say('', [id]);
      const { seq } = told.finish(id, `result ${id}`);
      if (index === 1) told.compact({ summary: 'FIRST', summarised_to_seq: seq - 2 });
      if (index === 3) told.compact({ summary: 'SECOND', summarised_to_seq: seq - 2 });
    }
    const [head, ...rest] = historyOf(told.events).messages();
    expect(head?.text).toContain('SECOND');
    expect(head?.text).not.toContain('FIRST');
    expect(head?.text.match(/do it all/g)).toHaveLength(1);
    expect(head?.text.endsWith("[The person's latest request, word for word:]\ndo it all")).toBe(true);
    expect(rest.map((message) => message.role)).toEqual(['assistant', 'tool']);
  });

  it('keeps the files of a request that a summary stands for', () => {
    const told = story();
    const asked = told.ask('look at this');
    const file = { digest: 'd', name: 'a.png', media_type: 'image/png', bytes: 3 };
    const withFile = { ...asked, data: { ...asked.data, attachments: [file] } } as SessionEvent;
    told.say('', ['a']);
    told.finish('a', 'one');
    const { seq } = told.say('', ['b']);
    told.finish('b', 'two');
    told.compact({ summarised_to_seq: seq - 1 });
    const history = createHistory(() => Buffer.from('abc'));
    for (const event of [withFile, ...told.events.slice(1)]) history.apply(event);
    expect(history.messages()[0]).toMatchObject({ role: 'user', files: [{ name: 'a.png' }] });
  });

  it('shortens old results with a marker, and those of the latest response only when it must', () => {
    const told = story();
    told.ask('go');
    told.say('', ['old']);
    told.finish('old', `${'a'.repeat(4_000)}END`);
    told.say('', ['new']);
    told.finish('new', 'b'.repeat(40_000));
    const history = historyOf(told.events);
    expect(history.cut(1, false)).toBeNull();
    const cut = history.cut(1, true);
    expect(cut?.shortened_to_seq).toBe(4);
    history.apply(told.compact({ shortened_to_seq: cut?.shortened_to_seq ?? 0 }));
    const results = history.messages().flatMap((message) => (message.role === 'tool' ? [message.text] : []));
    expect(results[0]).toMatch(/^a{1500}\n\[2003 characters of this older result were left out\.\]\na+END$/);
    expect(results[1]?.length).toBeLessThan(2_100);
  });

  it('cuts nothing where nothing much would go', () => {
    const one = story();
    one.ask('x'.repeat(50_000));
    expect(historyOf(one.events).cut(0.3, true)).toBeNull();
    const told = story();
    told.ask('short');
    told.say('short', []);
    told.end();
    told.compact({ summary: 'y'.repeat(3_000), summarised_to_seq: 2 });
    told.ask('z'.repeat(90_000));
    expect(historyOf(told.events).cut(0.3, true)).toBeNull();
  });

  it('counts tokens as the provider did, and from there by length', () => {
    const told = story();
    told.ask('x'.repeat(350));
    expect(historyOf(told.events).tokens()).toBe(100);
    told.say('answer', [], 5_000);
    expect(historyOf(told.events).tokens()).toBe(5_001);
    told.end();
    told.ask('y'.repeat(700));
    expect(historyOf(told.events).tokens()).toBe(5_201);
  });

  it('tells what the person settled, and of every call that never finished', () => {
    const told = story();
    told.ask('go');
    told.say('', ['a', 'b']);
    told.finish('a', '', 'outcome_unknown');
    told.end();
    told.settle('a', 'did_not_happen');
    const texts = historyOf(told.events)
      .messages()
      .map((message) => message.text);
    expect(texts[2]).toContain('It ended as outcome_unknown.');
    expect(texts[3]).toBe('The call did not finish: its turn had ended.');
    expect(texts[4]).toContain('it did not happen. They add: looked');
  });
});
