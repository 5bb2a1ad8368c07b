import { collectProofs } from './collect-proofs.mjs';
import { citationsOf } from './hazard-citations.mjs';

/**
 * @typedef {import('./collect-proofs.mjs').SourceFile} SourceFile
 * @typedef {import('./collect-proofs.mjs').Proof} Proof
 *
 * @typedef {{ id: string, line: number }} Entry id: "hazard 9" or "field report 24"; line: from 1
 *
 * @typedef {object} CheckedHazards
 * @property {{ id: string, proofs: Proof[] }[]} tested listed, and in the title of a test that runs
 * @property {string[]} problems each names the id, the file and the remedy
 */

/** What an entry looks like, for messages. */
const pattern = '"- **hazard 9**: …" or "- **field report 24**: …"';

/**
 * Holds the list of hazards and field reports against what cites them.
 * @param {SourceFile} document docs/hazards.md
 * @param {SourceFile[]} tests whose titles prove that an entry is tested
 * @param {SourceFile[]} sources whose whole text, comments included, may cite listed entries only
 * @returns {CheckedHazards}
 */
export function checkHazards(document, tests, sources) {
  const { entries, problems } = readEntries(document);
  const listed = new Set(entries.map(({ id }) => id));
  const { proofs } = collectProofs(tests, (title) =>
    citationsOf(title).map(({ id }) => ({ id, whole: true })),
  );
  /** @type {CheckedHazards['tested']} */
  const tested = [];
  for (const { id, line } of entries) {
    const own = proofs.get(id);
    if (own) tested.push({ id, proofs: own });
    else problems.push(uncited(document.file, line, id));
  }
  return {
    tested,
    problems: [...problems, ...sources.flatMap((source) => unlisted(document.file, listed, source))],
  };
}

/**
 * @param {SourceFile} document
 * @returns {{ entries: Entry[], problems: string[] }} entries: one for each id
 */
function readEntries({ file, text }) {
  /** @type {Map<string, Entry>} */
  const entries = new Map();
  /** @type {string[]} */
  const problems = [];
  for (const [index, content] of text.split('\n').entries()) {
    if (!content.startsWith('- **')) continue;
    const line = index + 1;
    const id = /^- \*\*((?:hazard|field report) [1-9]\d*)\*\*: \S/.exec(content)?.[1];
    const before = id && entries.get(id);
    if (!id) problems.push(`${file}:${line}: this entry cannot be read. Begin it as in ${pattern}.`);
    else if (before)
      problems.push(
        `${file}:${line}: ${id} has an entry already, in line ${before.line}. Remove one of the two.`,
      );
    else entries.set(id, { id, line });
  }
  return { entries: [...entries.values()], problems };
}

/** @param {string} file @param {number} line @param {string} id */
function uncited(file, line, id) {
  return `${file}:${line}: ${id} is cited by no test that runs. Put "${id}" into the title of a test that proves the entry, or remove the entry.`;
}

/**
 * @param {string} list name of the file with the entries
 * @param {Set<string>} listed
 * @param {SourceFile} source
 */
function unlisted(list, listed, { file, text }) {
  return citationsOf(text)
    .filter(({ id }) => !listed.has(id))
    .map(({ id, index }) => {
      const line = text.slice(0, index).split('\n').length;
      return `${file}:${line}: ${id} is cited here and is not listed in ${list}. Correct the number, or add an entry.`;
    });
}
