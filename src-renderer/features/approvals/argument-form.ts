import { isJsonObject, type Json, type JsonObject, type Presentation } from '../../../src-preload/contract';
import { movesOf } from '../../ui/tool-sentence';

/** Arguments in the form that lets a person judge them fastest. Nothing of them is left out. */
export type ArgumentForm =
  | { readonly type: 'none' }
  | {
      readonly type: 'moves';
      readonly moves: readonly { readonly from: string; readonly to: string }[];
      readonly rest: JsonObject;
    }
  | {
      readonly type: 'fields';
      readonly first: readonly (readonly [string, string])[];
      readonly rest: JsonObject;
    };

const moveKeys = new Set([
  'source',
  'from',
  'source_path',
  'path',
  'destination',
  'to',
  'destination_path',
  'target',
]);
/** In this order: whom it reaches, what it is about, what it says. */
const messageKeys = [
  'to',
  'recipients',
  'cc',
  'bcc',
  'channel',
  'subject',
  'title',
  'message',
  'text',
  'body',
  'content',
];

function without(given: JsonObject, drop: (key: string, value: Json | undefined) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(given).filter(([key, value]) => !drop(key, value)));
}

function moveForm(given: JsonObject): ArgumentForm | null {
  const moves = movesOf(given);
  if (!moves) return null;
  const single = typeof given.source === 'string' || moves.length === 1;
  const rest = without(given, (key, value) => (single ? moveKeys.has(key) : Array.isArray(value)));
  const members = Object.values(given).find((value) => Array.isArray(value)) as readonly Json[] | undefined;
  const simple =
    single || (members ?? []).every((item) => isJsonObject(item) && Object.keys(item).length === 2);
  return simple ? { type: 'moves', moves, rest } : null;
}

function fieldText(value: Json | undefined): string | null {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ');
  return null;
}

function fieldForm(given: JsonObject): ArgumentForm {
  const named = messageKeys.filter((key) => Object.hasOwn(given, key) && fieldText(given[key]) !== null);
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
