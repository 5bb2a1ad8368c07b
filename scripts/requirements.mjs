import fs from 'node:fs';
import { checkHazards } from './lib/check-hazards.mjs';
import { inRoot, root } from './lib/paths.mjs';
import { runScript, say } from './lib/report.mjs';
import { sortRequirements } from './lib/sort-requirements.mjs';

const hazardList = 'docs/hazards.md';

/**
 * usage: npm run requirements -- sorts every requirement into tested, no counterpart or planned, and holds the list of
 * hazards and field reports against the tests and comments that cite them
 */
await runScript(async () => {
  const sources = sourceFiles().map(source);
  const tests = sources.filter(({ file }) => isTest(file));
  const sorted = sortRequirements(source('docs/requirements.md'), tests);
  const hazards = checkHazards(source(hazardList), tests, sources);
  printSorted(sorted);
  say('\nHazards and field reports');
  for (const { id, proofs } of hazards.tested) printWithProofs(id, '', proofs, 16);
  const problems = [...sorted.problems, ...hazards.problems];
  say(`\n${counts(sorted, hazards)}, ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`);
  for (const problem of problems) say(`  ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
});

/** @returns {string[]} code and documents, relative to the root, with slashes, in order */
function sourceFiles() {
  const folders = fs
    .readdirSync(root)
    .filter((name) => /^src-|^scripts$|^e2e$|^docs$|^bench$/.test(name))
    .flatMap((name) => filesBelow(name));
  return folders.filter((file) => /\.(ts|tsx|mjs|cjs|md)$/.test(file) && file !== hazardList).sort();
}

/** @param {string} folder @returns {string[]} without packages that are installed below it */
function filesBelow(folder) {
  return fs.readdirSync(inRoot(folder), { withFileTypes: true }).flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesBelow(name);
    return entry.isFile() ? [name] : [];
  });
}

/** @param {string} file */
function isTest(file) {
  if (file.startsWith('e2e/')) return file.endsWith('.spec.ts');
  return /^(src-|scripts\/).*\.test\.(ts|tsx|mjs)$/.test(file);
}

/** @param {string} file @returns {import('./lib/sort-requirements.mjs').SourceFile} */
function source(file) {
  return { file, text: fs.readFileSync(inRoot(file), 'utf8') };
}

/** @param {import('./lib/sort-requirements.mjs').Sorted} sorted */
function printSorted({ tested, noCounterpart, planned }) {
  say('Tested');
  for (const { id, proofs } of tested) printWithProofs(id, '', proofs);
  say('\nNo counterpart in TypeScript');
  for (const { id, reason } of noCounterpart) printWithProofs(id, reason, []);
  say('\nPlanned');
  for (const { id, missing, proofs } of planned) printWithProofs(id, missing, proofs);
}

/**
 * @param {import('./lib/sort-requirements.mjs').Sorted} sorted
 * @param {import('./lib/check-hazards.mjs').CheckedHazards} hazards
 */
function counts({ tested, noCounterpart, planned }, hazards) {
  const all = hazards.tested.length;
  const ours = hazards.tested.filter(({ id }) => id.startsWith('hazard')).length;
  return (
    `${tested.length} tested, ${noCounterpart.length} without counterpart, ${planned.length} planned, ` +
    `${ours} hazards and ${all - ours} field reports tested`
  );
}

/**
 * @param {string} id
 * @param {string} words
 * @param {import('./lib/sort-requirements.mjs').Proof[]} proofs
 * @param {number} [width] of the column of ids, in characters
 */
function printWithProofs(id, words, proofs, width = 6) {
  const tests = proofs.map(({ file, line, title }) => `${file}:${line} ${title}`);
  const lines = words === '' ? tests : [words, ...tests];
  for (const [index, text] of lines.entries()) say(`  ${(index === 0 ? id : '').padEnd(width)} ${text}`);
}
