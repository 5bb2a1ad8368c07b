import { expect, it } from 'vitest';
import { columnLimits, defaultLayout, parseLayout } from './layout';

it('gives back what it kept', () => {
  const kept = { left: { width: 300, open: false }, right: { width: 260, open: true } };
  expect(parseLayout(JSON.parse(JSON.stringify(kept)))).toEqual(kept);
});

it('takes the default for anything else and bounds the widths', () => {
  for (const value of [null, 3, 'x', {}, { left: 3 }, { left: { width: NaN } }]) {
    expect(parseLayout(value)).toEqual(defaultLayout);
  }
  expect(parseLayout({ left: { width: 9999 }, right: { width: -1 } })).toEqual({
    left: { width: columnLimits.left.max, open: true },
    right: { width: columnLimits.right.min, open: true },
  });
});
