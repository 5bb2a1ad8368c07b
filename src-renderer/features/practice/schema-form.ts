import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '../../../src-preload/contract';

interface FieldBase {
  readonly key: string;
  readonly title: string;
  readonly description: string | null;
  readonly required: boolean;
}

/** One input of a form that is made from a JSON Schema. */
export type Field =
  | (FieldBase & { readonly kind: 'text'; readonly multiline: boolean; readonly initial: string })
  | (FieldBase & { readonly kind: 'number'; readonly integer: boolean; readonly initial: string })
  | (FieldBase & { readonly kind: 'boolean'; readonly initial: string })
  | (FieldBase & { readonly kind: 'choice'; readonly options: readonly Json[]; readonly initial: string })
  | (FieldBase & { readonly kind: 'list'; readonly item: Field })
  | (FieldBase & { readonly kind: 'group'; readonly fields: readonly Field[] })
  /** What no simple input can hold is written as JSON. */
  | (FieldBase & { readonly kind: 'json'; readonly initial: string });

/** What the person has typed so far: text for every leaf, so that half a number is no error yet. */
export type Draft = string | readonly Draft[] | { readonly [key: string]: Draft };

export type FormProblem = {
  readonly path: string;
  readonly problem: 'required' | 'not_a_number' | 'not_an_integer' | 'not_json';
};

const maxDepth = 5;
/** A schema that branches into itself would make a form without end: what is beyond is written as JSON. */
const maxFields = 200;

interface Budget {
  left: number;
}

function localReference(root: JsonSchema, reference: string): JsonSchema | null {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return null;
  let at: Json | undefined = root;
  for (const part of reference.slice(2).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isJsonObject(at) || !Object.hasOwn(at, name)) return null;
    at = at[name];
  }
  return isJsonObject(at) ? at : null;
}

/** Follows local references and takes `null` out of a choice of two: an empty field says it as well. */
function resolve(root: JsonSchema, schema: JsonSchema, depth: number): JsonSchema {
  const reference = schema.$ref;
  if (typeof reference === 'string' && depth < maxDepth) {
    const target = localReference(root, reference);
    return target ? resolve(root, target, depth + 1) : schema;
  }
  const either = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(either) && depth < maxDepth) {
    const others = (either as readonly Json[]).filter((one) => isJsonObject(one) && one.type !== 'null');
    const only = others[0];
    if (others.length === 1 && isJsonObject(only)) {
      return { ...resolve(root, only, depth + 1), ...pick(schema, ['title', 'description', 'default']) };
    }
  }
  return schema;
}

function pick(schema: JsonSchema, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.filter((key) => schema[key] !== undefined).map((key) => [key, schema[key]]));
}

function typeOf(schema: JsonSchema): string | null {
  const { type } = schema;
  if (typeof type === 'string') return type;
  if (!Array.isArray(type)) return isJsonObject(schema.properties) ? 'object' : null;
  const others = (type as readonly Json[]).filter((one) => one !== 'null');
  return others.length === 1 && typeof others[0] === 'string' ? others[0] : null;
}

function initialText(schema: JsonSchema): string {
  const value = schema.default;
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

interface Place {
  readonly root: JsonSchema;
  readonly budget: Budget;
  readonly depth: number;
}

function fieldOf(place: Place, given: Json, key: string, required: boolean): Field {
  const { root, budget, depth } = place;
  const inner: Place = { root, budget, depth: depth + 1 };
  const full = depth >= maxDepth || budget.left <= 0;
  budget.left -= 1;
  const schema = resolve(root, isJsonObject(given) ? given : {}, depth);
  const base: FieldBase = {
    key,
    title: typeof schema.title === 'string' ? schema.title : key,
    description: typeof schema.description === 'string' ? schema.description : null,
    required,
  };
  const initial = initialText(schema);
  const json: Field = { ...base, kind: 'json', initial };
  if (Array.isArray(schema.enum)) {
    const options = schema.enum as readonly Json[];
    const at = options.findIndex((option) => JSON.stringify(option) === JSON.stringify(schema.default));
    return { ...base, kind: 'choice', options, initial: at < 0 ? '' : String(at) };
  }
  switch (typeOf(schema)) {
    case 'string': {
      const long =
        typeof schema.maxLength === 'number'
          ? schema.maxLength > 200
          : /text|body|content|message/i.test(key);
      return { ...base, kind: 'text', multiline: long, initial };
    }
    case 'number':
      return { ...base, kind: 'number', integer: false, initial };
    case 'integer':
      return { ...base, kind: 'number', integer: true, initial };
    case 'boolean':
      return { ...base, kind: 'boolean', initial };
    case 'array':
      if (full || !isJsonObject(schema.items)) return json;
      return { ...base, kind: 'list', item: fieldOf(inner, schema.items, '', true) };
    case 'object':
      if (full || !isJsonObject(schema.properties)) return json;
      return { ...base, kind: 'group', fields: fieldsOf(inner, schema) };
    default:
      return json;
  }
}

function fieldsOf(place: Place, schema: JsonSchema): Field[] {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? (schema.required as readonly Json[]) : []);
  return Object.entries(properties).map(([key, value]) =>
    fieldOf(place, value ?? {}, key, required.has(key)),
  );
}

/** The form of a tool's input schema. An empty list means that the tool takes nothing, or nothing that is named. */
export function formOf(schema: JsonSchema): readonly Field[] {
  return fieldsOf({ root: schema, budget: { left: maxFields }, depth: 0 }, resolve(schema, schema, 0));
}

export function initialDraft(field: Field): Draft {
  if (field.kind === 'list') return [];
  if (field.kind === 'group') return draftOf(field.fields);
  return field.initial;
}

export function draftOf(fields: readonly Field[]): { readonly [key: string]: Draft } {
  return Object.fromEntries(fields.map((field) => [field.key, initialDraft(field)]));
}

interface Reading {
  readonly value: Json | undefined;
  readonly problems: readonly FormProblem[];
}

const value = (read: Json | undefined): Reading => ({ value: read, problems: [] });
const problem = (path: string, what: FormProblem['problem']): Reading => ({
  value: undefined,
  problems: [{ path, problem: what }],
});

function readNumber(field: Field & { kind: 'number' }, text: string, path: string): Reading {
  const number = Number(text);
  if (!Number.isFinite(number)) return problem(path, 'not_a_number');
  return field.integer && !Number.isInteger(number) ? problem(path, 'not_an_integer') : value(number);
}

function readLeaf(field: Exclude<Field, { kind: 'list' | 'group' }>, text: string, path: string): Reading {
  if (field.kind === 'text' && field.required) return value(text);
  if (text.trim() === '') return field.required ? problem(path, 'required') : value(undefined);
  switch (field.kind) {
    case 'text':
      return value(text);
    case 'number':
      return readNumber(field, text.trim(), path);
    case 'boolean':
      return value(text === 'true');
    case 'choice':
      return value(field.options[Number(text)]);
    case 'json':
      try {
        return value(JSON.parse(text) as Json);
      } catch {
        return problem(path, 'not_json');
      }
  }
}

function readField(field: Field, draft: Draft | undefined, path: string): Reading {
  if (field.kind === 'list') {
    const items = (Array.isArray(draft) ? (draft as readonly Draft[]) : []).map((item, index) =>
      readField(field.item, item, `${path}/${index}`),
    );
    if (items.length === 0 && !field.required) return value(undefined);
    return {
      value: items.map((item) => item.value ?? null),
      problems: items.flatMap((item) => item.problems),
    };
  }
  if (field.kind === 'group') {
    const given =
      typeof draft === 'object' && !Array.isArray(draft) ? (draft as Readonly<Record<string, Draft>>) : {};
    const read = readFields(field.fields, given, path);
    const empty = Object.keys(read.value).length === 0;
    // A group that nobody filled is left out with all that it would require.
    return empty && !field.required ? value(undefined) : read;
  }
  return readLeaf(field, typeof draft === 'string' ? draft : '', path);
}

function readFields(
  fields: readonly Field[],
  draft: Readonly<Record<string, Draft>>,
  path: string,
): { readonly value: JsonObject; readonly problems: readonly FormProblem[] } {
  const read = fields.map((field) => ({
    key: field.key,
    ...readField(field, draft[field.key], `${path}/${field.key}`),
  }));
  return {
    value: Object.fromEntries(
      read.filter((one) => one.value !== undefined).map((one) => [one.key, one.value]),
    ),
    problems: read.flatMap((one) => one.problems),
  };
}

/** The arguments that the form says, with every problem by its path. Whether a tool takes them is main's decision. */
export function readForm(
  fields: readonly Field[],
  draft: Readonly<Record<string, Draft>>,
): { readonly value: JsonObject; readonly problems: readonly FormProblem[] } {
  return readFields(fields, draft, '');
}
