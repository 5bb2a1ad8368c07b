import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  jpegFrame,
  jpegScanHeader,
  jpegSegment,
  pngChunk,
  pngHeader,
  pngStart,
  sampleJpeg,
  samplePng,
} from '../testing/sample-images';
import { checkImage } from './check-image';
import { maxImageBase64Characters, maxImageBytes, maxImagePixels, maxImageSide } from './image-limits';

const asPng = (data: Uint8Array) => checkImage({ media_type: 'image/png', data });
const asJpeg = (data: Uint8Array) => checkImage({ media_type: 'image/jpeg', data });
const refusal = (words: RegExp) => ({
  ok: false,
  error: { code: 'image_refused', message: expect.stringMatching(words) as string },
});
const idat = pngChunk('IDAT', Buffer.from([1]));
const pngOf = (...chunks: readonly Buffer[]) => asPng(Buffer.concat([pngStart, ...chunks]));
const header = pngChunk('IHDR', pngHeader(4, 3));
const end = pngChunk('IEND');
const jpegOf = (...parts: readonly (Buffer | readonly number[])[]) =>
  asJpeg(Buffer.concat([Buffer.from([0xff, 0xd8]), ...parts.map((part) => Buffer.from(part))]));
const frame = jpegSegment(0xc0, jpegFrame(16, 8));
const scan = Buffer.concat([jpegSegment(0xda, jpegScanHeader), Buffer.from([0x0f])]);
const eoi = [0xff, 0xd9];

describe('checkImage', () => {
  it('S1-67 S1-71 takes a PNG and a JPEG and reads their facts from the bytes', () => {
    const png = samplePng(40, 30);
    expect(asPng(png)).toEqual({
      ok: true,
      value: {
        media_type: 'image/png',
        bytes: png.length,
        digest: createHash('sha256').update(png).digest('hex'),
        width: 40,
        height: 30,
      },
    });
    expect(asJpeg(sampleJpeg(960, 600))).toMatchObject({
      ok: true,
      value: { media_type: 'image/jpeg', width: 960, height: 600 },
    });
  });
  it('S1-71 refuses bytes that are not what their media type says', () => {
    expect(asJpeg(samplePng())).toMatchObject(refusal(/called image\/jpeg, but its bytes are image\/png/));
    expect(asPng(sampleJpeg())).toMatchObject(refusal(/bytes are image\/jpeg\. Give the type that fits/));
    expect(asPng(Buffer.from('GIF89a'))).toMatchObject(refusal(/bytes are GIF/));
    expect(asPng(Buffer.from('RIFFxxxxWEBPVP8 '))).toMatchObject(refusal(/bytes are WebP/));
    expect(asPng(Buffer.from('\0\0\0\u001cftypavif'))).toMatchObject(refusal(/AVIF or HEIC/));
    expect(asPng(Buffer.from('<svg xmlns='))).toMatchObject(refusal(/SVG/));
    expect(asPng(Buffer.from('hello'))).toMatchObject(refusal(/neither PNG nor JPEG/));
  });
  it('S1-67 refuses other media types and what is no bytes at all', () => {
    expect(checkImage({ media_type: 'image/webp', data: samplePng() })).toMatchObject(
      refusal(/"image\/webp"\. Only image\/png and image\/jpeg/),
    );
    expect(checkImage({ media_type: undefined as never, data: samplePng() })).toMatchObject(
      refusal(/no text/),
    );
    expect(asPng(new Uint8Array(0))).toMatchObject(refusal(/empty/));
    for (const data of [null, 'iVBORw0KGgo', [1, 2], { length: 1e9 }]) {
      expect(asPng(data as never)).toMatchObject(refusal(/no bytes/));
    }
  });
  it('S1-69 counts the limit in characters of the encoded form', () => {
    expect(Buffer.alloc(maxImageBytes).toString('base64')).toHaveLength(maxImageBase64Characters);
    const empty = samplePng(4, 3, { padding: 0 }).length;
    const most = samplePng(4, 3, { padding: maxImageBytes - empty });
    expect(most).toHaveLength(maxImageBytes);
    expect(asPng(most).ok).toBe(true);
    expect(asPng(samplePng(4, 3, { padding: maxImageBytes - empty + 1 }))).toMatchObject(
      refusal(/576001 bytes, which are 768004 characters of base64; at most 768000/),
    );
  });
  it.each([
    ['no width', 0, 5],
    ['no height', 5, 0],
    ['too wide', maxImageSide + 1, 1],
    ['too high', 1, maxImageSide + 1],
    ['too many pixels', 8_001, maxImagePixels / 8_000],
  ])('refuses a picture with %s', (_, width, height) => {
    const size = new RegExp(`${width} × ${height} pixels`);
    expect(pngOf(pngChunk('IHDR', pngHeader(width, height)), idat, end)).toMatchObject(refusal(size));
    expect(jpegOf(jpegSegment(0xc0, jpegFrame(width, height)), scan, eoi)).toMatchObject(refusal(size));
  });
  it('takes the largest sides', () => {
    expect(pngOf(pngChunk('IHDR', pngHeader(maxImageSide, 3_906)), idat, end).ok).toBe(true);
    expect(jpegOf(jpegSegment(0xc2, jpegFrame(8_000, 8_000)), scan, scan, eoi).ok).toBe(true);
  });
});

describe('the structure of a PNG', () => {
  it.each<[string, RegExp, () => unknown]>([
    ['no header', /does not begin with a header/, () => pngOf(idat, header, end)],
    ['two headers', /two headers/, () => pngOf(header, header, idat, end)],
    ['a header of 14 bytes', /header/, () => pngOf(pngChunk('IHDR', Buffer.alloc(14)), idat, end)],
    ['an impossible colour', /colour type 2 with 1/, () => pngOf(pngChunk('IHDR', pngHeader(1, 1, 1, 2)))],
    ['no palette', /palette/, () => pngOf(pngChunk('IHDR', pngHeader(1, 1, 8, 3)), idat, end)],
    ['no pixel data', /no pixel data/, () => pngOf(header, pngChunk('IDAT'), end)],
    ['no end', /ends without IEND/, () => pngOf(header, idat)],
    ['an end with data', /carries data/, () => pngOf(header, idat, pngChunk('IEND', Buffer.alloc(1)))],
    [
      'bytes after its end',
      /3 bytes follow its end/,
      () => pngOf(header, idat, end, Buffer.from('PK\u0003')),
    ],
    ['a second picture after it', /follow its end/, () => pngOf(header, idat, end, samplePng())],
    ['an unknown essential chunk', /NoPE/, () => pngOf(header, pngChunk('NoPE'), idat, end)],
    ['nonsense for a chunk', /name of a chunk/, () => pngOf(header, pngChunk('1234'), end)],
    [
      'a length past its end',
      /cut off inside its/,
      () => pngOf(header, Buffer.from('7fffffff494441540000000000', 'hex')),
    ],
  ])('refuses one with %s', (_, words, check) => {
    expect(check()).toMatchObject(refusal(words));
  });
  it('takes unknown chunks that are not essential, and such with a broken checksum', () => {
    const broken = pngChunk('iCCP', Buffer.from('x'));
    broken[broken.length - 1] = 0;
    expect(pngOf(header, broken, idat, end).ok).toBe(true);
    expect(pngOf(header, pngChunk('teSt', Buffer.from('x')), idat, pngChunk('tIME'), end).ok).toBe(true);
  });
});

describe('the structure of a JPEG', () => {
  it.each<[string, RegExp, () => unknown]>([
    ['no frame header', /before the frame header/, () => jpegOf(scan, eoi)],
    ['two frame headers', /two frame headers/, () => jpegOf(frame, frame, scan, eoi)],
    ['no scan', /before any pixel data/, () => jpegOf(frame, eoi)],
    ['an empty scan', /empty/, () => jpegOf(frame, jpegSegment(0xda, jpegScanHeader), eoi)],
    ['no end', /without EOI/, () => jpegOf(frame, scan)],
    ['bytes after its end', /4 bytes follow its end/, () => jpegOf(frame, scan, eoi, [0x50, 0x4b, 3, 4])],
    ['a segment that is cut off', /cut off/, () => jpegOf([0xff, 0xe1, 0xff, 0xff, 1])],
    ['a segment of no length', /no valid length/, () => jpegOf([0xff, 0xe1, 0, 1, 1])],
    ['a marker out of place', /no place/, () => jpegOf([0xff, 0xd0], frame, scan, eoi)],
    ['no marker', /a marker should stand/, () => jpegOf(frame, [1, 2, 3], scan, eoi)],
    ['arithmetic coding', /arithmetic/, () => jpegOf(jpegSegment(0xc9, jpegFrame(16, 8)), scan, eoi)],
    [
      'twelve bits',
      /12 bits/,
      () => jpegOf(jpegSegment(0xc1, [12, ...jpegFrame(16, 8).slice(1)]), scan, eoi),
    ],
    [
      'a frame that is too short',
      /components/,
      () => jpegOf(jpegSegment(0xc0, jpegFrame(16, 8).slice(0, 8))),
    ],
    [
      'a sampling of zero',
      /sampling/,
      () => jpegOf(jpegSegment(0xc0, [...jpegFrame(16, 8).slice(0, 7), 0, 0])),
    ],
    [
      'a height that comes later',
      /behind the pixel data/,
      () => jpegOf(frame, scan, jpegSegment(0xdc, [9, 9]), eoi),
    ],
    [
      'scans of other components',
      /scan header/,
      () => jpegOf(frame, jpegSegment(0xda, [2, 1, 0, 2, 0, 0, 63, 0]), eoi),
    ],
    ['scans without end', /more than 100 scans/, () => jpegOf(frame, ...Array<Buffer>(200).fill(scan), eoi)],
  ])('refuses one with %s', (_, words, check) => {
    expect(check()).toMatchObject(refusal(words));
  });
  it('takes fill bytes, restarts, stuffed bytes and a thumbnail inside a segment', () => {
    const thumbnail = jpegSegment(0xe1, [...sampleJpeg()]);
    const coded = Buffer.from([0x0f, 0xff, 0x00, 0x0f, 0xff, 0xd0, 0x0f]);
    const whole = [thumbnail, [0xff, 0xff, 0xff], frame.subarray(1), scan, coded, [0xff, 0xff], eoi.slice(1)];
    expect(jpegOf(...whole)).toMatchObject({ ok: true, value: { width: 16, height: 8 } });
  });
});

describe('damaged pictures', () => {
  const png = samplePng(7, 5);
  const jpeg = sampleJpeg(24, 16);
  const flip = (bytes: Buffer, at: number, by: number): Buffer => {
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) ^ by;
    return copy;
  };
  it('S1-71 refuses every beginning of a picture, and every picture with more behind it', () => {
    for (let length = 0; length < png.length; length += 1)
      expect(asPng(png.subarray(0, length)).ok).toBe(false);
    for (let length = 0; length < jpeg.length; length += 1) {
      expect(asJpeg(jpeg.subarray(0, length)).ok).toBe(false);
    }
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 40 }), (more) => {
        expect(asPng(Buffer.concat([png, more])).ok).toBe(false);
        expect(asJpeg(Buffer.concat([jpeg, more])).ok).toBe(false);
      }),
    );
  });
  it('S1-71 never takes a PNG of which any byte was changed', () => {
    fc.assert(
      fc.property(fc.nat(png.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
        expect(asPng(flip(png, at, by)).ok).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });
  it('S1-71 never takes a JPEG whose signature, frame header or end was damaged', () => {
    const sof = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
    // Marker, length, precision, number of components; width and height carry no check sum.
    const places = [0, 1, 2, sof, sof + 2, sof + 3, sof + 4, sof + 9, jpeg.length - 2, jpeg.length - 1];
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.integer({ min: 1, max: 255 }), (at, by) => {
        expect(asJpeg(flip(jpeg, at, by)).ok).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });
  it('never throws, and what it takes is within the limits, whatever the bytes are', () => {
    const edit = fc.record({ at: fc.nat(300), cut: fc.nat(20), put: fc.uint8Array({ maxLength: 20 }) });
    const start = fc.constantFrom(png, jpeg);
    fc.assert(
      fc.property(start, fc.array(edit, { minLength: 1, maxLength: 4 }), (bytes, edits) => {
        let data: Buffer = bytes;
        for (const { at, cut, put } of edits) {
          data = Buffer.concat([data.subarray(0, at), put, data.subarray(at + cut)]);
        }
        for (const checked of [asPng(data), asJpeg(data)]) {
          if (!checked.ok) {
            expect(checked.error.code).toBe('image_refused');
            continue;
          }
          const { width, height } = checked.value;
          expect(width * height).toBeGreaterThan(0);
          expect(Math.max(width, height)).toBeLessThanOrEqual(maxImageSide);
        }
      }),
      { numRuns: 2_000 },
    );
  });
  it('does bounded work on bytes that are made to be walked slowly', () => {
    const chunks = Buffer.concat([pngStart, header, ...Array<Buffer>(47_000).fill(pngChunk('teSt'))]);
    const segments = Buffer.concat([
      Buffer.from([0xff, 0xd8]),
      ...Array<Buffer>(140_000).fill(jpegSegment(0xe1, [])),
    ]);
    const fill = Buffer.alloc(maxImageBytes, 0xff);
    fill[1] = 0xd8;
    const from = performance.now();
    expect(asPng(chunks).ok || asJpeg(segments).ok || asJpeg(fill).ok).toBe(false);
    expect(performance.now() - from).toBeLessThan(1_000);
  });
});
