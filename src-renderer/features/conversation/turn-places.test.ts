import { describe, expect, it } from 'vitest';
import { foldSessionEvents, emptySessionView, type SessionView } from '../../../src-preload/contract';
import { recorder } from '../../testing/fixture-data';
import { turnPlaces } from './turn-places';
import { countFor } from './use-shown-turns';

type Opening =
  | { readonly follows: string | null; readonly text: string }
  | { readonly retries: string }
  | { readonly reruns: string }
  | { readonly selects: string };

/** A session of turns that have ended, each completed unless it is named in `failed`. */
function session(turns: Readonly<Record<string, Opening>>, failed: readonly string[] = []): SessionView {
  const record = recorder('s', new Date(0));
  for (const [id, opening] of Object.entries(turns)) {
    if ('selects' in opening) {
      record.add(null, 'branch_selected', { turn_id: opening.selects });
      continue;
    }
    if ('reruns' in opening) {
      const call = { call_id: 'c2', name: 'n', qualified_name: 'n', arguments: {} };
      const of = { turn_id: opening.reruns, call_id: 'c1' };
      record.add(id, 'call_rerun', { follows: opening.reruns, of, call });
    } else if ('retries' in opening) record.add(id, 'turn_retried', { follows: opening.retries });
    else {
      record.add(id, 'message_submitted', {
        message_id: id,
        text: opening.text,
        attachments: [],
        mentions: [],
        follows: opening.follows,
      });
    }
    record.add(id, 'turn_finished', { outcome: failed.includes(id) ? 'failed' : 'completed', error: null });
  }
  return foldSessionEvents(emptySessionView('s'), record.events);
}

const ids = (view: SessionView): string[] => turnPlaces(view).map((place) => place.turn.turn_id);

describe('the turns that are read', () => {
  it('are the path to the head, with the branches beside each', () => {
    const view = session({
      a: { follows: null, text: 'first' },
      b: { follows: 'a', text: 'second' },
      b2: { follows: 'a', text: 'second, in other words' },
    });
    expect(ids(view)).toEqual(['a', 'b2']);
    expect(turnPlaces(view)[0]?.branch).toBeNull();
    expect(turnPlaces(view)[1]?.branch).toEqual({ at: 2, count: 2, previous: 'b', next: null });
  });

  it('go back to an older branch when the person looks at it', () => {
    const view = session({
      a: { follows: null, text: 'first' },
      a2: { follows: null, text: 'first, in other words' },
      select: { selects: 'a' },
    });
    expect(ids(view)).toEqual(['a']);
    expect(turnPlaces(view)[0]?.branch).toMatchObject({ at: 1, next: 'a2' });
  });

  it('let only the head be asked again, and only a head that did not complete go on', () => {
    const view = session(
      { a: { follows: null, text: 'first' }, b: { follows: 'a', text: 'second' }, c: { retries: 'b' } },
      ['b'],
    );
    expect(turnPlaces(view).map(({ regenerates, retries }) => [regenerates, retries])).toEqual([
      [null, false],
      [null, false],
      ['b', false],
    ]);
    const failed = session({ a: { follows: null, text: 'first' } }, ['a']);
    expect(turnPlaces(failed)[0]).toMatchObject({ regenerates: 'a', retries: true });
  });

  it('do not offer to ask again behind a call that was run again: that run would be left out', () => {
    const turns = { a: { follows: null, text: 'first' }, b: { reruns: 'a' } };
    expect(turnPlaces(session(turns)).at(-1)?.regenerates).toBeNull();
    expect(turnPlaces(session({ ...turns, c: { retries: 'b' } }, ['b'])).at(-1)?.regenerates).toBeNull();
    const asked = session({ ...turns, c: { follows: 'b', text: 'and now' } });
    expect(turnPlaces(asked).at(-1)?.regenerates).toBe('c');
  });

  it('are drawn back to the one that something points at', () => {
    const places = turnPlaces(
      session({
        a: { follows: null, text: '' },
        b: { follows: 'a', text: '' },
        c: { follows: 'b', text: '' },
      }),
    );
    expect([countFor(places, 'a', 1), countFor(places, 'c', 2), countFor(places, null, 2)]).toEqual([
      3, 2, 2,
    ]);
  });
});
