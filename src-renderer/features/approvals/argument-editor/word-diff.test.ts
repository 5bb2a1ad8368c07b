import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wordDiff, type WordPiece } from './word-diff';

const joined = (pieces: readonly WordPiece[], without: 'added' | 'removed'): string =>
  pieces.map((piece) => (piece.type === 'skipped' || piece.type === without ? '' : piece.text)).join('');

describe('two texts word by word', () => {
  it('show what was taken out and what was put in', () => {
    expect(wordDiff('Dear Ann, see you on Monday.', 'Dear Ann, see you on Tuesday.')).toEqual([
      { type: 'same', text: 'Dear Ann, see you on ' },
      { type: 'removed', text: 'Monday' },
      { type: 'added', text: 'Tuesday' },
      { type: 'same', text: '.' },
    ]);
  });

  it('are both whole in the pieces, blanks and line ends included', () => {
    const texts = fc.array(fc.constantFrom('a', 'b', ' ', '  ', '\n', '\t', 'word', ',', 'ü', '👩'), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        const [before, after] = [one.join(''), other.join('')];
        const pieces = wordDiff(before, after);
        expect(joined(pieces, 'added')).toBe(before);
        expect(joined(pieces, 'removed')).toBe(after);
      }),
    );
  });

  it('leave out what is far from every change, and say how much', () => {
    const same = 'word '.repeat(200);
    const pieces = wordDiff(`${same}Monday ${same}`, `${same}Tuesday ${same}`);
    expect(pieces[0]).toEqual({ type: 'skipped', count: 920 });
    expect(pieces.filter((piece) => piece.type === 'skipped')).toHaveLength(2);
    expect(JSON.stringify(pieces).length).toBeLessThan(500);
  });

  it('that have next to nothing in common stand one after the other, soon', () => {
    const words = (seed: number): string =>
      Array.from({ length: 20_000 }, (_, at) => ((at * seed) % 7919).toString(36)).join(' ');
    const started = performance.now();
    const pieces = wordDiff(words(31), words(73));
    expect(performance.now() - started).toBeLessThan(3_000);
    expect(pieces.map((piece) => piece.type)).toEqual(['removed', 'added']);
  });
});
