import { lstat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import {
  fsErrorCode,
  readBytes,
  resolveExisting,
  resolveNew,
  segmentsInside,
  type ResolvedPath,
  type Workspace,
} from './workspace';

/** Largest file that is shown with a change, in bytes; the same holds for what would be written. */
export const maxShownBytes = 512 * 1024;

/** What stands at a path now, links followed. `real` is null where that cannot be told. */
export type CurrentFile =
  | { readonly type: 'text'; readonly real: string; readonly text: string }
  | { readonly type: 'missing'; readonly real: string }
  | { readonly type: 'not_text' | 'too_large'; readonly real: string }
  | { readonly type: 'unreadable'; readonly real: string | null };

/** The text of UTF-8 bytes; null for anything else, and for what has a NUL as no text has. */
export function textOf(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

/** An absolute path in the workspace as the workspace module takes it: relative. Others stay, and are refused there. */
function relativeTo(workspace: Workspace, path: string): string {
  if (!isAbsolute(path)) return path;
  const inside = segmentsInside(workspace.root, path, workspace.platform);
  return inside === null ? path : inside.length === 0 ? '.' : inside.join('/');
}

async function sizeOf(real: string): Promise<number | null> {
  try {
    return (await lstat(real)).size;
  } catch (error) {
    if (fsErrorCode(error) === null) throw error;
    return null;
  }
}

async function readResolved(workspace: Workspace, file: ResolvedPath): Promise<CurrentFile> {
  const { real } = file;
  const size = await sizeOf(real);
  if (size === null) return { type: 'unreadable', real };
  if (size > maxShownBytes) return { type: 'too_large', real };
  const bytes = await readBytes(workspace, file, maxShownBytes);
  if (!bytes.ok) return { type: 'unreadable', real };
  const text = textOf(bytes.value);
  return text === null ? { type: 'not_text', real } : { type: 'text', real, text };
}

/** Looks at one path of the workspace and changes nothing. What lies outside, or behind a link that leads there, stays unread. */
export async function readCurrentFile(workspace: Workspace | null, path: string): Promise<CurrentFile> {
  if (workspace === null) return { type: 'unreadable', real: null };
  const wanted = relativeTo(workspace, path);
  const found = await resolveExisting(workspace, wanted, { kind: 'file', links: 'inside' });
  if (found.ok) return readResolved(workspace, found.value);
  if (found.error.code !== 'not_found') return { type: 'unreadable', real: null };
  const place = await resolveNew(workspace, wanted);
  if (!place.ok) return { type: 'unreadable', real: null };
  return { type: 'missing', real: place.value.real };
}
