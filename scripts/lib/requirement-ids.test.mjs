import { expect, test } from 'vitest';
import { idsOf, isKnown, knownIds } from './requirement-ids.mjs';

/** @param {string} title */
const names = (title) => idsOf(title).map(({ id }) => id);

test('knows every id of the two documents and of the decisions', () => {
  expect(knownIds).toHaveLength(83 + 91 + 13);
  expect(['S0-01', 'S0-83', 'S1-91', 'C13'].every(isKnown)).toBe(true);
  expect(['S0-00', 'S0-84', 'S0-1', 'S2-01', 'C0', 'C14'].some(isKnown)).toBe(false);
});

test('reads single ids and lists', () => {
  expect(names('S0-31 S0-33 gives JSON and a text form')).toEqual(['S0-31', 'S0-33']);
  expect(names('refuses colliding aliases (S0-46, C6): both are named')).toEqual(['S0-46', 'C6']);
});

test.each([
  ['two dots', 'S0-73..S0-76 limits'],
  ['an ellipsis', 'limits (S0-73…S0-76)'],
  ['the last number alone', 'S0-73..76: limits'],
  ['a word', 'limits, S0-73 to S0-76'],
])('reads a range with %s', (_what, title) => {
  expect(names(title)).toEqual(['S0-73', 'S0-74', 'S0-75', 'S0-76']);
});

test('a range over the end names the first id that does not exist, and only that one', () => {
  expect(names('C12..C99')).toEqual(['C12', 'C13', 'C14']);
});

test.each([
  ['runs backwards', 'S0-78..S0-73'],
  ['goes from one document to the other', 'S0-73..S1-02'],
  ['goes from a decision to a document', 'C3..S0-04'],
])('a range that %s is one unknown id', (_what, range) => {
  expect(names(range)).toEqual([range]);
  expect(isKnown(range)).toBe(false);
});

test('sees no id in other words', () => {
  expect(names('hazard 9, UTF-16, RFC8785, S0-46b, ABC7 and C7-like')).toEqual([]);
});

test('"(in part)" belongs to the id or range before it', () => {
  expect(idsOf('S1-73 (in part) C5: keeps no pixel')).toEqual([
    { id: 'S1-73', whole: false },
    { id: 'C5', whole: true },
  ]);
  expect(idsOf('S0-34..S0-35 (in part)').map(({ whole }) => whole)).toEqual([false, false]);
});
