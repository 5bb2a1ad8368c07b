import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { maxAttachmentBytes, type AttachmentAdded } from '../../src-preload/contract';
import { fail, ok, type Result, type SubmittedFile } from '../harness';

/** Files that were chosen, pasted or dropped and are not sent yet; kept in memory, bounded. */
export interface PendingAttachments {
  add(file: SubmittedFile): Result<AttachmentAdded>;
  /** Reads a file that the person picked in the system's dialog. */
  addPath(path: string): Promise<Result<AttachmentAdded>>;
  /** Hands the files for these ids over, all or none, and forgets them where `use` answers ok. */
  take<T>(ids: readonly string[], use: (files: readonly SubmittedFile[]) => Result<T>): Result<T>;
}

const maxHeldBytes = 100 * 1024 * 1024;

const typesByExtension: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.pdf': 'application/pdf',
};

function startsWith(bytes: Uint8Array, ...signature: number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}

/** The type that the bytes themselves show; a name or a claim is not believed. */
export function mediaTypeOf(bytes: Uint8Array): string | null {
  if (startsWith(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png';
  if (startsWith(bytes, 0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (startsWith(bytes, 0x47, 0x49, 0x46, 0x38)) return 'image/gif';
  if (startsWith(bytes, 0x52, 0x49, 0x46, 0x46) && startsWith(bytes.subarray(8), 0x57, 0x45, 0x42, 0x50))
    return 'image/webp';
  if (startsWith(bytes, 0x25, 0x50, 0x44, 0x46, 0x2d)) return 'application/pdf';
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\u0000') ? null : 'text/plain';
  } catch {
    return null;
  }
}

function size(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

/** Checks size and content; images, PDF and UTF-8 text are taken. */
export function checkAttachment(name: string, bytes: Uint8Array): Result<SubmittedFile> {
  const limit = size(maxAttachmentBytes);
  if (bytes.byteLength === 0)
    return fail('attachment_refused', `"${name}" is empty, so there is nothing to attach.`);
  if (bytes.byteLength > maxAttachmentBytes) {
    return fail(
      'attachment_refused',
      `"${name}" has ${size(bytes.byteLength)}; at most ${limit} can be attached. Put it into the session's folder instead.`,
    );
  }
  const mediaType = mediaTypeOf(bytes);
  if (mediaType === null) {
    return fail(
      'attachment_refused',
      `"${name}" is neither text, nor a PNG, JPEG, GIF, WebP or PDF file, so a model could not read it.`,
    );
  }
  const claimed = typesByExtension[extname(name).toLowerCase()];
  if (claimed !== undefined && claimed !== mediaType) {
    return fail(
      'attachment_refused',
      `"${name}" says it is ${claimed}, but its content is ${mediaType}. Rename it or choose another file.`,
    );
  }
  return ok({ name: basename(name), media_type: mediaType, bytes });
}

async function readBounded(path: string): Promise<Result<Uint8Array>> {
  const name = basename(path);
  try {
    const file = await open(path, 'r');
    try {
      const stat = await file.stat();
      if (!stat.isFile()) return fail('attachment_refused', `"${name}" is not a regular file.`);
      if (stat.size > maxAttachmentBytes) {
        return fail(
          'attachment_refused',
          `"${name}" has ${size(stat.size)}; at most ${size(maxAttachmentBytes)} can be attached. Put it into the session's folder instead.`,
        );
      }
      return ok(new Uint8Array(await file.readFile()));
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return fail('attachment_refused', `"${name}" cannot be read (${code}). Check its permissions.`);
  }
}

export function createPendingAttachments(): PendingAttachments {
  const held = new Map<string, SubmittedFile>();
  const add = (file: SubmittedFile): Result<AttachmentAdded> => {
    const checked = checkAttachment(file.name, file.bytes);
    if (!checked.ok) return checked;
    let total = checked.value.bytes.byteLength;
    for (const other of held.values()) total += other.bytes.byteLength;
    if (total > maxHeldBytes) {
      return fail(
        'attachment_refused',
        `Too many files wait to be sent (${size(total)}). Send or remove some first.`,
      );
    }
    const id = randomUUID();
    held.set(id, checked.value);
    const { name, media_type, bytes } = checked.value;
    return ok({ attachment_id: id, name, media_type, bytes: bytes.byteLength });
  };
  return {
    add,
    async addPath(path) {
      const bytes = await readBounded(path);
      return bytes.ok ? add({ name: basename(path), media_type: '', bytes: bytes.value }) : bytes;
    },
    take(ids, use) {
      const files: SubmittedFile[] = [];
      for (const id of ids) {
        const file = held.get(id);
        if (!file) return fail('not_found', 'A file that was to be sent is no longer here. Attach it again.');
        files.push(file);
      }
      const used = use(files);
      if (used.ok) for (const id of ids) held.delete(id);
      return used;
    },
  };
}
