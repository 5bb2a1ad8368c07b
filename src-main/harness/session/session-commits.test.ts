import { describe, expect, it } from 'vitest';
import { ran, read, write } from '../testing/bench-tools';
import { calls, says, scriptedModel } from '../testing/scripted-model';
import { answer, began, benches, only, request, say, start, types } from '../testing/session-acts';
import { until, type BenchTool } from '../testing/session-bench';

const bench = benches();

describe('what a step costs', () => {
  it('an allowed call makes two commits: its start with all before it, and its finish', async () => {
    const steps = 5;
    const answers = Array.from({ length: steps }, (_, n) => calls([`c${n}`, 'test__read', { what: 'x' }]));
    const made = bench({ model: scriptedModel(...answers, says('ok')), tools: [read] });
    const session = made.create();
    const before = made.disk.appends.length;
    await say(session);
    const [opening, ...commits] = made.disk.appends.slice(before);
    expect(opening).toEqual(['message_submitted', 'session_renamed']);
    const steady = ['attempt_started', 'assistant_message', 'tool_started'];
    expect(commits).toEqual([
      ['turn_started', ...steady],
      ['tool_finished'],
      ...Array.from({ length: steps - 1 }, () => [steady, ['tool_finished']]).flat(),
      ['attempt_started', 'assistant_message', 'turn_finished'],
    ]);
  });

  it('parallel calls start together and finish together where they end together', async () => {
    const many = Array.from({ length: 8 }, (_, n) => [`c${n}`, 'test__read', {}] as const);
    const made = bench({ model: scriptedModel(calls(...many), says('ok')), tools: [read] });
    const session = made.create();
    const before = made.disk.appends.length;
    await say(session);
    expect(made.disk.appends.slice(before).filter((commit) => commit.includes('tool_started'))).toHaveLength(
      1,
    );
    expect(made.disk.appends.slice(before).filter((commit) => commit.includes('tool_finished'))).toHaveLength(
      1,
    );
  });

  it('opening a long session reads its key events and no timeline; a turn that is open adds itself alone', async () => {
    const answers = Array.from({ length: 60 }, (_, n) => calls([`c${n}`, 'test__read', {}]));
    const made = bench({
      model: scriptedModel(...answers, says('ok'), calls(['w', 'test__write', { what: 'x' }])),
      tools: [read, write],
    });
    const session = made.create();
    await say(session);
    await session.close();
    const total = made.events(session.session_id).length;
    made.disk.reads['read'] = 0;
    made.disk.reads['readKeyEvents'] = 0;
    const again = made.reopen(session.session_id);
    expect(made.disk.reads).toMatchObject({ read: 0, readKeyEvents: 4 });
    await start(again);
    await request(made, again);
    await again.close();
    const open = made.events(session.session_id).length - total;
    made.disk.reads['read'] = 0;
    const third = made.reopen(session.session_id);
    expect(third.busy()).toBe(true);
    expect(made.disk.reads['read']).toBe(open);
    await third.stop();
  });
});

describe('the order of records and effects', () => {
  it('nothing is dispatched before its proposal and its start are on the disk', async () => {
    const seen: string[][] = [];
    const looking: BenchTool = {
      name: 'test.look',
      classification: 'read',
      call: ({ session_id: id }) => {
        seen.push(types(made.events(id)));
        return Promise.resolve({ text: '' });
      },
    };
    const made = bench({
      model: scriptedModel(calls(['c1', 'test__look', {}], ['c2', 'test__look', {}]), says('ok')),
      tools: [looking],
    });
    await say(made.create());
    for (const events of seen) {
      expect(events.indexOf('assistant_message')).toBeLessThan(events.indexOf('tool_started'));
      expect(events).toContain('assistant_message');
    }
    expect(seen).toHaveLength(2);
  });

  // With a place for each commit of a turn: message; request; answer, start; finish; next answer and end.
  it.each([0, 1, 2, 3, 4])(
    'a disk that is full after %i commits loses nothing that was said to be kept',
    async (taken) => {
      ran.length = 0;
      const made = bench({
        model: scriptedModel(
          calls(['c1', 'test__write', { what: 'x' }]),
          says('ok'),
          says('Later.'),
          says('Later.'),
        ),
        tools: [write],
      });
      const session = made.create();
      const { session_id: id } = session;
      made.disk.fullAfter = taken;
      const submitted = session.submit({ text: 'Go', files: [], mentions: [] });
      expect(submitted.ok).toBe(taken > 0);
      if (taken >= 2) answer(session, await request(made, session), 'once');
      if (submitted.ok) {
        expect(await submitted.value.done).toMatchObject({
          outcome: 'failed',
          error: { code: 'journal_full' },
        });
      }
      // It runs only once its start is kept.
      expect(ran).toEqual(taken >= 3 ? ['x'] : []);
      expect(made.events(id).filter((event) => event.type === 'tool_started')).toHaveLength(
        taken >= 3 ? 1 : 0,
      );
      expect(session.submit({ text: 'More', files: [], mentions: [] }).ok).toBe(false);
      made.disk.fullAfter = null;
      const more = await start(session, 'More');
      if (taken === 0) answer(session, await request(made, session), 'deny');
      expect(await more.done).toMatchObject({ outcome: 'completed' });
      const ends = only(made.events(id), 'turn_finished').map(({ data }) => data.outcome);
      // The answer of the last turn was there whole, and is kept once there is space.
      expect(ends).toEqual(taken === 0 ? ['completed'] : [taken === 4 ? 'completed' : 'failed', 'completed']);
      const states: Record<number, string> = {
        0: 'denied',
        1: 'cancelled',
        2: 'cancelled',
        3: 'outcome_unknown',
        4: 'completed',
      };
      expect(made.states(id)['c1']).toBe(states[taken]);
      expect(ran).toEqual(taken >= 3 ? ['x'] : []);
      // The same rows once the session is opened anew.
      const rows = made.states(id);
      made.reopen(id);
      expect(made.states(id)).toEqual(rows);
    },
  );

  it('a retry after such an end first has the end recorded', async () => {
    const made = bench({
      model: scriptedModel(calls(['c1', 'test__read', {}]), says('Again.')),
      tools: [read],
    });
    const session = made.create();
    made.disk.fullAfter = 1;
    expect(await say(session)).toMatchObject({ outcome: 'failed' });
    expect(session.retry()).toMatchObject({ ok: false, error: { code: 'journal_full' } });
    made.disk.fullAfter = null;
    expect(await began(session.retry()).done).toMatchObject({ outcome: 'completed' });
  });
});

describe('many sessions at once', () => {
  it('20 sessions with parallel calls keep to themselves; one that hangs holds no other', async () => {
    const running = new Map<string, number>();
    let most = 0;
    const tool: BenchTool = {
      name: 'test.work',
      classification: 'read',
      async call({ session_id: id, call_id, signal }) {
        running.set(id, (running.get(id) ?? 0) + 1);
        most = Math.max(most, [...running.values()].filter((count) => count > 0).length);
        if (id === 's_1') await new Promise((resolve) => signal.addEventListener('abort', resolve));
        await new Promise((resolve) => setTimeout(resolve, 5));
        running.set(id, (running.get(id) ?? 1) - 1);
        return { text: `${id} ${call_id}` };
      },
    };
    const four = ['a', 'b', 'c', 'd'].map((call) => [call, 'test__work', {}] as const);
    const model = scriptedModel(
      ...Array.from({ length: 20 }, () => calls(...four)),
      ...Array.from({ length: 19 }, () => says('ok')),
    );
    const made = bench({ model, tools: [tool] });
    const sessions = Array.from({ length: 20 }, () => made.create());
    const turns = sessions.map((session) => began(session.submit({ text: 'Go', files: [], mentions: [] })));
    for (const session of sessions) {
      expect(session.submit({ text: 'More', files: [], mentions: [] })).toMatchObject({
        ok: false,
        error: { code: 'session_busy' },
      });
    }
    const [hung, ...others] = turns;
    await Promise.all(others.map((turn) => turn.done));
    expect(most).toBeGreaterThan(10);
    for (const session of sessions.slice(1)) {
      const events = made.events(session.session_id);
      const results = only(events, 'tool_finished').map(({ data }) => data.result?.text);
      expect(results.sort()).toEqual(four.map(([call]) => `${session.session_id} ${call}`));
      expect(events.every((event, index) => event.seq === index + 1)).toBe(true);
    }
    expect(sessions[0]?.busy()).toBe(true);
    await sessions[0]?.stop();
    expect(await hung?.done).toMatchObject({ outcome: 'stopped' });
  });

  it('of two messages at the same moment one is taken', async () => {
    const made = bench({ model: scriptedModel(says('ok')), tools: [] });
    const session = made.create();
    const both = ['one', 'two'].map((text) => session.submit({ text, files: [], mentions: [] }));
    expect(both.map((one) => one.ok)).toEqual([true, false]);
    await until(() => !session.busy());
    expect(only(made.events(session.session_id), 'message_submitted')).toHaveLength(1);
  });
});
