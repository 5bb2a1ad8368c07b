import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '../../../../src-preload/contract';
import { mapOf } from './schema-parts';

export type Dialect = '7' | '2019-09' | '2020-12';

/** By what `$schema` names; without it, 2020-12. */
export function dialectOf(schema: JsonSchema): Dialect {
  const dialect = typeof schema.$schema === 'string' ? schema.$schema : '';
  if (/draft-0[3467]/.test(dialect)) return '7';
  return dialect.includes('2019-09') ? '2019-09' : '2020-12';
}

/** Formats whose check takes no longer than the text is long. */
const quickFormats: ReadonlySet<string> = new Set([
  ...['date', 'time', 'date-time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid', 'json-pointer'],
]);

/**
 * Whether a pattern is so plain that no text of a few thousand characters makes it slow: nothing that repeats is
 * repeated, one open repetition (two from the beginning of the text), no look-around, no back reference.
 */
export function isPlainPattern(pattern: string): boolean {
  if (pattern.length > 200 || /\(\?[=!<]|\\[1-9k]/.test(pattern)) return false;
  try {
    new RegExp(pattern, 'u');
  } catch {
    return false;
  }
  const bare = pattern.replace(/\\./gu, 'x').replace(/\[[^\]]*\]/gu, 'x');
  if (/\)(?:[*+]|\{)/.test(bare)) return false;
  const open = bare.match(/[*+]|\{\d+,\}/g) ?? [];
  const counts = [...bare.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map((match) => Number(match[2] || match[1]));
  if (counts.some((most) => most > 200) || counts.length > 12) return false;
  return open.length <= (bare.startsWith('^') && !bare.includes('|') ? 2 : 1);
}

/** Keywords that hold data, not schemas. */
const data: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);
const maps: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'],
]);
/** What the members are that no pattern names cannot be said while patterns are left out. */
const besidePatterns: ReadonlySet<string> = new Set([
  ...['patternProperties', 'additionalProperties', 'unevaluatedProperties'],
]);
/** Keywords by which a schema that says less would refuse more. */
const turning: ReadonlySet<string> = new Set([
  ...['not', 'if', 'then', 'else', 'maxContains', 'unevaluatedProperties', 'unevaluatedItems'],
]);

interface Copying {
  readonly isQuick: (pattern: string) => boolean;
  /** True once something is left out: then nothing may stay that would turn it into a refusal. */
  readonly loose: boolean;
  leftOut: boolean;
}

function isLeftOut(keyword: string, member: Json | undefined, copying: Copying): boolean {
  if (keyword === 'pattern') return typeof member !== 'string' || !copying.isQuick(member);
  if (keyword === 'format') return typeof member !== 'string' || !quickFormats.has(member);
  return keyword === '$dynamicRef' || keyword === '$recursiveRef';
}

/** In a loose copy, what would refuse more because something else says less. */
function isTurning(keyword: string, node: JsonObject): boolean {
  return turning.has(keyword) || (keyword === 'oneOf' && Object.hasOwn(node, 'anyOf'));
}

function copyMap(map: JsonObject, copying: Copying): JsonObject {
  return Object.fromEntries(
    Object.entries(map).map(([key, member]) => [key, copy(member, copying)] as const),
  );
}

function copyMember(keyword: string, member: Json | undefined, copying: Copying): Json {
  if (data.has(keyword)) return member ?? null;
  return maps.has(keyword) && isJsonObject(member) ? copyMap(member, copying) : copy(member, copying);
}

function copy(node: Json | undefined, copying: Copying): Json {
  if (Array.isArray(node)) return (node as readonly Json[]).map((item) => copy(item, copying));
  if (node === undefined || !isJsonObject(node)) return node ?? null;
  const slowNames = mapOf(node, 'patternProperties').some(([pattern]) => !copying.isQuick(pattern));
  const kept = Object.entries(node).filter(([keyword, member]) => {
    const left = isLeftOut(keyword, member, copying) || (slowNames && besidePatterns.has(keyword));
    copying.leftOut ||= left;
    return !left && !(copying.loose && isTurning(keyword, node));
  });
  return Object.fromEntries(
    kept.map(([keyword, member]) => {
      const name = keyword === 'oneOf' && copying.loose ? 'anyOf' : keyword;
      return [name, copyMember(keyword, member, copying)] as const;
    }),
  );
}

/**
 * A copy of the schema without what could take long: the check in the window is advice, the one before the call runs
 * leaves nothing out. `complete` is false when something was left out; what is left then refuses less, never more.
 */
export function checkableSchema(
  schema: JsonSchema,
  patterns: 'plain' | 'none',
): { readonly schema: JsonObject; readonly complete: boolean } {
  const isQuick = (pattern: string): boolean => patterns === 'plain' && isPlainPattern(pattern);
  const copying: Copying = { isQuick, loose: false, leftOut: false };
  const whole = copy(schema, copying);
  const kept = copying.leftOut ? copy(schema, { isQuick, loose: true, leftOut: true }) : whole;
  return { schema: isJsonObject(kept) ? kept : {}, complete: !copying.leftOut };
}
