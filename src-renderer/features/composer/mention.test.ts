import { expect, it } from 'vitest';
import { insertMention, mentionAt } from './mention';

it('finds the mention that is being typed', () => {
  expect(mentionAt('see @no', 7)).toEqual({ start: 4, end: 7, query: 'no' });
  expect(mentionAt('@', 1)).toEqual({ start: 0, end: 1, query: '' });
  expect(mentionAt('(@a/b.t', 7)).toMatchObject({ query: 'a/b.t' });
});

it('finds none in an address, behind a space, or away from the caret', () => {
  expect(mentionAt('mara@example', 12)).toBeNull();
  expect(mentionAt('@a b', 4)).toBeNull();
  expect(mentionAt('see @no', 3)).toBeNull();
});

it('puts the path in and the caret behind it', () => {
  expect(insertMention('see @no please', { start: 4, end: 7, query: 'no' }, 'notes.txt')).toEqual({
    text: 'see @notes.txt please',
    caret: 15,
  });
});
