import { fail, isJsonObject, ok, type Json, type JsonObject, type Result } from '../protocol';
import { linearPattern } from './linear-pattern';

/** What a foreign schema may cost before it is compiled. Bytes are of its UTF-8 JSON text. */
export const schemaLimits = { bytes: 256 * 1024, depth: 32, subschemas: 2_000, jsonDepth: 100 } as const;

/** What the compiler has to know of a schema that passed. */
export interface SchemaFacts {
  readonly text: string;
  /** False when a pattern is only valid without the `u` flag. */
  readonly unicodePatterns: boolean;
  /** True when it refers to the meta-schema of a dialect, which the compiler knows without fetching. */
  readonly refersToMetaSchema: boolean;
}

const schemaValued = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
] as const;
const listValued = ['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems'] as const;
const mapValued = [
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
] as const;

/** Measures a schema without recursion and without running any of it (hazards of schema bombs and remote references). */
export function inspectSchema(schema: JsonObject): Result<SchemaFacts> {
  const deep = tooDeep(schema);
  if (deep) return unusable(deep);
  const text = JSON.stringify(schema);
  const bytes = Buffer.byteLength(text, 'utf8');
  if (bytes > schemaLimits.bytes) {
    return unusable(`It has ${bytes} bytes; at most ${schemaLimits.bytes} are allowed.`);
  }
  return walk(schema, text);
}

function walk(root: JsonObject, text: string): Result<SchemaFacts> {
  const pending: { schema: JsonObject; depth: number }[] = [{ schema: root, depth: 1 }];
  let count = 0;
  let unicodePatterns = true;
  let refersToMetaSchema = false;
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { schema, depth } = next;
    count += 1;
    if (count > schemaLimits.subschemas) {
      return unusable(`It has more than ${schemaLimits.subschemas} subschemas.`);
    }
    if (depth > schemaLimits.depth)
      return unusable(`It is nested deeper than ${schemaLimits.depth} schemas.`);
    if (schema.$async !== undefined) return unusable('The keyword "$async" is not part of JSON Schema.');
    for (const pattern of patternsOf(schema)) {
      const kind = patternKind(pattern);
      if (kind === 'invalid') return unusable(`The pattern ${quote(pattern)} is not a regular expression.`);
      if (kind === 'plain') unicodePatterns = false;
      if (!isLinear(pattern)) {
        return unusable(
          `The pattern ${quote(pattern)} uses look-around or a back-reference, which can take endless time and is not offered. Write it without.`,
        );
      }
    }
    for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
      const target = schema[keyword];
      if (typeof target === 'string' && /^https?:\/\/json-schema\.org\/draft/.test(target)) {
        refersToMetaSchema = true;
      }
    }
    for (const child of childrenOf(schema)) pending.push({ schema: child, depth: depth + 1 });
  }
  return ok({ text, unicodePatterns, refersToMetaSchema });
}

function* childrenOf(schema: JsonObject): Generator<JsonObject> {
  for (const keyword of schemaValued) {
    const child = own(schema, keyword);
    if (isJsonObject(child)) yield child;
  }
  for (const keyword of listValued) {
    const list = own(schema, keyword);
    if (Array.isArray(list)) yield* (list as readonly Json[]).filter(isJsonObject);
  }
  for (const keyword of mapValued) {
    const map = own(schema, keyword);
    if (isJsonObject(map)) yield* Object.values(map).filter(isJsonObject);
  }
}

function* patternsOf(schema: JsonObject): Generator<string> {
  const pattern = own(schema, 'pattern');
  if (typeof pattern === 'string') yield pattern;
  const map = own(schema, 'patternProperties');
  if (isJsonObject(map)) yield* Object.keys(map);
}

function own(schema: JsonObject, keyword: string): Json | undefined {
  return Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
}

function patternKind(pattern: string): 'unicode' | 'plain' | 'invalid' {
  for (const flags of ['u', '']) {
    try {
      new RegExp(pattern, flags);
      return flags === 'u' ? 'unicode' : 'plain';
    } catch {
      // The next flavour may take it.
    }
  }
  return 'invalid';
}

function isLinear(pattern: string): boolean {
  try {
    linearPattern(pattern, '');
    return true;
  } catch {
    return false;
  }
}

function tooDeep(root: Json): string | null {
  const pending: { value: unknown; depth: number }[] = [{ value: root, depth: 1 }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue;
    if (next.depth > schemaLimits.jsonDepth)
      return `It is nested deeper than ${schemaLimits.jsonDepth} levels.`;
    for (const child of Object.values(next.value)) pending.push({ value: child, depth: next.depth + 1 });
  }
  return null;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

/** @param reason a sentence about the schema, its end included */
export function unusable(reason: string): { ok: false; error: { code: string; message: string } } {
  return fail('schema_unusable', `The schema cannot be used. ${reason} Its author has to change it.`);
}
