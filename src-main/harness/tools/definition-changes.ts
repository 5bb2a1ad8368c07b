import type { DefinitionChange, Json, JsonObject, JsonSchema } from '../protocol';
import { canonicalJson } from '../validation/canonical-json';
import type { ToolDescriptor } from './tool';

/**
 * Where a definition comes from, as the pin covers it (C7): `{ kind: 'native', version }` for a tool of the app;
 * transport with launch command, working directory and environment, or address and headers, for one of a server. Values
 * are as configured, with references to secrets unresolved.
 */
export type OriginFacts = JsonObject & { readonly kind: string };

/** All that a definition pin covers (C7): plain JSON, fit to be kept and compared later. */
export type ToolDefinition = JsonObject & {
  readonly qualified_name: string;
  readonly description: string;
  readonly input_schema: JsonSchema;
  readonly origin: OriginFacts;
};

/** Limits of one list of changes, so that a hostile catalog can fill neither the journal nor a card. */
export const definitionChangeLimits = {
  changes: 200,
  /** UTF-8 bytes of the JSON text of a value; a longer one is shown in part. */
  value_bytes: 2_048,
  /** Characters of a pointer; what lies deeper is reported as a change of what holds it. */
  path_length: 512,
} as const;

/** How much of what two long values have in common is shown before the first difference, in characters. */
const contextLength = 120;

export function definitionOf(descriptor: ToolDescriptor, origin: OriginFacts): ToolDefinition {
  const { qualified_name, title, description, input_schema, output_schema, annotations } = descriptor;
  return {
    qualified_name,
    ...(title === undefined ? {} : { title }),
    description,
    input_schema,
    ...(output_schema === undefined ? {} : { output_schema }),
    ...(annotations === undefined ? {} : { annotations }),
    origin,
  };
}

/** The schema of the arguments in a definition that was kept under its pin; null where it is not on record. */
export function recordedSchema(definition: Json | null): JsonSchema | null {
  const schema = definition !== null && isObject(definition) ? definition['input_schema'] : undefined;
  return isObject(schema) ? (schema as JsonSchema) : null;
}

interface Difference {
  readonly path: string;
  readonly before?: Json;
  readonly after?: Json;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Lists of plain values, such as arguments or required fields, are read as one; others entry by entry. */
function holdsParts(list: readonly Json[]): boolean {
  return list.some((item) => typeof item === 'object' && item !== null);
}

/** `Object.hasOwn`, because a schema may well have a property of the name `__proto__` or `constructor`. */
function member(value: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

function keysOf(before: JsonObject, after: JsonObject): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
}

function pairsOf(
  before: Json,
  after: Json,
): (readonly [key: string, before: Json | undefined, after: Json | undefined])[] | null {
  if (isObject(before) && isObject(after)) {
    return keysOf(before, after).map((key) => [key, member(before, key), member(after, key)] as const);
  }
  if (isList(before) && isList(after) && (holdsParts(before) || holdsParts(after))) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, index) => [String(index), before[index], after[index]] as const);
  }
  return null;
}

function pointer(path: string, key: string): string {
  return `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function differ(before: Json | undefined, after: Json | undefined): boolean {
  if (before === undefined || after === undefined) return before !== after;
  return before !== after && canonicalJson(before) !== canonicalJson(after);
}

/** Adds the differences below `path` to `found` until there is one more than the limit. */
function compare(path: string, before: Json | undefined, after: Json | undefined, found: Difference[]): void {
  if (found.length > definitionChangeLimits.changes) return;
  const pairs = before === undefined || after === undefined ? null : pairsOf(before, after);
  const tooDeep = pairs?.some(
    ([key, one, other]) =>
      pointer(path, key).length > definitionChangeLimits.path_length && differ(one, other),
  );
  if (pairs !== null && tooDeep === false) {
    for (const [key, one, other] of pairs) compare(pointer(path, key), one, other, found);
    return;
  }
  if (!differ(before, after)) return;
  found.push({
    path,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  });
}

function jsonBytes(value: Json): number {
  return Buffer.byteLength(canonicalJson(value));
}

/** The index of the first character in which the texts differ, moved back to the start of a code point. */
function firstDifference(one: string, other: string): number {
  let index = 0;
  while (index < one.length && index < other.length && one[index] === other[index]) index += 1;
  const last = one.charCodeAt(index - 1);
  return last >= 0xd800 && last <= 0xdbff ? index - 1 : index;
}

/** As many whole characters from the start as fit into `bytes` of JSON text. */
function fitting(text: string, bytes: number): string {
  let left = bytes;
  let end = 0;
  for (const character of text) {
    left -= Buffer.byteLength(JSON.stringify(character)) - 2;
    if (left < 0) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/**
 * A value that is too long for a card, as text: a marker with its size, then the part in which it differs. Without that
 * a change far behind the start of a long description would be shown as two equal texts.
 */
function cut(value: Json, other: Json | undefined): Json {
  const bytes = jsonBytes(value);
  if (bytes <= definitionChangeLimits.value_bytes) return value;
  const words = typeof value === 'string' && (other === undefined || typeof other === 'string');
  const text = words ? value : canonicalJson(value);
  const same = other === undefined ? 0 : firstDifference(text, words ? String(other) : canonicalJson(other));
  let start = Math.max(0, same - contextLength);
  const first = text.charCodeAt(start);
  if (first >= 0xdc00 && first <= 0xdfff) start -= 1;
  const marker = `[${bytes} bytes, shown in part from character ${start}] ${start > 0 ? '…' : ''}`;
  const room = definitionChangeLimits.value_bytes - Buffer.byteLength(JSON.stringify(`${marker}…`));
  const shown = fitting(text.slice(start), room);
  return `${marker}${shown}${start + shown.length < text.length ? '…' : ''}`;
}

function shown({ path, before, after }: Difference): DefinitionChange {
  return {
    path,
    ...(before === undefined ? {} : { before: cut(before, after) }),
    ...(after === undefined ? {} : { after: cut(after, before) }),
  };
}

/**
 * What differs between two definitions, field by field (S0-56, C7): in the order of the sorted member names, `path` as
 * JSON Pointer, `before` or `after` absent where the field was. Empty exactly when the pins are equal. A value beyond
 * its limit is a text that begins with a marker. Where there are more changes than the limit, the last one is the whole
 * definition, with the path ''.
 */
export function definitionChanges(before: JsonObject, after: JsonObject): readonly DefinitionChange[] {
  const found: Difference[] = [];
  compare('', before, after, found);
  if (found.length <= definitionChangeLimits.changes) return found.map(shown);
  const kept = found.slice(0, definitionChangeLimits.changes - 1);
  return [...kept, { path: '', before, after }].map(shown);
}
