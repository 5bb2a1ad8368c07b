import { failure, maxAttachmentBytes, type Failure } from '../../../src-preload/contract';

/** A file that may be attached, or why not. Limits are main's too; here they spare a long way for nothing. */
export function checkFile(
  file: { readonly name: string; readonly size: number },
  already: number,
  limits: {
    readonly count: number;
    readonly words: (key: 'count' | 'size' | 'empty', name: string) => string;
  },
): Failure | null {
  if (already >= limits.count) return failure('attachment_refused', limits.words('count', file.name));
  if (file.size > maxAttachmentBytes) return failure('attachment_refused', limits.words('size', file.name));
  if (file.size === 0) return failure('attachment_refused', limits.words('empty', file.name));
  return null;
}

/** The bytes of a file as base64. Rejects when the file cannot be read (a folder, or gone meanwhile). */
export async function base64Of(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const step = 0x8000;
  let text = '';
  for (let start = 0; start < bytes.length; start += step) {
    text += String.fromCharCode(...bytes.subarray(start, start + step));
  }
  return btoa(text);
}
