import { createHash } from 'node:crypto';
import { isUint8Array } from 'node:util/types';
import { fail, ok, type Result } from '../protocol';
import { maxImageBase64Characters, maxImageBytes, maxImagePixels, maxImageSide } from './image-limits';
import type { CheckedImage, ImageInput, ImageMediaType } from './image-store-port';
import { readJpeg, type ImageSize } from './read-jpeg';
import { pngSignature, readPng } from './read-png';

/**
 * Checks that bytes are one whole PNG or JPEG of the type that they claim, within the limits (S1-67, S1-69, S1-71). The
 * structure is read and no pixel is decoded; work grows with the number of bytes. Fails with `image_refused`, in words
 * for whoever wrote the tool; never throws, and no message shows any of the bytes.
 */
export function checkImage({ media_type: claimed, data }: ImageInput): Result<CheckedImage> {
  if (!isUint8Array(data)) return refuse('The image has no bytes: give its data as a Uint8Array or Buffer.');
  if (data.byteLength === 0) return refuse('The image is empty.');
  if (data.byteLength > maxImageBytes) return refuse(tooLarge(data.byteLength));
  const found = kindOf(data);
  const known = found === 'image/png' || found === 'image/jpeg';
  if (!isImageMediaType(claimed)) {
    const given = typeof claimed === 'string' ? `"${claimed.slice(0, 100)}"` : 'no text';
    return refuse(`The media type of the image is ${given}. Only image/png and image/jpeg are taken.`);
  }
  if (!known) {
    return refuse(`The image is called ${claimed}, but its bytes are ${found ?? 'neither PNG nor JPEG'}.`);
  }
  if (found !== claimed) {
    return refuse(`The image is called ${claimed}, but its bytes are ${found}. Give the type that fits.`);
  }
  const size = found === 'image/png' ? readPng(data) : readJpeg(data);
  if (!size.ok) return size;
  const problem = sizeProblem(size.value);
  if (problem !== null) return refuse(problem);
  const { width, height } = size.value;
  const digest = createHash('sha256').update(data).digest('hex');
  return ok({ media_type: found, bytes: data.byteLength, digest, width, height });
}

export function isImageMediaType(type: unknown): type is ImageMediaType {
  return type === 'image/png' || type === 'image/jpeg';
}

function tooLarge(bytes: number): string {
  const characters = 4 * Math.ceil(bytes / 3);
  return (
    `The image has ${bytes} bytes, which are ${characters} characters of base64; at most ` +
    `${maxImageBase64Characters} characters (${maxImageBytes} bytes) are taken. Scale it down, or save it as JPEG.`
  );
}

function sizeProblem({ width, height }: ImageSize): string | null {
  if (width === 0 || height === 0)
    return `The image has no area: its header says ${width} × ${height} pixels.`;
  if (width > maxImageSide || height > maxImageSide || width * height > maxImagePixels) {
    return (
      `The image says that it has ${width} × ${height} pixels; at most ${maxImageSide} on a side and ` +
      `${maxImagePixels / 1_000_000} million in all are taken. Scale it down.`
    );
  }
  return null;
}

function startsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}

/** By signature. Some other kinds have a name, for the message. */
function kindOf(bytes: Uint8Array): ImageMediaType | 'GIF' | 'WebP' | 'AVIF or HEIC' | 'SVG or XML' | null {
  if (startsWith(bytes, pngSignature)) return 'image/png';
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'image/jpeg';
  const head = String.fromCharCode(...bytes.subarray(0, 16));
  if (head.startsWith('GIF8')) return 'GIF';
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'WebP';
  if (/^ftyp(avi|hei|mif)/.test(head.slice(4))) return 'AVIF or HEIC';
  if (/^\s*<(svg|\?xml)/.test(head)) return 'SVG or XML';
  return null;
}

function refuse(words: string): Result<never> {
  return fail('image_refused', words);
}
