import { ok, type Problem, type Result } from '../protocol';
import { readBytes, resolveExisting, type Workspace } from '../workspace';
import { problemAt, problemFrom } from './problem';

export type TextRead =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly missing: boolean; readonly problem: Problem };

/** A file of the bundle as UTF-8 text without byte order mark. A link may lead to a file inside the bundle only. */
export async function readText(bundle: Workspace, file: string, maxBytes: number): Promise<TextRead> {
  const bytes = await bytesOf(bundle, file, maxBytes);
  if (!bytes.ok) {
    const missing = bytes.error.code === 'not_found';
    const problem = missing
      ? problemAt(
          { file },
          'the file is missing. Create it, or choose the folder that holds it.',
          'not_found',
        )
      : problemFrom({ file }, bytes.error);
    return { ok: false, missing, problem };
  }
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes.value) };
  } catch {
    const problem = problemAt({ file }, 'the file is not valid UTF-8 text. Save it as UTF-8.');
    return { ok: false, missing: false, problem };
  }
}

async function bytesOf(bundle: Workspace, file: string, maxBytes: number): Promise<Result<Buffer>> {
  const found = await resolveExisting(bundle, file, { kind: 'file', links: 'inside' });
  if (!found.ok) return found;
  const bytes = await readBytes(bundle, found.value, maxBytes);
  return bytes.ok ? ok(bytes.value) : bytes;
}
