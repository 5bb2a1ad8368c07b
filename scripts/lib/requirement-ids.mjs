/** The ids that the two documents and the decisions on them have, by prefix. */
const ranges = [
  { prefix: 'S0-', first: 1, last: 83, digits: 2 },
  { prefix: 'S1-', first: 1, last: 91, digits: 2 },
  { prefix: 'C', first: 1, last: 13, digits: 1 },
];

/** @type {readonly string[]} every id that there is, in order */
export const knownIds = ranges.flatMap((range) =>
  Array.from({ length: range.last - range.first + 1 }, (_, index) => idOf(range, range.first + index)),
);

const known = new Set(knownIds);

/** @param {string} id */
export const isKnown = (id) => known.has(id);

/** The ranges in words, for messages. */
export const rangesInWords = ranges
  .map((range) => `${idOf(range, range.first)}..${idOf(range, range.last)}`)
  .join(', ');

const oneId = String.raw`(?:S\d+-|C)\d+`;
const idOrRange = new RegExp(
  String.raw`\b(${oneId})(?:\s*(?:\.\.|…)\s*(${oneId}|\d+)|\s+to\s+(${oneId}))?(?![\w-])(\s*\(in part\))?`,
  'g',
);

/**
 * @typedef {object} TitleId
 * @property {string} id as it is written, known or not
 * @property {boolean} whole false where the title says "(in part)" behind it
 */

/**
 * The ids in the title of a test: single ones, lists ("S0-31 S0-33") and ranges ("S0-73..S0-78", "S0-73..78",
 * "S1-50 to S1-54"). "(in part)" belongs to the id or range before it.
 * @param {string} title
 * @returns {TitleId[]}
 */
export function idsOf(title) {
  return [...title.matchAll(idOrRange)].flatMap(([, first = '', dotted, worded, part]) =>
    expand(first, dotted ?? worded).map((id) => ({ id, whole: part === undefined })),
  );
}

/**
 * @param {string} first
 * @param {string | undefined} last an id, or only its number
 * @returns {string[]} a range that makes no sense comes back as one id that nobody knows: its own text
 */
function expand(first, last) {
  if (last === undefined) return [first];
  const [from, to] = [split(first), split(last)];
  const range = ranges.find(({ prefix }) => prefix === from.prefix);
  if (!range || (to.prefix !== '' && to.prefix !== from.prefix) || to.number <= from.number) {
    return [`${first}..${last}`];
  }
  // A huge end is named once, not counted up to.
  const end = Math.min(to.number, range.last + 1);
  return Array.from({ length: end - from.number + 1 }, (_, index) => idOf(range, from.number + index));
}

/** @param {string} id */
function split(id) {
  const [, prefix = '', digits = ''] = /^(\D*|S\d+-)(\d+)$/.exec(id) ?? [];
  return { prefix, number: Number(digits) };
}

/** @param {{ prefix: string, digits: number }} range @param {number} number */
function idOf({ prefix, digits }, number) {
  return `${prefix}${String(number).padStart(digits, '0')}`;
}
