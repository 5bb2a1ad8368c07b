import { crc32 } from 'node:zlib';
import { fail, ok, type Result } from '../protocol';
import type { ImageSize } from './read-jpeg';

export const pngSignature: readonly number[] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Bits per sample that each colour type allows (PNG specification, table 11.1). */
const depths: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

const criticalChunks = ['IHDR', 'PLTE', 'IDAT', 'IEND'];

/** Bytes of a chunk around its data: length, type and checksum. */
const frameBytes = 12;

interface Chunk {
  readonly type: string;
  /** Offset of the data, and behind the checksum. */
  readonly start: number;
  readonly length: number;
  readonly next: number;
}

/** A capital first letter says that a picture cannot be shown without the chunk. */
function isEssential(type: string): boolean {
  return /^[A-Z]/.test(type);
}

function refuse(words: string): Result<never> {
  return fail('image_refused', `The image is no intact PNG: ${words}`);
}

/**
 * Reads the size of a PNG whose signature was seen already. Every chunk is walked once: IHDR stands first, pixel data
 * lies in between, and IEND ends the bytes. What comes after it is refused, because it is no part of the picture and
 * would travel unseen. Checksums of the essential chunks must match; a broken comment or colour profile is common, and
 * decoders skip it. Fails with `image_refused`.
 */
export function readPng(bytes: Uint8Array): Result<ImageSize> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let size: ImageSize | null = null;
  let palette = false;
  let needsPalette = false;
  let pixels = false;
  for (let offset = pngSignature.length; ;) {
    const read = readChunk(bytes, view, offset);
    if (!read.ok) return read;
    const { type, start, length, next } = read.value;
    if (size === null) {
      const header = readHeader(view, read.value);
      if (!header.ok) return header;
      size = header.value;
      needsPalette = bytes[start + 9] === 3;
    } else if (type === 'IHDR') {
      return refuse('it has two headers (IHDR).');
    } else if (isEssential(type) && !criticalChunks.includes(type)) {
      return refuse(`its ${type} chunk is marked as essential and not known.`);
    }
    if (type === 'PLTE') palette = true;
    if (type === 'IDAT') {
      if (needsPalette && !palette) return refuse('its palette (PLTE) is missing before the pixel data.');
      pixels ||= length > 0;
    }
    if (type === 'IEND') {
      if (length !== 0) return refuse('its end (IEND) carries data.');
      if (!pixels) return refuse('it has no pixel data (IDAT).');
      const rest = bytes.length - next;
      if (rest > 0) return refuse(`${rest} bytes follow its end (IEND). Cut them off.`);
      return ok(size);
    }
    offset = next;
  }
}

function readChunk(bytes: Uint8Array, view: DataView, offset: number): Result<Chunk> {
  if (offset === bytes.length) return refuse('it ends without IEND. Send the whole file.');
  if (offset + frameBytes > bytes.length) return refuse('it is cut off. Send the whole file.');
  const length = view.getUint32(offset);
  const type = String.fromCharCode(...bytes.subarray(offset + 4, offset + 8));
  if (!/^[A-Za-z]{4}$/.test(type)) return refuse(`at byte ${offset + 4} the name of a chunk should stand.`);
  if (length > bytes.length - offset - frameBytes) {
    return refuse(`it is cut off inside its ${type} chunk. Send the whole file.`);
  }
  const end = offset + 8 + length;
  if (isEssential(type) && crc32(bytes.subarray(offset + 4, end)) !== view.getUint32(end)) {
    return refuse(`the checksum of its ${type} chunk at byte ${offset} does not match.`);
  }
  return ok({ type, start: offset + 8, length, next: end + 4 });
}

function readHeader(view: DataView, { type, start, length }: Chunk): Result<ImageSize> {
  if (type !== 'IHDR' || length !== 13) return refuse('it does not begin with a header (IHDR) of 13 bytes.');
  const [depth, colour] = [view.getUint8(start + 8), view.getUint8(start + 9)];
  if (!depths[colour]?.includes(depth)) {
    return refuse(`its header names colour type ${colour} with ${depth} bits, which does not exist.`);
  }
  if (view.getUint8(start + 10) !== 0 || view.getUint8(start + 11) !== 0 || view.getUint8(start + 12) > 1) {
    return refuse('its header names a compression, filter or interlacing that does not exist.');
  }
  return ok({ width: view.getUint32(start), height: view.getUint32(start + 4) });
}
