import { describe, expect, it } from 'vitest';
import { emptySessionView, foldSessionEvents, type SessionEvent } from '../../../src-preload/contract';
import { identity, recorder } from '../../testing/fixture-data';
import { beginTurn, created, response } from '../../testing/fixture-sessions';
import { carriedUse } from './carried-use';

const began = new Date('2026-03-02T10:00:00Z');

/** A session whose first turn has the times of the session before, as continuing copies it. */
function continued(own: boolean, continues = true): readonly SessionEvent[] {
  const record = recorder('new', began);
  const more = continues ? { identity, continues: { session_id: 'old', last_seq: 6 } } : { identity };
  created(record, 'Weekly cleanup', 0, undefined, 'ask', more);
  const from = record.events.length;
  beginTurn(record, 't1', 'Clean up.');
  response(record, 't1', 1, 'Done.', []);
  const to = record.events.length;
  if (own) {
    beginTurn(record, 't2', 'Once more.');
    response(record, 't2', 1, 'Done again.', []);
  }
  return record.events.map((event, index) =>
    index >= from && index < to ? { ...event, at: '2026-03-01T09:00:00.000Z' } : event,
  );
}

const viewOf = (events: readonly SessionEvent[]) => foldSessionEvents(emptySessionView('new'), events);

describe('what a continued session carried over', () => {
  it('is the use of the turns that are older than the session itself', () => {
    const carried = { turns: 1, input_tokens: 2240, output_tokens: 312 };
    expect(carriedUse(viewOf(continued(false)))).toEqual(carried);
    expect(carriedUse(viewOf(continued(true)))).toEqual(carried);
  });

  it('is nothing where the session continues none, or its beginning has not arrived', () => {
    expect(carriedUse(viewOf(continued(true, false)))).toBeNull();
    expect(carriedUse(viewOf(continued(true).slice(1)))).toBeNull();
  });
});
