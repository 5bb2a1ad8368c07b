import { describe, expect, it } from 'vitest';
import { orderedTurns, type SessionEvent, type Signal } from '../../src-preload/contract';
import {
  dropSessions,
  foldSessionPushes,
  loadsEarlier,
  maxOpenSessions,
  touchSession,
  type SessionsState,
} from './session-store';

const event = (seq: number, type: string, data: unknown, turn: string | null = 't'): SessionEvent =>
  ({
    seq,
    session_id: 's',
    turn_id: turn,
    type,
    version: 1,
    at: '2026-11-30T09:00:00Z',
    data,
  }) as SessionEvent;

const submitted = event(1, 'message_submitted', {
  message_id: 'm',
  text: 'hello',
  attachments: [],
  mentions: [],
});
const finished = event(2, 'turn_finished', { outcome: 'completed', error: null });
const late: Signal = {
  type: 'text_delta',
  turn_id: 't',
  attempt: 1,
  channel: 'text',
  offset: 0,
  text: 'late',
};

const push = (
  events: readonly SessionEvent[],
  signals: readonly Signal[] = [],
  caughtUp = false,
  fromSeq = 1,
) =>
  ({ topic: 'session', session_id: 's', events, signals, caught_up: caughtUp, from_seq: fromSeq }) as const;
const opened = touchSession({ open: new Map() }, 's').state;
const turnOf = (state: SessionsState) => orderedTurns(state.open.get('s')!.view)[0]!;

describe('the store of open sessions', () => {
  it('gives the same view for pushes that come twice or in another order (S1-50, S1-53)', () => {
    const once = foldSessionPushes(opened, [push([submitted, finished])]);
    const again = foldSessionPushes(foldSessionPushes(opened, [push([finished]), push([submitted])]), [
      push([submitted, finished]),
    ]);
    expect(again.open.get('s')?.view).toEqual(once.open.get('s')?.view);
  });

  it('keeps a finished turn finished when a signal comes late', () => {
    const state = foldSessionPushes(foldSessionPushes(opened, [push([submitted, finished])]), [
      push([], [late]),
    ]);
    expect(turnOf(state).finished?.data.outcome).toBe('completed');
    expect(orderedTurns(state.open.get('s')!.view)).toHaveLength(1);
  });

  it('remembers that it has caught up', () => {
    const state = foldSessionPushes(foldSessionPushes(opened, [push([submitted], [], true)]), [
      push([finished]),
    ]);
    expect(state.open.get('s')?.caughtUp).toBe(true);
  });

  it('knows that older parts are on their way until the first event has come', () => {
    const newest = foldSessionPushes(opened, [push([finished], [], true, 2)]).open.get('s')!;
    expect([newest.caughtUp, loadsEarlier(newest)]).toEqual([true, true]);
    const pushes = [push([finished], [], true, 2), push([submitted], [], true, 1), push([], [late], true, 1)];
    const whole = foldSessionPushes(opened, pushes);
    expect(loadsEarlier(whole.open.get('s')!)).toBe(false);
    expect(loadsEarlier(opened.open.get('s')!)).toBe(false);
    expect(turnOf(whole).submitted?.data.text).toBe('hello');
  });

  it('drops pushes for sessions that are not open', () => {
    const closed: SessionsState = { open: new Map() };
    expect(foldSessionPushes(closed, [push([submitted])])).toBe(closed);
  });

  it('shares unchanged turns, so that they are not drawn again', () => {
    const first = foldSessionPushes(opened, [push([submitted])]);
    const other = event(
      3,
      'message_submitted',
      { message_id: 'n', text: '', attachments: [], mentions: [] },
      'u',
    );
    expect(turnOf(foldSessionPushes(first, [push([other])]))).toBe(turnOf(first));
  });

  it('lets go of the session that was used longest ago, and only of it', () => {
    let state: SessionsState = { open: new Map() };
    for (let index = 0; index < maxOpenSessions; index += 1) state = touchSession(state, `s${index}`).state;
    state = touchSession(state, 's0').state;
    const next = touchSession(state, 'new');
    expect(next.dropped).toEqual(['s1']);
    expect(next.isNew).toBe(true);
    expect(touchSession(next.state, 's0').isNew).toBe(false);
  });

  it('forgets removed sessions', () => {
    expect(dropSessions(opened, ['s']).open.size).toBe(0);
    expect(dropSessions(opened, ['x'])).toBe(opened);
  });
});
