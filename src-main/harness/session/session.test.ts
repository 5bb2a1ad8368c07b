import { afterEach, describe, expect, it } from 'vitest';
import {
  foldSession,
  openTurn,
  orderedTurns,
  pendingApprovals,
  turnEnd,
  type SessionEvent,
} from '../protocol';
import { calls, fails, says, scriptedModel } from '../testing/scripted-model';
import { sessionBench, textOf, until, type BenchTool, type SessionBench } from '../testing/session-bench';
import { ToolError } from '../tools';
import type { Session } from './session-port';

const benches: SessionBench[] = [];

function bench(options: Parameters<typeof sessionBench>[0]): SessionBench {
  const made = sessionBench(options);
  benches.push(made);
  return made;
}

afterEach(() => {
  for (const made of benches.splice(0)) made.close();
});

const ran: string[] = [];
const read: BenchTool = {
  name: 'test.read',
  classification: 'read',
  call: (_context, args) => Promise.resolve({ structured: { got: textOf(args, 'what') } }),
};
const write: BenchTool = {
  name: 'test.write',
  classification: 'write',
  input_schema: {
    type: 'object',
    properties: { what: { type: 'string' } },
    required: ['what'],
    additionalProperties: false,
  },
  call: (_context, args) => {
    ran.push(textOf(args, 'what'));
    return Promise.resolve({ text: `wrote ${textOf(args, 'what')}` });
  },
};

async function say(session: Session, text = 'Go'): Promise<{ turn_id: string; done: Promise<unknown> }> {
  const submitted = session.submit({ text, files: [], mentions: [] });
  if (!submitted.ok) throw new Error(submitted.error.message);
  await Promise.resolve();
  return submitted.value;
}

function types(events: readonly SessionEvent[]): string[] {
  return events.map((event) => event.type);
}

async function request(made: SessionBench, session: Session, callId?: string) {
  return until(() =>
    pendingApprovals(made.view(session.session_id)).find(
      (pending) => !callId || pending.row.call_id === callId,
    ),
  );
}

function answer(
  session: Session,
  pending: Awaited<ReturnType<typeof request>>,
  kind: 'once' | 'session' | 'deny',
) {
  const { arguments_digest } = pending.request.data;
  return session.answer(
    pending.approval_id,
    arguments_digest,
    kind === 'deny'
      ? { type: 'deny', note: 'not today', by: 'person' }
      : { type: 'allow', scope: kind, by: 'person' },
  );
}

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
    await (
      await say(session)
    ).done;
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

  it('asks before a tool that may do more than read, runs exactly the arguments that were shown, once', async () => {
    ran.length = 0;
    const made = bench({
      model: scriptedModel(calls(['c1', 'test__write', { what: 'x' }]), says('ok')),
      tools: [write],
    });
    const session = made.create();
    const { done } = await say(session);
    const pending = await request(made, session);
    expect(pending.request.data).toMatchObject({
      name: 'test__write',
      qualified_name: 'test.write',
      model_alias: 'test__write',
      arguments: { what: 'x' },
      classification: 'write',
    });
    expect(ran).toEqual([]);
    const stale = session.answer(pending.approval_id, 'f'.repeat(64), {
      type: 'allow',
      scope: 'once',
      by: 'person',
    });
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
    const { done } = await say(session);
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
    const { done } = await say(session);
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
    await (
      await say(session)
    ).done;
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
    await (
      await say(session)
    ).done;
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

  it('S1-55: refuses a response that reuses a call id of the retained context before anything of it runs', async () => {
    ran.length = 0;
    const model = scriptedModel(
      calls(['c1', 'test__read', { what: 'x' }]),
      calls(['c2', 'test__read', { what: 'y' }], ['c1', 'test__read', { what: 'z' }]),
    );
    const made = bench({ model, tools: [read] });
    const session = made.create();
    await (
      await say(session)
    ).done;
    expect(made.states(session.session_id)).toEqual({ c1: 'completed' });
    expect(made.events(session.session_id).at(-1)?.data).toMatchObject({
      outcome: 'failed',
      error: { code: 'call_id_reused' },
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
    await (
      await say(session)
    ).done;
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
    await (
      await say(session)
    ).done;
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
    await (
      await say(tired)
    ).done;
    expect(many.events(tired.session_id).at(-1)?.data).toMatchObject({
      outcome: 'failed',
      error: { code: 'model_overloaded' },
    });
    const once = bench({ model: scriptedModel(fails('model_unauthorized', false)), tools: [] });
    const refused = once.create();
    await (
      await say(refused)
    ).done;
    expect(once.events(refused.session_id).at(-1)?.data).toMatchObject({
      outcome: 'failed',
      error: { code: 'model_unauthorized' },
    });
  });

  it('takes one message at a time and says so', async () => {
    const made = bench({ model: scriptedModel(['hang'], says('later')), tools: [] });
    const session = made.create();
    const { done } = await say(session);
    await until(() => types(made.events(session.session_id)).includes('attempt_started'));
    expect(session.submit({ text: 'More', files: [], mentions: [] })).toMatchObject({
      ok: false,
      error: { code: 'session_busy' },
    });
    await session.stop();
    await done;
    await (
      await say(session)
    ).done;
    expect(made.events(session.session_id).at(-1)?.data).toMatchObject({ outcome: 'completed' });
  });

  it('fails before the model is asked when a selected tool is not there, and names it (S0-46)', async () => {
    const made = bench({
      model: scriptedModel(),
      tools: [read],
      selected: ['test.read', 'test.gone', 'acer.battery'],
    });
    const session = made.create();
    await (
      await say(session)
    ).done;
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
    await (
      await say(session)
    ).done;
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
    expect(await (await say(session)).done).toMatchObject({ outcome: 'completed' });
    expect(made.states(session.session_id)).toEqual({ c1: 'rejected' });
  });
});

describe('a full disk', () => {
  it('stops the turn before the effect, tells who watches, and goes on when there is space again', async () => {
    ran.length = 0;
    const made = bench({
      model: scriptedModel(calls(['c1', 'test__write', { what: 'x' }]), says('Again.')),
      tools: [write],
    });
    const session = made.create();
    const { done } = await say(session);
    const pending = await request(made, session);
    let view = made.view(session.session_id);
    session.subscribe(view.last_seq, ({ events, signals }) => {
      view = foldSession(view, [
        ...events.map((event) => ({ kind: 'event', event }) as const),
        ...signals.map((signal) => ({ kind: 'signal', signal }) as const),
      ]);
    });
    made.disk.full = true;
    answer(session, pending, 'once');
    expect(await done).toMatchObject({ outcome: 'failed', error: { code: 'journal_full' } });
    expect(ran).toEqual([]);
    const turn = orderedTurns(view)[0];
    expect(turn && turnEnd(turn)).toMatchObject({ outcome: 'failed', error: { code: 'journal_full' } });
    expect(openTurn(view)).toBeNull();
    expect(session.submit({ text: 'More', files: [], mentions: [] })).toMatchObject({
      ok: false,
      error: { code: 'journal_full' },
    });
    made.disk.full = false;
    await (
      await say(session, 'More')
    ).done;
    expect(made.states(session.session_id)).toEqual({ c1: 'cancelled' });
    const ends = made.events(session.session_id).filter((event) => event.type === 'turn_finished');
    expect(ends.map((event) => event.data.outcome)).toEqual(['failed', 'completed']);
    expect(ran).toEqual([]);
  });
});

describe('Stop', () => {
  it('ends the stream and keeps what was said, marked partial', async () => {
    const made = bench({ model: scriptedModel([{ type: 'text', text: 'I was say' }, 'hang']), tools: [] });
    const session = made.create();
    const { done } = await say(session);
    await until(() => types(made.events(session.session_id)).includes('attempt_started'));
    await new Promise((resolve) => setTimeout(resolve, 5));
    await session.stop();
    await done;
    const message = made.events(session.session_id).find((event) => event.type === 'assistant_message');
    expect(message?.data).toMatchObject({ text: 'I was say', partial: true });
    expect(made.events(session.session_id).at(-1)?.data).toEqual({ outcome: 'stopped', error: null });
  });

  it('closes requests that wait, and nothing of them runs', async () => {
    ran.length = 0;
    const made = bench({ model: scriptedModel(calls(['c1', 'test__write', { what: 'x' }])), tools: [write] });
    const session = made.create();
    const { done } = await say(session);
    const pending = await request(made, session);
    await session.stop();
    await done;
    expect(answer(session, pending, 'once')).toMatchObject({ ok: false, error: { code: 'stale_answer' } });
    expect(made.states(session.session_id)).toEqual({ c1: 'cancelled' });
    expect(ran).toEqual([]);
  });

  it('field report 66: leaves a tool behind that ignores it, drops its late answer, and says that it may have run', async () => {
    let release: () => void = () => undefined;
    const deaf: BenchTool = {
      name: 'test.deaf',
      classification: 'read',
      call: () => new Promise((resolve) => (release = () => resolve({ text: 'late' }))),
    };
    const made = bench({ model: scriptedModel(calls(['c1', 'test__deaf', {}])), tools: [deaf] });
    const session = made.create();
    const { done } = await say(session);
    await until(() => types(made.events(session.session_id)).includes('tool_started'));
    await session.stop();
    await done;
    release();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(made.states(session.session_id)).toEqual({ c1: 'cancelled_may_have_run' });
    expect(made.events(session.session_id).filter((event) => event.type === 'tool_finished')).toHaveLength(1);
  });

  it('field report 94: gives every call an answer, so that the next request is valid', async () => {
    const deaf: BenchTool = {
      name: 'test.obeys',
      classification: 'read',
      call: ({ signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        ),
    };
    const model = scriptedModel(
      calls(['c1', 'test__obeys', {}], ['c2', 'test__write', { what: 'x' }]),
      says('ok'),
    );
    const made = bench({ model, tools: [deaf, write] });
    const session = made.create();
    const { done } = await say(session);
    await request(made, session, 'c2');
    await session.stop();
    await done;
    await (
      await say(session, 'Again')
    ).done;
    const roles = model.requests[1]?.messages.map((message) => message.role);
    expect(roles).toEqual(['user', 'assistant', 'tool', 'tool', 'user']);
  });
});

describe('a restart', () => {
  it('finds the session as it was, and the conversation that the model reads too', async () => {
    const made = bench({
      model: scriptedModel(calls(['c1', 'test__read', { what: 'x' }]), says('Read it.')),
      tools: [read],
    });
    const session = made.create();
    await (
      await say(session)
    ).done;
    const before = made.view(session.session_id);
    const model = scriptedModel(says('Again.'));
    const again = made.reopen(session.session_id, { model });
    expect(made.view(session.session_id)).toEqual(before);
    await (
      await say(again, 'And now?')
    ).done;
    expect(model.requests[0]?.messages.map((message) => message.role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
  });

  it('field report 113: says of a call that had begun that its outcome is unknown, and runs nothing by itself', async () => {
    const never: BenchTool = {
      name: 'test.never',
      classification: 'read',
      call: () => new Promise(() => undefined),
    };
    const made = bench({
      model: scriptedModel(calls(['c1', 'test__never', {}], ['c2', 'test__write', { what: 'x' }])),
      tools: [never, write],
    });
    const session = made.create();
    await say(session);
    await request(made, session, 'c2');
    await until(() => types(made.events(session.session_id)).includes('tool_started'));
    const model = scriptedModel();
    made.reopen(session.session_id, { model });
    expect(made.states(session.session_id)).toEqual({ c1: 'outcome_unknown', c2: 'cancelled' });
    expect(made.events(session.session_id).at(-1)?.data).toMatchObject({
      outcome: 'interrupted',
      error: { code: 'outcome_unknown' },
    });
    expect(model.requests).toEqual([]);
  });

  it('field report 24: keeps a request answerable, and goes on with exactly it when it is answered', async () => {
    ran.length = 0;
    const made = bench({
      model: scriptedModel(calls(['c1', 'test__write', { what: 'x' }], ['c2', 'test__read', { what: 'y' }])),
      tools: [write, read],
    });
    const session = made.create();
    await say(session);
    const pending = await request(made, session);
    await until(() => made.states(session.session_id)['c2'] === 'completed');
    await session.close();
    const model = scriptedModel(says('Done.'));
    const again = made.reopen(session.session_id, { model });
    expect(made.states(session.session_id)).toEqual({ c1: 'waiting', c2: 'completed' });
    expect(ran).toEqual([]);
    expect(answer(again, pending, 'once').ok).toBe(true);
    await until(() => made.events(session.session_id).at(-1)?.type === 'turn_finished');
    expect(ran).toEqual(['x']);
    expect(made.states(session.session_id)).toEqual({ c1: 'completed', c2: 'completed' });
    expect(model.requests).toHaveLength(1);
  });

  it('S0-56: an answer to a request whose tool has changed since allows nothing; the person is asked again', async () => {
    ran.length = 0;
    const made = bench({ model: scriptedModel(calls(['c1', 'test__write', { what: 'x' }])), tools: [write] });
    const session = made.create();
    await say(session);
    const pending = await request(made, session);
    await session.close();
    const model = scriptedModel(says('Done.'));
    const again = made.reopen(session.session_id, { model, tools: [{ ...write, version: '2' }] });
    answer(again, pending, 'once');
    const fresh = await until(() =>
      pendingApprovals(made.view(session.session_id)).find(
        (other) => other.approval_id !== pending.approval_id,
      ),
    );
    expect(ran).toEqual([]);
    expect(fresh.request.data.reason).toBe('definition_changed');
    answer(again, fresh, 'once');
    await until(() => made.events(session.session_id).at(-1)?.type === 'turn_finished');
    expect(ran).toEqual(['x']);
  });

  it.each<[string, (session: Session) => void, Partial<Parameters<typeof sessionBench>[0]>]>([
    ['the mode is Bypass by now', (session) => session.setMode('bypass'), {}],
    ['the tool counts as reading by now', () => undefined, { tools: [{ ...write, classification: 'read' }] }],
    ['the tool has changed', () => undefined, { tools: [{ ...write, version: '2' }] }],
    ['the tool is gone', () => undefined, { tools: [], selected: ['test.write'] }],
    ['nothing has changed', () => undefined, {}],
  ])('a denial is final and recorded with its note, also when %s', async (_what, change, changed) => {
    ran.length = 0;
    const made = bench({ model: scriptedModel(calls(['c1', 'test__write', { what: 'x' }])), tools: [write] });
    const session = made.create();
    await say(session);
    const pending = await request(made, session);
    await session.close();
    const again = made.reopen(session.session_id, { model: scriptedModel(says('I see.')), ...changed });
    change(again);
    expect(answer(again, pending, 'deny').ok).toBe(true);
    await until(() => made.events(session.session_id).at(-1)?.type === 'turn_finished');
    expect(ran).toEqual([]);
    expect(made.states(session.session_id)).toEqual({ c1: 'denied' });
    const resolved = made.events(session.session_id).filter((event) => event.type === 'approval_resolved');
    expect(resolved.map(({ data }) => [data.approval_id, data.outcome, data.note, data.by])).toEqual([
      [pending.approval_id, 'denied', 'not today', 'person'],
    ]);
  });

  it.each([true, false])(
    'an allowance given after the session was set to Read only runs nothing (restarted: %s)',
    async (restarted) => {
      ran.length = 0;
      const made = bench({
        model: scriptedModel(calls(['c1', 'test__write', { what: 'x' }]), says('Fine.')),
        tools: [write],
      });
      let session = made.create();
      await say(session);
      const pending = await request(made, session);
      if (restarted) {
        await session.close();
        session = made.reopen(session.session_id, { model: scriptedModel(says('Fine.')) });
      }
      session.setMode('read_only');
      answer(session, pending, 'once');
      await until(() => made.events(session.session_id).at(-1)?.type === 'turn_finished');
      expect(ran).toEqual([]);
      expect(made.states(session.session_id)).toEqual({ c1: 'rejected' });
      expect(
        made.events(session.session_id).filter((event) => event.type === 'approval_resolved'),
      ).toHaveLength(1);
    },
  );

  it('takes the answers to several waiting requests one after the other, before the tools are there again', async () => {
    ran.length = 0;
    const made = bench({
      model: scriptedModel(calls(['c1', 'test__write', { what: '1' }], ['c2', 'test__write', { what: '2' }])),
      tools: [write],
    });
    const session = made.create();
    await say(session);
    const second = await request(made, session, 'c2');
    const first = await request(made, session, 'c1');
    await session.close();
    const again = made.reopen(session.session_id, { model: scriptedModel(says('Done.')) });
    expect(answer(again, first, 'once').ok).toBe(true);
    expect(answer(again, second, 'deny').ok).toBe(true);
    expect(answer(again, second, 'once').ok).toBe(false);
    await until(() => made.events(session.session_id).at(-1)?.type === 'turn_finished');
    expect(ran).toEqual(['1']);
    expect(made.states(session.session_id)).toEqual({ c1: 'completed', c2: 'denied' });
  });

  it('ends a waiting turn truthfully when its tools cannot be had any more', async () => {
    ran.length = 0;
    const made = bench({ model: scriptedModel(calls(['c1', 'test__write', { what: 'x' }])), tools: [write] });
    const session = made.create();
    await say(session);
    const pending = await request(made, session);
    await session.close();
    const again = made.reopen(session.session_id, {
      model: scriptedModel(),
      tools: [],
      selected: ['test.write'],
    });
    answer(again, pending, 'once');
    await until(() => made.events(session.session_id).at(-1)?.type === 'turn_finished');
    expect(made.states(session.session_id)).toEqual({ c1: 'cancelled' });
    expect(pendingApprovals(made.view(session.session_id))).toEqual([]);
    expect(ran).toEqual([]);
  });

  it('lets a waiting turn be stopped without being answered', async () => {
    const made = bench({ model: scriptedModel(calls(['c1', 'test__write', { what: 'x' }])), tools: [write] });
    const session = made.create();
    await say(session);
    await request(made, session);
    await session.close();
    const again = made.reopen(session.session_id, { model: scriptedModel() });
    await again.stop();
    expect(made.states(session.session_id)).toEqual({ c1: 'cancelled' });
    expect(again.busy()).toBe(false);
  });
});

describe('watching a session', () => {
  it('gives a late watcher the recorded events and what streams right now', async () => {
    const made = bench({
      model: scriptedModel([{ type: 'text', text: 'Hel' }, { type: 'text', text: 'lo' }, 'hang']),
      tools: [],
    });
    const session = made.create();
    const { done } = await say(session);
    await until(() => types(made.events(session.session_id)).includes('attempt_started'));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const seen: string[] = [];
    const stop = session.subscribe(0, (push) => {
      seen.push(
        ...types(push.events),
        ...push.signals.map((signal) => (signal.type === 'text_delta' ? signal.text : signal.type)),
      );
    });
    expect(seen.slice(-2)).toEqual(['attempt_started', 'Hello']);
    stop();
    await session.stop();
    await done;
  });
});
