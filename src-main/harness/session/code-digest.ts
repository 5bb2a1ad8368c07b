import { createHash } from 'node:crypto';
import { fail, isJsonObject, ok, type Result } from '../protocol';
import { canonicalDigest } from '../validation/canonical-json';

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

/** The built code that runs in this process: files and whole folders, relative to `folder`, with `/`. */
export interface CodePlaces {
  /** Absolute path; `build.json` lies in it. */
  readonly folder: string;
  readonly files: readonly string[];
  readonly folders?: readonly string[];
}

/** What a build writes beside its code: the lower-case hex SHA-256 of each file, by its path with `/`. */
const buildRecord = 'build.json';

/** Source maps lie beside the code during development, run nowhere and are in no package. */
function isCode(name: string): boolean {
  return !name.endsWith('.map');
}

function filesIn(reader: CodeReader, root: string, folder: string): string[] {
  const entries = reader.readdirSync(`${root}/${folder}`, { withFileTypes: true });
  return entries.flatMap((entry) => {
    const child = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesIn(reader, root, child) : isCode(child) ? [child] : [];
  });
}

function recordedFiles(reader: CodeReader, folder: string): ReadonlyMap<string, string> {
  const record = JSON.parse(
    Buffer.from(reader.readFileSync(`${folder}/${buildRecord}`)).toString(),
  ) as unknown;
  const files = isJsonObject(record) ? record['files'] : null;
  if (!isJsonObject(files)) throw new Error(`${buildRecord} names no files`);
  return new Map(Object.entries(files).map(([name, digest]) => [name, String(digest)]));
}

/** Throws where what is here is not what was built: changed, missing or more. */
function compare(reader: CodeReader, places: CodePlaces, recorded: ReadonlyMap<string, string>): void {
  const { folder, files, folders = [] } = places;
  const within = (name: string) => folders.some((inside) => name.startsWith(`${inside}/`));
  const present = [...files, ...folders.flatMap((inside) => filesIn(reader, folder, inside))];
  const expected = [...files, ...[...recorded.keys()].filter(within)];
  for (const name of new Set([...present, ...expected])) {
    const digest = createHash('sha256')
      .update(reader.readFileSync(`${folder}/${name}`))
      .digest('hex');
    if (digest !== recorded.get(name)) throw new Error(`${name} is not the file that was built`);
  }
}

/**
 * Lower-case hex SHA-256 over the canonical JSON of what the build recorded of all its programs (S0-57, S0-58), after
 * the files of this program were compared with it: another build, another digest; the window and the command line of
 * one build have the same one, wherever they are installed. Reads everything at once; call it once, at start. Fails with
 * `internal` where the record or a file is missing, or a file is not what was built.
 */
export function codeDigest(reader: CodeReader, places: CodePlaces): Result<string> {
  const { folder } = places;
  try {
    if (places.files.length === 0) throw new Error('no file is named');
    const recorded = recordedFiles(reader, folder);
    compare(reader, places, recorded);
    return ok(canonicalDigest(Object.fromEntries(recorded)));
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return fail(
      'internal',
      `The app's own code in "${folder}" cannot be vouched for (${detail}), so no session could say what ran in it. ` +
        'Install the app again.',
    );
  }
}
