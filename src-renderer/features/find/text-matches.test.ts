import { expect, it } from 'vitest';
import { findMatches, maxMatches } from './text-matches';

const block = {};

it('finds whatever the case, in order', () => {
  expect(findMatches([{ text: 'Price and price', block }], 'PRICE')).toEqual([
    { startChunk: 0, startOffset: 0, endChunk: 0, endOffset: 5 },
    { startChunk: 0, startOffset: 10, endChunk: 0, endOffset: 15 },
  ]);
});

it('finds across pieces of one block, and never across two blocks', () => {
  const pieces = [
    { text: 'pri', block },
    { text: 'ce', block },
  ];
  expect(findMatches(pieces, 'price')).toEqual([
    { startChunk: 0, startOffset: 0, endChunk: 1, endOffset: 2 },
  ]);
  expect(findMatches([pieces[0]!, { text: 'ce', block: {} }], 'price')).toEqual([]);
});

it('keeps its places behind letters whose lower case is longer', () => {
  expect(findMatches([{ text: 'İ x', block }], 'x')).toEqual([
    { startChunk: 0, startOffset: 2, endChunk: 0, endOffset: 3 },
  ]);
});

it('finds nothing for nothing, and stops at a bound', () => {
  expect(findMatches([{ text: 'abc', block }], '')).toEqual([]);
  expect(findMatches([{ text: 'a'.repeat(5000), block }], 'a')).toHaveLength(maxMatches);
});
