import { isJsonObject, type Json, type JsonObject } from '../protocol';

/** A schema without references, and whether something of it had to be left open. */
export interface Inlined {
  readonly schema: JsonObject;
  /** There were references, and each was replaced by what it points at. */
  readonly inlined: boolean;
  /** Some lead back into themselves, nowhere, or to more than fits: there anything is taken. */
  readonly opened: boolean;
}

/** How deep references are followed, and how many values the schema may grow to (field report 58). */
const limits = { depth: 12, values: 20_000 } as const;

/** Members whose values are data, not schemas: a "$ref" in them points at nothing. */
const dataMembers = new Set(['const', 'default', 'enum', 'example', 'examples']);

function target(root: JsonObject, reference: string): Json | undefined {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let at: Json | undefined = root;
  for (const part of reference.slice(2).split('/')) {
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at)) at = (at as readonly Json[])[Number(key)];
    else if (isJsonObject(at) && Object.hasOwn(at, key)) at = at[key];
    else return undefined;
  }
  return at;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Replaces each local reference by what it points at, for readers that know none. Bounded in depth and size: a part that
 * leads into itself, or to more than fits, becomes the schema that takes anything. Definitions that nobody points at any
 * more are left out. Pure; the author's schema still judges the arguments.
 */
export function inlineReferences(root: JsonObject): Inlined {
  let values = 0;
  let inlined = false;
  let opened = false;
  const open = (): JsonObject => {
    opened = true;
    return {};
  };
  function walkObject(schema: JsonObject, trail: readonly string[]): Json {
    const { $ref: reference, ...beside } = schema;
    if (typeof reference === 'string') {
      inlined = true;
      const found = trail.includes(reference) ? undefined : target(root, reference);
      if (!isJsonObject(found) || trail.length >= limits.depth) return { ...open(), ...described(beside) };
      const whole = walk(found, [...trail, reference]);
      const own = walkObject(beside, trail);
      return isJsonObject(whole) && isJsonObject(own) ? { ...whole, ...own } : whole;
    }
    const copy: Record<string, Json> = {};
    for (const [key, value] of Object.entries(schema)) {
      if (key === '$defs' || key === 'definitions') continue;
      if (value !== undefined) copy[key] = dataMembers.has(key) ? value : walk(value, trail);
    }
    return copy;
  }
  function walk(value: Json, trail: readonly string[]): Json {
    values += 1;
    if (values > limits.values) return open();
    if (Array.isArray(value)) return (value as readonly Json[]).map((item) => walk(item, trail));
    return isJsonObject(value) ? walkObject(value, trail) : value;
  }
  const schema = walk(root, []);
  return { schema: isJsonObject(schema) ? schema : {}, inlined, opened };
}

function described({ title, description }: JsonObject): JsonObject {
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
  };
}
