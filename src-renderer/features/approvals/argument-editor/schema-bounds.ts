import type { Json, JsonObject, JsonSchema } from '../../../../src-preload/contract';

/** Why there is no form and only the text can be edited. */
export type FormRefusal =
  | 'schema_too_large'
  | 'schema_too_deep'
  | 'remote_reference'
  | 'value_too_deep'
  | 'too_many_fields'
  | 'reserved_name'
  | 'form_failed';

export const formLimits = { schemaBytes: 64 * 1024, depth: 24, fields: 400 } as const;

interface Visit {
  readonly value: unknown;
  readonly depth: number;
}

/** Visits a value and all in it without recursion; ends when `visit` answers with something. */
function walk<T>(root: unknown, visit: (value: object, depth: number) => T | null): T | null {
  const pending: Visit[] = [{ value: root, depth: 1 }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue;
    const answer = visit(next.value, next.depth);
    if (answer !== null) return answer;
    for (const member of Object.values(next.value)) pending.push({ value: member, depth: next.depth + 1 });
  }
  return null;
}

const references = ['$ref', '$dynamicRef', '$recursiveRef'];

function isRemote(value: object): boolean {
  return references.some((keyword) => {
    const reference = Object.hasOwn(value, keyword) ? (value as JsonObject)[keyword] : undefined;
    return typeof reference === 'string' && !reference.startsWith('#');
  });
}

/** Names with a meaning of their own in the form library or in objects. */
function isReserved(name: string): boolean {
  return name.startsWith('ui:') || ['__proto__', '__errors', 'classNames'].includes(name);
}

function hasReserved(value: object): boolean {
  return !Array.isArray(value) && Object.keys(value).some(isReserved);
}

function refuseSchema(schema: JsonSchema): FormRefusal | null {
  const found = walk<FormRefusal>(schema, (value, depth) => {
    if (depth > formLimits.depth) return 'schema_too_deep';
    if (isRemote(value)) return 'remote_reference';
    return hasReserved(value) ? 'reserved_name' : null;
  });
  if (found !== null) return found;
  const bytes = new TextEncoder().encode(JSON.stringify(schema)).length;
  return bytes > formLimits.schemaBytes ? 'schema_too_large' : null;
}

function refuseValue(value: JsonObject): FormRefusal | null {
  let fields = 0;
  return walk<FormRefusal>(value, (part, depth) => {
    if (depth > formLimits.depth) return 'value_too_deep';
    fields += Object.keys(part).length;
    if (fields > formLimits.fields) return 'too_many_fields';
    return hasReserved(part) ? 'reserved_name' : null;
  });
}

/** Whether a form may be made at all, before anything of the schema is read. `null`: it may. */
export function refuseForm(schema: JsonSchema, value: JsonObject): FormRefusal | null {
  return refuseSchema(schema) ?? refuseValue(value);
}

/** How deep a value goes; stops counting past `limit`. */
export function isDeeperThan(value: Json, limit: number): boolean {
  return walk<true>(value, (_, depth) => (depth > limit ? true : null)) !== null;
}
