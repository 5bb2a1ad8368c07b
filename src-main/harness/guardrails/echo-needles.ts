import type { Json, JsonObject, JsonSchema } from '../protocol';

/** What is shorter stands in many a result by chance. */
const minLength = 6;
/** Keys are mostly words that the tool's definition gives; longer ones are data. */
const minKeyLength = 12;
/** A shorter value made of letters alone is a word like others. */
const minWordLength = 12;

/** A value of withheld arguments, in one of the forms in which a text may hold it. */
export interface Needle {
  readonly form: string;
  readonly value: string;
  readonly type: 'text' | 'number' | 'key';
  /** Whether it counts only where no letter or digit stands beside it. */
  readonly whole: boolean;
}

type Visit = (value: string, type: Needle['type']) => void;

/** Texts, numbers and keys of a value, whose depth must be bounded. */
function visitAll(value: Json | undefined, visit: Visit): void {
  if (typeof value === 'string') visit(value, 'text');
  else if (typeof value === 'number') visit(String(value), 'number');
  else if (typeof value === 'object' && value !== null) {
    const isList = Array.isArray(value);
    for (const [key, member] of Object.entries(value)) {
      if (!isList) visit(key, 'key');
      visitAll(member as Json | undefined, visit);
    }
  }
}

function formsOf(value: string): ReadonlySet<string> {
  const trimmed = value.trim();
  const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
  return new Set([value, trimmed, escaped(value), escaped(trimmed)]);
}

/**
 * What may be recognised of arguments where a tool repeats it, the longest first: texts and numbers of six characters
 * and more, keys of twelve and more, as they are and as JSON writes them. What the tool's own definition says is no
 * secret of the call: the name of a field, a word of a choice.
 */
export function needlesOf(args: JsonObject, schema: JsonSchema): readonly Needle[] {
  const defined = new Set<string>();
  visitAll(schema, (value) => defined.add(value));
  const found = new Map<string, Needle['type']>();
  visitAll(args, (value, type) => {
    const length = value.trim().length;
    if (length < (type === 'key' ? minKeyLength : minLength) || defined.has(value)) return;
    if (type === 'text' || !found.has(value)) found.set(value, type);
  });
  const needles: Needle[] = [];
  for (const [value, type] of found) {
    const word = value.length < minWordLength && /^\p{L}+$/u.test(value);
    for (const form of formsOf(value)) needles.push({ form, value, type, whole: type === 'number' || word });
  }
  return needles.sort((a, b) => b.form.length - a.form.length);
}

/** Needles are found by their beginnings; the longer a needle, the more of it. */
const beginnings = [48, 16, minLength] as const;
const letterOrDigit = /[\p{L}\p{N}]/u;

function standsAlone(text: string, start: number, end: number): boolean {
  return !letterOrDigit.test(text.charAt(start - 1)) && !letterOrDigit.test(text.charAt(end));
}

/** The longest needle that stands at a place; `spend` is told how many characters were compared. */
export type NeedleSearch = (text: string, at: number, spend: (characters: number) => void) => Needle | null;

/** Needles with one beginning: which lengths there are, the longest first, and each needle by its form. */
interface Bucket {
  readonly lengths: number[];
  readonly forms: Map<string, Needle>;
}

function addTo(bucket: Bucket, needle: Needle): void {
  const { form } = needle;
  if (bucket.forms.has(form)) return;
  if (bucket.lengths.at(-1) !== form.length) bucket.lengths.push(form.length);
  bucket.forms.set(form, needle);
}

function findIn(
  bucket: Bucket,
  text: string,
  at: number,
  spend: (characters: number) => void,
): Needle | null {
  for (const length of bucket.lengths) {
    if (at + length > text.length) continue;
    spend(length);
    const needle = bucket.forms.get(text.slice(at, at + length));
    if (needle && (!needle.whole || standsAlone(text, at, at + length))) return needle;
  }
  return null;
}

/** @param needles the longest first */
export function createNeedleSearch(needles: readonly Needle[]): NeedleSearch {
  const firsts = new Uint8Array(0x10000);
  const tiers = beginnings.map((length) => ({ length, buckets: new Map<string, Bucket>() }));
  for (const needle of needles) {
    const tier = tiers.find(({ length }) => needle.form.length >= length);
    if (!tier) continue;
    firsts[needle.form.charCodeAt(0)] = 1;
    const beginning = needle.form.slice(0, tier.length);
    const bucket = tier.buckets.get(beginning) ?? { lengths: [], forms: new Map<string, Needle>() };
    tier.buckets.set(beginning, bucket);
    addTo(bucket, needle);
  }
  const used = tiers.filter(({ buckets }) => buckets.size > 0);
  return (text, at, spend) => {
    if (firsts[text.charCodeAt(at)] !== 1) return null;
    for (const { length, buckets } of used) {
      const bucket = buckets.get(text.slice(at, at + length));
      const needle = bucket ? findIn(bucket, text, at, spend) : null;
      if (needle) return needle;
    }
    return null;
  };
}
