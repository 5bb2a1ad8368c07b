import { describe, expect, it } from 'vitest';
import { openPause, openTurn, type SessionLimits } from '../protocol';
import { read, write } from '../testing/bench-tools';
import {
  calls,
  fails,
  knownModel,
  says,
  scriptedModel,
  type ScriptedAnswer,
} from '../testing/scripted-model';
import { answer, began, benches, idle, only, request, say, start } from '../testing/session-acts';
import { until, type BenchOptions, type SessionBench } from '../testing/session-bench';
import type { Session } from './session-port';

const bench = benches();
const price = { input: 100_000, output: 200_000 };

/** A session with limits; each answer of the model takes 10 tokens in and 5 out. */
function limited(
  limits: SessionLimits,
  answers: readonly ScriptedAnswer[],
  more: Partial<BenchOptions> = {},
) {
  const model = scriptedModel(...answers);
  const made = bench({ model: knownModel(model, { price }), tools: [read], ...more });
  const session = made.create();
  began(session.setLimits(limits));
  return { made, session, model };
}

const readCall = (id: string) => calls([id, 'test__read', { what: id }]);

async function pauseOf(made: SessionBench, session: Session) {
  const pause = await until(() => {
    const turn = openTurn(made.view(session.session_id));
    return turn && openPause(turn);
  });
  return { id: pause.pause_id, ...pause.started?.data };
}

const ends = (made: SessionBench, session: Session) =>
  only(made.events(session.session_id), 'turn_finished').map(({ data }) => data.outcome);

describe('a limit of a session', () => {
  it('on tokens pauses the turn with a question before the request that would pass it', async () => {
    const { made, session, model } = limited({ tokens: 30 }, [readCall('c1'), readCall('c2'), says('ok')]);
    const { done } = await start(session);
    const pause = await pauseOf(made, session);
    expect(pause).toMatchObject({ kind: 'tokens', used: 30, limit: 30 });
    expect(model.requests).toHaveLength(2);
    expect(made.journal.summary(session.session_id)).toMatchObject({
      state: 'needs_you',
      waiting: [pause.id],
    });
    expect(began(session.answerPause(pause.id, true))).toBeNull();
    expect(await done).toMatchObject({ outcome: 'completed' });
    expect(session.answerPause(pause.id, true)).toMatchObject({ ok: false, error: { code: 'stale_answer' } });
    expect(only(made.events(session.session_id), 'pause_ended')[0]?.data).toMatchObject({
      outcome: 'continued',
      by: 'person',
    });
  });

  it('allows the same amount once more each time that the person goes on', async () => {
    const { made, session } = limited({ tokens: 15 }, [
      readCall('c1'),
      readCall('c2'),
      readCall('c3'),
      says('ok'),
    ]);
    const { done } = await start(session);
    for (const [index, used] of [15, 30, 45].entries()) {
      const pause = await until(() => only(made.events(session.session_id), 'pause_started')[index]);
      expect(pause.data).toMatchObject({ used, limit: 15 });
      await until(() => session.answerPause(pause.data.pause_id, true).ok);
    }
    expect(await done).toMatchObject({ outcome: 'completed' });
  });

  it('counts the amount that is allowed once more from what was used, however far that was', async () => {
    const { made, session } = limited({ tokens: 4 }, [readCall('c1'), says('ok')]);
    const { done } = await start(session);
    const pause = await until(() => only(made.events(session.session_id), 'pause_started')[0]);
    expect(pause.data).toMatchObject({ used: 15, limit: 4 });
    expect(session.answerPause(pause.data.pause_id, true).ok).toBe(true);
    expect(await done).toMatchObject({ outcome: 'completed' });
    expect(only(made.events(session.session_id), 'pause_started')).toHaveLength(1);
  });

  it('on cost counts what the price says, cached input at its own', async () => {
    const cached = {
      type: 'finished',
      reason: 'tool-calls',
      usage: { input_tokens: 10, output_tokens: 5, cached_input_tokens: 10 },
    } as const;
    const [call] = readCall('c1');
    if (!call) throw new Error('no call');
    const { made, session } = limited({ cost_usd: 1.1 }, [[call, cached], says('ok')], {});
    const { done } = await start(session);
    const pause = await pauseOf(made, session);
    expect(pause).toMatchObject({ kind: 'cost_usd', limit: 1.1 });
    expect(pause.used).toBeCloseTo(2);
    session.answerPause(pause.id, false);
    expect(await done).toMatchObject({ outcome: 'stopped', error: { code: 'limit_reached' } });
  });

  it('on cost never pauses where no price is known, and says which tokens it leaves out', async () => {
    const made = bench({ model: scriptedModel(says('ok')), tools: [] });
    const session = made.create();
    session.setLimits({ cost_usd: 0.000_001 });
    expect(await say(session)).toMatchObject({ outcome: 'completed' });
    expect(made.journal.summary(session.session_id)?.meter).toMatchObject({
      cost_usd: 0,
      unpriced_tokens: 15,
    });
  });

  it('on tokens holds also where no provider counts them: they are reckoned, and said to be', async () => {
    const uncounted = (answer: ReturnType<typeof says>) =>
      answer.map((part) =>
        part.type === 'finished' ? { ...part, usage: { input_tokens: null, output_tokens: null } } : part,
      );
    const { made, session } = limited({ tokens: 500 }, [uncounted(says('x'.repeat(7_000))), says('never')]);
    await say(session);
    const meter = () => made.journal.summary(session.session_id)?.meter;
    expect(meter()?.estimated_tokens).toBeGreaterThan(1_500);
    expect(meter()).toMatchObject({ cost_usd: 0, unpriced_tokens: meter()?.estimated_tokens });
    await start(session);
    expect(await pauseOf(made, session)).toMatchObject({ kind: 'tokens', limit: 500 });
  });

  it('on tokens counts what had come of a response that broke off or was stopped', async () => {
    const { made, session } = limited({}, [
      fails('model_refused', false, 'y'.repeat(3_500)),
      [{ type: 'text', text: 'z'.repeat(3_500) }, 'hang'],
      fails('model_refused', false),
    ]);
    const used = () => made.journal.summary(session.session_id)?.meter.output_tokens;
    await say(session);
    expect(used()).toBe(1_000);
    const { done } = await start(session);
    await until(() => only(made.events(session.session_id), 'attempt_started').length === 2);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await session.stop();
    await done;
    expect(used()).toBe(2_000);
    await say(session);
    expect(used()).toBe(2_000);
  });

  it('on turns pauses the one that is too many, before it asks a model', async () => {
    const { made, session, model } = limited({ turns: 2 }, [says('1'), says('2'), says('3')]);
    await say(session);
    await say(session);
    const { done } = await start(session);
    const pause = await pauseOf(made, session);
    expect([pause.kind, model.requests.length]).toEqual(['turns', 2]);
    session.answerPause(pause.id, true);
    expect(await done).toMatchObject({ outcome: 'completed' });
  });

  it('on minutes counts work, and not the time in which it waits for a person', async () => {
    let time = 0;
    const minute = 60_000;
    const slow =
      (minutes: number, parts: ReturnType<typeof says>): ScriptedAnswer =>
      () => {
        time += minutes * minute;
        return parts;
      };
    const { made, session } = limited(
      { minutes: 10 },
      [
        slow(4, calls(['c1', 'test__write', { what: 'x' }])),
        slow(5, readCall('c2')),
        slow(2, readCall('c3')),
      ],
      { tools: [read, write], clock: () => time },
    );
    const { done } = await start(session);
    const pending = await request(made, session);
    time += 600 * minute;
    answer(session, pending, 'once');
    const pause = await pauseOf(made, session);
    expect(pause).toMatchObject({ kind: 'minutes', used: 11, limit: 10 });
    time += 600 * minute;
    session.answerPause(pause.id, false);
    await done;
    const [end] = only(made.events(session.session_id), 'turn_finished');
    expect(end?.data).toMatchObject({ worked_ms: 11 * minute, duration_ms: 1_211 * minute });
    expect(made.journal.summary(session.session_id)?.meter.active_ms).toBe(11 * minute);
  });

  it('on requests in one turn stands whatever the person sets, and begins anew with the next turn', async () => {
    const many = Array.from({ length: 250 }, (_, n) => readCall(`c${n}`));
    const { made, session, model } = limited({}, [...many, says('ok'), says('next')]);
    const { done } = await start(session);
    const waits = () => made.journal.summary(session.session_id)?.waiting[0];
    const pause = { id: await until(waits, 15_000) };
    expect(only(made.events(session.session_id), 'pause_started')[0]?.data).toMatchObject({
      kind: 'requests_in_turn',
      used: 250,
      limit: 250,
    });
    session.answerPause(pause.id, true);
    expect(await done).toMatchObject({ outcome: 'completed' });
    expect(await say(session)).toMatchObject({ outcome: 'completed' });
    expect(model.requests).toHaveLength(252);
  });

  it('that is set anew begins anew; a pause of before is only answered, and adds nothing', async () => {
    const { made, session } = limited({ tokens: 15 }, [readCall('c1'), readCall('c2'), says('ok')]);
    const { done } = await start(session);
    const pause = await pauseOf(made, session);
    began(session.setLimits({ tokens: 25 }));
    session.answerPause(pause.id, true);
    const second = await until(() => only(made.events(session.session_id), 'pause_started')[1]);
    expect(second.data).toMatchObject({ used: 30, limit: 25 });
    await session.stop();
    expect(await done).toMatchObject({ outcome: 'stopped' });
    expect(only(made.events(session.session_id), 'pause_ended')[1]?.data).toMatchObject({
      outcome: 'stopped',
      by: 'turn_end',
    });
  });

  it('is answered by a host that stands for nobody: the turn stops, and says why', async () => {
    const { made, session } = limited({ tokens: 15 }, [readCall('c1')], { standing: 'once' });
    expect(await say(session)).toMatchObject({ outcome: 'stopped', error: { code: 'limit_reached' } });
    expect(only(made.events(session.session_id), 'pause_ended')[0]?.data).toMatchObject({ by: 'host' });
  });

  it('a stopped turn can be gone on with, which asks again', async () => {
    const { made, session } = limited({ tokens: 15 }, [readCall('c1'), says('ok')]);
    const { done } = await start(session);
    session.answerPause((await pauseOf(made, session)).id, false);
    await done;
    const retried = began(session.retry());
    session.answerPause((await pauseOf(made, session)).id, true);
    expect(await retried.done).toMatchObject({ outcome: 'completed' });
    expect(ends(made, session)).toEqual(['stopped', 'completed']);
  });
});

describe('a pause over a restart', () => {
  async function paused() {
    const parts = limited({ tokens: 15 }, [readCall('c1')]);
    await start(parts.session);
    const pause = await pauseOf(parts.made, parts.session);
    await parts.session.close();
    const model = scriptedModel(says('Gone on.'));
    const again = parts.made.reopen(parts.session.session_id, { model: knownModel(model, { price }) });
    return { ...parts, again, pause, model };
  }

  it('waits on, runs nothing by itself, and goes on when it is answered, with all that was used', async () => {
    const { made, again, pause, model } = await paused();
    expect([again.busy(), model.requests.length]).toEqual([true, 0]);
    expect(made.journal.summary(again.session_id)).toMatchObject({ waiting: [pause.id], state: 'needs_you' });
    expect(began(again.answerPause(pause.id, true))).toBeNull();
    await idle(again);
    expect(ends(made, again)).toEqual(['completed']);
    expect(made.states(again.session_id)).toEqual({ c1: 'completed' });
    const meter = made.journal.summary(again.session_id)?.meter;
    expect(meter).toMatchObject({
      input_tokens: 20,
      output_tokens: 10,
      requests: 2,
      turns: 1,
      allowed: { tokens: 30 },
    });
    expect(meter?.cost_usd).toBeCloseTo(4);
    expect(only(made.events(again.session_id), 'attempt_started').map(({ data }) => data.attempt)).toEqual([
      1, 2,
    ]);
  });

  it('can be answered with a stop', async () => {
    const { made, again, pause, model } = await paused();
    expect(began(again.answerPause(pause.id, false))).toBeNull();
    expect([again.busy(), model.requests.length, ends(made, again)]).toEqual([false, 0, ['stopped']]);
    expect(again.answerPause(pause.id, true)).toMatchObject({ ok: false, error: { code: 'stale_answer' } });
  });

  it('ends with Stop', async () => {
    const { made, again, pause } = await paused();
    await again.stop();
    expect(ends(made, again)).toEqual(['stopped']);
    expect(only(made.events(again.session_id), 'pause_ended')[0]?.data).toMatchObject({
      pause_id: pause.id,
      outcome: 'stopped',
      by: 'turn_end',
    });
  });

  it('the meter of a crashed turn keeps what was recorded of it', async () => {
    const made = bench({ model: scriptedModel(readCall('c1'), ['hang']), tools: [read] });
    const session = made.create();
    await start(session);
    await until(() => only(made.events(session.session_id), 'attempt_started').length === 2);
    const again = made.reopen(session.session_id, {
      model: scriptedModel(fails('model_unauthorized', false)),
    });
    await say(again);
    expect(made.journal.summary(session.session_id)?.meter).toMatchObject({
      input_tokens: 10,
      output_tokens: 5,
      requests: 3,
      turns: 2,
    });
  });
});
