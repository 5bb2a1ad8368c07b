import path from 'node:path';
import ts from 'typescript';

/**
 * @typedef {object} Title the words of one describe, it or test
 * @property {string} text what is computed stands in it as "…"
 * @property {number} line from 1
 *
 * @typedef {object} FoundTest
 * @property {Title[]} titles those of the enclosing groups first, its own last
 * @property {boolean} runs false for skip, todo and fixme, its own or a group's
 */

const bases = new Set(['it', 'test', 'describe', 'suite']);
const groups = new Set(['describe', 'suite']);
const idle = new Set(['skip', 'todo', 'fixme']);
/** What may stand last before the parentheses with the title; others, such as `each` or `step`, take no title. */
const titled = new Set([
  ...bases,
  ...idle,
  ...['only', 'fails', 'fail', 'concurrent', 'sequential', 'shuffle', 'serial', 'parallel'],
]);

/**
 * Finds the tests of a Vitest or Playwright file: `it`, `test` and `describe` with their modifiers, `it.each(…)(…)`
 * and `test.skipIf(…)(…)` included. A table in its place gives one test a row, with the literals of the row in the
 * title. A title that is no literal in its place (a variable of a loop) has no words.
 * @param {string} file decides how the text is read: .ts, .tsx or .mjs
 * @param {string} text
 * @returns {FoundTest[]}
 */
export function findTests(file, text) {
  const source = ts.createSourceFile(path.basename(file), text, ts.ScriptTarget.Latest, false);
  /** @type {FoundTest[]} */
  const found = [];
  /** @param {ts.Node} node @param {FoundTest} around */
  const visit = (node, around) => {
    const call = ts.isCallExpression(node) ? readCall(node) : undefined;
    if (!call || !ts.isCallExpression(node)) {
      ts.forEachChild(node, (child) => visit(child, around));
      return;
    }
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
    for (const text of call.texts) {
      const titles = [...around.titles, { text, line }];
      const inner = { titles, runs: around.runs && call.runs };
      if (!call.group) found.push(inner);
      else for (const argument of node.arguments) visit(argument, inner);
    }
  };
  visit(source, { titles: [], runs: true });
  return found;
}

/** @param {ts.CallExpression} call @returns {{ texts: string[], group: boolean, runs: boolean } | undefined} */
function readCall({ expression, arguments: [first, second] }) {
  const chain = chainOf(expression);
  const made = ts.isCallExpression(expression) || ts.isTaggedTemplateExpression(expression);
  if (!bases.has(chain[0] ?? '') || !(made || titled.has(chain.at(-1) ?? ''))) return undefined;
  // `test.skip(condition, reason)` and `test.describe.configure(…)` are about the tests around them.
  const body = second !== undefined || chain.includes('todo');
  const text = first && wordsOf(first);
  if (!first || !body || (text === undefined && chain.some((name) => idle.has(name)))) return undefined;
  return {
    texts: rowsOf(expression).map((row) => filled(text ?? '…', row)),
    group: chain.some((name) => groups.has(name)),
    runs: !chain.some((name) => idle.has(name)),
  };
}

/**
 * @param {ts.Expression} expression what stands before the parentheses with the title
 * @returns {ts.Expression[][]} the rows of `each([…])`, or one row without cells where no table can be read
 */
function rowsOf(expression) {
  const [table] = ts.isCallExpression(expression) ? expression.arguments : [];
  if (!table || !ts.isArrayLiteralExpression(table) || table.elements.length === 0) return [[]];
  return table.elements.map((row) => (ts.isArrayLiteralExpression(row) ? [...row.elements] : [row]));
}

/** @param {string} title @param {ts.Expression[]} row @returns {string} each %s and the like with its cell's words */
function filled(title, row) {
  let next = 0;
  return title.replace(/%[sdifjop]/g, (mark) => {
    const cell = row[next++];
    return (cell && wordsOf(cell)) ?? mark;
  });
}

/** @param {ts.Expression} expression @returns {string[]} `test.describe.each(…)` gives test, describe, each */
function chainOf(expression) {
  if (ts.isIdentifier(expression)) return [expression.text];
  if (ts.isPropertyAccessExpression(expression)) {
    return [...chainOf(expression.expression), expression.name.text];
  }
  if (ts.isCallExpression(expression)) return chainOf(expression.expression);
  if (ts.isTaggedTemplateExpression(expression)) return chainOf(expression.tag);
  return [''];
}

/** @param {ts.Expression} node @returns {string | undefined} undefined where nothing of it is a literal */
function wordsOf(node) {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isParenthesizedExpression(node)) return wordsOf(node.expression);
  if (ts.isTemplateExpression(node)) {
    const spans = node.templateSpans.map((span) => (wordsOf(span.expression) ?? '…') + span.literal.text);
    return node.head.text + spans.join('');
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [wordsOf(node.left), wordsOf(node.right)];
    return left === undefined && right === undefined ? undefined : (left ?? '…') + (right ?? '…');
  }
  return undefined;
}
