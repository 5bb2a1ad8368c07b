import { isJsonObject, type Json, type JsonObject } from '../../../../src-preload/contract';
import { pointerOf } from './edit-value';
import { isSchema, listOf, mapOf, ownOf, targetOf } from './schema-parts';

/** How many times the validator may look at a part of the value: it works in the thread that draws the window. */
export const costLimit = 50_000;
/** The same for the question which of several branches a value fits, which a form asks many times. */
export const askingLimit = 2_000;

const inPlaceLists = ['allOf', 'anyOf', 'oneOf'];
const inPlace = ['not', 'if', 'then', 'else'];
const inPlaceMaps = ['dependentSchemas', 'dependencies'];
const ofEachMember = ['additionalProperties', 'unevaluatedProperties'];
const ofEachItem = ['items', 'additionalItems', 'unevaluatedItems', 'contains'];

interface Counting {
  readonly root: JsonObject;
  /** By schema, then by the place in the value. `null` while it is being counted. */
  readonly known: Map<JsonObject, Map<string, number | null>>;
  pairs: number;
}

type Child = readonly [schema: Json | undefined, value: Json, place: string];

function* samePlace(schema: JsonObject, value: Json, place: string, root: JsonObject): Generator<Child> {
  for (const keyword of inPlaceLists) for (const one of listOf(schema, keyword)) yield [one, value, place];
  for (const keyword of inPlace) yield [ownOf(schema, keyword), value, place];
  for (const keyword of inPlaceMaps) for (const [, one] of mapOf(schema, keyword)) yield [one, value, place];
  const reference = ownOf(schema, '$ref');
  if (typeof reference === 'string') yield [targetOf(root, reference) ?? undefined, value, place];
}

function* inObject(schema: JsonObject, value: JsonObject, place: string): Generator<Child> {
  const members = Object.entries(value).map(
    ([key, member]) => [key, member ?? null, place + pointerOf([key])] as const,
  );
  const properties = new Map(mapOf(schema, 'properties'));
  for (const [key, member, at] of members) {
    yield [properties.get(key), member, at];
    for (const [, one] of mapOf(schema, 'patternProperties')) yield [one, member, at];
    for (const keyword of ofEachMember) yield [ownOf(schema, keyword), member, at];
    yield [ownOf(schema, 'propertyNames'), key, `${at}#`];
  }
}

function* inList(schema: JsonObject, value: readonly Json[], place: string): Generator<Child> {
  const prefix = listOf(schema, 'prefixItems');
  const items = listOf(schema, 'items');
  for (const [index, item] of value.entries()) {
    const at = `${place}/${index}`;
    yield [prefix[index], item, at];
    yield [items[index], item, at];
    for (const keyword of ofEachItem) yield [ownOf(schema, keyword), item, at];
  }
}

function childrenOf(schema: JsonObject, value: Json, place: string, root: JsonObject): Child[] {
  const children = [...samePlace(schema, value, place, root)];
  if (Array.isArray(value)) children.push(...inList(schema, value as readonly Json[], place));
  else if (isJsonObject(value)) children.push(...inObject(schema, value, place));
  return children;
}

function ownCost(schema: JsonObject, value: Json): number {
  const choices = 1 + listOf(schema, 'enum').length / 16;
  const unique = ownOf(schema, 'uniqueItems') === true && Array.isArray(value) ? value.length ** 2 / 16 : 0;
  return choices + unique;
}

function count(schema: Json | undefined, value: Json, place: string, counting: Counting): number {
  if (schema === undefined || !isSchema(schema) || typeof schema === 'boolean') return 0;
  const places = counting.known.get(schema) ?? new Map<string, number | null>();
  counting.known.set(schema, places);
  const known = places.get(place);
  // A schema that comes back to itself at the same place never ends.
  if (known === null) return Infinity;
  if (known !== undefined) return known;
  places.set(place, null);
  counting.pairs += 1;
  let cost = counting.pairs > costLimit ? Infinity : ownCost(schema, value);
  if (Number.isFinite(cost)) {
    for (const [child, part, at] of childrenOf(schema, value, place, counting.root)) {
      cost += count(child, part, at, counting);
      if (cost > costLimit) break;
    }
  }
  places.set(place, cost);
  return cost;
}

/**
 * An upper bound of what checking costs, found without checking: branches that name the same schemas again and again
 * double the work with each level, the bound is counted once for each schema and place.
 */
export function checkingCost(schema: JsonObject, value: Json, root: JsonObject): number {
  try {
    return count(schema, value, '', { root, known: new Map(), pairs: 0 });
  } catch (error) {
    // Nested past what the stack holds.
    if (error instanceof RangeError) return Infinity;
    throw error;
  }
}
