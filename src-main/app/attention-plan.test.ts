import { describe, expect, it } from 'vitest';
import type { SessionSummary } from '../harness';
import { madeSummary } from '../harness/testing/made-summary';
import { initialAttention, type AttentionInput } from './attention-facts';
import { planAttention, type AttentionEffect, type AttentionSettings } from './attention-plan';

const minute = 60_000;

function summary(
  session_id: string,
  given: Partial<SessionSummary> & { readonly worked?: number } = {},
): SessionSummary {
  const { worked = 0, ...rest } = given;
  const made = madeSummary(session_id, rest);
  return { ...made, meter: { ...made.meter, active_ms: worked } };
}

/** The planner on a clock of its own: it wakes when it asked for it, and everything that it says is noted. */
function desk(settings: Partial<AttentionSettings> = {}) {
  let now = 0;
  let idle = 0;
  let wakeAt: number | null = null;
  let state = initialAttention(now);
  const chosen = { requests: true, turn_end: true, repeat_ms: 0, ...settings };
  const said: (AttentionEffect & { readonly at: number })[] = [];
  const take = (input: AttentionInput): void => {
    const plan = planAttention(state, input, { now, settings: chosen, idle_ms: idle });
    state = plan.state;
    wakeAt = plan.wake_at;
    said.push(...plan.effects.map((effect) => ({ ...effect, at: now })));
  };
  const pass = (ms: number): void => {
    const end = now + ms;
    for (let wakes = 0; wakeAt !== null && wakeAt <= end; wakes += 1) {
      if (wakes > 10_000) throw new Error('The planner never sleeps.');
      now = Math.max(now, wakeAt);
      take({ type: 'time' });
    }
    now = end;
  };
  const of = <T extends AttentionEffect['type']>(type: T) =>
    said.filter((effect): effect is Extract<AttentionEffect, { type: T }> & { at: number } => {
      return effect.type === type;
    });
  return {
    said,
    take,
    pass,
    shows: () => of('show'),
    closes: () => of('close'),
    badge: () => of('badge').at(-1)?.count ?? 0,
    opened: () => of('open').at(-1)?.target,
    wakes: () => wakeAt !== null,
    idleFor: (ms: number) => (idle = ms),
    present: (present: boolean) => take({ type: 'presence', present }),
    waits: (session_id: string, ...waiting: string[]) =>
      take({ type: 'session', summary: summary(session_id, { waiting, open_turn: 't1' }) }),
    works: (session_id: string, open_turn: string, worked = 0) =>
      take({ type: 'session', summary: summary(session_id, { open_turn, state: 'working', worked }) }),
    ends: (session_id: string, state: SessionSummary['state'], worked: number) =>
      take({ type: 'session', summary: summary(session_id, { state, worked }) }),
  };
}

describe('a request that waits', () => {
  it('field report 29: is told of at once while the window is elsewhere, and only by numbers', () => {
    const app = desk();
    app.waits('s1', 'a1');
    expect(app.shows()).toEqual([
      { type: 'show', id: 1, at: 0, silent: false, content: { requests: 1, ends: [] } },
    ]);
    expect(JSON.stringify(app.said)).not.toMatch(/Salaries|Secret|private/);
    expect(app.badge()).toBe(1);
  });

  it('is not told of while the window has the focus, nor when the person leaves it later', () => {
    const app = desk();
    app.present(true);
    app.waits('s1', 'a1');
    app.pass(minute);
    app.present(false);
    app.pass(60 * minute);
    expect(app.shows()).toEqual([]);
    expect(app.badge()).toBe(1);
  });

  it('is told of when the person left just as it came', () => {
    const app = desk();
    app.present(true);
    app.waits('s1', 'a1');
    app.pass(500);
    app.present(false);
    expect(app.shows()).toHaveLength(1);
  });

  it('is not told of when it waited already as the app began', () => {
    const app = desk();
    app.take({ type: 'known', summary: summary('s1', { waiting: ['a1'], unsettled: ['t1/c1'] }) });
    app.pass(minute);
    expect([app.shows(), app.badge()]).toEqual([[], 2]);
  });

  it('takes its notice with it when it is answered elsewhere, and when its session goes', () => {
    const app = desk();
    app.waits('s1', 'a1');
    app.waits('s1');
    expect(app.closes()).toHaveLength(1);
    expect(app.badge()).toBe(0);
    app.pass(minute);
    app.waits('s2', 'a2');
    app.take({ type: 'removed', session_id: 's2' });
    expect(app.closes()).toHaveLength(2);
    expect(app.badge()).toBe(0);
    expect(app.wakes()).toBe(false);
  });

  it('says quietly what is left when one of several is answered, unless the notice was put away', () => {
    const app = desk();
    app.waits('s1', 'a1', 'a2', 'a3');
    app.pass(minute);
    app.waits('s1', 'a2', 'a3');
    expect(app.shows().map(({ content, silent }) => [content.requests, silent])).toEqual([
      [3, false],
      [2, true],
    ]);
    app.pass(minute);
    app.take({ type: 'hidden', id: 2 });
    app.waits('s1', 'a3');
    app.pass(minute);
    expect(app.shows()).toHaveLength(2);
  });

  it('ends its notice with the focus, a moment later: the click that brought the focus may still come', () => {
    const app = desk();
    app.waits('s1', 'a1');
    app.pass(minute);
    app.present(true);
    expect(app.closes()).toEqual([]);
    app.take({ type: 'clicked' });
    expect(app.opened()).toEqual({ session_id: 's1', approval_id: 'a1' });
    app.pass(1_000);
    expect(app.closes()).toHaveLength(1);
    expect(app.badge()).toBe(1);
  });

  it('is taken off the list of the system also after the system has folded its notice away', () => {
    const app = desk();
    app.waits('s1', 'a1');
    app.take({ type: 'hidden', id: 1 });
    expect(app.closes()).toEqual([]);
    app.waits('s1');
    expect(app.closes()).toHaveLength(1);
  });

  it('tells nobody who has switched it off, and still counts', () => {
    const app = desk({ requests: false, repeat_ms: minute });
    app.waits('s1', 'a1');
    app.pass(60 * minute);
    expect(app.shows()).toEqual([]);
    expect(app.badge()).toBe(1);
  });
});

describe('a click', () => {
  it('leads to the oldest request that the notice stands for and that still waits', () => {
    const app = desk();
    app.present(true);
    app.waits('s0', 'seen');
    app.pass(minute);
    app.present(false);
    app.waits('s1', 'a1');
    app.waits('s2', 'b1');
    app.pass(minute);
    app.take({ type: 'clicked' });
    expect(app.opened()).toEqual({ session_id: 's1', approval_id: 'a1' });
    app.waits('s1');
    app.take({ type: 'clicked' });
    expect(app.opened()).toEqual({ session_id: 's2', approval_id: 'b1' });
    app.waits('s2');
    app.take({ type: 'clicked' });
    expect(app.opened()).toBeNull();
  });

  it('is an answer to the notice: it goes, and nothing of it is told again', () => {
    const app = desk();
    app.waits('s1', 'a1');
    app.take({ type: 'clicked' });
    app.pass(minute);
    expect(app.closes()).toHaveLength(1);
    expect(app.shows()).toHaveLength(1);
  });
});

describe('hazard 13: a flood', () => {
  it('of 500 requests in a minute makes a handful of notices, never two at a time, and only the first is heard', () => {
    const app = desk();
    const ids: string[] = [];
    for (let at = 0; at < 500; at += 1) {
      ids.push(`a${at}`);
      app.waits('s1', ...ids);
      app.pass(120);
    }
    const inTheMinute = app.shows();
    expect(inTheMinute.length).toBeLessThanOrEqual(5);
    expect(inTheMinute.map((show) => show.silent)).toEqual(inTheMinute.map((_, at) => at > 0));
    for (const [at, show] of inTheMinute.entries()) {
      expect(show.at - (inTheMinute[at - 1]?.at ?? -Infinity)).toBeGreaterThanOrEqual(5_000);
    }
    expect(app.badge()).toBe(500);
    app.pass(2 * minute);
    expect(app.shows().at(-1)?.content.requests).toBe(500);
    expect(app.shows().length).toBeLessThanOrEqual(inTheMinute.length + 1);
    expect(app.wakes()).toBe(false);
    app.take({ type: 'clicked' });
    expect(app.opened()).toEqual({ session_id: 's1', approval_id: 'a0' });
  });

  it('over 500 sessions is one flood too', () => {
    const app = desk();
    for (let at = 0; at < 500; at += 1) {
      app.waits(`s${at}`, 'a');
      app.pass(120);
    }
    app.pass(2 * minute);
    expect(app.shows().length).toBeLessThanOrEqual(6);
    expect(app.shows().at(-1)?.content.requests).toBe(500);
  });

  it('that comes and goes leaves no notice behind', () => {
    const app = desk();
    for (let at = 0; at < 200; at += 1) {
      app.waits('s1', `a${at}`);
      app.waits('s1');
      app.pass(100);
    }
    app.pass(2 * minute);
    expect(app.shows().length).toBeLessThanOrEqual(5);
    expect(app.said.at(-1)).toMatchObject({ type: 'badge', count: 0 });
    expect(app.closes().length).toBe(app.shows().length);
  });

  it('is over after a quiet time: the next request is told of at once, and heard', () => {
    const app = desk();
    for (let at = 0; at < 100; at += 1) {
      app.waits(`s${at}`, 'a');
      app.pass(100);
    }
    app.pass(10 * minute);
    const before = app.shows().length;
    app.waits('late', 'a');
    expect(app.shows()).toHaveLength(before + 1);
    expect(app.shows().at(-1)?.silent).toBe(false);
  });
});

describe('reminders', () => {
  it('field report 30: come again for what still waits, in the time that the person chose', () => {
    const app = desk({ repeat_ms: 5 * minute });
    app.waits('s1', 'a1');
    app.pass(16 * minute);
    expect(app.shows().map((show) => show.at)).toEqual([0, 5 * minute, 10 * minute, 15 * minute]);
    expect(app.shows().every((show) => !show.silent)).toBe(true);
    app.waits('s1');
    app.pass(60 * minute);
    expect(app.shows()).toHaveLength(4);
  });

  it('are never where the person chose none', () => {
    const app = desk();
    app.waits('s1', 'a1');
    app.pass(600 * minute);
    expect(app.shows()).toHaveLength(1);
  });

  it('stand also for what the person saw and left', () => {
    const app = desk({ repeat_ms: 5 * minute });
    app.present(true);
    app.waits('s1', 'a1');
    app.pass(3 * minute);
    app.present(false);
    app.pass(4.9 * minute);
    expect(app.shows()).toEqual([]);
    app.pass(minute);
    expect(app.shows().map((show) => show.content.requests)).toEqual([1]);
  });

  it('field report 30: come to a focused window that nobody sits at, and leave whoever works in it alone', () => {
    const app = desk({ repeat_ms: minute });
    app.present(true);
    app.waits('s1', 'a1');
    app.pass(10 * minute);
    expect(app.shows()).toEqual([]);
    app.idleFor(5 * minute);
    app.pass(minute);
    expect(app.shows()).toHaveLength(1);
    expect(app.closes()).toEqual([]);
    app.idleFor(0);
    app.pass(minute);
    expect(app.closes()).toHaveLength(1);
  });
});

describe('a long turn that ends', () => {
  const longWork = (app: ReturnType<typeof desk>, state: SessionSummary['state'], worked = 31_000) => {
    app.works('s1', 't1');
    app.pass(worked);
    app.ends('s1', state, worked);
    app.pass(2_000);
  };

  it.each(['done', 'failed', 'unknown'] as const)('is told of with its outcome: %s', (state) => {
    const app = desk();
    longWork(app, state);
    expect(app.shows().map((show) => show.content)).toEqual([{ requests: 0, ends: [state] }]);
    app.take({ type: 'clicked' });
    expect(app.opened()).toEqual({ session_id: 's1', approval_id: null });
    expect(app.badge()).toBe(0);
  });

  it('is not told of where it was short, where the person stopped it, where they look, or do not want it', () => {
    const short = desk();
    longWork(short, 'done', 30_000);
    const stopped = desk();
    longWork(stopped, 'interrupted');
    const present = desk();
    present.present(true);
    longWork(present, 'done');
    present.present(false);
    present.pass(minute);
    const unwanted = desk({ turn_end: false });
    longWork(unwanted, 'done');
    for (const app of [short, stopped, present, unwanted]) expect(app.shows()).toEqual([]);
  });

  it('counts what was worked, not what waited for a person', () => {
    const app = desk();
    app.works('s1', 't1');
    app.pass(60 * minute);
    app.ends('s1', 'done', 2_000);
    app.pass(2_000);
    expect(app.shows()).toEqual([]);
  });

  it('is none while a queued message goes on, and the work of both counts', () => {
    const app = desk();
    app.works('s1', 't1');
    app.ends('s1', 'done', 20_000);
    app.pass(200);
    app.works('s1', 't2', 20_000);
    app.pass(20_000);
    expect(app.shows()).toEqual([]);
    app.ends('s1', 'done', 40_000);
    app.pass(2_000);
    expect(app.shows()).toHaveLength(1);
  });

  it('does not count the turns before a rest', () => {
    const app = desk();
    app.works('s1', 't1');
    app.ends('s1', 'done', 20_000);
    app.pass(minute);
    app.works('s1', 't2', 20_000);
    app.ends('s1', 'done', 40_000);
    app.pass(2_000);
    expect(app.shows()).toEqual([]);
  });

  it('shares one notice with what waits, and the click goes to the request', () => {
    const app = desk();
    longWork(app, 'failed');
    app.pass(minute);
    app.waits('s2', 'a1');
    expect(app.shows().at(-1)?.content).toEqual({ requests: 1, ends: ['failed'] });
    app.take({ type: 'clicked' });
    expect(app.opened()).toEqual({ session_id: 's2', approval_id: 'a1' });
  });

  it('loses its notice with the focus, and when its session works again', () => {
    const focused = desk();
    longWork(focused, 'done');
    focused.present(true);
    focused.pass(1_000);
    expect(focused.closes()).toHaveLength(1);
    const again = desk();
    longWork(again, 'done');
    again.works('s1', 't2', 31_000);
    expect(again.closes()).toHaveLength(1);
  });
});

it('the badge counts as the Inbox does: requests, pauses and calls of unknown outcome, over all sessions', () => {
  const app = desk();
  app.present(true);
  app.take({ type: 'session', summary: summary('s1', { waiting: ['a1', 'p1'], open_turn: 't1' }) });
  app.take({ type: 'session', summary: summary('s2', { unsettled: ['t1/c1'], state: 'unknown' }) });
  expect(app.badge()).toBe(3);
  app.waits('s1');
  app.take({ type: 'session', summary: summary('s2') });
  expect(app.badge()).toBe(0);
});
