import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { activeTurns, turnTree } from './branches';
import type { SessionEvent } from './events';
import { foldSessionEvents } from './fold-session';
import { emptySessionView, type SessionView } from './session-view';

function event(seq: number, turnId: string | null, type: string, data: object): SessionEvent {
  const at = '2026-01-01T00:00:00.000Z';
  return { seq, session_id: 's_1', turn_id: turnId, type, version: 1, at, data } as SessionEvent;
}

function opening(seq: number, turnId: string, follows: string | null | undefined): SessionEvent {
  const message = { message_id: `m_${seq}`, text: turnId, attachments: [], mentions: [] };
  return event(seq, turnId, 'message_submitted', follows === undefined ? message : { ...message, follows });
}

const ids = (turns: readonly { readonly turn_id: string }[]): string[] => turns.map((turn) => turn.turn_id);

/** Turns that each follow one of before, or none; now and then a branch is selected. */
interface Plan {
  readonly parent: number;
  readonly old: boolean;
  readonly select: number | null;
}

const plans = fc.array(
  fc.record({
    parent: fc.nat(),
    old: fc.boolean(),
    select: fc.option(fc.nat(), { nil: null, freq: 3 }),
  }),
  { minLength: 1, maxLength: 25 },
);

/** The events of a plan, with what the tree must be: `parents` by turn, and the head. */
function played(plan: readonly Plan[]) {
  const events: SessionEvent[] = [];
  const parents = new Map<string, string | null>();
  let head = '';
  plan.forEach(({ parent, old, select }, index) => {
    const id = `t_${index}`;
    const before = index === 0 ? null : `t_${index - 1}`;
    const place = parent % (index + 1);
    const named = place === index ? null : `t_${place}`;
    parents.set(id, old ? before : named);
    events.push(opening(events.length + 1, id, old ? undefined : named));
    head = id;
    if (select === null) return;
    head = `t_${select % (index + 1)}`;
    events.push(event(events.length + 1, null, 'branch_selected', { turn_id: head }));
  });
  return { events, parents, head };
}

function pathOf(parents: ReadonlyMap<string, string | null>, head: string): string[] {
  const path: string[] = [];
  for (let id: string | null | undefined = head; id; id = parents.get(id)) path.unshift(id);
  return path;
}

describe('the tree of turns', () => {
  it('knows parents, siblings, paths and ends of any history, in whatever order its events arrive', () => {
    const arrival = plans.chain((plan) => {
      const made = played(plan);
      const { length } = made.events;
      return fc
        .shuffledSubarray(made.events, { minLength: length })
        .map((shuffled) => ({ ...made, shuffled }));
    });
    fc.assert(
      fc.property(arrival, ({ shuffled, parents, head }) => {
        const view: SessionView = foldSessionEvents(emptySessionView('s_1'), shuffled);
        const tree = turnTree(view);
        expect(view.head?.data).toBe(head);
        expect(ids(activeTurns(view))).toEqual(pathOf(parents, head));
        for (const [id, parent] of parents) {
          expect(tree.parentOf(id)).toBe(parent);
          const beside = [...parents].filter(([, other]) => other === parent).map(([other]) => other);
          expect(ids(tree.siblingsOf(id))).toEqual(beside);
          const end = tree.newestEndOf(id);
          expect(pathOf(parents, end)).toContain(id);
          expect([...parents.values()]).not.toContain(end);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('reads a journal of before branches as one line', () => {
    const view = foldSessionEvents(
      emptySessionView('s_1'),
      ['a', 'b', 'c'].map((id, index) => opening(index + 1, id, undefined)),
    );
    expect(ids(activeTurns(view))).toEqual(['a', 'b', 'c']);
    expect(turnTree(view).parentOf('a')).toBeNull();
    expect(ids(turnTree(view).siblingsOf('b'))).toEqual(['b']);
  });

  it('says nothing of a turn whose opening is not known yet, and stands a circle', () => {
    const loose = event(9, 't_x', 'turn_finished', { outcome: 'completed', error: null });
    const view = foldSessionEvents(emptySessionView('s_1'), [
      loose,
      opening(1, 'a', 'b'),
      opening(2, 'b', 'a'),
    ]);
    const tree = turnTree(view);
    expect(tree.parentOf('t_x')).toBeUndefined();
    expect(ids(tree.siblingsOf('t_x'))).toEqual(['t_x']);
    expect(tree.siblingsOf('nowhere')).toEqual([]);
    expect(ids(tree.pathTo('a'))).toEqual(['b', 'a']);
    expect(['a', 'b']).toContain(tree.newestEndOf('a'));
  });
});
