import type { Json, JsonObject } from '../protocol';

/** The options of a guardrail, each with the words that it takes; the first one holds where none is given. */
export type Choices = Readonly<Record<string, readonly [string, ...string[]]>>;

function listed(words: readonly string[], joint: 'and' | 'or'): string {
  const quoted = words.map((word) => `"${word}"`);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} ${joint} ${last}`;
}

/** A value of a configuration in few words, whatever its size. */
export function shown(value: Json | undefined): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'string' && value.length > 100) return `a text of ${value.length} characters`;
  return value === undefined ? 'missing' : JSON.stringify(value);
}

function isWord(value: Json | undefined, words: readonly string[]): value is string {
  return typeof value === 'string' && words.includes(value);
}

/** What is wrong with options, in words with the remedy; null: nothing. A list or object is never a word. */
export function checkChoices(options: JsonObject, choices: Choices): string | null {
  for (const [key, value] of Object.entries(options)) {
    const words = Object.hasOwn(choices, key) ? choices[key] : undefined;
    if (!words) {
      const names = Object.keys(choices);
      const known = names.length === 0 ? 'It takes none.' : `The options are ${listed(names, 'and')}.`;
      return `"${key.slice(0, 100)}" is not known. ${known}`;
    }
    if (!isWord(value, words)) return `"${key}" is ${shown(value)}. Write ${listed(words, 'or')}.`;
  }
  return null;
}

/** The chosen word. Throws where options came past `checkChoices`, so that the guardrail fails closed. */
export function choiceOf<T extends string>(options: JsonObject, key: string, words: readonly [T, ...T[]]): T {
  const value = options[key];
  const [first] = words;
  const found = value === undefined ? first : words.find((word) => word === value);
  if (found === undefined) throw new Error(`The option "${key}" has a value that was never checked.`);
  return found;
}
