import { describe, expect, it } from 'vitest';
import { randomPlan } from './random-plan';
import { createRandom } from './random';

describe('scenarios of a seed', () => {
  it('come out the same for the same seed, and differ between seeds', () => {
    expect(randomPlan(7)).toEqual(randomPlan(7));
    expect(randomPlan(7)).not.toEqual(randomPlan(8));
  });

  it('have every kind of fault in a few hundred seeds', () => {
    const kinds = new Set(Array.from({ length: 300 }, (_, seed) => randomPlan(seed).runs[0]?.type));
    expect([...kinds].sort()).toEqual(
      ['clock', 'crash', 'disk_full', 'none', 'pause', 'refused', 'second_core', 'server'].sort(),
    );
  });

  it('have every kind of act of a person in a few hundred seeds', () => {
    const sessions = Array.from({ length: 300 }, (_, seed) => randomPlan(seed).sessions).flat();
    const turns = sessions.flatMap((session) => session.turns);
    const steps = turns.flatMap((turn) => turn.steps);
    const kinds = new Set([
      ...turns.map(({ way }) => (way?.type === 'queue' ? way.delivery : way?.type)),
      ...turns.map(({ before }) => before?.type),
      ...sessions.map(({ settlement }) => settlement),
      ...sessions.flatMap(({ limits }) => Object.keys(limits ?? {})),
      ...sessions.map(({ pause }) => (pause?.go_on ? 'go on' : 'halt')),
      ...steps.map(({ fault }) => fault),
      ...steps.flatMap(({ calls }) => calls.map(({ ends }) => ends)),
      ...(steps.some(({ delay_ms, text }) => delay_ms * text.length > 2_000) ? ['slow text'] : []),
    ]);
    const expected = [
      ...['submit', 'edit', 'next_turn', 'this_turn', 'regenerate', 'retry', 'select', 'slow text'],
      ...['happened', 'did_not_happen', 'run_again', 'turns', 'tokens', 'go on', 'halt', 'overflow', 'image'],
    ];
    expect(expected.filter((kind) => !kinds.has(kind))).toEqual([]);
  });

  it('use a generator that stays in its bounds and reaches them', () => {
    const random = createRandom('bounds');
    const drawn = new Set(Array.from({ length: 1_000 }, () => random.int(2, 5)));
    expect([...drawn].sort()).toEqual([2, 3, 4, 5]);
  });
});
