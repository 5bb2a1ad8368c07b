import { describe, expect, it } from 'vitest';
import { carryOver } from './continue-session';
import { ok, type NewSessionEvent, type SessionCreated, type SessionEventOf } from './protocol';
import { loopLag } from './testing/loop-lag';
import { scriptedModel, says } from './testing/scripted-model';
import { began, benches, say, start } from './testing/session-acts';
import type { SessionBench } from './testing/session-bench';

const bench = benches();

/** Turns behind one another, of ten events each. */
function lengthen(made: SessionBench, id: string, turns: number): void {
  let follows = made.view(id).head?.data ?? null;
  const events = Array.from({ length: turns }, (_, turn): NewSessionEvent[] => {
    const turn_id = `long_${turn}`;
    const before = follows;
    follows = turn_id;
    const said = { attempt: 1, reasoning: '', calls: [], finish_reason: 'stop', partial: false } as const;
    const usage = { input_tokens: null, output_tokens: null };
    return [
      {
        turn_id,
        type: 'message_submitted',
        data: {
          message_id: `m_${turn}`,
          text: `ask ${turn}`,
          mentions: [],
          attachments: [],
          follows: before,
        },
      },
      ...Array.from({ length: 8 }, (__, part) => ({
        turn_id,
        type: 'assistant_message' as const,
        data: { ...said, message_id: `a_${turn}_${part}`, text: 'word '.repeat(60), usage },
      })),
      { turn_id, type: 'turn_finished', data: { outcome: 'completed', error: null } },
    ];
  });
  began(made.journal.append(id, events.flat()));
}

const createdOf = (made: SessionBench, id: string): SessionCreated => {
  const [first] = made.events(id);
  return { ...(first as SessionEventOf<'session_created'>).data, title: 'Continued' };
};

describe('sessions never block one another: beside a session of many thousand events', () => {
  it('another session works while the long one is continued as new', { timeout: 60_000 }, async () => {
    const made = bench({ model: scriptedModel(says('one'), says('two'), says('three')) });
    const long = made.create();
    await say(long, 'first');
    lengthen(made, long.session_id, 1_000);
    const other = made.create();
    const order: string[] = [];
    const begun = performance.now();
    const lag = await loopLag(async () => {
      const copied = carryOver(made.journal, long.session_id, 's_new', () =>
        ok(createdOf(made, long.session_id)),
      ).then((result) => {
        began(result);
        order.push('copied');
      });
      await say(other, 'quick');
      order.push('answered');
      await copied;
    });
    expect(order).toEqual(['answered', 'copied']);
    expect(lag).toBeLessThan((performance.now() - begun) / 2);
    expect(made.view('s_new').turns.size).toBe(1_001);
  });

  it('a copy of a session that is deleted meanwhile is not there', { timeout: 60_000 }, async () => {
    const made = bench({ model: scriptedModel(says('one')) });
    const long = made.create();
    await say(long, 'first');
    lengthen(made, long.session_id, 200);
    const created = createdOf(made, long.session_id);
    const copying = carryOver(made.journal, long.session_id, 's_new', () => ok(created));
    await new Promise((resolve) => setTimeout(resolve, 5));
    began(made.journal.deleteSession(long.session_id));
    expect(await copying).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect(made.journal.summaries()).toEqual({ ok: true, value: [] });
    expect(made.journal.read('s_new', 0, 10)).toEqual({ ok: true, value: [] });
  });

  it(
    'another session works while the conversation is read, and nothing of it is missing',
    { timeout: 60_000 },
    async () => {
      const made = bench({ model: scriptedModel(says('one')) });
      const { session_id: id } = made.create();
      const first = made.reopen(id);
      await say(first, 'first');
      await first.close();
      lengthen(made, id, 600);
      const model = scriptedModel(says('done'));
      const long = made.reopen(id, { model });
      made.disk.reads['read'] = 0;
      const turn = await start(long, 'next');
      began(long.queue({ text: 'meanwhile', files: [], mentions: [] }, 'this_turn'));
      const turnsOfLoop = { count: 0 };
      const ticking = setInterval(() => (turnsOfLoop.count += 1), 1);
      await turn.done;
      clearInterval(ticking);
      expect(turnsOfLoop.count).toBeGreaterThan(3);
      const texts = model.requests[0]?.messages.map((message) => message.text) ?? [];
      expect(texts.filter((text) => text.startsWith('ask '))).toHaveLength(600);
      expect(texts.at(-2)).toBe('next');
      expect(texts.at(-1)).toContain('meanwhile');
    },
  );

  it(
    'a turn that is stopped while its conversation is read ends, and the next one reads it whole',
    { timeout: 60_000 },
    async () => {
      const made = bench({ model: scriptedModel(says('one')) });
      const first = made.create();
      await say(first, 'first');
      await first.close();
      lengthen(made, first.session_id, 300);
      const model = scriptedModel(says('done'));
      const long = made.reopen(first.session_id, { model });
      const stopped = began(long.submit({ text: 'stopped', files: [], mentions: [] }));
      await long.stop();
      expect(await stopped.done).toMatchObject({ outcome: 'stopped' });
      await say(long, 'next');
      const texts = model.requests[0]?.messages.map((message) => message.text) ?? [];
      expect(texts.filter((text) => text.startsWith('ask '))).toHaveLength(300);
      expect(texts.filter((text) => text === 'next' || text === 'stopped')).toEqual(['stopped', 'next']);
    },
  );
});
