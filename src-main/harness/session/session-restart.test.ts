import { describe, expect, it } from 'vitest';
import { secretRedaction } from '../guardrails';
import { pendingApprovals } from '../protocol';
import { ran, read, write } from '../testing/bench-tools';
import { calls, says, scriptedModel } from '../testing/scripted-model';
import { answer, benches, request, say, start, types } from '../testing/session-acts';
import { until, type BenchTool, type BenchOptions } from '../testing/session-bench';
import type { Session } from './session-port';

const bench = benches();

describe('a restart', () => {
  it('finds the session as it was, and the conversation that the model reads too', async () => {
    const made = bench({
      model: scriptedModel(calls(['c1', 'test__read', { what: 'x' }]), says('Read it.')),
      tools: [read],
    });
    const session = made.create();
    await say(session);
    const before = made.view(session.session_id);
    const model = scriptedModel(says('Again.'));
    const again = made.reopen(session.session_id, { model });
    expect(made.view(session.session_id)).toEqual(before);
    await say(again, 'And now?');
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
    await start(session);
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

  it('S0-78: a turn with a call of unknown outcome is over, also where a request waited beside it', async () => {
    const never: BenchTool = {
      name: 'test.breaks',
      classification: 'read',
      call: () => Promise.reject(new Error('broke')),
    };
    const model = scriptedModel(calls(['c1', 'test__breaks', {}], ['c2', 'test__write', { what: 'x' }]));
    const made = bench({ model, tools: [never, write] });
    const session = made.create();
    await say(session);
    // The same stream as it was when the app died between the two ends: of the call, and of the request beside it.
    const all = made.events(session.session_id);
    const cut = all.findIndex((event) => event.type === 'tool_finished');
    expect(all[cut]).toMatchObject({ data: { call_id: 'c1', outcome: 'outcome_unknown' } });
    const kept = all.slice(0, cut + 1).map(({ turn_id, type, data }) => ({ turn_id, type, data }));
    made.journal.append('s_cut', kept as Parameters<typeof made.journal.append>[1]);
    const again = made.reopen('s_cut');
    expect(again.busy()).toBe(false);
    expect(made.states('s_cut')).toEqual({ c1: 'outcome_unknown', c2: 'cancelled' });
    expect(made.events('s_cut').at(-1)).toMatchObject({
      type: 'turn_finished',
      data: { outcome: 'failed', error: { code: 'outcome_unknown' } },
    });
    expect(model.requests).toHaveLength(1);
  });

  it('field report 24: keeps a request answerable, and goes on with exactly it when it is answered', async () => {
    ran.length = 0;
    const made = bench({
      model: scriptedModel(calls(['c1', 'test__write', { what: 'x' }], ['c2', 'test__read', { what: 'y' }])),
      tools: [write, read],
    });
    const session = made.create();
    await start(session);
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
    await start(session);
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

  it.each<[string, (session: Session) => void, Partial<BenchOptions>]>([
    ['the mode is Bypass by now', (session) => session.setMode('bypass'), {}],
    ['the tool counts as reading by now', () => undefined, { tools: [{ ...write, classification: 'read' }] }],
    ['the tool has changed', () => undefined, { tools: [{ ...write, version: '2' }] }],
    ['the tool is gone', () => undefined, { tools: [], selected: ['test.write'] }],
    ['nothing has changed', () => undefined, {}],
  ])('a denial is final and recorded with its note, also when %s', async (_what, change, changed) => {
    ran.length = 0;
    const made = bench({ model: scriptedModel(calls(['c1', 'test__write', { what: 'x' }])), tools: [write] });
    const session = made.create();
    await start(session);
    const pending = await request(made, session);
    await session.close();
    const again = made.reopen(session.session_id, { model: scriptedModel(says('I see.')), ...changed });
    change(again);
    expect(answer(again, pending, 'deny').ok).toBe(true);
    // On record before the answer is acknowledged: the app may end at any moment.
    expect(made.states(session.session_id)).toEqual({ c1: 'denied' });
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
      await start(session);
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
    await start(session);
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

  it.each([
    ['alone, and the turn with it', [], { c1: 'cancelled' }],
    [
      'and leaves what waits beside it answerable',
      [['c2', 'test__write', { what: '2' }]],
      { c1: 'cancelled', c2: 'waiting' },
    ],
  ] as const)(
    'S1-85: closes a request whose withheld arguments are gone, %s',
    async (_what, beside, states) => {
      ran.length = 0;
      const key = `sk-ant-api03-${'a1B2'.repeat(24)}`;
      const redaction = { guardrail: secretRedaction.name, tools: ['*'], options: { arguments: 'withhold' } };
      const made = bench({
        model: scriptedModel(calls(['c1', 'test__write', { what: key }], ...beside)),
        tools: [write],
        guardrails: { guardrails: [secretRedaction], selections: [redaction] },
      });
      const session = made.create();
      await start(session);
      const lost = await request(made, session, 'c1');
      const kept = beside.length > 0 ? await request(made, session, 'c2') : null;
      await session.close();
      const again = made.reopen(session.session_id, { model: scriptedModel(says('Done.')) });
      expect(made.states(session.session_id)).toEqual(states);
      const [closed] = made.events(session.session_id).filter((event) => event.type === 'approval_resolved');
      expect(closed?.data).toMatchObject({
        approval_id: lost.approval_id,
        outcome: 'cancelled',
        by: 'turn_end',
      });
      expect(closed?.data).toHaveProperty('note', expect.stringContaining('gone since the app was closed'));
      expect(answer(again, lost, 'once')).toMatchObject({ ok: false, error: { code: 'stale_answer' } });
      expect(again.busy()).toBe(kept !== null);
      if (kept) {
        answer(again, kept, 'once');
        await until(() => made.events(session.session_id).at(-1)?.type === 'turn_finished');
      }
      expect(ran).toEqual(kept ? ['2'] : []);
      expect(JSON.stringify(made.events(session.session_id))).not.toContain(key);
    },
  );

  it('ends a waiting turn truthfully when its tools cannot be had any more', async () => {
    ran.length = 0;
    const made = bench({ model: scriptedModel(calls(['c1', 'test__write', { what: 'x' }])), tools: [write] });
    const session = made.create();
    await start(session);
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
    await start(session);
    await request(made, session);
    await session.close();
    const again = made.reopen(session.session_id, { model: scriptedModel() });
    await again.stop();
    expect(made.states(session.session_id)).toEqual({ c1: 'cancelled' });
    expect(again.busy()).toBe(false);
  });
});
