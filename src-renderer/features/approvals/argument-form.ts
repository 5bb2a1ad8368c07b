import type { Json, JsonObject, Presentation } from '../../../src-preload/contract';
import { movesOf, type Move } from '../../ui/tool-sentence';
import { proseNames } from './prose-names';

/** Arguments in the form that lets a person judge them fastest. Nothing of them is left out. */
export type ArgumentForm =
  | { readonly type: 'none' }
  | {
      readonly type: 'moves';
      readonly moves: readonly Move[];
      readonly rest: JsonObject;
    }
  | {
      readonly type: 'fields';
      readonly first: readonly (readonly [string, string])[];
      readonly rest: JsonObject;
    };

function without(given: JsonObject, drop: (key: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(given).filter(([key]) => !drop(key)));
}

function moveForm(given: JsonObject): ArgumentForm | null {
  const found = movesOf(given);
  return (
    found && { type: 'moves', moves: found.moves, rest: without(given, (key) => found.keys.includes(key)) }
  );
}

function fieldText(value: Json | undefined): string | null {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ');
  return null;
}

function fieldForm(given: JsonObject): ArgumentForm {
  const named = proseNames.filter((key) => Object.hasOwn(given, key) && fieldText(given[key]) !== null);
  const others = Object.keys(given).filter((key) => !named.includes(key) && typeof given[key] === 'string');
  const first = [...named, ...others].map((key) => [key, fieldText(given[key]) ?? ''] as const);
  const taken = new Set(first.map(([key]) => key));
  return { type: 'fields', first, rest: without(given, (key) => taken.has(key)) };
}

export function argumentForm(name: string, presentation: Presentation, given: JsonObject): ArgumentForm {
  if (Object.keys(given).length === 0) return { type: 'none' };
  const moves = /move|rename/.test(name) ? moveForm(given) : null;
  return (presentation !== 'message' ? moves : null) ?? fieldForm(given);
}
