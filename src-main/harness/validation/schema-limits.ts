import { fail, isJsonObject, ok, type Json, type JsonObject, type Result } from '../protocol';
import { sizeOfPattern } from './linear-pattern';

/** What a foreign schema may cost before it is compiled. Bytes are of its UTF-8 JSON text. */
export const schemaLimits = {
  bytes: 256 * 1024,
  depth: 32,
  subschemas: 2_000,
  keywords: 2_500,
  /** Steps of all patterns together, with their repetitions written out. */
  patterns: 25_000,
  jsonDepth: 100,
  /** Of one `allOf`, `anyOf` or `oneOf`: the engine nests the code of each in that of the one before. */
  branches: 1_000,
  /** Of all lists together, and properties, beside `unevaluated*`: what they evaluate is noted branch by branch. */
  evaluatedBranches: 200,
  evaluatedProperties: 1_000,
} as const;

/** What the compiler has to know of a schema that passed. */
export interface SchemaFacts {
  readonly text: string;
  /** False when a pattern is only valid without the `u` flag. */
  readonly unicodePatterns: boolean;
  /** True when it refers to the meta-schema of a dialect, which the compiler knows without fetching. */
  readonly refersToMetaSchema: boolean;
  /** True when it has rules for what no other keyword has looked at. */
  readonly asksWhatIsEvaluated: boolean;
}

/** Keywords whose members are schemas under names of their own. */
const mapValued: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);
/** Keywords that hold data, in which the compiler looks for no schemas. */
const dataValued: ReadonlySet<string> = new Set(['const', 'default', 'enum']);
/** Keywords that say something and cost nothing. */
const silent: ReadonlySet<string> = new Set([
  ...[
    '$comment',
    '$defs',
    '$id',
    '$schema',
    'definitions',
    'deprecated',
    'description',
    'examples',
    'readOnly',
  ],
  ...['title', 'writeOnly'],
]);
const branchLists = ['allOf', 'anyOf', 'oneOf'] as const;
const askers = ['unevaluatedProperties', 'unevaluatedItems'] as const;
const references = ['$ref', '$dynamicRef', '$recursiveRef'] as const;
/** Each name that is required by a list up to this length costs code of its own; a longer list is a loop. */
const longestUnrolled = 20;
/** What a pattern costs to compile, in keywords. */
const costOfPattern = 4;

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

interface Place {
  readonly schema: JsonObject;
  readonly depth: number;
  /** Where JSON pointers of this schema begin: the nearest schema with an `$id` of its own. */
  readonly resource: JsonObject;
}

interface Tally {
  readonly visited: Set<JsonObject>;
  /** References by path, with the schema in which a path without an address begins. */
  readonly targets: (readonly [reference: string, resource: JsonObject])[];
  keywords: number;
  patterns: number;
  unicodePatterns: boolean;
  refersToMetaSchema: boolean;
  asksWhatIsEvaluated: boolean;
  branches: number;
  properties: number;
}

/**
 * Visits every object of which the compiler could make code. What it does not visit must not be referred to: a schema
 * that lies in a place without rules would escape the limits.
 */
function walk(root: JsonObject, text: string): Result<SchemaFacts> {
  const pending: Place[] = [{ schema: root, depth: 1, resource: root }];
  const tally: Tally = {
    visited: new Set(),
    targets: [],
    keywords: 0,
    patterns: 0,
    unicodePatterns: true,
    refersToMetaSchema: false,
    asksWhatIsEvaluated: false,
    branches: 0,
    properties: 0,
  };
  for (let next = pending.pop(); next; next = pending.pop()) {
    tally.visited.add(next.schema);
    const reason =
      overLimits(next, tally) ?? branchProblem(next.schema, tally) ?? patternProblem(next.schema, tally);
    if (reason) return unusable(reason);
    const id = own(next.schema, '$id');
    const ownResource = typeof id === 'string' && !id.startsWith('#');
    const resource = ownResource ? next.schema : next.resource;
    noteReferences(next.schema, resource, tally);
    for (const child of childrenOf(next.schema)) {
      pending.push({ schema: child, depth: next.depth + 1, resource });
    }
  }
  const evaluated = evaluationProblem(tally);
  if (evaluated) return unusable(evaluated);
  for (const [reference, resource] of tally.targets) {
    const target = resolveTarget(reference, resource, tally.visited);
    if (typeof target === 'boolean' || (isJsonObject(target) && tally.visited.has(target))) continue;
    return unusable(`It refers to ${quote(reference)}, which is no schema inside it; nothing is fetched.`);
  }
  return ok({
    text,
    unicodePatterns: tally.unicodePatterns,
    refersToMetaSchema: tally.refersToMetaSchema,
    asksWhatIsEvaluated: tally.asksWhatIsEvaluated,
  });
}

function branchProblem(schema: JsonObject, tally: Tally): string | null {
  tally.asksWhatIsEvaluated ||= askers.some((keyword) => own(schema, keyword) !== undefined);
  for (const keyword of branchLists) {
    const list = own(schema, keyword);
    if (!Array.isArray(list)) continue;
    tally.branches += list.length;
    if (list.length > schemaLimits.branches) {
      return `A list "${keyword}" has ${list.length} branches; at most ${schemaLimits.branches} are allowed. A list of constants can be an "enum".`;
    }
  }
  for (const keyword of ['if', 'then', 'else']) if (own(schema, keyword) !== undefined) tally.branches += 1;
  const dependent = own(schema, 'dependentSchemas');
  if (isJsonObject(dependent)) tally.branches += Object.keys(dependent).length;
  const properties = own(schema, 'properties');
  if (isJsonObject(properties)) tally.properties += Object.keys(properties).length;
  return null;
}

function evaluationProblem({ asksWhatIsEvaluated, branches, properties }: Tally): string | null {
  const { evaluatedBranches, evaluatedProperties } = schemaLimits;
  if (!asksWhatIsEvaluated) return null;
  const beside = 'beside "unevaluatedProperties" or "unevaluatedItems"';
  if (branches > evaluatedBranches) {
    return `It has ${branches} branches ${beside}; at most ${evaluatedBranches} are allowed there.`;
  }
  return properties > evaluatedProperties
    ? `It has ${properties} properties ${beside}; at most ${evaluatedProperties} are allowed there.`
    : null;
}

function overLimits({ schema, depth }: Place, tally: Tally): string | null {
  const { subschemas, keywords } = schemaLimits;
  if (tally.visited.size > subschemas) return `It has more than ${subschemas} subschemas.`;
  if (depth > schemaLimits.depth) return `It is nested deeper than ${schemaLimits.depth} schemas.`;
  if (own(schema, '$async') !== undefined) return 'The keyword "$async" is not part of JSON Schema.';
  tally.keywords += weightOf(schema);
  return tally.keywords > keywords ? `It has more than ${keywords} keywords and required names.` : null;
}

/** How many keywords, and lists that stand for keywords, the compiler makes code of. */
function weightOf(schema: JsonObject): number {
  let weight = 0;
  for (const [keyword, member] of Object.entries(schema)) {
    if (silent.has(keyword)) continue;
    weight += 1;
    if (keyword === 'required' || keyword === 'type') weight += unrolled(member);
    if (keyword !== 'dependentRequired' && keyword !== 'dependencies') continue;
    if (!isJsonObject(member)) continue;
    for (const names of Object.values(member)) weight += 1 + unrolled(names);
  }
  return weight;
}

function unrolled(list: Json | undefined): number {
  return Array.isArray(list) && list.length <= longestUnrolled ? list.length : 0;
}

function patternProblem(schema: JsonObject, tally: Tally): string | null {
  for (const pattern of patternsOf(schema)) {
    tally.keywords += costOfPattern;
    tally.patterns += sizeOfPattern(pattern);
    if (tally.patterns > schemaLimits.patterns) {
      return `Its patterns grow past ${schemaLimits.patterns} steps when their repetitions are written out.`;
    }
    const kind = patternKind(pattern);
    if (kind === 'invalid') return `The pattern ${quote(pattern)} is not a regular expression.`;
    if (kind === 'plain') tally.unicodePatterns = false;
  }
  return null;
}

function noteReferences(schema: JsonObject, resource: JsonObject, tally: Tally): void {
  for (const keyword of references) {
    const reference = own(schema, keyword);
    if (typeof reference !== 'string') continue;
    if (/^https?:\/\/json-schema\.org\/draft/.test(reference)) tally.refersToMetaSchema = true;
    else if (reference.includes('#/')) tally.targets.push([reference, resource]);
  }
}

/** What a reference such as `#/a/b`, or one with an address before it, names; undefined where there is nothing. */
function resolveTarget(
  reference: string,
  resource: JsonObject,
  visited: ReadonlySet<JsonObject>,
): Json | undefined {
  const start = reference.indexOf('#/');
  const address = reference.slice(0, start);
  const named = (one: JsonObject) => String(own(one, '$id')).replace(/#$/, '') === address;
  let found: Json | undefined = address === '' ? resource : [...visited].find(named);
  for (const part of reference.slice(start + 2).split('/')) {
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Readonly<Record<string, Json>>)[key];
  }
  return found;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Every object that may be compiled on the way of this one, also under keywords that are not known. */
function* childrenOf(schema: JsonObject): Generator<JsonObject> {
  for (const [keyword, member] of Object.entries(schema)) {
    if (dataValued.has(keyword)) continue;
    if (Array.isArray(member)) yield* (member as readonly Json[]).filter(isJsonObject);
    else if (isJsonObject(member)) {
      if (mapValued.has(keyword)) yield* Object.values(member).filter(isJsonObject);
      else yield member;
    }
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
