import { describe, expect, it } from 'vitest';
import { activeTurns, emptySessionView, foldSessionEvents } from '../../../src-preload/contract';
import { versionsSession } from '../../testing/fixture-versions';
import { turnPlaces } from './turn-places';
import { endToRead, unknownElsewhere, viewAt } from './use-look';

const view = foldSessionEvents(emptySessionView('s12'), versionsSession().events);
const read = (end: string | null) => activeTurns(viewAt(view, end)).map((turn) => turn.turn_id);

describe('reading another version', () => {
  it('shows its turns and changes nothing of the session', () => {
    expect(read(null)).toEqual(['t3']);
    expect(read('t1')).toEqual(['t1']);
    expect(view.head?.data).toBe('t3');
    expect(turnPlaces(viewAt(view, 't1'))[0]?.branch).toMatchObject({ at: 1, count: 3, next: 't2' });
  });

  it('finds the version that has a turn, and none for a turn of the selected one', () => {
    expect(endToRead(view, 't1')).toBe('t1');
    expect(endToRead(view, 't3')).toBeNull();
  });
});

describe('calls of unknown outcome in other versions', () => {
  it('are found where they are not read, without those that the person stopped', () => {
    expect(unknownElsewhere(view)).toEqual([{ turn_id: 't1', call_id: 'c2' }]);
    expect(unknownElsewhere(viewAt(view, 't1'))).toEqual([]);
  });

  it('are no longer among them once a person has settled them', () => {
    const record = versionsSession();
    record.add('t1', 'call_settled', { call_id: 'c2', settlement: 'happened', note: '' });
    expect(unknownElsewhere(foldSessionEvents(emptySessionView('s12'), record.events))).toEqual([]);
  });
});
