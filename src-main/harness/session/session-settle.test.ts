import { describe, expect, it } from 'vitest';
import { secretRedaction } from '../guardrails';
import type { ModelRequest } from '../model';
import { rowState } from '../protocol';
import { calls, says, scriptedModel, type ScriptedAnswer } from '../testing/scripted-model';
import { answer, began, benches, idle, only, request, say, start } from '../testing/session-acts';
import {
  textOf,
  until,
  type BenchOptions,
  type BenchTool,
  type SessionBench,
} from '../testing/session-bench';
import type { Session } from './session-port';

const bench = benches();

/** A tool that breaks off with the effect done, the first time; later it answers. */
function breaking(): BenchTool & { readonly ran: string[] } {
  const ran: string[] = [];
  return {
    name: 'test.send',
    ran,
    call: (_context, args) => {
      ran.push(textOf(args, 'to'));
      return ran.length === 1 ? Promise.reject(new Error('boom')) : Promise.resolve({ text: 'sent' });
    },
  };
}

const sendCall = calls(['c1', 'test__send', { to: 'ann' }]);
const told = (one: ModelRequest | undefined) => one?.messages.at(-1)?.text ?? '';
const unsettled = (made: SessionBench, session: Session) =>
  made.journal.summary(session.session_id)?.unsettled;

/** A session in which call c1 of the first turn has an unknown outcome. */
async function unknown(answers: readonly ScriptedAnswer[], more: Partial<BenchOptions> = {}) {
  const tool = breaking();
  const model = scriptedModel(sendCall, ...answers);
  const made = bench({ model, tools: [tool], ...more });
  const session = made.create();
  const { done, turn_id } = await start(session);
  answer(session, await request(made, session), 'session');
  await done;
  expect(made.states(session.session_id)).toEqual({ c1: 'outcome_unknown' });
  return { made, session, model, tool, turn_id };
}

describe('a call of unknown outcome', () => {
  it.each([
    ['happened', /whose outcome was unknown: it did happen\. They add: it is in the outbox/],
    ['did_not_happen', /whose outcome was unknown: it did not happen\. They add: it is in the outbox/],
  ] as const)('that a person says %s runs nothing, and the model is told', async (settlement, words) => {
    const { made, session, model, tool, turn_id } = await unknown([says('I see.')]);
    expect(made.journal.summary(session.session_id)).toMatchObject({
      state: 'unknown',
      unsettled: [`${turn_id}/c1`],
    });
    expect(began(session.settle(turn_id, 'c1', settlement, 'it is in the outbox'))).toBeNull();
    expect(unsettled(made, session)).toEqual([]);
    // What it came to stays what it was.
    expect(made.states(session.session_id)).toEqual({ c1: 'outcome_unknown' });
    await say(session);
    expect(model.requests[1]?.messages.at(-2)?.text).toMatch(words);
    expect(tool.ran).toEqual(['ann']);
  });

  it.each([
    ['a grant', () => undefined],
    ['Bypass', (session: Session) => void session.setMode('bypass')],
  ])('is run again with a fresh approval, also with %s', async (_, change) => {
    const { made, session, model, tool, turn_id } = await unknown([says('Sent, then.')]);
    change(session);
    const before = made.disk.appends.length;
    const turn = began(session.settle(turn_id, 'c1', 'run_again', 'once more'));
    expect(made.disk.appends[before]).toEqual(['call_rerun']);
    const pending = await request(made, session);
    expect(tool.ran).toEqual(['ann']);
    expect(pending.request.data.arguments).toEqual({ to: 'ann' });
    expect(pending.row.call_id).not.toBe('c1');
    answer(session, pending, 'once');
    expect(await turn?.done).toMatchObject({ outcome: 'completed' });
    expect(tool.ran).toEqual(['ann', 'ann']);
    // One transaction: nobody finds it settled and no call that began, nor the other way round.
    expect(made.disk.appends).toContainEqual(['approval_resolved', 'call_settled', 'tool_started']);
    const [settled] = only(made.events(session.session_id), 'call_settled');
    expect(settled).toMatchObject({ turn_id, data: { settlement: 'run_again', note: 'once more' } });
    expect(unsettled(made, session)).toEqual([]);
    // No model was asked; the next request tells it.
    expect(model.requests).toHaveLength(1);
    await say(session, 'And?');
    expect(model.requests[1]?.messages.map((message) => message.role)).toEqual([
      'user',
      'assistant',
      'tool',
      'user',
      'user',
    ]);
    expect(model.requests[1]?.messages[3]?.text).toBe(
      '[The person had test__send run again with the same arguments. Its result: sent]',
    );
  });

  it('that is to run again can still be denied; nothing runs then, and the model reads it', async () => {
    const { made, session, model, tool, turn_id } = await unknown([says('I see.')]);
    const turn = began(session.settle(turn_id, 'c1', 'run_again', ''));
    answer(session, await request(made, session), 'deny');
    await turn?.done;
    expect(tool.ran).toEqual(['ann']);
    // Nobody knows more than before, so the first call is still to settle.
    expect(made.journal.summary(session.session_id)).toMatchObject({
      state: 'unknown',
      unsettled: [`${turn_id}/c1`],
    });
    await say(session);
    expect(model.requests[1]?.messages[3]?.text).toMatch(
      /wanted test__send run again .*, but it was not: .*denied this call.*not today/s,
    );
    expect(began(session.settle(turn_id, 'c1', 'happened', ''))).toBeNull();
  });

  it('waits for its approval over a restart, and then runs once, still asking no model', async () => {
    const { made, session, tool, turn_id } = await unknown([]);
    began(session.settle(turn_id, 'c1', 'run_again', ''));
    const pending = await request(made, session);
    await session.close();
    const model = scriptedModel();
    const again = made.reopen(session.session_id, { model });
    expect([again.busy(), tool.ran.length]).toEqual([true, 1]);
    began(answer(again, pending, 'once'));
    await idle(again);
    expect(tool.ran).toEqual(['ann', 'ann']);
    expect(unsettled(made, again)).toEqual([]);
    expect(model.requests).toEqual([]);
    expect(only(made.events(session.session_id), 'turn_finished').at(-1)?.data.outcome).toBe('completed');
  });

  it('that breaks off again is a call of its own to settle', async () => {
    const tool = breaking();
    const always = { ...tool, call: () => Promise.reject(new Error('boom')) };
    const { made, session, turn_id } = await unknown([], { tools: [always] });
    const turn = began(session.settle(turn_id, 'c1', 'run_again', ''));
    const pending = await request(made, session);
    answer(session, pending, 'once');
    expect(await turn?.done).toMatchObject({ outcome: 'failed', error: { code: 'outcome_unknown' } });
    expect(unsettled(made, session)).toEqual([`${turn?.turn_id}/${pending.row.call_id}`]);
  });

  it('is refused where there is nothing to settle, or something runs', async () => {
    const { session, turn_id } = await unknown([['hang']]);
    expect(session.settle(turn_id, 'c9', 'happened', '')).toMatchObject({
      ok: false,
      error: { code: 'stale_answer' },
    });
    const { done } = await start(session);
    expect(session.settle(turn_id, 'c1', 'happened', '')).toMatchObject({
      ok: false,
      error: { code: 'session_busy' },
    });
    await session.stop();
    await done;
  });

  it('with withheld arguments cannot be run again, and can be settled', async () => {
    const key = `sk-ant-api03-${'a1B2'.repeat(24)}`;
    const tool = breaking();
    const made = bench({
      model: scriptedModel(calls(['c1', 'test__send', { to: key }])),
      tools: [tool],
      guardrails: {
        guardrails: [secretRedaction],
        selections: [{ guardrail: secretRedaction.name, tools: ['*'], options: { arguments: 'withhold' } }],
      },
    });
    const session = made.create();
    const { done, turn_id } = await start(session);
    answer(session, await request(made, session), 'once');
    await done;
    expect(tool.ran).toEqual([key]);
    const before = made.events(session.session_id).length;
    expect(session.settle(turn_id, 'c1', 'run_again', '')).toMatchObject({
      ok: false,
      error: { code: 'withheld_gone' },
    });
    expect(made.events(session.session_id)).toHaveLength(before);
    expect(began(session.settle(turn_id, 'c1', 'happened', ''))).toBeNull();
    expect(JSON.stringify(made.events(session.session_id))).not.toContain(key);
  });

  it('a call that was stopped and may have run can be settled and run again too', async () => {
    const ran: string[] = [];
    const obeying: BenchTool = {
      name: 'test.send',
      classification: 'read',
      call: ({ signal }) => {
        ran.push('send');
        if (ran.length > 1) return Promise.resolve({ text: 'sent' });
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        );
      },
    };
    const made = bench({ model: scriptedModel(sendCall, says('ok')), tools: [obeying] });
    const session = made.create();
    const { done, turn_id } = await start(session);
    await until(() => ran.length === 1);
    await session.stop();
    await done;
    expect(made.states(session.session_id)).toEqual({ c1: 'cancelled_may_have_run' });
    const turn = began(session.settle(turn_id, 'c1', 'run_again', ''));
    answer(session, await request(made, session), 'once');
    await turn?.done;
    expect(ran).toEqual(['send', 'send']);
  });

  it('of another branch is settled there, and the conversation that is looked at hears nothing of it', async () => {
    const { made, session, model, turn_id } = await unknown([
      says('Else.'),
      says('Still else.'),
      says('Back.'),
    ]);
    await began(session.edit(turn_id, { text: 'else', files: [], mentions: [] })).done;
    began(session.settle(turn_id, 'c1', 'happened', ''));
    await say(session, 'next');
    expect(model.requests[2]?.messages.map((message) => message.text)).toEqual(['else', 'Else.', 'next']);
    const view = made.view(session.session_id);
    const turn = view.turns.get(turn_id);
    const row = turn?.rows.get('c1');
    expect(turn && row && [rowState(row, turn), row.settled?.data.settlement]).toEqual([
      'outcome_unknown',
      'happened',
    ]);
    began(session.selectBranch(turn_id));
    await say(session, 'back');
    expect(told(model.requests[3])).toBe('back');
    expect(model.requests[3]?.messages.at(-2)?.text).toContain('it did happen');
  });
});
