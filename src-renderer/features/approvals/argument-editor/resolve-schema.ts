import { isJsonObject, type Json, type JsonObject } from '../../../../src-preload/contract';
import { sameJson } from './edit-value';
import { isSchema, listOf, mapOf, ownOf, targetOf, textsOf, typeOf, type SchemaNode } from './schema-parts';

/** Asks whether a value keeps a part of the schema. */
export type Fits = (part: SchemaNode, value: Json) => boolean;

export interface Resolving {
  readonly root: JsonObject;
  readonly fits: Fits;
  /** Pays for a step; throws `TooMuchToResolve` when there have been too many. */
  readonly spend: (steps: number) => void;
}

/** Branches that name the same schemas again and again double the work with each level. */
export class TooMuchToResolve extends Error {}

/** A purse of steps for one form. */
export function spender(steps: number): (spent: number) => void {
  let left = steps;
  return (spent) => {
    left -= spent;
    if (left < 0) throw new TooMuchToResolve();
  };
}

export interface Variant {
  readonly schema: SchemaNode;
  readonly title: string | null;
}

/** A schema as far as the form needs it: nothing refers elsewhere, and one branch is chosen. */
export interface Shape {
  readonly schema: JsonObject;
  /** False where the schema is `false`: no value is allowed here. */
  readonly allowed: boolean;
  readonly nullable: boolean;
  /** The values to choose from, when there is no other. */
  readonly choices: readonly Choice[] | null;
  readonly variants: readonly Variant[];
  /** Of `variants`, the one that `schema` holds. */
  readonly chosen: number;
}

export interface Choice {
  readonly value: Json;
  readonly title: string | null;
}

const stepsOfAsking = 50;

function asks(at: Resolving, part: SchemaNode, value: Json): boolean {
  at.spend(stepsOfAsking);
  return at.fits(part, value);
}

const merged = ['properties', 'patternProperties', '$defs', 'definitions'];

/** Both together, as far as a form can show it. Whether a value keeps both is for the validator to say. */
function merge(one: JsonObject, other: JsonObject): JsonObject {
  const result: Record<string, Json | undefined> = { ...other, ...one };
  for (const keyword of merged) {
    const entries = [...mapOf(other, keyword)];
    for (const [key, member] of mapOf(one, keyword)) {
      const known = entries.find(([name]) => name === key)?.[1];
      const both = isJsonObject(known) && isJsonObject(member) ? merge(member, known) : member;
      const at = entries.findIndex(([name]) => name === key);
      if (at === -1) entries.push([key, both]);
      else entries[at] = [key, both];
    }
    if (entries.length > 0) result[keyword] = Object.fromEntries(entries);
  }
  const required = [...new Set([...textsOf(one, 'required'), ...textsOf(other, 'required')])];
  if (required.length > 0) result.required = required;
  return result;
}

const without = (schema: JsonObject, ...keywords: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));

/** References followed and `allOf` merged; `null` where nothing is allowed. */
function flatten(node: SchemaNode, at: Resolving, seen: readonly SchemaNode[]): JsonObject | null {
  if (typeof node === 'boolean') return node ? {} : null;
  if (seen.includes(node) || seen.length > 32) return {};
  at.spend(1);
  let flat = without(node, '$ref', 'allOf');
  const reference = ownOf(node, '$ref');
  const target = typeof reference === 'string' ? targetOf(at.root, reference) : null;
  const parts = [...(target === null ? [] : [target]), ...listOf(node, 'allOf').filter(isSchema)];
  for (const part of parts) {
    const other = flatten(part, at, [...seen, node]);
    if (other === null) return null;
    flat = merge(flat, other);
  }
  return flat;
}

/** `then` or `else`, whichever holds for the value. */
function withCondition(schema: JsonObject, value: Json | undefined, at: Resolving): JsonObject {
  const condition = ownOf(schema, 'if');
  if (value === undefined || !isSchema(condition)) return schema;
  const branch = ownOf(schema, asks(at, condition, value) ? 'then' : 'else');
  const flat = isSchema(branch) ? flatten(branch, at, []) : null;
  return flat === null ? schema : merge(without(schema, 'if', 'then', 'else'), flat);
}

export function typesOf(schema: JsonObject): readonly string[] {
  const type = ownOf(schema, 'type');
  if (typeof type === 'string') return [type];
  const types = textsOf(schema, 'type');
  if (types.length > 0) return types;
  if (mapOf(schema, 'properties').length > 0) return ['object'];
  return ownOf(schema, 'items') !== undefined || ownOf(schema, 'prefixItems') !== undefined ? ['array'] : [];
}

const isNullOnly = (schema: JsonObject): boolean =>
  typesOf(schema).join() === 'null' || (Object.hasOwn(schema, 'const') && schema.const === null);

const titleOf = (schema: JsonObject): string | null => {
  const title = ownOf(schema, 'title');
  return typeof title === 'string' && title !== '' ? title : null;
};

function constantOf(schema: JsonObject): readonly Choice[] | null {
  if (Object.hasOwn(schema, 'const')) return [{ value: schema.const ?? null, title: titleOf(schema) }];
  const listed = ownOf(schema, 'enum');
  if (!Array.isArray(listed)) return null;
  return (listed as readonly Json[]).map((value) => ({ value, title: null }));
}

/** Whether a value is of a type that the schema names, if it names any. */
export function admits(schema: JsonObject, value: Json): boolean {
  const types = typesOf(schema);
  const type = typeOf(value);
  return types.length === 0 || types.includes(type) || (type === 'number' && types.includes('integer'));
}

/** How much a value looks as if it was meant for a branch that it does not fit. */
function likeness(variant: JsonObject, value: Json): number {
  if (!admits(variant, value)) return -1_000;
  if (!isJsonObject(value)) return 0;
  const properties = mapOf(variant, 'properties');
  const named = properties.filter(([name]) => Object.hasOwn(value, name));
  const others = named.filter(([name, node]) => {
    const constants = isJsonObject(node) ? constantOf(node) : null;
    return constants !== null && !constants.some((one) => sameJson(one.value, value[name]));
  });
  const missing = textsOf(variant, 'required').filter((name) => !Object.hasOwn(value, name));
  return named.length - missing.length - 10 * others.length;
}

function chooseVariant(
  flat: readonly JsonObject[],
  raw: readonly SchemaNode[],
  value: Json | undefined,
  at: Resolving,
): number {
  if (value === undefined) return 0;
  const fitting = raw.findIndex((variant) => asks(at, variant, value));
  if (fitting !== -1) return fitting;
  const scores = flat.map((variant) => likeness(variant, value));
  return scores.indexOf(Math.max(...scores));
}

const plainShape = { allowed: true, variants: [], chosen: 0 } as const;

function unionShape(base: JsonObject, given: UnionInput): Shape {
  const { value, wanted, at } = given;
  const raw = [...listOf(base, 'anyOf'), ...listOf(base, 'oneOf')].filter(isSchema);
  const rest = without(base, 'anyOf', 'oneOf');
  const open = raw.flatMap((variant) => {
    const flat = flatten(variant, at, []);
    return flat === null ? [] : [{ variant, flat: merge(flat, rest) }];
  });
  const real = open.filter(({ flat }) => !isNullOnly(flat));
  const nullable = real.length < open.length || typesOf(base).includes('null');
  const constants = real.map(({ flat }) => constantOf(flat));
  if (real.length > 0 && constants.every((one) => one !== null)) {
    const nothing: readonly Choice[] = nullable ? [{ value: null, title: null }] : [];
    return { ...plainShape, schema: rest, nullable, choices: [...constants.flat(), ...nothing] };
  }
  if (real.length <= 1) {
    return { ...plainShape, schema: real[0]?.flat ?? rest, nullable, choices: null };
  }
  const flats = real.map((one) => one.flat);
  const raws = real.map((one) => one.variant);
  const chosen =
    wanted !== undefined && wanted < real.length ? wanted : chooseVariant(flats, raws, value, at);
  const variants = flats.map((schema, index) => ({
    schema: raws[index] ?? true,
    title: titleOf(isJsonObject(raws[index]) ? (raws[index] ?? {}) : {}) ?? variantWords(schema),
  }));
  return {
    schema: withCondition(flats[chosen] ?? rest, value, at),
    allowed: true,
    nullable,
    choices: null,
    variants,
    chosen,
  };
}

/** A name for a branch that has none: its type, or what it holds. */
function variantWords(schema: JsonObject): string | null {
  const names = mapOf(schema, 'properties').map(([name]) => name);
  return names.length > 0 ? `{ ${names.slice(0, 3).join(', ')} }` : typesOf(schema).join(', ') || null;
}

interface UnionInput {
  readonly value: Json | undefined;
  /** The branch that the person chose to see. */
  readonly wanted: number | undefined;
  readonly at: Resolving;
}

/** What the form shows at one place: of a schema for the value that stands there. */
export function shapeOf(node: SchemaNode, given: UnionInput): Shape {
  const { value, at } = given;
  const flat = flatten(node, at, []);
  if (flat === null) return { ...plainShape, schema: {}, allowed: false, nullable: false, choices: null };
  const base = withCondition(flat, value, at);
  const choices = constantOf(base);
  const nullable = typesOf(base).includes('null') || ownOf(base, 'nullable') === true;
  if (choices) return { ...plainShape, schema: base, nullable, choices };
  if (listOf(base, 'anyOf').length + listOf(base, 'oneOf').length > 0) return unionShape(base, given);
  return { ...plainShape, schema: base, nullable, choices: null };
}
