import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleJpeg, samplePng } from '../testing/sample-images';
import { imageDataLeftOut as gone, withoutImageData, withoutImageDataInJson } from './image-text';

const png = samplePng(64, 64, { padding: 300 }).toString('base64');
const jpeg = sampleJpeg(640, 480).toString('base64');
const gif = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const webp = Buffer.from(`RIFF\u0001\u0002\u0003\u0004WEBPVP8 ${'x'.repeat(60)}`, 'latin1').toString(
  'base64',
);

describe('withoutImageData', () => {
  it.each([
    ['PNG', png],
    ['JPEG', jpeg],
    ['GIF', gif],
    ['WebP', webp],
  ])('S0-35 takes the base64 of a %s out of text, and nothing else', (_, data) => {
    expect(withoutImageData(`Here it is: ${data}. Done.`)).toBe(`Here it is: ${gone}. Done.`);
    expect(withoutImageData(`![shot](data:image/png;base64,${data}) and ${data}`)).toBe(
      `![shot](${gone}) and ${gone}`,
    );
    expect(withoutImageData(`{"shot":"${data}","width":3}`)).toBe(`{"shot":"${gone}","width":3}`);
    expect(withoutImageData(`"${data.replaceAll('/', '\\/')}"`)).toBe(`"${gone}"`);
    expect(withoutImageData(Buffer.from(data, 'base64').toString('base64url'))).toBe(gone);
    expect(withoutImageData(`?shot=${encodeURIComponent(data)}&x=1`)).toBe(`?shot=${gone}&x=1`);
  });
  it.each(['\n', '\r\n', '\\n', '\\r\\n', '\n  '])('S0-35 follows data over line breaks (%j)', (between) => {
    const lines = png.match(/.{1,76}/g) ?? [];
    const text = `The shot:\n${lines.join(between)}\nand words after it`;
    const cleaned = withoutImageData(text);
    expect(cleaned.startsWith(`The shot:\n${gone}`)).toBe(true);
    expect(cleaned).toContain('words after it');
    for (const line of lines.slice(1)) expect(cleaned).not.toContain(line);
  });
  it('S0-35 takes out an address of an image of any type and size', () => {
    expect(withoutImageData('a data:image/svg+xml;charset=utf-8;base64,PHN2Zz4= b')).toBe(`a ${gone} b`);
    expect(withoutImageData('DATA:image/x-icon;base64,AAABAAEA')).toBe(gone);
  });
  it('keeps what only looks similar', () => {
    for (const text of [
      'data:image/png;base64,${shot}',
      'A PNG begins with iVBORw0KGgo in base64.',
      'see /9j/4 and UklGR',
      'data:text/plain;base64,aGVsbG8=',
      'x'.repeat(500),
      '',
    ]) {
      expect(withoutImageData(text)).toBe(text);
    }
  });
  it('leaves any text without image data as it is, and cleans twice to the same', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(png, jpeg, gif, '/9j/', 'data:image/png;base64,', '\n'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const cleaned = withoutImageData(pieces.join(' '));
        expect(withoutImageData(cleaned)).toBe(cleaned);
        for (const data of [png, jpeg, gif]) expect(cleaned).not.toContain(data);
      }),
    );
  });
  it('goes over megabytes in bounded time', () => {
    const from = performance.now();
    expect(withoutImageData('iVBORw0KGgo'.padEnd(4_000_000, 'A'))).toBe(gone);
    withoutImageData(`iVBORw0KGgo${'A'.repeat(20)} `.repeat(100_000));
    withoutImageData('data:image/a;a=a'.repeat(200_000));
    expect(performance.now() - from).toBeLessThan(3_000);
  });
});

it('S0-35 cleans every text and key inside a value', () => {
  expect(
    withoutImageDataInJson({ shots: [{ data: png, n: 1 }, null, true], [jpeg]: 'x', none: undefined }),
  ).toEqual({ shots: [{ data: gone, n: 1 }, null, true], [gone]: 'x' });
});
