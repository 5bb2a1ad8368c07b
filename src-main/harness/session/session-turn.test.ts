import { describe, expect, it } from 'vitest';
import { pendingApprovals } from '../protocol';
import { ran, read, write } from '../testing/bench-tools';
import { calls, fails, says, scriptedModel } from '../testing/scripted-model';
import { answer, benches, request, say, start, types } from '../testing/session-acts';
import { textOf, until, type BenchTool } from '../testing/session-bench';
import { ToolError } from '../tools';

const bench = benches();

describe('a turn', () => {
  it('S1-49: records the start before the tool runs, and runs a read tool without asking', async () => {
    let recordedAtCall: string[] = [];
    const model = scriptedModel(calls(['c1', 'test__read', { what: 'x' }]), says('Read it.'));
    const made = bench({
      model,
      tools: [
        {
          ...read,
          call: (context) => {
            recordedAtCall = types(made.events(context.session_id));
            return Promise.resolve({ structured: { seen: true } });
          },
        },
      ],
    });
    const session = made.create();
    await say(session);
    expect(recordedAtCall.at(-1)).toBe('tool_started');
    expect(types(made.events(session.session_id))).toEqual([
      'session_created',
      'message_submitted',
      'session_renamed',
      'turn_started',
      'attempt_started',
      'assistant_message',
      'tool_started',
      'tool_finished',
      'attempt_started',
      'assistant_message',
      'turn_finished',
    ]);
    expect(model.requests[1]?.messages.at(-1)).toEqual({
      role: 'tool',
      call_id: 'c1',
      name: 'test__read',
      text: '{"seen":true}',
      is_error: false,
    });
  });

  it('S1-35 S1-89 (in part): asks before a tool that may do more than read, runs exactly the arguments that were shown, once', async () => {
    ran.length = 0;
    const made = bench({
      model: scriptedModel(calls(['c1', 'test__write', { what: 'x' }]), says('ok')),
      tools: [write],
    });
    const session = made.create();
    const { done } = await start(session);
    const pending = await request(made, session);
    expect(pending.request.data).toMatchObject({
      name: 'test__write',
      qualified_name: 'test.write',
      model_alias: 'test__write',
      arguments: { what: 'x' },
      classification: 'write',
    });
    expect(ran).toEqual([]);
    const stale = session.answer(
      pending.approval_id,
      { ...pending.request.data, arguments_digest: 'f'.repeat(64) },
      {
        type: 'allow',
        scope: 'once',
        by: 'person',
      },
    );
    expect(stale).toMatchObject({ ok: false, error: { code: 'stale_answer' } });
    expect(answer(session, pending, 'once').ok).toBe(true);
    expect(answer(session, pending, 'once')).toMatchObject({ ok: false, error: { code: 'stale_answer' } });
    await done;
    expect(ran).toEqual(['x']);
    expect(made.states(session.session_id)).toEqual({ c1: 'completed' });
  });

  it('tells the model that the person denied, with their words, and goes on', async () => {
    ran.length = 0;
    const model = scriptedModel(calls(['c1', 'test__write', { what: 'x' }]), says('I see.'));
    const made = bench({ model, tools: [write] });
    const session = made.create();
    const { done } = await start(session);
    answer(session, await request(made, session), 'deny');
    await done;
    expect(ran).toEqual([]);
    expect(made.states(session.session_id)).toEqual({ c1: 'denied' });
    const told = model.requests[1]?.messages.at(-1);
    expect(told).toMatchObject({ role: 'tool', is_error: true });
    expect(told?.role === 'tool' && told.text).toContain('not today');
  });

  it('field report 4, 17: a session grant frees the waiting requests that it covers, and holds for the next call', async () => {
    ran.length = 0;
    const made = bench({
      model: scriptedModel(
        calls(
          ['c1', 'test__write', { what: '1' }],
          ['c2', 'test__write', { what: '2' }],
          ['c3', 'test__write', { what: '3' }],
        ),
        calls(['c4', 'test__write', { what: '4' }]),
        says('ok'),
      ),
      tools: [write],
    });
    const session = made.create();
    const { done } = await start(session);
    await request(made, session, 'c3');
    answer(session, await request(made, session, 'c2'), 'session');
    await done;
    expect([...ran].sort()).toEqual(['1', '2', '3', '4']);
    const events = made.events(session.session_id);
    expect(events.filter((event) => event.type === 'approval_requested')).toHaveLength(3);
    expect(
      events
        .filter((event) => event.type === 'approval_resolved')
        .map((event) => event.data.by)
        .sort(),
    ).toEqual(['grant', 'grant', 'person']);
    expect(events.filter((event) => event.type === 'grant_made')).toHaveLength(1);
  });

  it('runs the calls of one response side by side and gives the model their results in its own order', async () => {
    const order: string[] = [];
    const timed: BenchTool = {
      name: 'test.timed',
      classification: 'read',
      async call(_context, args) {
        await new Promise((resolve) => setTimeout(resolve, textOf(args, 'what') === 'slow' ? 30 : 1));
        order.push(textOf(args, 'what'));
        return { text: textOf(args, 'what') };
      },
    };
    const model = scriptedModel(
      calls(['c1', 'test__timed', { what: 'slow' }], ['c2', 'test__timed', { what: 'fast' }]),
      says('ok'),
    );
    const made = bench({ model, tools: [timed] });
    const session = made.create();
    await say(session);
    expect(order).toEqual(['fast', 'slow']);
    expect(model.requests[1]?.messages.slice(-2).map((message) => message.text)).toEqual(['slow', 'fast']);
  });

  it('field report 98: broken arguments are not repaired; the model reads why, and its siblings run', async () => {
    const model = scriptedModel(
      calls(
        ['c1', 'test__read', '{"what": "x"'],
        ['c2', 'test__read', { what: 'y' }],
        ['c3', 'test__write', { other: 1 }],
        ['c4', 'test__none', {}],
      ),
      says('ok'),
    );
    const made = bench({ model, tools: [read, write] });
    const session = made.create();
    await say(session);
    expect(made.states(session.session_id)).toEqual({
      c1: 'rejected',
      c2: 'completed',
      c3: 'rejected',
      c4: 'rejected',
    });
    const finished = made.events(session.session_id).filter((event) => event.type === 'tool_finished');
    expect(
      Object.fromEntries(finished.map((event) => [event.data.call_id, event.data.error?.code ?? null])),
    ).toEqual({
      c1: 'arguments_malformed',
      c2: null,
      c3: 'arguments_invalid',
      c4: 'tool_unknown',
    });
    expect(finished.find((event) => event.data.call_id === 'c4')?.data.error?.message).toContain(
      'test__read, test__write',
    );
  });

  it('S1-55 S1-56: refuses a response that reuses a call id of the retained context before anything of it runs', async () => {
    ran.length = 0;
    const model = scriptedModel(
      calls(['c1', 'test__read', { what: 'x' }]),
      calls(['c2', 'test__read', { what: 'y' }], ['c1', 'test__read', { what: 'z' }]),
    );
    const made = bench({ model, tools: [read] });
    const session = made.create();
    await say(session);
    expect(made.states(session.session_id)).toEqual({ c1: 'completed' });
    expect(made.events(session.session_id).at(-1)?.data).toMatchObject({
      outcome: 'failed',
      error: { code: 'call_id_reused' },
    });
    // Both responses came whole, so both were paid for.
    expect(made.journal.summary(session.session_id)?.meter).toMatchObject({
      input_tokens: 20,
      output_tokens: 10,
    });
  });

  it('S0-80 S0-78: a ToolError goes back to the model; any other throw ends the turn as unknown and is not repeated', async () => {
    const failing: BenchTool = {
      name: 'test.fails',
      classification: 'read',
      call: () => Promise.reject(new ToolError('no_such_page', 'There is no page 7.')),
    };
    const throwing: BenchTool = {
      name: 'test.throws',
      classification: 'read',
      call: () => Promise.reject(new Error('boom')),
    };
    const model = scriptedModel(calls(['c1', 'test__fails', {}]), calls(['c2', 'test__throws', {}]));
    const made = bench({ model, tools: [failing, throwing] });
    const session = made.create();
    await say(session);
    expect(made.states(session.session_id)).toEqual({ c1: 'failed', c2: 'outcome_unknown' });
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ text: 'There is no page 7.', is_error: true });
    expect(model.requests).toHaveLength(2);
    expect(made.events(session.session_id).at(-1)?.data).toMatchObject({
      outcome: 'failed',
      error: { code: 'outcome_unknown' },
    });
  });

  it('hazard 91: makes a failed request again within bounds, keeps no partial text as context, and says so', async () => {
    const model = scriptedModel(
      fails('model_overloaded', true, 'Half a tho'),
      fails('model_rate_limited', true),
      says('Whole.'),
    );
    const made = bench({ model, tools: [] });
    const session = made.create();
    await say(session);
    expect(types(made.events(session.session_id)).slice(3)).toEqual([
      'turn_started',
      'attempt_started',
      'attempt_failed',
      'attempt_started',
      'attempt_failed',
      'attempt_started',
      'assistant_message',
      'turn_finished',
    ]);
    expect(model.requests[2]?.messages).toEqual([{ role: 'user', text: 'Go', files: [] }]);
  });

  it('hazard 91: gives up after three retries, and at once where a retry cannot help', async () => {
    const stubborn = Array.from({ length: 4 }, () => fails('model_overloaded', true));
    const many = bench({ model: scriptedModel(...stubborn), tools: [] });
    const tired = many.create();
    await say(tired);
    expect(many.events(tired.session_id).at(-1)?.data).toMatchObject({
      outcome: 'failed',
      error: { code: 'model_overloaded' },
    });
    const once = bench({ model: scriptedModel(fails('model_unauthorized', false)), tools: [] });
    const refused = once.create();
    await say(refused);
    expect(once.events(refused.session_id).at(-1)?.data).toMatchObject({
      outcome: 'failed',
      error: { code: 'model_unauthorized' },
    });
  });

  it('takes one message at a time and says so', async () => {
    const made = bench({ model: scriptedModel(['hang'], says('later')), tools: [] });
    const session = made.create();
    const { done } = await start(session);
    await until(() => types(made.events(session.session_id)).includes('attempt_started'));
    expect(session.submit({ text: 'More', files: [], mentions: [] })).toMatchObject({
      ok: false,
      error: { code: 'session_busy' },
    });
    await session.stop();
    await done;
    await say(session);
    expect(made.events(session.session_id).at(-1)?.data).toMatchObject({ outcome: 'completed' });
  });

  it('fails before the model is asked when a selected tool is not there, and names it (S0-46)', async () => {
    const made = bench({
      model: scriptedModel(),
      tools: [read],
      selected: ['test.read', 'test.gone', 'acer.battery'],
    });
    const session = made.create();
    await say(session);
    const end = made.events(session.session_id).at(-1);
    expect(end?.data).toMatchObject({ outcome: 'failed', error: { code: 'tool_missing' } });
    expect(JSON.stringify(end?.data)).toMatch(/test\.gone.*acer\.battery/s);
  });
});

describe('a call that ends its turn', () => {
  it('does not keep its siblings waiting for a person: their requests are closed', async () => {
    ran.length = 0;
    const throwing: BenchTool = {
      name: 'test.throws',
      classification: 'read',
      call: () => new Promise((_resolve, reject) => setTimeout(() => reject(new Error('boom')), 10)),
    };
    const made = bench({
      model: scriptedModel(calls(['c1', 'test__throws', {}], ['c2', 'test__write', { what: 'x' }])),
      tools: [throwing, write],
    });
    const session = made.create();
    await say(session);
    expect(made.states(session.session_id)).toEqual({ c1: 'outcome_unknown', c2: 'cancelled' });
    expect(pendingApprovals(made.view(session.session_id))).toEqual([]);
    expect(ran).toEqual([]);
  });

  it("arguments nested without measure are the model's fault, not the disk's", async () => {
    const deep = `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    const made = bench({
      model: scriptedModel(calls(['c1', 'test__read', deep]), says('ok')),
      tools: [read],
    });
    const session = made.create();
    expect(await say(session)).toMatchObject({ outcome: 'completed' });
    expect(made.states(session.session_id)).toEqual({ c1: 'rejected' });
  });
});
