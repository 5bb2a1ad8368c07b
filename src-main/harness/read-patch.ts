import { applyPatch, parsePatch, type StructuredPatch } from 'diff';
import { maxShownBytes } from './read-current-file';

/** More than any patch that a person could still look through. */
export const patchLimits = { characters: 512 * 1024, files: 50 } as const;

/** Longest search for places where hunks fit: lines of the file times lines of its hunks. */
const maxSearch = 20_000_000;

/** What a patch says of one file; `from` is null where it makes one, `to` where it takes one away. */
export interface FilePatch {
  readonly from: string | null;
  readonly to: string | null;
  readonly binary: boolean;
  /** Whether `from` stays beside `to`. */
  readonly copies: boolean;
  readonly patch: StructuredPatch;
}

const nowhere = '/dev/null';

/** Names without the `a/` and `b/` that Git puts before both of them. */
function namesOf(patch: StructuredPatch): { from: string | null; to: string | null } | null {
  const { oldFileName: old, newFileName: fresh } = patch;
  if (old === undefined || fresh === undefined) return null;
  const from = patch.isCreate === true || old === nowhere ? null : old;
  const to = patch.isDelete === true || fresh === nowhere ? null : fresh;
  const prefixed = (from === null || from.startsWith('a/')) && (to === null || to.startsWith('b/'));
  if (!prefixed) return { from, to };
  return { from: from?.slice(2) ?? null, to: to?.slice(2) ?? null };
}

/**
 * The files of a unified diff. Null where it is none, is too long, or does not say which file it is about; `path` names
 * the file of a diff without file names.
 */
export function readPatch(text: string, path: string | null): readonly FilePatch[] | null {
  if (text.length > patchLimits.characters) return null;
  let parsed: readonly StructuredPatch[];
  try {
    parsed = parsePatch(text);
  } catch {
    return null;
  }
  const files: FilePatch[] = [];
  for (const patch of parsed) {
    const nameless = patch.oldFileName === undefined && patch.newFileName === undefined;
    const binary = patch.isBinary === true;
    // Words before the first file, or behind the last one, are no part of the diff.
    if (nameless && patch.hunks.length === 0) continue;
    const names = nameless && path !== null ? { from: path, to: path } : namesOf(patch);
    if (!names || (names.from === null && names.to === null)) return null;
    files.push({ ...names, binary, copies: patch.isCopy === true, patch });
  }
  return files.length === 0 || files.length > patchLimits.files ? null : files;
}

function hunkLines({ hunks }: StructuredPatch): number {
  return hunks.reduce((sum, { lines }) => sum + lines.length + 1, 0);
}

function linesOf(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

export type Applied =
  { readonly type: 'fits'; readonly text: string } | { readonly type: 'does_not_fit' | 'too_large' };

/** The text with the hunks applied. Pure; its work is bounded. */
export function applyTo(text: string, { patch }: FilePatch): Applied {
  if (linesOf(text) * hunkLines(patch) > maxSearch) return { type: 'too_large' };
  try {
    const after = applyPatch(text, patch);
    if (after === false) return { type: 'does_not_fit' };
    return after.length > maxShownBytes ? { type: 'too_large' } : { type: 'fits', text: after };
  } catch {
    return { type: 'does_not_fit' };
  }
}
