/**
 * @typedef {object} Row one requirement of docs/requirements.md
 * @property {string} id
 * @property {number} line from 1
 * @property {'must be tested' | 'no counterpart' | 'planned'} state
 * @property {string} words the reason, or what is missing; empty where it must be tested
 *
 * @typedef {{ line: number, message: string }} TableProblem
 */

const columns = ['Id', 'Requirement or Decision', 'Where', 'State'];

/**
 * Reads the rows of all tables of the document. A row's last cell is empty, "no counterpart: REASON" or
 * "planned: WHAT IS MISSING".
 * @param {string} text
 * @returns {{ rows: Row[], problems: TableProblem[] }}
 */
export function readTable(text) {
  /** @type {Row[]} */
  const rows = [];
  /** @type {TableProblem[]} */
  const problems = [];
  for (const [index, content] of text.split('\n').entries()) {
    const cells = cellsOf(content);
    const id = cells?.[0] ?? '';
    if (!cells || !/^(S\d+-|C)\d+$/.test(id)) continue;
    const line = index + 1;
    const state = cells.length === columns.length ? stateOf(cells[3] ?? '') : undefined;
    if (state) rows.push({ id, line, ...state });
    else problems.push({ line, message: wrongRow(id, cells) });
  }
  return { rows, problems };
}

/** @param {string} line @returns {string[] | undefined} undefined where the line is no row of a table */
function cellsOf(line) {
  const inner = /^\|(.*)\|\s*$/.exec(line)?.[1];
  return inner?.split(/(?<!\\)\|/).map((cell) => cell.trim());
}

/** @param {string} cell @returns {Pick<Row, 'state' | 'words'> | undefined} */
function stateOf(cell) {
  if (cell === '') return { state: 'must be tested', words: '' };
  const [, kind, words = ''] = /^(no counterpart|planned): (\S.*)$/.exec(cell) ?? [];
  return kind === 'planned' || kind === 'no counterpart' ? { state: kind, words } : undefined;
}

/** @param {string} id @param {string[]} cells */
function wrongRow(id, cells) {
  if (cells.length !== columns.length) {
    return `the row of ${id} has ${cells.length} cells. Write ${columns.length}: ${columns.join(', ')}.`;
  }
  return (
    `the state of ${id} is "${cells[3]}". Leave it empty where a test covers the line; else write ` +
    '"no counterpart: REASON" or "planned: WHAT IS MISSING".'
  );
}
