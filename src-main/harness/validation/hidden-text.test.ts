import { describe, expect, it } from 'vitest';
import { hiddenCharacters, sweepHidden } from './hidden-text';

const kinds = (text: string): string[] => hiddenCharacters(text).map(({ kind }) => kind);
const stripped = (text: string): string =>
  sweepHidden(
    text,
    () => true,
    () => undefined,
  );

describe('characters that cannot be seen', () => {
  it.each([
    ['bidi_control', 'a\u202eb'],
    ['bidi_control', 'a\u2066b'],
    ['zero_width', 'a\u200bb'],
    ['zero_width', 'a\ufeffb'],
    ['tag_characters', 'a\u{e0041}b'],
    ['invisible', 'a\u3164b'],
    ['control', 'a\u001bb'],
  ])('hazard 5: finds %s', (kind, text) => {
    expect(hiddenCharacters(text)).toMatchObject([{ index: 1, kind }]);
    expect(stripped(text)).toBe('ab');
  });

  it('leaves alone joiners in emoji and scripts, flags of regions, and ordinary white space', () => {
    const england = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}';
    for (const text of ['👩\u200d💻', 'می\u200cخواهم', england, 'a\tb\r\nc ✔️']) {
      expect(kinds(text)).toEqual([]);
    }
    expect(kinds('a\u200db')).toEqual(['zero_width']);
    expect(kinds(`${england}\u{e0041}`)).toEqual(['tag_characters']);
    expect(kinds(`\u{1f3f4}${'\u{e0041}'.repeat(20)}`)).toHaveLength(13);
  });

  it('hazard 5: takes linear time, however many joiners stand together', () => {
    const text = '👩\u200d'.repeat(60_000);
    const began = performance.now();
    expect(hiddenCharacters(text)).toEqual([]);
    expect(performance.now() - began).toBeLessThan(600);
  });

  it('takes out only what is to go, and tells of all', () => {
    const told: string[] = [];
    const text = 'a\u200bb\u{e0041}c\u{e0042}';
    const swept = sweepHidden(
      text,
      (kind) => kind === 'tag_characters',
      (kind, gone) => told.push(`${kind} ${gone}`),
    );
    expect(swept).toBe('a\u200bbc');
    expect(told).toEqual(['zero_width false', 'tag_characters true', 'tag_characters true']);
  });

  it.each(['\u200b', '\u200d', '\u{e0041}', 'a\u202e'])(
    'hazard 5: a million of %j are no freeze',
    (character) => {
      const text = character.repeat(Math.floor(1_000_000 / character.length));
      const began = performance.now();
      expect(
        sweepHidden(
          text,
          () => true,
          () => undefined,
        ).length,
      ).toBeLessThan(text.length);
      expect(performance.now() - began).toBeLessThan(1_000);
    },
  );
});
