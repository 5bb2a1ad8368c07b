import { createHash } from 'node:crypto';
import { fail, ok, type Result } from '../protocol';

/**
 * What reads the app's own files; `node:fs` fits. The host gives its own, because the harness sees an archive as a file
 * while the code of a packaged app lies in one.
 */
export interface CodeReader {
  readFileSync(path: string): Uint8Array;
  readdirSync(
    path: string,
    options: { readonly withFileTypes: true },
  ): readonly { readonly name: string; isDirectory(): boolean }[];
}

/** The app's own built code: files and whole folders, relative to `folder`, with `/`. */
export interface CodePlaces {
  /** Absolute path. */
  readonly folder: string;
  readonly files: readonly string[];
  readonly folders?: readonly string[];
}

/** Source maps lie beside the code during development, run nowhere and are in no package. */
function isCode(name: string): boolean {
  return !name.endsWith('.map');
}

function filesIn(reader: CodeReader, root: string, folder: string): string[] {
  const entries = reader.readdirSync(`${root}/${folder}`, { withFileTypes: true });
  const found = entries.flatMap((entry) => {
    const child = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesIn(reader, root, child) : isCode(child) ? [child] : [];
  });
  if (found.length === 0) throw new Error(`${folder} holds no files`);
  return found;
}

function unreadable(folder: string, error: unknown): { ok: false; error: ReturnType<typeof fail>['error'] } {
  const detail = error instanceof Error ? error.message : String(error);
  return fail(
    'internal',
    `The app cannot read its own code in "${folder}" (${detail}), so no session could say what ran in it. ` +
      'Install the app again.',
  );
}

/**
 * Lower-case hex SHA-256 over the path and the bytes of each file, both with their length before them, in the order of
 * the paths (S0-57, S0-58): another build, another digest, and the same build has the same one wherever it is installed.
 * Reads everything at once; call it once, at start. Fails with `internal` where a file or folder is missing or empty of
 * files.
 */
export function codeDigest(reader: CodeReader, places: CodePlaces): Result<string> {
  const { folder } = places;
  try {
    const inside = (places.folders ?? []).flatMap((name) => filesIn(reader, folder, name));
    const files = [...new Set([...places.files, ...inside])].sort();
    if (files.length === 0) throw new Error('no file is named');
    const hash = createHash('sha256');
    for (const file of files) {
      for (const part of [Buffer.from(file), reader.readFileSync(`${folder}/${file}`)]) {
        const length = Buffer.alloc(8);
        length.writeBigUInt64BE(BigInt(part.length));
        hash.update(length).update(part);
      }
    }
    return ok(hash.digest('hex'));
  } catch (error) {
    return unreadable(folder, error);
  }
}
