import { isJsonObject, type Json, type JsonObject } from '../protocol';

/** Keywords that a reader of plain schemas knows; every other one is refused or misread by it (field report 59). */
const known = new Set([
  'type',
  'title',
  'description',
  'properties',
  'required',
  'items',
  'enum',
  'anyOf',
  'nullable',
  'format',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'pattern',
]);
const knownFormats: Readonly<Record<string, readonly string[]>> = {
  string: ['date-time', 'enum'],
  number: ['float', 'double'],
  integer: ['int32', 'int64'],
};

/** A schema in the small vocabulary that every provider reads, and which words it lost. */
export interface PlainSchema {
  readonly schema: JsonObject;
  readonly lost: readonly string[];
}

function union(schema: JsonObject): readonly Json[] | null {
  for (const word of ['anyOf', 'oneOf'] as const) {
    const list = schema[word];
    if (Array.isArray(list)) return list as readonly Json[];
  }
  return null;
}

/** `["string", "null"]` becomes a type with `nullable`, more types become alternatives. */
function typed(schema: JsonObject): JsonObject {
  const { type, ...rest } = schema;
  if (!Array.isArray(type)) return schema;
  const types = (type as readonly Json[]).filter((one) => one !== 'null');
  const nullable = types.length < type.length ? { nullable: true } : {};
  if (types.length === 1) return { type: types[0] ?? 'string', ...rest, ...nullable };
  return { ...rest, ...nullable, ...(union(schema) ? {} : { anyOf: types.map((one) => ({ type: one })) }) };
}

/** `allOf` joined into the schema that holds it: what stands further left wins, requirements add up. */
function joined(schema: JsonObject): JsonObject {
  const { allOf, ...rest } = schema;
  if (!Array.isArray(allOf)) return schema;
  const parts = (allOf as readonly Json[]).filter(isJsonObject).map(joined);
  const all = [rest, ...parts];
  const properties = Object.assign(
    {},
    ...all.map((part) => part['properties'] ?? {}).reverse(),
  ) as JsonObject;
  const required = [...new Set(all.flatMap((part) => namesOf(part['required'])))];
  const merged = Object.assign({}, ...[...parts].reverse(), rest) as JsonObject;
  return {
    ...merged,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
}

function namesOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value)
    ? (value as readonly Json[]).filter((one): one is string => typeof one === 'string')
    : [];
}

/** Numbers and other values cannot stand in an enum of texts there, so such a list is dropped. */
function enumOf(schema: JsonObject): JsonObject {
  const { const: constant, ...rest } = schema;
  if (constant !== undefined && typeof constant === 'string')
    return { ...rest, type: 'string', enum: [constant] };
  if (
    Array.isArray(rest['enum']) &&
    (rest['enum'] as readonly Json[]).every((one) => typeof one === 'string')
  ) {
    return { type: 'string', ...rest };
  }
  return rest;
}

/**
 * The same schema in the small vocabulary: looser where a word had to go, never stricter, since the call boundary judges
 * with the author's own. References must be gone already. Pure.
 */
export function plainSchema(root: JsonObject): PlainSchema {
  const lost = new Set<string>();
  function walkProperties(value: Json): JsonObject {
    const entries = isJsonObject(value) ? Object.entries(value) : [];
    return Object.fromEntries(entries.map(([name, schema]) => [name, walk(schema ?? {})]));
  }
  function keep(key: string, value: Json, schema: JsonObject): Json | undefined {
    switch (key) {
      case 'properties':
        return walkProperties(value);
      case 'items':
        return walk(Array.isArray(value) ? {} : value);
      case 'anyOf':
        return (value as readonly Json[]).map(walk);
      case 'format': {
        const formats = knownFormats[String(schema['type'])] ?? [];
        return typeof value === 'string' && formats.includes(value) ? value : undefined;
      }
      case 'enum':
        return (value as readonly Json[]).every((one) => typeof one === 'string') ? value : undefined;
      default:
        return value;
    }
  }
  function walk(value: Json): JsonObject {
    if (!isJsonObject(value)) return {};
    const schema = enumOf(typed(joined(value)));
    const options = union(schema);
    const { oneOf: _oneOf, ...others } = schema;
    const plain: JsonObject = options ? { ...others, anyOf: options } : others;
    const copy: Record<string, Json> = {};
    for (const [key, member] of Object.entries(plain)) {
      if (member === undefined) continue;
      const kept = known.has(key) ? keep(key, member, plain) : undefined;
      if (kept === undefined) lost.add(key);
      else copy[key] = kept;
    }
    if (copy['type'] === 'array' && copy['items'] === undefined) copy['items'] = {};
    return copy;
  }
  const schema = walk(root);
  for (const harmless of [
    '$schema',
    '$id',
    '$comment',
    'default',
    'examples',
    'const',
    'oneOf',
    'additionalProperties',
  ])
    lost.delete(harmless);
  return { schema, lost: [...lost].sort() };
}
