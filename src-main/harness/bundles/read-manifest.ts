import { coworkerIcons, isCoworkerIcon, type Problem } from '../protocol';
import { idPattern, maxIdLength, type Manifest } from './bundle';
import { createFieldReader, type FieldReader } from './field-checks';
import { readFrontmatter, type Frontmatter } from './frontmatter';

export const manifestFile = 'coworker/manifest.md';

const known = new Set([
  'id',
  'name',
  'tagline',
  'description',
  'icon',
  'version',
  'default_mode',
  'recommended_models',
]);
const maxModels = 20;
const modelPattern = /^[a-z0-9-]+:\S+$/;

export interface ManifestRead {
  readonly manifest: Manifest | null;
  readonly known: Partial<Manifest>;
  readonly problems: readonly Problem[];
}

function readMode(fields: FieldReader): Manifest['default_mode'] | null {
  const field = fields.field('default_mode');
  if (field === undefined) return 'ask';
  if (field.value === 'ask' || field.value === 'read_only') return field.value;
  if (field.value === 'bypass') {
    fields.refuse(
      field.line,
      '"default_mode: bypass" is refused: only the person may decide that nobody is asked. Write "ask" or "read_only".',
    );
  } else {
    fields.refuse(
      field.line,
      '"default_mode" must be "ask" or "read_only". Write one of them, or leave it out.',
    );
  }
  return null;
}

function readModels(fields: FieldReader): readonly string[] | null {
  const field = fields.field('recommended_models');
  if (field === undefined || field.value === null) return [];
  const remedy = 'List each as provider:name, for example "ollama:qwen3".';
  if (!Array.isArray(field.value) || field.value.length > maxModels) {
    fields.refuse(
      field.line,
      `"recommended_models" must be a list of at most ${maxModels} models. ${remedy}`,
    );
    return null;
  }
  const models: unknown[] = field.value;
  const wrong = models.find(
    (model) => typeof model !== 'string' || !modelPattern.test(model) || model.length > 200,
  );
  if (wrong !== undefined) {
    const shown = typeof wrong === 'string' ? `"${wrong.slice(0, 80)}"` : 'an entry that is not text';
    fields.refuse(field.line, `"recommended_models" holds ${shown}. ${remedy}`);
    return null;
  }
  return models.filter((model) => typeof model === 'string');
}

/** Every identity field, null where it has a problem; the problems are with `fields`. */
function readIdentity(fields: FieldReader) {
  const line = { single_line: true };
  return {
    id: fields.text('id', {
      ...line,
      max: maxIdLength,
      pattern: idPattern,
      remedy: 'Use lower-case letters, digits and single dashes, for example "file-organizer".',
    }),
    name: fields.text('name', { ...line, max: 80 }),
    tagline: fields.text('tagline', { ...line, max: 160, fallback: '' }),
    description: fields.text('description', { max: 2_000 }),
    icon: fields.text('icon', {
      ...line,
      max: 64,
      fallback: 'bot',
      pattern: idPattern,
      remedy: `Give one of: ${coworkerIcons.join(', ')}.`,
    }),
    version: fields.text('version', {
      ...line,
      max: 64,
      pattern: /^\d+\.\d+\.\d+([-+][0-9A-Za-z.-]+)?$/,
      remedy: 'Write three numbers, for example "1.0.0".',
    }),
    default_mode: readMode(fields),
    recommended_models: readModels(fields),
  };
}

type MaybeFields<T> = { readonly [K in keyof T]: T[K] | null };

function isComplete(parts: MaybeFields<Manifest>): parts is Manifest {
  return Object.values(parts).every((value) => value !== null);
}

function unknownFields(header: Frontmatter, fields: FieldReader): void {
  const names = [...known].join(', ');
  for (const [name, field] of header.fields) {
    if (known.has(name)) continue;
    const text = `"${name.slice(0, 60)}" is no known field and is ignored. Known are ${names}.`;
    fields.refuse(field.line, text, 'warning');
  }
}

/** An icon that the set lacks is drawn as the plain one: worth a word, no reason to keep the coworker from running. */
function unknownIcon(header: Frontmatter, fields: FieldReader): void {
  const field = header.fields.get('icon');
  if (typeof field?.value !== 'string' || !idPattern.test(field.value) || isCoworkerIcon(field.value)) return;
  const text = `there is no icon "${field.value.slice(0, 60)}", so the plain one is shown. Give one of: ${coworkerIcons.join(', ')}.`;
  fields.refuse(field.line, text, 'warning');
}

/** Reads manifest.md: identity in the header, system instructions below it (S0-26). Finds all problems at once. */
export function readManifest(text: string): ManifestRead {
  const header = readFrontmatter(manifestFile, text);
  const fields = createFieldReader(manifestFile, header);
  const parts: MaybeFields<Manifest> = {
    ...readIdentity(fields),
    instructions: header.body === '' ? null : header.body,
    instructions_line: header.body_line,
  };
  if (header.body === '') {
    fields.refuse(
      header.body_line,
      'there are no instructions. Write below the header how the coworker works.',
    );
  }
  unknownFields(header, fields);
  unknownIcon(header, fields);
  // A header that does not parse hides fields: saying that they are missing would send the author to the wrong place.
  const broken = header.problems.length > 0;
  return {
    manifest: !broken && isComplete(parts) ? parts : null,
    known: Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== null)),
    problems: broken ? header.problems : fields.problems,
  };
}
