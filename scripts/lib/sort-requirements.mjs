import { collectProofs } from './collect-proofs.mjs';
import { idsOf, isKnown, knownIds, rangesInWords } from './requirement-ids.mjs';
import { readTable } from './requirement-table.mjs';

/**
 * @typedef {import('./collect-proofs.mjs').SourceFile} SourceFile
 * @typedef {import('./collect-proofs.mjs').Proof} Proof
 *
 * @typedef {object} Sorted
 * @property {{ id: string, proofs: Proof[] }[]} tested
 * @property {{ id: string, reason: string }[]} noCounterpart
 * @property {{ id: string, missing: string, proofs: Proof[] }[]} planned proofs: of the part that is there
 * @property {string[]} problems each names the id, the file and the remedy; with none, every id has one kind
 */

/**
 * Sorts every id of the two documents into tested, no counterpart or planned.
 * @param {SourceFile} document docs/requirements.md
 * @param {SourceFile[]} tests
 * @returns {Sorted}
 */
export function sortRequirements(document, tests) {
  const { rows, problems: wrongRows } = readTable(document.text);
  const { proofs, named } = collectProofs(tests, idsOf);
  const wrongTitles = named.filter(({ id }) => !isKnown(id)).map(unknownId);
  const problems = wrongRows.map(({ line, message }) => `${document.file}:${line}: ${message}`);
  problems.push(...wrongTitles, ...rowProblems(document.file, rows, wrongRows));
  /** @type {Sorted} */
  const sorted = { tested: [], noCounterpart: [], planned: [], problems };
  for (const row of firstRows(rows)) {
    const own = proofs.get(row.id) ?? [];
    const problem = contradiction(document.file, row, own);
    if (problem) problems.push(problem);
    else if (row.state === 'planned') sorted.planned.push({ id: row.id, missing: row.words, proofs: own });
    else if (row.state === 'no counterpart') sorted.noCounterpart.push({ id: row.id, reason: row.words });
    else sorted.tested.push({ id: row.id, proofs: own });
  }
  return sorted;
}

/** @param {{ file: string, line: number, id: string }} named */
function unknownId({ file, line, id }) {
  return `${file}:${line}: the title of a test names ${id}, which is no requirement. The ids are ${rangesInWords}: correct the title.`;
}

/**
 * @param {string} file
 * @param {import('./requirement-table.mjs').Row[]} rows
 * @param {import('./requirement-table.mjs').TableProblem[]} wrongRows
 */
function rowProblems(file, rows, wrongRows) {
  const mentioned = wrongRows.map(({ message }) => message).join('\n');
  const ids = new Set(rows.map(({ id }) => id));
  const missing = knownIds
    .filter((id) => !ids.has(id) && !new RegExp(`\\b${id} `).test(mentioned))
    .map(
      (id) => `${file}: ${id} has no row. Add one: what it asks for, where it is implemented, and its state.`,
    );
  const strange = rows
    .filter(({ id }) => !isKnown(id))
    .map(
      ({ id, line }) =>
        `${file}:${line}: ${id} is no requirement. The ids are ${rangesInWords}: correct the row.`,
    );
  const twice = rows
    .filter((row) => rows.find(({ id }) => id === row.id) !== row)
    .map(({ id, line }) => `${file}:${line}: ${id} has a row already. Remove one of the two.`);
  return [...missing, ...strange, ...twice];
}

/** @param {import('./requirement-table.mjs').Row[]} rows one row for each known id that has one, in order */
function firstRows(rows) {
  return knownIds.flatMap((id) => rows.find((row) => row.id === id) ?? []);
}

/**
 * @param {string} file
 * @param {import('./requirement-table.mjs').Row} row
 * @param {Proof[]} proofs
 * @returns {string | undefined} why the row and the tests do not agree
 */
function contradiction(file, { id, line, state }, proofs) {
  const whole = proofs.filter((proof) => proof.whole);
  const place = `${file}:${line}: ${id}`;
  if (state === 'must be tested') {
    if (whole.length > 0) return undefined;
    return proofs.length > 0
      ? `${place} has tests of a part only: ${shown(proofs)}. Test the rest, or write "planned: WHAT IS MISSING" as its state.`
      : `${place} is in none of the three kinds. Put the id into the title of a test that proves it, or write "planned: …" or "no counterpart: …" as its state.`;
  }
  const against = state === 'planned' ? whole : proofs;
  if (against.length === 0) return undefined;
  const remedy =
    state === 'planned' ? 'write "(in part)" behind the id in the title' : 'take the id out of the title';
  return `${place} is marked "${state}" and is tested by ${shown(against)}. Empty its state, or ${remedy}.`;
}

/** @param {Proof[]} proofs */
function shown(proofs) {
  const first = proofs.slice(0, 3).map(({ file, line, title }) => `${file}:${line} "${title}"`);
  const more = proofs.length - first.length;
  return first.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
