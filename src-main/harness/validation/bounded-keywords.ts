import { _, str, type FuncKeywordDefinition } from 'ajv';
import type { Json } from '../protocol';
import { canonicalJson } from './canonical-json';
import type { WorkMeter } from './work-meter';

/** Values by what JSON takes for equal. */
interface ValueSet {
  has(value: unknown): boolean;
  add(value: unknown): void;
}

function createValueSet(meter: WorkMeter): ValueSet {
  const plain = new Set<unknown>();
  const composed = new Set<string>();
  const textOf = (value: object): string => {
    const text = canonicalJson(value as Json);
    meter.spend(1 + (text.length >> 2));
    return text;
  };
  const isComposed = (value: unknown): value is object => typeof value === 'object' && value !== null;
  return {
    has(value) {
      if (isComposed(value)) return composed.size > 0 && composed.has(textOf(value));
      if (typeof value === 'string') meter.spend(value.length >> 6);
      return plain.has(value);
    },
    add(value) {
      if (isComposed(value)) composed.add(textOf(value));
      else plain.add(value);
    },
  };
}

/** Whether a text has more than `limit` characters (code points); looks at no more of it than it must. */
function isLongerThan(text: string, limit: number, meter: WorkMeter): boolean {
  if (text.length <= limit) return false;
  if (text.length > 2 * limit + 1) return true;
  meter.spend(text.length >> 4);
  let count = 0;
  for (let at = 0; at < text.length; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) count += 1;
  return count > limit;
}

/**
 * Keywords that cost more than their share as the engine has them: it compares every item with every other, every value
 * with every choice, and counts the characters of a text anew each time.
 */
export function boundedKeywords(meter: WorkMeter): FuncKeywordDefinition[] {
  return [
    {
      keyword: 'uniqueItems',
      type: 'array',
      schemaType: 'boolean',
      error: { message: 'must not have the same item twice' },
      compile: (unique: boolean) => (items: readonly unknown[]) => {
        if (!unique) return true;
        const seen = createValueSet(meter);
        return items.every((item) => {
          meter.spend(1);
          if (seen.has(item)) return false;
          seen.add(item);
          return true;
        });
      },
    },
    {
      keyword: 'enum',
      schemaType: 'array',
      error: {
        message: 'must be equal to one of the allowed values',
        params: ({ schemaCode }) => _`{allowedValues: ${schemaCode}}`,
      },
      compile(choices: readonly unknown[]) {
        const allowed = createValueSet(meter);
        for (const choice of choices) allowed.add(choice);
        return (value: unknown) => allowed.has(value);
      },
    },
    {
      keyword: 'maxLength',
      type: 'string',
      schemaType: 'number',
      error: { message: ({ schemaCode }) => str`must NOT have more than ${schemaCode} characters` },
      compile: (limit: number) => (text: string) => !isLongerThan(text, limit, meter),
    },
    {
      keyword: 'minLength',
      type: 'string',
      schemaType: 'number',
      error: { message: ({ schemaCode }) => str`must NOT have fewer than ${schemaCode} characters` },
      compile: (limit: number) => (text: string) => limit === 0 || isLongerThan(text, limit - 1, meter),
    },
  ];
}
