import { describe, expect, it } from 'vitest';
import { foldSession, openTurn, orderedTurns, turnEnd } from '../protocol';
import { ran, write } from '../testing/bench-tools';
import { calls, says, scriptedModel } from '../testing/scripted-model';
import { answer, benches, request, say, start, types } from '../testing/session-acts';
import { until, type BenchTool } from '../testing/session-bench';

const bench = benches();

describe('a full disk', () => {
  it('stops the turn before the effect, tells who watches, and goes on when there is space again', async () => {
    ran.length = 0;
    const made = bench({
      model: scriptedModel(calls(['c1', 'test__write', { what: 'x' }]), says('Again.')),
      tools: [write],
    });
    const session = made.create();
    const { done } = await start(session);
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
    await say(session, 'More');
    expect(made.states(session.session_id)).toEqual({ c1: 'cancelled' });
    const ends = made.events(session.session_id).filter((event) => event.type === 'turn_finished');
    expect(ends.map((event) => event.data.outcome)).toEqual(['failed', 'completed']);
    expect(ran).toEqual([]);
  });
});

describe('a denial on a full disk', () => {
  it('is not taken, the request waits on, and it is taken when there is space again', async () => {
    ran.length = 0;
    const model = scriptedModel(calls(['c1', 'test__write', { what: 'x' }]), says('I see.'));
    const made = bench({ model, tools: [write] });
    const session = made.create();
    const { done } = await start(session);
    const pending = await request(made, session);
    made.disk.full = true;
    expect(answer(session, pending, 'deny')).toMatchObject({ ok: false, error: { code: 'journal_full' } });
    expect(made.states(session.session_id)).toEqual({ c1: 'waiting' });
    made.disk.full = false;
    expect(answer(session, pending, 'deny').ok).toBe(true);
    // On record before it is acknowledged.
    expect(made.states(session.session_id)).toEqual({ c1: 'denied' });
    expect(await done).toMatchObject({ outcome: 'completed' });
    expect(model.requests[1]?.messages.at(-1)?.text).toContain('not today');
    expect(ran).toEqual([]);
  });
});

describe('Stop', () => {
  it('ends the stream and keeps what was said, marked partial', async () => {
    const made = bench({ model: scriptedModel([{ type: 'text', text: 'I was say' }, 'hang']), tools: [] });
    const session = made.create();
    const { done } = await start(session);
    await until(() => types(made.events(session.session_id)).includes('attempt_started'));
    await new Promise((resolve) => setTimeout(resolve, 5));
    await session.stop();
    await done;
    const message = made.events(session.session_id).find((event) => event.type === 'assistant_message');
    expect(message?.data).toMatchObject({ text: 'I was say', partial: true });
    expect(made.events(session.session_id).at(-1)?.data).toMatchObject({ outcome: 'stopped', error: null });
  });

  it('closes requests that wait, and nothing of them runs', async () => {
    ran.length = 0;
    const made = bench({ model: scriptedModel(calls(['c1', 'test__write', { what: 'x' }])), tools: [write] });
    const session = made.create();
    const { done } = await start(session);
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
    const { done } = await start(session);
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
    const { done } = await start(session);
    await request(made, session, 'c2');
    await session.stop();
    await done;
    await say(session, 'Again');
    const roles = model.requests[1]?.messages.map((message) => message.role);
    expect(roles).toEqual(['user', 'assistant', 'tool', 'tool', 'user']);
  });
});
