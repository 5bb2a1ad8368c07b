import path from 'node:path';
import type { CoworkerCard, Problem } from '../protocol';
import { idPattern, type BundleReading } from './bundle';

/** An id for a bundle that names none: out of the folder's name, for showing and comparing only. */
function idFromFolder(folder: string): string {
  const id = path
    .basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return idPattern.test(id) ? id : 'coworker';
}

/** The card of a bundle. A broken one keeps its place in the list, with its problems and what is known of it. */
export function toCard(reading: BundleReading, more: readonly Problem[] = []): CoworkerCard {
  const { known } = reading;
  return {
    id: known.id ?? idFromFolder(reading.folder),
    name: known.name ?? path.basename(reading.folder),
    tagline: known.tagline ?? '',
    description: known.description ?? '',
    icon: known.icon ?? 'bot',
    version: known.version ?? '',
    default_mode: known.default_mode ?? 'ask',
    recommended_models: known.recommended_models ?? [],
    tools: reading.tools,
    skills: reading.skills,
    source: reading.source,
    problems: [...reading.problems, ...more],
  };
}
