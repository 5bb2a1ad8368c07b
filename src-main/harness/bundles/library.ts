import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fail, ok, type CoworkerCard, type Result } from '../protocol';
import { fsErrorCode } from '../workspace';
import type { Bundle, BundleReading, BundleSource } from './bundle';
import { toCard } from './coworker-card';
import { problemAt } from './problem';
import { readBundle } from './read-bundle';
import { manifestFile } from './read-manifest';

/** `bundle`: the folder is one bundle. `bundles`: each folder directly in it is one. */
export interface LibraryFolder {
  readonly path: string;
  readonly source: BundleSource;
  readonly holds: 'bundle' | 'bundles';
}

export interface LibraryEntry {
  readonly card: CoworkerCard;
  /** Null when the coworker cannot run; the card's problems say why. */
  readonly bundle: Bundle | null;
  readonly folder: string;
}

/** The coworkers of some folders. Every call reads the disk anew, so that an edit shows at once. */
export interface Library {
  /** All coworkers, broken ones too, in the order of the folders and of their names. */
  list(): Promise<readonly LibraryEntry[]>;
  /** A coworker that can run. Failures: `not_found`, `bundle_invalid`. */
  get(id: string): Promise<Result<Bundle>>;
}

async function bundleFolders(folder: LibraryFolder): Promise<string[]> {
  if (folder.holds === 'bundle') return [path.resolve(folder.path)];
  try {
    const entries = await readdir(folder.path, { withFileTypes: true });
    return entries
      .filter((entry) => !entry.name.startsWith('.') && (entry.isDirectory() || entry.isSymbolicLink()))
      .map((entry) => path.resolve(folder.path, entry.name))
      .sort();
  } catch (error) {
    if (fsErrorCode(error) === null) throw error;
    // A folder of bundles that cannot be read keeps a card, so that nobody wonders where its coworkers went.
    return fsErrorCode(error) === 'ENOENT' ? [] : [path.resolve(folder.path)];
  }
}

function withDuplicates(readings: readonly BundleReading[]): LibraryEntry[] {
  const cards = readings.map((reading) => toCard(reading));
  return readings.map((reading, index) => {
    const card = cards[index] ?? toCard(reading);
    const id = reading.known.id;
    const twin = readings.find((other) => other !== reading && id !== undefined && other.known.id === id);
    if (twin === undefined) return { card, bundle: reading.bundle, folder: reading.folder };
    const text =
      `the id "${card.id}" is used in two folders, "${reading.folder}" and "${twin.folder}". ` +
      'Change one of the two ids, or remove one folder.';
    return {
      card: toCard(reading, [problemAt({ file: manifestFile }, text)]),
      bundle: null,
      folder: reading.folder,
    };
  });
}

/** Two paths to one folder are one coworker, not two of one id. */
function distinct(readings: readonly BundleReading[]): BundleReading[] {
  const seen = new Set<string>();
  return readings.filter((reading) => !seen.has(reading.folder) && seen.add(reading.folder) !== undefined);
}

export function openLibrary(deps: { readonly folders: readonly LibraryFolder[] }): Library {
  const list = async (): Promise<readonly LibraryEntry[]> => {
    const readings: BundleReading[] = [];
    for (const folder of deps.folders) {
      for (const place of await bundleFolders(folder)) readings.push(await readBundle(place, folder.source));
    }
    return withDuplicates(distinct(readings));
  };
  return {
    list,
    get: async (id) => {
      const entry = (await list()).find((candidate) => candidate.card.id === id);
      if (entry === undefined) {
        return fail(
          'not_found',
          `There is no coworker "${id}". Choose one of the list, or bring its folder back.`,
        );
      }
      if (entry.bundle !== null) return ok(entry.bundle);
      const errors = entry.card.problems.filter((problem) => problem.severity === 'error');
      const first = errors[0]?.message ?? 'it cannot be read.';
      const more = errors.length > 1 ? ` (${errors.length - 1} more problems.)` : '';
      return fail(
        'bundle_invalid',
        `The coworker "${entry.card.name}" in "${entry.folder}" cannot run. ${first}${more}`,
        {
          folder: entry.folder,
          problems: errors.map((problem) => problem.message),
        },
      );
    },
  };
}
