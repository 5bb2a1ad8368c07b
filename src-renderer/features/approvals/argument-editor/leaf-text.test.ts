import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hiddenExcerpts, hidesSomething } from './escape-hidden';
import { isLongText, lineEndsOf, proseFirst, withLineEnds } from './leaf-text';
import { readNumber } from './read-number';

describe('fields of text', () => {
  it('field report 27: prose comes first: whom it reaches, what it is about, what it says', () => {
    expect(proseFirst(['silent', 'body', 'id', 'subject', 'cc', 'to'])).toEqual([
      'to',
      'cc',
      'subject',
      'body',
      'silent',
      'id',
    ]);
  });

  it('have several lines where an input of one would drop line ends', () => {
    expect(isLongText('to', 'a\nb')).toBe(true);
    expect(isLongText('to', 'a')).toBe(false);
    expect(isLongText('body', '')).toBe(true);
    expect(isLongText('path', 'x'.repeat(200))).toBe(true);
  });

  it('give back the line ends that a text area takes away', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '\r\n', '\n', 'b', '\r') }), (text) => {
        const ends = lineEndsOf(text);
        const asTheAreaHasIt = text.replaceAll(/\r\n?/g, '\n');
        return ends === 'mixed' || withLineEnds(asTheAreaHasIt, ends) === text;
      }),
    );
    expect(lineEndsOf('a\r\nb\n')).toBe('mixed');
    expect(lineEndsOf('a\rb')).toBe('mixed');
    expect(withLineEnds('a\nb\nc', 'crlf')).toBe('a\r\nb\r\nc');
  });
});

describe('fields of numbers', () => {
  it('read every number that was written out, and give it back', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(readNumber(String(value))).toEqual({ ok: true, value: Number(String(value)) });
      }),
    );
  });

  it.each([
    ['9007199254740993', 'inexact_number'],
    ['1e400', 'inexact_number'],
    ['1,5', 'not_a_number'],
    ['', 'not_a_number'],
    ['-', 'not_a_number'],
    ['0x10', 'not_a_number'],
    ['Infinity', 'not_a_number'],
  ])('refuse %j as %s', (text, code) => {
    expect(readNumber(text)).toMatchObject({ ok: false, error: { code } });
  });

  it('take the ways a person writes a number', () => {
    for (const [text, value] of [
      [' 12 ', 12],
      ['007', 7],
      ['1.50', 1.5],
      ['-0', -0],
      ['1E3', 1000],
      ['12345678901234567000', 12345678901234567000],
    ] as const) {
      expect(readNumber(text)).toEqual({ ok: true, value });
    }
  });
});

describe('hidden characters', () => {
  it('are counted and shown with what stands around them', () => {
    const text = `${'a'.repeat(100)}\u202e${'b'.repeat(100)}`;
    const { count, excerpts } = hiddenExcerpts(text, 3);
    expect(count).toBe(1);
    expect(excerpts).toHaveLength(1);
    expect(excerpts[0]).toMatchObject({ cutBefore: true, cutAfter: true });
    expect(excerpts[0]?.text).toContain('\u202e');
    expect(excerpts[0]?.text.length).toBeLessThan(60);
  });

  it('are no more than the limit, and counted all the same', () => {
    const text = Array.from({ length: 10 }, () => `${'x'.repeat(60)}\u200b`).join('');
    const found = hiddenExcerpts(text, 4);
    expect(found.count).toBe(10);
    expect(found.excerpts).toHaveLength(4);
  });

  it('are neither line ends nor the joints of an emoji', () => {
    expect(hidesSomething('a\r\nb\tc')).toBe(false);
    expect(hidesSomething('👩\u200d👩\u200d👧 ❤\ufe0f')).toBe(false);
    expect(hidesSomething('a\u200db')).toBe(true);
    expect(hidesSomething('a\rb')).toBe(true);
  });
});
