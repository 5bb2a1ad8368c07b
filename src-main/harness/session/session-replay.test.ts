import { describe, expect, it } from 'vitest';
import { emptySessionView, foldSessionEvents, type SessionEvent } from '../protocol';
import { read } from '../testing/bench-tools';
import { calls, says, scriptedModel } from '../testing/scripted-model';
import { benches, say } from '../testing/session-acts';
import { until, type SessionBench } from '../testing/session-bench';
import type { Session, SessionPush } from './session-port';

const bench = benches();

/** A session of some 3,000 events. */
async function long(): Promise<{ made: SessionBench; session: Session; last: number }> {
  const made = bench({ model: scriptedModel(says('ok'), says('More.')), tools: [read] });
  const session = made.create();
  await session.close();
  const turns = Array.from({ length: 750 }, (_, n) => {
    const turn_id = `t_${n}`;
    const names = {
      call_id: 'c',
      name: 'test__read',
      qualified_name: 'test.read',
      model_alias: 'test__read',
    };
    return [
      {
        turn_id,
        type: 'message_submitted',
        data: { message_id: 'm', text: `${n}`, attachments: [], mentions: [] },
      },
      {
        turn_id,
        type: 'tool_finished',
        data: { ...names, outcome: 'cancelled', duration_ms: null, result: null, error: null, progress: [] },
      },
      { turn_id, type: 'attempt_started', data: { attempt: 1, model: { provider: 'p', name: 'n' } } },
      { turn_id, type: 'turn_finished', data: { outcome: 'completed', error: null } },
    ] as const;
  });
  const appended = made.journal.append(session.session_id, turns.flat());
  if (!appended.ok) throw new Error(appended.error.message);
  const last = appended.value.at(-1)?.seq ?? 0;
  return { made, session: made.reopen(session.session_id), last };
}

function watch(session: Session, after: number): { pushes: SessionPush[]; stop: () => void } {
  const pushes: SessionPush[] = [];
  const stop = session.subscribe(after, (push) => pushes.push(push));
  return { pushes, stop };
}

const seqs = (events: readonly SessionEvent[]): number[] => events.map((event) => event.seq);
const from = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, n) => first + n);

describe('watching a long session', () => {
  it('gives its last screen at once, and the older pages behind it', async () => {
    const { made, session, last } = await long();
    const { pushes } = watch(session, 0);
    expect(pushes.map((push) => seqs(push.events))).toEqual([from(last - 199, last)]);
    expect(pushes[0]).toMatchObject({ caught_up: true, from_seq: last - 199 });
    await until(() => pushes.at(-1)?.from_seq === 1);
    expect(pushes.map((push) => push.events.length)).toEqual([200, 1_000, 1_000, last - 2_200]);
    expect(pushes.flatMap((push) => seqs(push.events)).sort((a, b) => a - b)).toEqual(from(1, last));
    const folded = pushes.reduce(
      (view, push) => foldSessionEvents(view, push.events),
      emptySessionView(session.session_id),
    );
    expect(folded).toEqual(made.view(session.session_id));
  });

  it('tells what is recorded between two pages as it comes', async () => {
    const { session, last } = await long();
    const { pushes } = watch(session, 0);
    session.rename('Between');
    await until(() => pushes.at(-1)?.from_seq === 1);
    expect(pushes[1]).toMatchObject({ from_seq: last - 199 });
    expect(seqs(pushes[1]?.events ?? [])).toEqual([last + 1]);
    const all = pushes.flatMap((push) => seqs(push.events));
    expect(all).toHaveLength(last + 1);
    expect(new Set(all).size).toBe(last + 1);
  });

  it('begins behind what the watcher has', async () => {
    const { session, last } = await long();
    const near = watch(session, last - 3);
    expect(near.pushes).toMatchObject([{ from_seq: last - 2 }]);
    expect(seqs(near.pushes[0]?.events ?? [])).toEqual(from(last - 2, last));
    const far = watch(session, last - 700);
    await until(() => far.pushes.at(-1)?.from_seq === last - 699);
    expect(far.pushes.flatMap((push) => seqs(push.events)).sort((a, b) => a - b)).toEqual(
      from(last - 699, last),
    );
    const whole = watch(session, last);
    expect(whole.pushes).toEqual([{ events: [], signals: [], caught_up: true, from_seq: last + 1 }]);
  });

  it('is over when the watcher says so, also between two pages', async () => {
    const { session } = await long();
    const { pushes, stop } = watch(session, 0);
    stop();
    session.rename('Unheard');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(pushes).toHaveLength(1);
  });

  it('passes nothing off as read that could not be read', async () => {
    const { made, session, last } = await long();
    const { readBefore } = made.journal;
    const broken = { ok: false, error: { code: 'journal_unavailable', message: 'gone' } } as const;
    Object.assign(made.journal, { readBefore: () => broken });
    const { pushes } = watch(session, 0);
    expect(pushes).toEqual([{ events: [], signals: [], caught_up: true, from_seq: last + 1 }]);
    Object.assign(made.journal, { readBefore });
  });

  it('a watcher that throws stops neither the session nor the others', async () => {
    const { made, session } = await long();
    session.subscribe(0, () => {
      throw new Error('boom');
    });
    const { pushes } = watch(session, 0);
    expect(await say(session)).toMatchObject({ outcome: 'completed' });
    await until(() => pushes.at(-1)?.from_seq === 1);
    expect(made.logged.join()).toContain('A watcher of session');
  });

  it('keeps no text twice: what streamed goes once its message is there', async () => {
    const made = bench({
      model: scriptedModel(calls(['c1', 'test__read', {}]), says('Hello.')),
      tools: [read],
    });
    const session = made.create();
    const { pushes } = watch(session, 0);
    await say(session);
    expect(
      pushes.flatMap((push) => push.signals).filter((signal) => signal.type === 'text_delta'),
    ).toHaveLength(1);
    const late = watch(session, 0).pushes[0];
    expect(late?.signals).toEqual([]);
  });
});
