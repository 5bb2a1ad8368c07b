import fs from 'node:fs';
import { inRoot, root } from './lib/paths.mjs';
import { runScript, say } from './lib/report.mjs';
import { sortRequirements } from './lib/sort-requirements.mjs';

/** usage: npm run requirements -- sorts every requirement into tested, no counterpart or planned */
await runScript(async () => {
  const sorted = sortRequirements(source('docs/requirements.md'), testFiles().map(source));
  printSorted(sorted);
  if (sorted.problems.length > 0) process.exitCode = 1;
});

/** @returns {string[]} relative to the root, with slashes, in order */
function testFiles() {
  const folders = fs.readdirSync(root).filter((name) => /^src-|^scripts$|^e2e$/.test(name));
  return folders
    .flatMap((folder) =>
      fs.readdirSync(inRoot(folder), { recursive: true }).map((file) => `${folder}/${file}`),
    )
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => (file.startsWith('e2e/') ? /\.spec\.ts$/ : /\.test\.(ts|tsx|mjs)$/).test(file))
    .sort();
}

/** @param {string} file @returns {import('./lib/sort-requirements.mjs').SourceFile} */
function source(file) {
  return { file, text: fs.readFileSync(inRoot(file), 'utf8') };
}

/** @param {import('./lib/sort-requirements.mjs').Sorted} sorted */
function printSorted({ tested, noCounterpart, planned, problems }) {
  say('Tested');
  for (const { id, proofs } of tested) printWithProofs(id, '', proofs);
  say('\nNo counterpart in TypeScript');
  for (const { id, reason } of noCounterpart) printWithProofs(id, reason, []);
  say('\nPlanned');
  for (const { id, missing, proofs } of planned) printWithProofs(id, missing, proofs);
  say(
    `\n${tested.length} tested, ${noCounterpart.length} without counterpart, ${planned.length} planned, ` +
      `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`,
  );
  for (const problem of problems) say(`  ${problem}`);
}

/** @param {string} id @param {string} words @param {import('./lib/sort-requirements.mjs').Proof[]} proofs */
function printWithProofs(id, words, proofs) {
  const tests = proofs.map(({ file, line, title }) => `${file}:${line} ${title}`);
  const lines = words === '' ? tests : [words, ...tests];
  for (const [index, text] of lines.entries()) say(`  ${(index === 0 ? id : '').padEnd(6)} ${text}`);
}
