import type { Json } from '../protocol';

/** Stands in the place of image data that was found in text. */
export const imageDataLeftOut = '[image data left out]';

/**
 * Where the base64 of an image begins: the payload of a `data:` address, or the signature of a PNG, JPEG, GIF or WebP.
 * Slashes may be escaped as in JSON text, twice even, or stand for the URL alphabet.
 */
const beginnings =
  /(?<address>[Dd][Aa][Tt][Aa]:[Ii]mage\\{0,3}\/[\w.+-]{1,60}(?:;[\w=.+-]{1,60}){0,4};base64,)|(?:iVBORw0KGgo|(?:\\{0,3}\/|_|%2[Ff])9j(?:\\{0,3}\/|_|%2[Ff])[2-7w-z/_\\%]|R0lGOD[dl]|UklGR)(?=[\w+/=\\%-]{24})/g;
/** A signature alone is a coincidence; the smallest images have more characters than this. */
const minSignedCharacters = 40;
/** Encoders that break lines break them at 60 characters or later. */
const minBrokenLine = 57;

/**
 * Text without the base64 of images, each piece replaced by a marker: pixels travel as image content only (S0-35). One
 * pass; what merely looks like words is kept.
 */
export function withoutImageData(text: string): string {
  let result = '';
  let copied = 0;
  beginnings.lastIndex = 0;
  for (let match = beginnings.exec(text); match; match = beginnings.exec(text)) {
    const address = match.groups?.['address'];
    const start = match.index;
    const end = endOfBase64(text, address === undefined ? start : start + address.length);
    if (end - start < (address === undefined ? minSignedCharacters : address.length + 1)) continue;
    result += text.slice(copied, start) + imageDataLeftOut;
    copied = end;
    beginnings.lastIndex = end;
  }
  return copied === 0 ? text : result + text.slice(copied);
}

/** The same for every text and key inside a value. The value's depth must be bounded. */
export function withoutImageDataInJson(value: Json, clean = withoutImageData): Json {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    return (value as readonly Json[]).map((item) => withoutImageDataInJson(item, clean));
  }
  const members = Object.entries(value).flatMap(([key, member]) =>
    member === undefined ? [] : [[clean(key), withoutImageDataInJson(member as Json, clean)] as const],
  );
  return Object.fromEntries(members);
}

/** 1 at the code of each character of base64. */
const symbols = new Uint8Array(128);
for (const one of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=') {
  symbols[one.charCodeAt(0)] = 1;
}
const escapes = /\\{1,3}\/|%2[BbFf]|%3[Dd]/y;
const lineBreak = /(?:\r?\n|(?:\\{1,3}r)?\\{1,3}n)[ \t]*(?=[A-Za-z0-9+/=_-])/y;

function endOfMatch(pattern: RegExp, text: string, from: number): number | null {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : null;
}

/** Characters of base64, of either alphabet, escaped as JSON text or addresses may escape them. */
function endOfSymbols(text: string, from: number): number {
  let end = from;
  for (;;) {
    while (symbols[text.charCodeAt(end)] === 1) end += 1;
    const escaped = endOfMatch(escapes, text, end);
    if (escaped === null) return end;
    end = escaped;
  }
}

/** Follows base64 over line breaks as long as the lines are as long as an encoder makes them. */
function endOfBase64(text: string, from: number): number {
  let line = from;
  for (;;) {
    const end = endOfSymbols(text, line);
    const next = endOfMatch(lineBreak, text, end);
    if (next === null || end - line < minBrokenLine || text[end - 1] === '=') return end;
    line = next;
  }
}
