/** @typedef {{ id: string, index: number }} Citation id: "hazard 9" or "field report 24"; index: where it begins */

/** White space, also where a comment is wrapped. */
const gap = String.raw`\s+(?:(?:\*|\/\/)\s+)?`;
const between = String.raw`\s*(?:,|…|\.\.|-|–)\s*|\s+(?:and|to)\s+`;
/** Bare "report 24" is short for "field report 24"; "reports 0 failures" is none of ours. */
const citation = new RegExp(
  String.raw`\b(hazards?|field${gap}reports?|report)${gap}(\d+\b(?:(?:${between})\d+\b)*)`,
  'gi',
);

/** More numbers in a row than any list has. */
const longestRange = 200;

/**
 * The hazards and field reports that a text cites: single ones ("hazard 9"), lists ("hazards 79, 82 and 90") and ranges
 * ("hazards 82-85", "82..85", "82 to 85"). Of a range that makes no sense the two ends count.
 * @param {string} text a title, or a whole file
 * @returns {Citation[]}
 */
export function citationsOf(text) {
  return [...text.matchAll(citation)].flatMap(({ index, 1: word = '', 2: numbers = '' }) => {
    const kind = /^hazard/i.test(word) ? 'hazard' : 'field report';
    return expand(numbers).map((number) => ({ id: `${kind} ${number}`, index }));
  });
}

/** @param {string} list @returns {number[]} */
function expand(list) {
  return list.split(/\s*,\s*|\s+and\s+/).flatMap((part) => {
    const [first = 0, ...more] = (part.match(/\d+/g) ?? []).map(Number);
    const last = more.at(-1) ?? first;
    if (last < first || last - first > longestRange) return [first, ...more];
    return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
  });
}
