import { expect, it } from 'vitest';
import { cutAt, middleCut } from './long-text';

it('never cuts a text inside a pair of surrogates', () => {
  const text = 'ab😀cd';
  expect(cutAt(text, 3)).toBe(2);
  expect(cutAt(text, 4)).toBe(4);
  expect(cutAt(text, text.length)).toBe(text.length);
});

it('shortens a long name in its middle, and says so; a short one stays', () => {
  expect(middleCut('Documents/offer.pdf')).toBe('Documents/offer.pdf');
  const cut = middleCut(`Documents/${'😀'.repeat(200)}/offer.pdf`);
  expect(cut.length).toBeLessThan(120);
  expect(cut).toMatch(/^Documents\/(😀)+ … (😀)+\/offer\.pdf$/u);
});
