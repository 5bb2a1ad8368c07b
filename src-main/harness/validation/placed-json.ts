import { findNodeAtLocation, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import type { Json } from '../protocol';
import { maxJsonDepth } from './bounded-json';

/** Where something stands in a text; both count from 1, columns in UTF-16 units. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** Members and items on the way to a value. */
export type JsonPath = readonly (string | number)[];

/** JSON of a file that a person writes, with the places of its values. */
export interface PlacedJson {
  readonly value: Json;
  /** Where a value stands, or as much of the way to it as there is. */
  placeOf(path: JsonPath): TextPlace;
}

export type PlacedJsonResult =
  | { readonly ok: true; readonly value: PlacedJson }
  | { readonly ok: false; readonly place: TextPlace; readonly words: string };

/** Words for the codes of the JSON parser; servers.json and tools.json are read with it too. */
export const jsonSyntaxWords: Readonly<Record<string, string>> = {
  InvalidCommentToken: 'comments are not allowed',
  PropertyNameExpected: 'a name in double quotes is expected, and no comma may stand before it',
  ValueExpected: 'a value is expected, and no comma may stand behind the last one',
  CommaExpected: 'a comma is missing',
  ColonExpected: 'a colon is missing',
  CloseBraceExpected: 'a "}" is missing',
  CloseBracketExpected: 'a "]" is missing',
  InvalidSymbol: 'there is a word that is no value; texts stand in double quotes',
  InvalidCharacter: 'there is a character that may not stand here',
  InvalidNumberFormat: 'a number is not well formed',
  InvalidEscapeCharacter: 'a backslash is followed by a character that it cannot escape',
  InvalidUnicode: 'a \\u escape is not well formed',
  UnexpectedEndOfComment: 'a comment has no end',
  UnexpectedEndOfString: 'a closing double quote is missing',
  UnexpectedEndOfNumber: 'a number is not complete',
  EndOfFileExpected: 'there is text behind the end',
};

/** Answers where an offset of the text stands. */
export function textPlaces(text: string): (offset: number) => TextPlace {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    const line = Math.max(
      starts.findLastIndex((start) => start <= offset),
      0,
    );
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
}

/** Where JSON text goes deeper than 100 levels, or -1: a parser that calls itself breaks off at some depth. */
export function tooDeepAt(text: string): number {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (inText) {
      if (sign === '\\') at += 1;
      else if (sign === '"' || sign === '\n') inText = false;
    } else if (sign === '"') inText = true;
    else if (sign === '{' || sign === '[') {
      depth += 1;
      if (depth > maxJsonDepth) return at;
    } else if (sign === '}' || sign === ']') depth -= 1;
  }
  return -1;
}

/** The first key that comes twice in one object: a reader would drop one of the two in silence (S0-46). */
function repeatedKey(node: Node): Node | null {
  const seen = new Set<string>();
  for (const child of node.children ?? []) {
    const [key] = child.children ?? [];
    if (child.type === 'property' && key) {
      const name = String(key.value);
      if (seen.has(name)) return key;
      seen.add(name);
    }
    const inside = repeatedKey(child);
    if (inside) return inside;
  }
  return null;
}

function nodeAt(root: Node, path: JsonPath): Node {
  for (let length = path.length; length > 0; length -= 1) {
    const found = findNodeAtLocation(root, path.slice(0, length));
    if (found) return found;
  }
  return root;
}

/**
 * Reads the JSON text of a file that a person writes, strictly: no comments, no trailing commas, no key twice, no more
 * than 100 levels. `words` say what is wrong and what to do. Never throws.
 */
export function parsePlacedJson(text: string): PlacedJsonResult {
  const source = text.replace(/^\uFEFF/, '');
  const placeAt = textPlaces(source);
  const wrong = (offset: number, words: string) => ({ ok: false, place: placeAt(offset), words }) as const;
  if (source.trim() === '') return wrong(0, 'The file is empty.');
  const deep = tooDeepAt(source);
  if (deep !== -1) {
    return wrong(deep, `It is nested deeper than ${maxJsonDepth} levels here. Take levels out.`);
  }
  const errors: ParseError[] = [];
  const root = parseTree(source, errors, { disallowComments: true, allowTrailingComma: false });
  const [error] = errors;
  if (error) {
    const code = printParseErrorCode(error.error);
    return wrong(error.offset, `It is not JSON: ${jsonSyntaxWords[code] ?? code}. Correct it there.`);
  }
  if (!root) return wrong(0, 'It is not JSON. Correct it.');
  const again = repeatedKey(root);
  if (again) {
    const name = JSON.stringify(String(again.value).slice(0, 100));
    return wrong(again.offset, `The key ${name} comes twice in one object. Remove one of them.`);
  }
  try {
    const value = JSON.parse(source) as Json;
    return { ok: true, value: { value, placeOf: (path) => placeAt(nodeAt(root, path).offset) } };
  } catch {
    return wrong(0, 'It is not JSON. Correct it.');
  }
}
