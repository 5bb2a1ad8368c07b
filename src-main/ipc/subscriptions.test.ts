import { expect, it, vi } from 'vitest';
import type { Push } from '../../src-preload/contract';
import { ok, type Harness, type SessionEvent, type SessionPush, type Signal } from '../harness';
import { createSubscriptions } from './subscriptions';

const event = (seq: number): SessionEvent =>
  ({ seq, session_id: 's', turn_id: null, type: 'session_archived', version: 1, at: '', data: {} }) as never;
const delta = (offset: number, text: string): Signal => ({
  type: 'text_delta',
  turn_id: 't',
  attempt: 1,
  channel: 'text',
  offset,
  text,
});

function begin() {
  let listener: (push: SessionPush) => void = () => undefined;
  const stop = vi.fn();
  const session = {
    subscribe: (_after: number, next: typeof listener) => {
      listener = next;
      return stop;
    },
  };
  const sent: Push[] = [];
  const harness = { sessions: { get: () => ok(session) } } as unknown as Harness;
  const subscriptions = createSubscriptions(harness, (push) => sent.push(push));
  subscriptions.subscribe('s', 0);
  return { sent, stop, subscriptions, push: (push: SessionPush) => listener(push) };
}

it('says with each push how much of the session has come, the newest part first', () => {
  const { sent, push } = begin();
  push({ events: [event(8), event(9)], signals: [], caught_up: true, from_seq: 8 });
  push({ events: [event(1)], signals: [], caught_up: true, from_seq: 1 });
  expect(sent.map((one) => one.topic === 'session' && [one.from_seq, one.caught_up])).toEqual([
    [8, true],
    [1, true],
  ]);
});

it('joins passing text and never holds an event back', async () => {
  const { sent, push } = begin();
  push({ events: [], signals: [delta(0, 'ab')], caught_up: true, from_seq: 1 });
  push({ events: [], signals: [delta(2, 'cd')], caught_up: true, from_seq: 1 });
  expect(sent).toEqual([]);
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ signals: [{ offset: 0, text: 'abcd' }] });
  push({ events: [], signals: [delta(4, 'e')], caught_up: true, from_seq: 1 });
  push({ events: [event(1)], signals: [], caught_up: true, from_seq: 1 });
  expect(sent[1]).toMatchObject({ signals: [{ offset: 4 }], events: [{ seq: 1 }] });
});

it('ends what it watches when the page goes', () => {
  const { stop, subscriptions } = begin();
  subscriptions.clear();
  expect(stop).toHaveBeenCalledOnce();
});

it('hands on what passes (live facts, a summary being made) as it came, and never holds an event back for it', () => {
  vi.useFakeTimers();
  try {
    const { sent, push } = begin();
    const facts: Signal = { type: 'model_context', turn_id: 't', attempt: 1, facts: [], bytes: 0 };
    const compacting: Signal = { type: 'compacting', turn_id: 't', attempt: 1 };
    push({ events: [], signals: [facts], caught_up: true, from_seq: 1 });
    push({ events: [], signals: [compacting, delta(0, 'a')], caught_up: true, from_seq: 1 });
    expect(sent).toEqual([]);
    push({ events: [event(3)], signals: [], caught_up: true, from_seq: 1 });
    expect(sent).toMatchObject([{ signals: [facts, compacting, delta(0, 'a')], events: [event(3)] }]);
    vi.advanceTimersByTime(100);
    expect(sent).toHaveLength(1);
  } finally {
    vi.useRealTimers();
  }
});
