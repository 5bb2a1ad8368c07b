import type { Json, JsonObject } from '../protocol';

/** How the texts of a value are replaced. Each answers what it was given where nothing is to be replaced. */
export interface TextReplacement {
  /** `name` is the key of the member that the text stands in; for an item of a list, that of the list. */
  text(text: string, name: string | null): string;
  key(key: string): string;
  number?(value: number): Json;
}

/**
 * Keeps replaced keys of one object apart: a key that another one has become, or was, gets a number behind it. The same
 * key stays the same.
 */
export function createKeySpace(): (key: string, replaced: string) => string {
  const origins = new Map<string, string>();
  const counts = new Map<string, number>();
  return (key, replaced) => {
    let free = replaced;
    let count = counts.get(replaced) ?? 1;
    while ((origins.get(free) ?? key) !== key) {
      count += 1;
      free = `${replaced} (${count})`;
    }
    if (count > 1) counts.set(replaced, count);
    origins.set(free, key);
    return free;
  };
}

/**
 * The value with its texts and keys replaced. Members keep their order and stay as many as they were; what did not
 * change is shared. The value's depth must be bounded.
 */
export function replaceTexts(value: Json, replacement: TextReplacement): Json {
  return replaceValue(value, null, replacement);
}

function replaceValue(value: Json, name: string | null, replacement: TextReplacement): Json {
  if (typeof value === 'string') return replacement.text(value, name);
  if (typeof value === 'number') return replacement.number?.(value) ?? value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return replaceItems(value as readonly Json[], name, replacement);
  return replaceMembers(value as JsonObject, replacement);
}

function replaceItems(
  items: readonly Json[],
  name: string | null,
  replacement: TextReplacement,
): readonly Json[] {
  const replaced = items.map((item) => replaceValue(item, name, replacement));
  return replaced.some((item, index) => item !== items[index]) ? replaced : items;
}

function replaceMembers(object: JsonObject, replacement: TextReplacement): JsonObject {
  let changed = false;
  let renamed = false;
  const members = Object.entries(object).map(([key, member]) => {
    const newKey = replacement.key(key);
    const newMember = member === undefined ? undefined : replaceValue(member, key, replacement);
    renamed ||= newKey !== key;
    changed ||= newMember !== member;
    return { key, newKey, newMember };
  });
  if (!renamed && !changed) return object;
  const place = renamed ? createKeySpace() : null;
  return Object.fromEntries(
    members.map(({ key, newKey, newMember }) => [place ? place(key, newKey) : key, newMember]),
  ) as JsonObject;
}

function endOfLiteral(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== 34) at += text.charCodeAt(at) === 92 ? 2 : 1;
  return at + 1;
}

const colon = /[ \t\r\n]*:/y;
const numbers = /-?[0-9][0-9.eE+-]*/g;
const openBrace = 123;
const closeBrace = 125;

/** What stands between two literals: braces open and close the spaces of keys, numbers may be replaced. */
function replaceBetween(
  between: string,
  spaces: ReturnType<typeof createKeySpace>[],
  { number }: TextReplacement,
): string {
  for (let at = 0; at < between.length; at += 1) {
    const code = between.charCodeAt(at);
    if (code === openBrace) spaces.push(createKeySpace());
    else if (code === closeBrace) spaces.pop();
  }
  if (!number) return between;
  return between.replace(numbers, (written) => {
    const value = Number(written);
    const replaced = number(value);
    return replaced === value ? written : JSON.stringify(replaced);
  });
}

/** As `replaceTexts`, in JSON text, which must be valid: its layout stays, and what is not replaced stays as it is written. */
export function replaceTextsInJson(text: string, replacement: TextReplacement): string {
  const spaces: ReturnType<typeof createKeySpace>[] = [];
  let result = '';
  let behind = 0;
  let name: string | null = null;
  for (let start = text.indexOf('"'); start !== -1; start = text.indexOf('"', behind)) {
    result += replaceBetween(text.slice(behind, start), spaces, replacement);
    const end = endOfLiteral(text, start);
    const written = text.slice(start, end);
    const literal = written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1);
    colon.lastIndex = end;
    let replaced: string;
    if (colon.test(text)) {
      name = literal;
      const key = replacement.key(literal);
      replaced = spaces.at(-1)?.(literal, key) ?? key;
    } else {
      replaced = replacement.text(literal, name);
    }
    result += replaced === literal ? written : JSON.stringify(replaced);
    behind = end;
  }
  return result + replaceBetween(text.slice(behind), spaces, replacement);
}
