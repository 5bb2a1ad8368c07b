import { crc32, deflateSync } from 'node:zlib';

/** Real pictures, built byte by byte: any decoder shows them. */

export const pngStart = Buffer.from('89504e470d0a1a0a', 'hex');

export function pngChunk(type: string, data: Uint8Array = Buffer.alloc(0)): Buffer {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, 'latin1');
  chunk.set(data, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
  return chunk;
}

/** The fields of a header; eight bits of grey unless given. */
export function pngHeader(width: number, height: number, depth = 8, colour = 0): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colour, 0, 0, 0], 8);
  return header;
}

/** A grey PNG. `shade` makes pictures that differ; `padding` adds a comment of so many bytes. */
export function samplePng(width = 4, height = 3, options: { shade?: number; padding?: number } = {}): Buffer {
  const rows = Buffer.alloc((width + 1) * height, options.shade ?? 128);
  for (let row = 0; row < height; row += 1) rows[row * (width + 1)] = 0;
  const { padding } = options;
  const comment = padding === undefined ? [] : [pngChunk('tEXt', Buffer.alloc(padding, 'Comment\0'))];
  return Buffer.concat([
    pngStart,
    pngChunk('IHDR', pngHeader(width, height)),
    ...comment,
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND'),
  ]);
}

export function jpegSegment(marker: number, data: readonly number[]): Buffer {
  const length = data.length + 2;
  return Buffer.from([0xff, marker, length >> 8, length & 255, ...data]);
}

export function jpegFrame(width: number, height: number): number[] {
  return [8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0];
}

export const jpegScanHeader: readonly number[] = [1, 1, 0, 0, 63, 0];

/** A grey baseline JPEG: each block of 8 × 8 pixels is two bits, "no change" and "end of block". */
export function sampleJpeg(width = 16, height = 8): Buffer {
  const bits = 2 * Math.ceil(width / 8) * Math.ceil(height / 8);
  const coded = Buffer.alloc(Math.ceil(bits / 8));
  if (bits % 8 !== 0) coded[coded.length - 1] = 0xff >> (bits % 8);
  const oneCode = [1, ...Array<number>(15).fill(0), 0];
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xe0, [0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    jpegSegment(0xdb, [0, ...Array<number>(64).fill(16)]),
    jpegSegment(0xc0, jpegFrame(width, height)),
    jpegSegment(0xc4, [0x00, ...oneCode]),
    jpegSegment(0xc4, [0x10, ...oneCode]),
    jpegSegment(0xda, jpegScanHeader),
    coded,
    Buffer.from([0xff, 0xd9]),
  ]);
}
