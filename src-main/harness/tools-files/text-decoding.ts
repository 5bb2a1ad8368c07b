export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be';

export interface TextStart {
  readonly encoding: TextEncoding;
  /** Bytes of the byte order mark at the start. */
  readonly bom: number;
}

/** Which encoding the first bytes announce. Without a byte order mark it is UTF-8. */
export function detectEncoding(start: Uint8Array): TextStart {
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return { encoding: 'utf-8', bom: 3 };
  if (start[0] === 0xff && start[1] === 0xfe) return { encoding: 'utf-16le', bom: 2 };
  if (start[0] === 0xfe && start[1] === 0xff) return { encoding: 'utf-16be', bom: 2 };
  return { encoding: 'utf-8', bom: 0 };
}

/** Control characters that text files hold; anything else below U+0020 marks a binary file. */
const allowedControls = new Set([0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b]);

/** True when decoded characters are of a kind that text does not hold. */
export function looksBinary(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x20 && !allowedControls.has(code)) return true;
  }
  return false;
}
