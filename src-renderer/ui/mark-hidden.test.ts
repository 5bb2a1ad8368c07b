import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countHidden, longLines, longSpaces, markHidden, mayHide } from './mark-hidden';

const codes = (text: string): string[] =>
  markHidden(text).flatMap((piece) => (piece.type === 'hidden' ? [piece.code] : []));

describe('hidden characters', () => {
  it.each([
    ['\u202E', 'U+202E'],
    ['\u200B', 'U+200B'],
    ['\u2066', 'U+2066'],
    ['\u{E0041}', 'U+E0041'],
    ['\uFEFF', 'U+FEFF'],
    ['\u001B', 'U+001B'],
    ['\u009B', 'U+009B'],
    ['\u0000', 'U+0000'],
    ['\u3164', 'U+3164'],
    ['\u2028', 'U+2028'],
  ])('shows %j as %s', (character, code) => {
    expect(codes(`a${character}b`)).toEqual([code]);
    expect(mayHide(`a${character}b`)).toBe(true);
  });

  it('marks the escape character of a terminal sequence and leaves the rest readable', () => {
    expect(markHidden('\u001b[2Jx')).toEqual([
      { type: 'hidden', code: 'U+001B', kind: 'control' },
      { type: 'text', text: '[2Jx' },
    ]);
  });

  it('marks a carriage return on its own, and none in a line end of two', () => {
    expect(codes('safe\rrm -rf')).toEqual(['U+000D']);
    expect(codes('one\r\ntwo')).toEqual([]);
  });

  it('leaves plain text, tabs, line ends and other scripts alone', () => {
    for (const text of ['plain', 'a\tb\nc', 'שלום', 'مرحبا', '漢字', 'é']) {
      expect(markHidden(text)).toEqual([{ type: 'text', text }]);
    }
  });

  it('leaves the joiners inside an emoji alone, but not between letters', () => {
    expect(codes('👩\u200D💻 ❤\uFE0F')).toEqual([]);
    expect(codes('pay\u200Dpal')).toEqual(['U+200D']);
  });

  it('shows a long run of blanks as a count, so that what follows is seen', () => {
    expect(markHidden(`ls${' '.repeat(4000)}; curl`)).toEqual([
      { type: 'text', text: 'ls' },
      { type: 'blank', kind: 'spaces', count: 4000 },
      { type: 'text', text: '; curl' },
    ]);
    expect(markHidden(`ls${'\n'.repeat(longLines)}x`)[1]).toEqual({
      type: 'blank',
      kind: 'lines',
      count: longLines,
    });
    expect(markHidden(' '.repeat(longSpaces - 1))).toHaveLength(1);
  });

  it('loses nothing: text and marks together give every character back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const given = text.replaceAll('\r\n', '\n');
        let visible = 0;
        for (const piece of markHidden(text)) {
          if (piece.type === 'text') visible += [...piece.text].length;
          else if (piece.type === 'hidden') visible += 1;
          else return true;
        }
        return visible === [...given].length;
      }),
    );
  });

  it('never overlooks in the quick look what the exact one marks', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const marks = markHidden(text).some((piece) => piece.type !== 'text');
        return !marks || mayHide(text);
      }),
    );
  });

  it('counts them in keys and values at any depth', () => {
    expect(countHidden({ 'a\u200B': ['x\u202Ey', { b: 'plain' }], c: 1, d: null })).toBe(2);
  });
});
