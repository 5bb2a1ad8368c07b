import { fail, ok, type Result } from '../protocol';
import { maxImageBase64Characters } from './image-limits';

/**
 * Decodes the base64 form of an image (S1-64, S1-69) into memory of its own. Length, alphabet and padding are checked
 * before anything is decoded; line breaks, `data:` addresses and the URL alphabet are refused, because only one text
 * stands for an image. Fails with `image_refused`; never throws, and no message shows any of the text.
 */
export function decodeImageBase64(text: unknown): Result<Uint8Array> {
  if (typeof text !== 'string') return refuse('The base64 of the image is no text.');
  if (text === '') return refuse('The image is empty.');
  if (text.length > maxImageBase64Characters) {
    return refuse(
      `The image has ${text.length} characters of base64; at most ${maxImageBase64Characters} are taken. ` +
        'Scale it down, or save it as JPEG.',
    );
  }
  const problem = problemOf(text);
  if (problem !== null) return refuse(`The base64 of the image cannot be read: ${problem}`);
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  Buffer.from(bytes.buffer).write(text, 'base64');
  return ok(bytes);
}

function problemOf(text: string): string | null {
  if (/^data:/i.test(text)) return 'it begins with "data:". Leave out everything up to the comma.';
  const stray = text.search(/[^A-Za-z0-9+/=]/);
  if (stray !== -1) {
    const what = /\s/.test(text.charAt(stray))
      ? 'a space or line break'
      : 'a character that is not of its alphabet (A–Z, a–z, 0–9, + and /)';
    return `there is ${what} at position ${stray}.`;
  }
  const end = text.indexOf('=');
  if (end !== -1 && end < text.length - (text.endsWith('==') ? 2 : 1)) {
    return `the padding "=" stands inside, at position ${end}.`;
  }
  if (text.length % 4 !== 0)
    return 'its length is no multiple of four: it is cut off, or lacks its padding "=".';
  if (end !== -1 && !(text.endsWith('==') ? 'AQgw' : 'AEIMQUYcgkosw048').includes(text.charAt(end - 1))) {
    return 'its last character carries bits that belong to no byte.';
  }
  return null;
}

function refuse(words: string): Result<never> {
  return fail('image_refused', words);
}
