import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { samplePng } from '../testing/sample-images';
import { decodeImageBase64 } from './decode-image-base64';
import { maxImageBase64Characters } from './image-limits';

const refusal = (words: RegExp) => ({
  ok: false,
  error: { code: 'image_refused', message: expect.stringMatching(words) as string },
});

describe('decodeImageBase64', () => {
  it('S1-64 gives back the bytes, in memory that nothing else shares', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), (bytes) => {
        const decoded = decodeImageBase64(Buffer.from(bytes).toString('base64'));
        expect(decoded).toEqual({ ok: true, value: bytes });
        expect(decoded.ok && decoded.value.buffer.byteLength).toBe(bytes.length);
      }),
    );
  });
  it('S1-69 refuses a text that is too long before it reads it', () => {
    expect(decodeImageBase64('A'.repeat(maxImageBase64Characters)).ok).toBe(true);
    expect(decodeImageBase64('!'.repeat(maxImageBase64Characters + 1))).toMatchObject(
      refusal(/768001 characters of base64; at most 768000/),
    );
  });
  it.each<[string, unknown, RegExp]>([
    ['nothing', '', /empty/],
    ['no text', 5, /no text/],
    ['an address', 'data:image/png;base64,AAAA', /Leave out everything up to the comma/],
    ['a line break', 'AAAA\nAAAA', /space or line break at position 4/],
    ['the URL alphabet', 'AA-_', /not of its alphabet.*position 2/],
    ['a hidden character', 'AAA\u200b', /not of its alphabet/],
    ['missing padding', 'AAA', /multiple of four/],
    ['padding inside', 'AA==AAAA', /padding.*position 2/],
    ['only padding', '====', /padding/],
    ['too much padding', 'A===', /padding/],
    ['bits that belong to no byte', 'AB==', /bits that belong to no byte/],
    ['bits that belong to no byte', 'AAB=', /bits that belong to no byte/],
  ])('refuses %s', (_, text, words) => {
    expect(decodeImageBase64(text)).toMatchObject(refusal(words));
  });
  it('takes one text only for the same bytes', () => {
    const whole = samplePng().toString('base64');
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.string({ minLength: 1, maxLength: 2 }), (at, put) => {
        const text = whole.slice(0, at) + put + whole.slice(at + 1);
        const decoded = decodeImageBase64(text);
        if (decoded.ok) expect(Buffer.from(decoded.value).toString('base64')).toBe(text);
      }),
    );
  });
});
