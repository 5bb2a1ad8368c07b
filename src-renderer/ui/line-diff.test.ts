import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineDiff, type TextDiff } from './line-diff';

const all = (diff: TextDiff) => diff.parts.flatMap((part) => part.lines);
const numbered = (count: number): string => Array.from({ length: count }, (_, at) => `${at}\n`).join('');

describe('two texts line by line', () => {
  it('numbers lines in both, and counts what came and went', () => {
    const diff = lineDiff('a\nb\nc\n', 'a\nB\nc\nd\n');
    expect(all(diff).map(({ type, before, after, text }) => [type, before, after, text])).toEqual([
      ['same', 1, 1, 'a'],
      ['removed', 2, null, 'b'],
      ['added', null, 2, 'B'],
      ['same', 3, 3, 'c'],
      ['added', null, 4, 'd'],
    ]);
    expect([diff.added, diff.removed]).toEqual([2, 1]);
  });

  it('marks the words in which a line differs from the one that it replaces', () => {
    const [former, latter] = all(lineDiff('days are two\n', 'days are three\n'));
    expect(former?.words?.filter((word) => word.marked).map((word) => word.text)).toEqual(['two']);
    expect(latter?.words?.filter((word) => word.marked).map((word) => word.text)).toEqual(['three']);
    expect(latter?.words?.map((word) => word.text).join('')).toBe('days are three');
  });

  it('folds what is unchanged and long, and never what changed', () => {
    const diff = lineDiff(numbered(60), numbered(60).replace('30\n', 'thirty\n'));
    expect(diff.parts.map((part) => [part.type, part.lines.length])).toEqual([
      ['fold', 27],
      ['lines', 8],
      ['fold', 26],
    ]);
    const folded = diff.parts.filter((part) => part.type === 'fold').flatMap((part) => part.lines);
    expect(folded.every((line) => line.type === 'same')).toBe(true);
  });

  it('takes a new and a deleted file whole', () => {
    expect(lineDiff(null, 'a\nb')).toMatchObject({ added: 2, removed: 0, open_end: { after: true } });
    expect(lineDiff('a\nb\n', null)).toMatchObject({ added: 0, removed: 2 });
  });

  it('shows a line end of another kind, unless all lines have it', () => {
    expect(all(lineDiff('a\r\nb\r\n', 'a\r\nc\r\n')).some((line) => line.text.includes('\r'))).toBe(false);
    expect(all(lineDiff('a\nb\n', 'a\r\nb\n')).some((line) => line.text === 'a\r')).toBe(true);
  });

  it('leaves no line of either text out, whatever they are', () => {
    const text = fc.array(fc.constantFrom('a', 'b', '', ' ', 'long line of words'), { maxLength: 40 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const end = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
        const lines = all(lineDiff(end(before), end(after)));
        const side = (other: string) => lines.filter((line) => line.type !== other).map((line) => line.text);
        expect(side('added')).toEqual(before);
        expect(side('removed')).toEqual(after);
      }),
    );
  });

  it('puts texts that differ too much one after the other', () => {
    const many = (word: string): string =>
      Array.from({ length: 6_000 }, (_, at) => `${word}${at}\n`).join('');
    const diff = lineDiff(many('a'), many('b'));
    expect(diff.too_different).toBe(true);
    expect([diff.added, diff.removed]).toEqual([6_000, 6_000]);
  });
});
