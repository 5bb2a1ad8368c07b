import {
  checkImage,
  decodeImageBase64,
  isImageMediaType,
  withoutImageData,
  withoutImageDataInJson,
} from '../images';
import { fail, ok, type Json, type Result } from '../protocol';
import type { ToolImage } from '../tools/tool';

/** Base64 content of a result: an image, a sound, the bytes of a resource. */
export interface Media {
  readonly data: string;
  /** As the server wrote it. */
  readonly mimeType: string;
}

/** An image of a result; `uri` where it came as the bytes of a resource. */
export interface ImageContent extends Media {
  readonly uri?: string;
}

/** The image that goes on, and what the text says of each. */
export interface ReadImages<Item> {
  readonly image: ToolImage | null;
  readonly words: ReadonlyMap<Item, string>;
}

/** Lower case, without parameters, under the registered name. */
function plainType(mimeType: string): string {
  const type = (mimeType.split(';', 1)[0] ?? '').trim().toLowerCase();
  return type === 'image/jpg' ? 'image/jpeg' : type;
}

/** Whether the bytes of a resource are an image by their type. */
export function isImageType(mimeType: string): boolean {
  return plainType(mimeType).startsWith('image/');
}

/**
 * Takes the first image that is a whole PNG or JPEG within the limits (S1-67..S1-71); every other one is spoken of in
 * words, with its type, its size and the reason.
 */
export function readImages<Item extends ImageContent>(items: readonly Item[]): ReadImages<Item> {
  let image: ToolImage | null = null;
  const words = new Map<Item, string>();
  for (const item of items) {
    const facts = `${item.uri === undefined ? '' : `${item.uri}, `}${item.mimeType}, ${sizeOf(item.data)}`;
    if (image !== null) {
      words.set(item, `[Image left out: ${facts}. Only the first image of a result is passed on.]`);
      continue;
    }
    const read = readImage(item);
    if (read.ok) image = read.value;
    words.set(item, read.ok ? `[Image: ${facts}]` : `[Image left out: ${facts}. ${read.error.message}]`);
  }
  return { image, words };
}

function readImage({ data, mimeType }: ImageContent): Result<ToolImage> {
  const type = plainType(mimeType);
  if (!isImageMediaType(type)) {
    return fail('image_refused', 'Only image/png and image/jpeg are passed on.');
  }
  const decoded = decodeImageBase64(data);
  if (!decoded.ok) return decoded;
  const image = { media_type: type, data: decoded.value };
  const checked = checkImage(image);
  return checked.ok ? ok(image) : checked;
}

/** Size of the bytes, in words. */
export function sizeOf(base64: string): string {
  const bytes = Buffer.byteLength(base64, 'base64');
  return bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KB`;
}

const dataLeftOut = '[data left out]';
/** Shorter data is no image, and might be any word. */
const minDataCharacters = 64;
/** So many are looked for anywhere in a text; more of them, only where they stand alone. */
const maxSearched = 16;

/** Takes data out of the text and the structured value of a result. */
export interface MediaCleaner {
  text(text: string): string;
  /** The value's depth must be bounded. */
  json(value: Json): Json;
}

/**
 * Some servers say the base64 of their content once more in the text or in the structured value, or say it only there.
 * Neither reaches the model or the journal (S0-35).
 */
export function createMediaCleaner(media: readonly Media[]): MediaCleaner {
  const distinct = new Set(media.map(({ data }) => data).filter((data) => data.length >= minDataCharacters));
  const searched = [...distinct].slice(0, maxSearched);
  for (const data of searched) distinct.delete(data);
  const clean = (text: string): string => {
    let rest = text;
    for (const data of searched) rest = rest.replaceAll(data, dataLeftOut);
    if (distinct.size > 0) {
      rest = rest.replace(/[A-Za-z0-9+/=_-]+/g, (run) => (distinct.has(run) ? dataLeftOut : run));
    }
    return withoutImageData(rest);
  };
  return { text: clean, json: (value) => withoutImageDataInJson(value, clean) };
}
