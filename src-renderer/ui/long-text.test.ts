import { expect, it } from 'vitest';
import { cutAt } from './long-text';

it('never cuts a text inside a pair of surrogates', () => {
  const text = 'ab😀cd';
  expect(cutAt(text, 3)).toBe(2);
  expect(cutAt(text, 4)).toBe(4);
  expect(cutAt(text, text.length)).toBe(text.length);
});
