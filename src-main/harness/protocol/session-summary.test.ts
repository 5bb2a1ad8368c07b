import { describe, expect, it } from 'vitest';
import { approvedCall, sampleSession } from '../testing/sample-events';
import type { SessionEvent } from './events';
import { foldSummary, type SessionSummary } from './session-summary';

function fold(events: readonly SessionEvent[]): SessionSummary | null {
  let summary: SessionSummary | null = null;
  for (const event of events) summary = foldSummary(summary, event);
  return summary;
}

describe('the summary of a session', () => {
  const { events } = sampleSession();

  it('follows a turn from working over waiting to done', () => {
    const states = events.map((_event, index) => fold(events.slice(0, index + 1))?.state);
    expect(states.filter((state, index) => state !== states[index - 1])).toEqual([
      'idle',
      'working',
      'needs_you',
      'working',
      'needs_you',
      'working',
      'done',
      'working',
      'needs_you',
      'working',
      'done',
    ]);
    expect(fold(events)).toMatchObject({ waiting: [], last_seq: events.length });
  });

  it('counts each request that waits by its own id', () => {
    const requests = events.filter((event) => event.type === 'approval_requested' && event.turn_id === 't_1');
    const created = events.slice(0, 1);
    const renumbered = requests.map((event, index) => ({ ...event, seq: 2 + index }));
    expect(fold([...created, ...renumbered])?.waiting).toEqual(['a_c1', 'a_c2']);
  });

  it('keeps an unknown outcome in sight when its turn has ended', () => {
    const { finished } = approvedCall('c1');
    const unknown = {
      ...finished,
      seq: 2,
      data: { ...finished.data, outcome: 'outcome_unknown' },
    } as SessionEvent;
    const end = { ...events.at(-1), seq: 3, data: { outcome: 'failed', error: null } } as SessionEvent;
    expect(fold([...events.slice(0, 1), unknown, end])?.state).toBe('unknown');
  });

  it('folds an event once, however often it comes', () => {
    const twice = events.flatMap((event) => [event, event]);
    expect(fold(twice)).toEqual(fold(events));
  });
});
