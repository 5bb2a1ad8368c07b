import { isJsonObject, type Json, type JsonObject } from '../../../../src-preload/contract';
import { stepsOf } from './edit-value';

export type SchemaNode = JsonObject | boolean;

export function isSchema(value: Json | undefined): value is SchemaNode {
  return typeof value === 'boolean' || isJsonObject(value);
}

export function ownOf(schema: JsonObject, keyword: string): Json | undefined {
  return Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
}

export function mapOf(schema: JsonObject, keyword: string): readonly (readonly [string, Json])[] {
  const map = ownOf(schema, keyword);
  if (!isJsonObject(map)) return [];
  return Object.entries(map).flatMap(([key, member]) =>
    member === undefined ? [] : [[key, member] as const],
  );
}

export function listOf(schema: JsonObject, keyword: string): readonly Json[] {
  const list = ownOf(schema, keyword);
  return Array.isArray(list) ? (list as readonly Json[]) : [];
}

export function textsOf(schema: JsonObject, keyword: string): readonly string[] {
  return listOf(schema, keyword).filter((item) => typeof item === 'string');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function step(value: Json | undefined, key: string): Json | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, Json>>)[key];
}

/** What a reference inside the schema names: `#`, `#/a/b` or `#anchor`. Nothing is fetched. */
export function targetOf(root: JsonObject, reference: string): SchemaNode | null {
  if (!reference.startsWith('#')) return null;
  const steps = stepsOf(decoded(reference.slice(1)));
  if (steps === null) return anchored(root, reference.slice(1));
  const found = steps.reduce<Json | undefined>(step, root);
  return isSchema(found) ? found : null;
}

function anchored(root: JsonObject, name: string): JsonObject | null {
  const pending: Json[] = [root];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (isJsonObject(next) && ownOf(next, '$anchor') === name) return next;
    for (const member of Object.values(next)) pending.push(member as Json);
  }
  return null;
}

/** The type of a value in the words of JSON Schema; whole numbers are numbers. */
export function typeOf(value: Json): 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object' {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'boolean' || type === 'number' || type === 'string' ? type : 'object';
}
