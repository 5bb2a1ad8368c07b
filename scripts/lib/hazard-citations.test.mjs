import { expect, test } from 'vitest';
import { citationsOf } from './hazard-citations.mjs';

// The check reads this file too: whole numbers after the two words are numbers that docs/hazards.md lists.

/** @param {string} text */
const ids = (text) => citationsOf(text).map(({ id }) => id);

test.each([
  ['a single one', 'hazard 9: one answer', ['hazard 9']],
  ['one in parentheses', 'a name (C4, field report 50)', ['field report 50']],
  ['both kinds', 'as it came (hazard 91, field report 98)', ['hazard 91', 'field report 98']],
  ['a list', 'hazards 27, 79 and 87: holds', ['hazard 27', 'hazard 79', 'hazard 87']],
  ['a list after the singular', 'field report 4, 17: frees', ['field report 4', 'field report 17']],
  ['the beginning of a sentence', 'Field reports 49 and 50', ['field report 49', 'field report 50']],
  ['the short form', 'a broken bundle (report 107)', ['field report 107']],
  ['a wrapped comment', '(hazard\n * 82)', ['hazard 82']],
  ['a wrapped line comment', '// field\n  // report 24', ['field report 24']],
])('reads %s', (_what, text, found) => {
  expect(ids(text)).toEqual(found);
});

test.each(['hazards 82-85', 'hazards 82..85', 'hazards 82…85', 'hazards 82 to 85', 'hazards 82–84, 85'])(
  'reads the range of %j',
  (text) => {
    expect(ids(text)).toEqual(['hazard 82', 'hazard 83', 'hazard 84', 'hazard 85']);
  },
);

test('of a range that makes no sense the two ends count', () => {
  expect(ids('hazards 90-82')).toEqual(['hazard 90', 'hazard 82']);
  expect(ids(`hazards 9-${10 ** 9}`)).toEqual(['hazard 9', `hazard ${10 ** 9}`]);
});

test('sees none in other words', () => {
  const others = [
    'hazards of schema bombs',
    'it reports 0 failures',
    'hazard: 9',
    'biohazard 9',
    'reported 3',
  ];
  for (const text of others) expect(ids(text), text).toEqual([]);
  expect(ids('hazard 21, 256KB of text')).toEqual(['hazard 21']);
});
