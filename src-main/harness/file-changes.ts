import type { FileChange } from './protocol';
import { maxShownBytes, readCurrentFile, type CurrentFile } from './read-current-file';
import { applyTo, readPatch, type FilePatch } from './read-patch';
import type { Workspace } from './workspace';

/** All texts of one request together, in UTF-16 units. */
const maxShownTotal = 4 * 1024 * 1024;

/** What one file comes to while the parts of a patch are applied one after the other, in memory. */
interface Draft {
  readonly path: string;
  readonly real: string | null;
  readonly before: string | null;
  /** Null where there is no file. */
  now: string | null;
  problem: FileChange['state'] | null;
}

function draftOf(path: string, current: CurrentFile): Draft {
  const { type, real } = current;
  if (type === 'text') return { path, real, before: current.text, now: current.text, problem: null };
  return { path, real, before: null, now: null, problem: type === 'missing' ? null : type };
}

function changeOf({ path, real, before, now, problem }: Draft): FileChange {
  const place = { path, real_path: real };
  if (problem) {
    const half = problem === 'does_not_fit' || now === before;
    return { ...place, before, after: half ? null : now, state: problem };
  }
  if (before === now) return { ...place, before, after: now, state: 'same' };
  if (before === null) return { ...place, before, after: now, state: 'new' };
  return { ...place, before, after: now, state: now === null ? 'deleted' : 'changed' };
}

/** Texts are left out of the changes behind which they would be more than anybody looks through. */
function bounded(changes: readonly FileChange[]): readonly FileChange[] {
  let total = 0;
  return changes.map((change) => {
    total += (change.before?.length ?? 0) + (change.after?.length ?? 0);
    return total > maxShownTotal ? { ...change, before: null, after: null, state: 'too_large' } : change;
  });
}

/** What writing the whole new content of a file would change. */
export async function writeChange(
  workspace: Workspace | null,
  path: string,
  content: string,
): Promise<FileChange> {
  const draft = draftOf(path, await readCurrentFile(workspace, path));
  if (Buffer.byteLength(content) > maxShownBytes) return changeOf({ ...draft, problem: 'too_large' });
  return changeOf({ ...draft, now: content });
}

type Look = (path: string) => Promise<Draft>;

/** Makes `to` out of `from`, which goes unless it is copied; both may be the same file. */
function rewrite(file: FilePatch, from: Draft, to: Draft): void {
  if (from !== to && to.now !== null) {
    to.problem ??= 'does_not_fit';
    return;
  }
  const after = from.now === null ? null : applyTo(from.now, file);
  if (after?.type !== 'fits') {
    to.problem ??= from.problem ?? after?.type ?? 'does_not_fit';
    return;
  }
  if (from !== to && !file.copies) from.now = null;
  to.now = after.text;
}

function create(file: FilePatch, to: Draft): void {
  const after = to.now === null ? applyTo('', file) : null;
  if (after?.type === 'fits') to.now = after.text;
  else to.problem ??= after?.type ?? 'does_not_fit';
}

function remove(file: FilePatch, from: Draft): void {
  const after = from.now === null ? null : applyTo(from.now, file);
  // Git leaves the lines of a removed file out on demand; what says nothing of them takes the file as it is.
  const empty = after?.type === 'fits' && (after.text === '' || file.patch.hunks.length === 0);
  if (empty) from.now = null;
  else from.problem ??= 'does_not_fit';
}

async function applyFile(file: FilePatch, look: Look): Promise<void> {
  const { from, to, patch } = file;
  const target = to === null ? null : await look(to);
  const source = from === null || from === to ? target : await look(from);
  for (const draft of [source, target]) if (draft && file.binary) draft.problem ??= 'not_text';
  if (source?.problem || target?.problem) return;
  if (from === null) {
    if (target) create(file, target);
  } else if (!target) {
    if (source) remove(file, source);
  } else if (source) {
    // Plain diffs name a copy of the file beside it, such as `a.txt.orig`: what is there is what gets changed.
    const named = patch.isRename === true || patch.isCopy === true || target.now === null;
    rewrite(file, named ? source : target, target);
  }
}

/** What a unified diff would change, file by file, as far as it fits what is there now; null where it is no diff. */
export async function patchChanges(
  workspace: Workspace | null,
  text: string,
  path: string | null,
): Promise<readonly FileChange[] | null> {
  const files = readPatch(text, path);
  if (!files) return null;
  const drafts = new Map<string, Draft>();
  const look: Look = async (name) => {
    const current = await readCurrentFile(workspace, name);
    const key = current.real ?? name;
    const draft = drafts.get(key) ?? draftOf(name, current);
    drafts.set(key, draft);
    return draft;
  };
  for (const file of files) await applyFile(file, look);
  // What is not there and stays so was only asked about.
  const changes = [...drafts.values()].map(changeOf);
  return bounded(changes.filter(({ state, before }) => state !== 'same' || before !== null));
}
