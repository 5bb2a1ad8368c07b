import {
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonSchema,
  type SchemaAdaptation,
} from '../protocol';
import { inlineReferences } from './inline-references';
import { plainSchema } from './plain-schema';
import type { Wire } from './provider-config';

const combinators = ['anyOf', 'oneOf', 'allOf'] as const;
/** Providers refuse these beside an object root. */
const refusedAtRoot = new Set<string>([
  ...combinators,
  'not',
  'enum',
  'const',
  'if',
  'then',
  'else',
  '$schema',
  '$id',
]);

function names(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : [];
}

function localDefinition(schema: JsonSchema, reference: string): JsonObject | null {
  const match = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference);
  const group = match?.[1] === undefined ? undefined : schema[match[1]];
  const found = isJsonObject(group) && match?.[2] !== undefined ? group[match[2]] : undefined;
  return isJsonObject(found) ? found : null;
}

function branchesOf(schema: JsonSchema, word: (typeof combinators)[number]): readonly JsonObject[] {
  const list = schema[word];
  if (!Array.isArray(list)) return [];
  return list.filter(isJsonObject).map((branch) => {
    const target = typeof branch.$ref === 'string' ? localDefinition(schema, branch.$ref) : null;
    return target ?? branch;
  });
}

function isObjectRoot(schema: JsonSchema): boolean {
  const { type } = schema;
  return type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
}

/** What all of `anyOf` or `oneOf` require, and whatever any of `allOf` requires. */
function requiredOf(schema: JsonSchema): readonly string[] {
  const required = new Set(names(schema.required));
  for (const branch of branchesOf(schema, 'allOf')) {
    for (const name of names(branch.required)) required.add(name);
  }
  for (const word of ['anyOf', 'oneOf'] as const) {
    const [first, ...others] = branchesOf(schema, word);
    for (const name of names(first?.required)) {
      if (others.every((branch) => names(branch.required).includes(name))) required.add(name);
    }
  }
  return [...required];
}

/** The root as every provider takes it: an object, without a combinator beside it. */
function objectRoot(schema: JsonSchema): JsonSchema {
  const root =
    typeof schema.$ref === 'string'
      ? { ...schema, ...localDefinition(schema, schema.$ref), $ref: undefined }
      : schema;
  if (!isObjectRoot(root)) return { type: 'object', properties: {}, additionalProperties: true };

  const properties: Record<string, Json | undefined> = {};
  for (const word of combinators) {
    for (const branch of branchesOf(root, word)) {
      if (isJsonObject(branch.properties)) Object.assign(properties, branch.properties);
    }
  }
  if (isJsonObject(root.properties)) Object.assign(properties, root.properties);

  const combined = combinators.some((word) => root[word] !== undefined);
  const projected: Record<string, Json | undefined> = {};
  for (const [word, value] of Object.entries(root)) {
    if (value === undefined || refusedAtRoot.has(word)) continue;
    // A closed root would refuse what only a branch names with a pattern.
    if (combined && (word === 'additionalProperties' || word === 'unevaluatedProperties')) continue;
    projected[word] = value;
  }
  projected.type = 'object';
  projected.properties = properties;
  const required = requiredOf(root);
  if (required.length > 0) projected.required = required;
  return projected;
}

/** What goes to a provider in place of the author's schema, and how it differs. */
export interface Projection {
  readonly schema: JsonSchema;
  readonly adaptations: readonly SchemaAdaptation[];
}

/** Wires whose readers know neither references nor most of the vocabulary, or of which nothing is known. */
const plainReaders: readonly Wire[] = ['google', 'compatible'];

function rootAdaptation(schema: JsonSchema): readonly SchemaAdaptation[] {
  if (!isObjectRoot(schema) && typeof schema.$ref !== 'string') return ['root_opened'];
  return combinators.some((word) => schema[word] !== undefined) ? ['root_joined'] : [];
}

/**
 * The schema that goes to a provider: always an object at the root, without a combinator beside it, and for the readers
 * of plain schemas without references and unknown words (field reports 53, 58, 59). It is the author's schema or a looser
 * one, never a stricter one, since the call boundary validates with the original.
 */
export function projectTool(schema: JsonSchema, wire: Wire): Projection {
  const adaptations = [...rootAdaptation(schema)];
  const root = objectRoot(schema);
  if (!plainReaders.includes(wire)) return { schema: root, adaptations };
  const { schema: whole, inlined, opened } = inlineReferences(root);
  if (inlined) adaptations.push('references_inlined');
  if (opened) adaptations.push('parts_opened');
  if (wire !== 'google') return { schema: whole as JsonSchema, adaptations };
  const plain = plainSchema(whole);
  if (plain.lost.length > 0) adaptations.push('words_dropped');
  return { schema: { ...plain.schema, type: 'object' } as JsonSchema, adaptations };
}

/** The projected schema alone. */
export function projectSchema(schema: JsonSchema, wire: Wire): JsonSchema {
  return projectTool(schema, wire).schema;
}
