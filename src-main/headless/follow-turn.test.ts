import { describe, expect, it } from 'vitest';
import {
  emptySessionView,
  foldSessionEvents,
  type Session,
  type SessionEvent,
  type SessionPush,
  type SessionView,
} from '../harness';
import { followTurn, waitingIds, waitsForPerson } from './follow-turn';

type Told = Pick<SessionEvent, 'type' | 'data'> & { readonly turn_id?: string };

/** Events of turn `t_1` unless they say otherwise, numbered behind `after`. */
function events(told: readonly Told[], after = 0): SessionEvent[] {
  return told.map(
    ({ type, data, turn_id = 't_1' }, index) =>
      ({
        seq: after + index + 1,
        session_id: 's',
        turn_id,
        type,
        version: 1,
        at: '2026-01-01T00:00:00.000Z',
        data,
      }) as SessionEvent,
  );
}

const message = (turn_id: string): Told => ({
  turn_id,
  type: 'message_submitted',
  data: { message_id: `m_${turn_id}`, text: 'Go', attachments: [], mentions: [], follows: null },
});
const proposed = (...ids: string[]): Told => ({
  type: 'assistant_message',
  data: {
    message_id: 'm',
    attempt: 1,
    text: '',
    reasoning: '',
    calls: ids.map((call_id) => ({ call_id, name: 'x__y', qualified_name: 'x.y', arguments: {} })),
    finish_reason: 'tool_calls',
    usage: { input_tokens: null, output_tokens: null },
    partial: false,
  } as unknown as SessionEvent['data'],
});
const asked = (id: string): Told => ({
  type: 'approval_requested',
  data: {
    approval_id: `a_${id}`,
    call_id: id,
    name: 'x__y',
    model_alias: 'x__y',
    qualified_name: 'x.y',
    arguments: {},
  } as unknown as SessionEvent['data'],
});
const started = (id: string): Told => ({
  type: 'tool_started',
  data: {
    call_id: id,
    name: 'x__y',
    qualified_name: 'x.y',
    arguments: {},
  } as unknown as SessionEvent['data'],
});
const finished = (turn_id: string): Told => ({
  turn_id,
  type: 'turn_finished',
  data: { outcome: 'completed', error: null },
});

const view = (...told: Told[]): SessionView => foldSessionEvents(emptySessionView('s'), events(told));
const waits = (...told: Told[]): boolean => {
  const turn = view(...told).turns.get('t_1');
  return turn !== undefined && waitsForPerson(turn);
};

describe('a turn', () => {
  it('waits for a person when all that is open of it does', () => {
    expect(waits(message('t_1'))).toBe(false);
    expect(waits(message('t_1'), proposed('1', '2'), asked('1'))).toBe(false);
    expect(waits(message('t_1'), proposed('1', '2'), asked('1'), asked('2'))).toBe(true);
    expect(waits(message('t_1'), proposed('1', '2'), asked('1'), asked('2'), started('2'))).toBe(false);
    const pause = { pause_id: 'p', kind: 'tokens', used: 2, limit: 1 } as const;
    const paused = [message('t_1'), { type: 'pause_started', data: pause } as const];
    expect(waits(...paused)).toBe(true);
    expect(waitingIds(view(...paused))).toEqual(['p']);
    expect(waits(message('t_1'), proposed('1'), asked('1'), finished('t_1'))).toBe(false);
  });

  it('is followed through what was queued behind it, and to an end that nothing could record', async () => {
    let push: (what: SessionPush) => void = () => undefined;
    let busy = true;
    const session = {
      busy: () => busy,
      subscribe(_after: number, listener: typeof push) {
        push = listener;
        return () => undefined;
      },
    } as unknown as Session;
    const followed = followTurn({ session, view: view(message('t_1')), turn_id: 't_1' });
    const tell = (told: readonly Told[], after: number): void =>
      push({ events: events(told, after), signals: [], caught_up: true, from_seq: 1 });
    tell([finished('t_1'), message('t_2')], 1);
    await new Promise((resolve) => setImmediate(resolve));
    busy = false;
    const error = { code: 'journal_full', message: 'The disk is full.' };
    const signal = { type: 'turn_unrecorded', turn_id: 't_2', error } as const;
    push({ events: [], signals: [signal], caught_up: true, from_seq: 1 });
    expect(await followed).toEqual({ status: 'failed', error, turn_id: 't_2', waiting: [] });
  });
});
