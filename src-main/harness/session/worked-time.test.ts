import { describe, expect, it } from 'vitest';
import { emptySessionView, foldSessionEvents, type NewSessionEvent } from '../protocol';
import { numbered } from '../testing/sample-events';
import { workedByRecord } from './worked-time';

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

function turnOf(events: readonly (readonly [type: NewSessionEvent['type'], second: number, data: object])[]) {
  const made = numbered(events.map(([type, , data]) => ({ type, turn_id: 't1', data }) as NewSessionEvent));
  const timed = made.map((event, index) => ({ ...event, at: at(events[index]?.[1] ?? 0) }));
  const turn = foldSessionEvents(emptySessionView('s_1'), timed).turns.get('t1');
  if (!turn) throw new Error('There is no turn.');
  return turn;
}

const asked = { call_id: 'c1', name: 'x', arguments: {}, approval_id: 'a1' };

describe('the time that a turn worked, by its records', () => {
  it('goes from its opening to its last record', () => {
    const turn = turnOf([['message_submitted', 10, { text: 'Go', follows: null }]]);
    expect(workedByRecord(turn, at(17))).toBe(7_000);
  });

  it('leaves out the time in which it waited for a person, overlapping waits once', () => {
    const turn = turnOf([
      ['message_submitted', 0, { text: 'Go', follows: null }],
      ['approval_requested', 2, asked],
      ['approval_requested', 3, { ...asked, call_id: 'c2', approval_id: 'a2' }],
      ['approval_resolved', 10, { ...asked, outcome: 'allowed' }],
      ['approval_resolved', 12, { ...asked, call_id: 'c2', approval_id: 'a2', outcome: 'allowed' }],
    ]);
    expect(workedByRecord(turn, at(15))).toBe(5_000);
  });

  it('ends where a wait that nobody answered began, and is never negative', () => {
    const waiting = turnOf([
      ['message_submitted', 0, { text: 'Go', follows: null }],
      ['approval_requested', 4, asked],
    ]);
    expect(workedByRecord(waiting, at(4))).toBe(4_000);
    // The clock was set back.
    expect(workedByRecord(turnOf([['message_submitted', 9, { text: 'Go', follows: null }]]), at(1))).toBe(0);
  });
});
