import { findTests } from './test-titles.mjs';

/**
 * @typedef {{ file: string, text: string }} SourceFile file: relative to the root, with slashes
 *
 * @typedef {object} Proof a test whose title carries an id
 * @property {string} file
 * @property {number} line
 * @property {string} title with the titles of its groups; of several rows of a table, the first that carries the id
 * @property {boolean} whole false where the title says "(in part)" behind the id
 *
 * @typedef {{ id: string, whole: boolean }} NamedId
 */

/** @type {WeakMap<SourceFile, import('./test-titles.mjs').FoundTest[]>} several checks read the same files */
const parsed = new WeakMap();

/**
 * @param {SourceFile[]} tests
 * @param {(title: string) => NamedId[]} idsOf reads one title, without those of the groups around it
 * @returns {{ proofs: Map<string, Proof[]>, named: { file: string, line: number, id: string }[] }} proofs: by id, of
 *   the tests that run; named: every id in a title, also of a test that does not run, once for each place
 */
export function collectProofs(tests, idsOf) {
  /** @type {Map<string, Proof[]>} */
  const proofs = new Map();
  /** @type {Map<string, { file: string, line: number, id: string }>} a group's title is seen with each of its tests */
  const named = new Map();
  for (const source of tests) {
    const { file } = source;
    for (const { titles, runs } of testsOf(source)) {
      const title = titles.map((part) => onOneLine(part.text)).join(' > ');
      const line = titles.at(-1)?.line ?? 1;
      /** @type {Map<string, boolean>} */
      const own = new Map();
      for (const part of titles) {
        for (const { id, whole } of idsOf(part.text)) {
          named.set(`${file}:${part.line} ${id}`, { file, line: part.line, id });
          own.set(id, whole || (own.get(id) ?? false));
        }
      }
      if (!runs) continue;
      for (const [id, whole] of own) {
        const before = proofs.get(id) ?? [];
        const same = before.find((proof) => proof.file === file && proof.line === line);
        if (same) same.whole ||= whole;
        else proofs.set(id, [...before, { file, line, title, whole }]);
      }
    }
  }
  return { proofs, named: [...named.values()] };
}

/** @param {SourceFile} source */
function testsOf(source) {
  const before = parsed.get(source);
  if (before) return before;
  const found = findTests(source.file, source.text);
  parsed.set(source, found);
  return found;
}

/** @param {string} text @returns {string} without what a terminal would obey or not show */
function onOneLine(text) {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}
