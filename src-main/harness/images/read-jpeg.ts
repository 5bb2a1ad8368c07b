import { fail, ok, type Result } from '../protocol';

/** Pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

const startOfImage = 0xd8;
const endOfImage = 0xd9;
const startOfScan = 0xda;
/** Baseline, extended and progressive pictures: what decoders read. */
const readableFrames = [0xc0, 0xc1, 0xc2];
/** Lossless, hierarchical and arithmetic pictures. C4, C8 and CC are other segments. */
const otherFrames = [0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf, 0xde, 0xdf];
/** Would change the height after the fact. */
const defineLines = 0xdc;
/** Each scan makes a decoder go over the whole picture once more; progressive pictures have about ten. */
const maxScans = 100;

interface Segment {
  readonly marker: number;
  /** Offset of its data, behind the length, and of what comes after it. Markers without data have both in one place. */
  readonly start: number;
  readonly end: number;
}

function refuse(words: string): Result<never> {
  return fail('image_refused', `The image is no intact JPEG: ${words}`);
}

/**
 * Reads the size of a JPEG whose first bytes were seen already, walking its segments and scans once, each byte at most
 * twice. One frame header, at least one scan that carries data, and EOI as the very last bytes: what comes after it is
 * refused, because it is no part of the picture and would travel unseen. Fails with `image_refused`.
 */
export function readJpeg(bytes: Uint8Array): Result<ImageSize> {
  let size: ImageSize | null = null;
  let components = 0;
  let scans = 0;
  for (let offset = 2; ;) {
    const read = readSegment(bytes, offset);
    if (!read.ok) return read;
    const { marker, start, end } = read.value;
    offset = end;
    if (marker === endOfImage) {
      if (size === null || scans === 0) return refuse('it ends before any pixel data (SOS).');
      const rest = bytes.length - end;
      return rest > 0 ? refuse(`${rest} bytes follow its end (EOI). Cut them off.`) : ok(size);
    }
    if (otherFrames.includes(marker)) {
      return refuse('it is lossless, hierarchical or arithmetic. Save it as a baseline or progressive JPEG.');
    }
    if (marker === defineLines) return refuse('it gives its height behind the pixel data (DNL).');
    if (readableFrames.includes(marker)) {
      if (size !== null) return refuse('it has two frame headers (SOF).');
      const frame = readFrame(bytes, start, end);
      if (!frame.ok) return frame;
      size = frame.value;
      components = bytes[start + 5] ?? 0;
    }
    if (marker === startOfScan) {
      if (size === null) return refuse('its pixel data (SOS) comes before the frame header (SOF).');
      const count = bytes[start] ?? 0;
      if (count < 1 || count > components || end - start !== 4 + 2 * count) {
        return refuse(`the scan header (SOS) at byte ${start} does not fit the frame header.`);
      }
      offset = endOfScan(bytes, end);
      if (offset === end) return refuse(`the scan at byte ${end} is empty.`);
      scans += 1;
      if (scans > maxScans) return refuse(`it has more than ${maxScans} scans.`);
    }
  }
}

/** A marker may be preceded by any number of FF. */
function readSegment(bytes: Uint8Array, offset: number): Result<Segment> {
  let at = offset;
  if (at < bytes.length && bytes[at] !== 0xff) return refuse(`at byte ${at} a marker should stand.`);
  while (bytes[at] === 0xff) at += 1;
  const marker = bytes[at];
  if (marker === undefined) return refuse('it ends without EOI. Send the whole file.');
  const start = at + 1;
  if (marker === endOfImage) return ok({ marker, start, end: start });
  if (marker < 0xc0 || (marker >= 0xd0 && marker <= startOfImage)) {
    return refuse(`marker FF ${hex(marker)} at byte ${at - 1} has no place there.`);
  }
  const length = ((bytes[start] ?? 0) << 8) | (bytes[start + 1] ?? 0);
  if (start + 2 > bytes.length || start + length > bytes.length) {
    return refuse(`it is cut off inside segment FF ${hex(marker)}. Send the whole file.`);
  }
  if (length < 2) return refuse(`segment FF ${hex(marker)} at byte ${at - 1} has no valid length.`);
  return ok({ marker, start: start + 2, end: start + length });
}

function readFrame(bytes: Uint8Array, start: number, end: number): Result<ImageSize> {
  const [precision = 0, h1 = 0, h2 = 0, w1 = 0, w2 = 0, components = 0] = bytes.subarray(start, end);
  if (precision !== 8) return refuse(`it has ${precision} bits per sample; only 8 are read everywhere.`);
  if (![1, 3, 4].includes(components) || end - start !== 6 + 3 * components) {
    return refuse(
      `its frame header (SOF) names ${components} components and does not have the length for them.`,
    );
  }
  for (let index = 0; index < components; index += 1) {
    const sampling = bytes[start + 7 + 3 * index] ?? 0;
    const [across, down] = [sampling >> 4, sampling & 15];
    if (across < 1 || across > 4 || down < 1 || down > 4) {
      return refuse('its frame header (SOF) names a sampling that does not exist.');
    }
  }
  return ok({ width: (w1 << 8) | w2, height: (h1 << 8) | h2 });
}

/** Where coded data ends: at a marker that is neither a stuffed FF nor a restart. */
function endOfScan(bytes: Uint8Array, from: number): number {
  let at = bytes.indexOf(0xff, from);
  while (at !== -1) {
    const next = bytes[at + 1];
    if (next === undefined) break;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
    at = bytes.indexOf(0xff, next === 0xff ? at + 1 : at + 2);
  }
  return bytes.length;
}

function hex(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, '0');
}
