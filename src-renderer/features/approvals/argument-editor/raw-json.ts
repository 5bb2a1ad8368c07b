import { visit, type JSONVisitor } from 'jsonc-parser';
import { isJsonObject, type Json, type JsonObject } from '../../../../src-preload/contract';
import { escapeHidden } from './escape-hidden';
import { isExact } from './read-number';

export type RawProblemKind =
  | 'empty'
  | 'not_object'
  | 'too_deep'
  | 'duplicate_key'
  | 'inexact_number'
  | 'value_expected'
  | 'name_expected'
  | 'colon_expected'
  | 'comma_expected'
  | 'not_closed'
  | 'more_after_end'
  | 'open_string'
  | 'bad_escape'
  | 'bad_word'
  | 'bad_character'
  | 'bad_number'
  | 'comment'
  | 'not_json';

/** What keeps a text from being read, and where. Lines and columns begin at 1. */
export interface RawProblem {
  readonly kind: RawProblemKind;
  readonly line: number;
  readonly column: number;
  /** What stands there, cut short. */
  readonly near: string;
}

export type RawReading =
  { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly problem: RawProblem };

/** By the numbers of the parser's codes, which it has as a const enum only. */
const kinds: Readonly<Record<number, RawProblemKind>> = {
  1: 'bad_word',
  2: 'bad_number',
  3: 'name_expected',
  4: 'value_expected',
  5: 'colon_expected',
  6: 'comma_expected',
  7: 'not_closed',
  8: 'not_closed',
  9: 'more_after_end',
  10: 'comment',
  11: 'comment',
  12: 'open_string',
  13: 'bad_escape',
  14: 'bad_escape',
  15: 'bad_escape',
  16: 'bad_character',
};

const deepest = 64;
const nearLength = 24;

function problemAt(text: string, kind: RawProblemKind, offset: number, length = 0): RawProblem {
  const before = text.slice(0, offset);
  const lines = before.split(/\r\n|\r|\n/);
  const near = text.slice(offset, offset + Math.min(length, nearLength));
  return { kind, line: lines.length, column: (lines.at(-1) ?? '').length + 1, near };
}

/** The first thing that is wrong, in the order of the text. */
function firstProblem(text: string): RawProblem | null {
  let found: RawProblem | null = null;
  const note = (kind: RawProblemKind, offset: number, length: number): void => {
    found ??= problemAt(text, kind, offset, length);
  };
  const open: Set<string>[] = [];
  let depth = 0;
  const enter = (offset: number, length: number): boolean => {
    depth += 1;
    if (depth > deepest) note('too_deep', offset, length);
    return depth <= deepest;
  };
  const leave = (): void => {
    depth -= 1;
  };
  const visitor: JSONVisitor = {
    onError: (code, offset, length) => note(kinds[code] ?? 'not_json', offset, length),
    onObjectBegin: (offset, length) => {
      open.push(new Set());
      return enter(offset, length);
    },
    onObjectEnd: () => {
      open.pop();
      leave();
    },
    onArrayBegin: (offset, length) => enter(offset, length),
    onArrayEnd: leave,
    onObjectProperty: (name, offset, length) => {
      const names = open.at(-1);
      if (names?.has(name)) note('duplicate_key', offset, length);
      names?.add(name);
    },
    onLiteralValue: (value: unknown, offset, length) => {
      if (typeof value !== 'number' || isExact(text.slice(offset, offset + length))) return;
      note('inexact_number', offset, length);
    },
  };
  visit(text, visitor, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: true });
  return found;
}

function parsed(text: string): { readonly value: Json } | null {
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    return null;
  }
}

/** Cheap and without recursion, before anything that recurses: brackets outside strings. */
function tooDeepAt(text: string): number | null {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > deepest) return at;
    } else if (character === '}' || character === ']') depth -= 1;
  }
  return null;
}

/**
 * Reads any JSON value as it stands. Refused is also what JSON allows and reading would change without a word: a name
 * that is given twice, and a number with more digits than can be kept.
 */
export function readJson(text: string): RawReading {
  if (text.trim() === '') return { ok: false, problem: problemAt(text, 'empty', 0) };
  const deep = tooDeepAt(text);
  if (deep !== null) return { ok: false, problem: problemAt(text, 'too_deep', deep, 1) };
  const reading = parsed(text);
  const problem = firstProblem(text);
  if (problem) return { ok: false, problem };
  return reading ? { ok: true, ...reading } : { ok: false, problem: problemAt(text, 'not_json', 0) };
}

/** Reads the arguments of a call: JSON whose outermost value is an object. */
export function readArguments(
  text: string,
): { readonly ok: true; readonly value: JsonObject } | { readonly ok: false; readonly problem: RawProblem } {
  const reading = readJson(text);
  if (!reading.ok) return reading;
  if (isJsonObject(reading.value)) return { ok: true, value: reading.value };
  const start = text.length - text.trimStart().length;
  return { ok: false, problem: problemAt(text, 'not_object', start, text.length - start) };
}

/** JSON text for a person: indented, with nothing in it that hides. Read again, it is the same value. */
export function writeJson(value: Json): string {
  return escapeHidden(JSON.stringify(value, null, 2));
}
