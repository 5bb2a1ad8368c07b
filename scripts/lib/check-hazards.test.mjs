import fs from 'node:fs';
import { expect, test } from 'vitest';
import { checkHazards } from './check-hazards.mjs';
import { inRoot } from './paths.mjs';

// The check reads this file too: the numbers that stand here whole are listed, and the others are put together.
const strange = `hazard ${900 + 99}`;

/** @param {string[]} lines of the list @param {string} tests @param {string} [other] the text of a source that is no test */
function check(lines, tests, other = '') {
  const test = { file: 'a.test.ts', text: tests };
  return checkHazards(
    { file: 'docs/hazards.md', text: lines.join('\n') },
    [test],
    [test, { file: 'b.ts', text: other }],
  );
}

const two = [
  '# Hazards',
  '',
  '- **hazard 9**: An answer comes twice.',
  '- **field report 24**: A request is lost.',
];

test('an entry is tested by every test that runs and has it in its title or in that of its group', () => {
  const { tested, problems } = check(
    two,
    "describe('hazard 9', () => { it('a', () => {}); });\nit('hazards 9, 9: b', () => {});\nit('field report 24', () => {});",
    '/** Of use against hazard 9. */',
  );
  expect(problems).toEqual([]);
  expect(tested.map(({ id, proofs }) => [id, ...proofs.map(({ title }) => title)])).toEqual([
    ['hazard 9', 'hazard 9 > a', 'hazards 9, 9: b'],
    ['field report 24', 'field report 24'],
  ]);
});

test('an entry that only a skipped test or a comment cites is a problem with its place and the remedy', () => {
  const { tested, problems } = check(
    two,
    "it.skip('hazard 9', () => {});\nit('field report 24', () => {});",
    '// hazard 9',
  );
  expect(tested.map(({ id }) => id)).toEqual(['field report 24']);
  expect(problems).toEqual([
    expect.stringMatching(/^docs\/hazards\.md:3: hazard 9 is cited by no test that runs\. Put .* or remove/),
  ]);
});

test('a citation without an entry is a problem in a title, in a test that does not run, and in a comment', () => {
  const tests = `it('hazard 9', () => {});\nit('field report 24', () => {});\nit.skip('${strange}', () => {});`;
  expect(check(two, tests, `\n\n/** See ${strange}. */`).problems).toEqual([
    `a.test.ts:3: ${strange} is cited here and is not listed in docs/hazards.md. Correct the number, or add an entry.`,
    `b.ts:3: ${strange} is cited here and is not listed in docs/hazards.md. Correct the number, or add an entry.`,
  ]);
});

test('the two kinds have numbers of their own', () => {
  const { problems } = check(['- **hazard 9**: x'], "it('field report 24', () => {});");
  expect(problems).toEqual([
    expect.stringContaining('docs/hazards.md:1: hazard 9 is cited by no test'),
    expect.stringContaining('a.test.ts:1: field report 24 is cited here and is not listed'),
  ]);
});

test('an entry that cannot be read and a second one of a number are problems', () => {
  const wrong = ['- **H9**: x', '- **hazard 09**: x', '- **field report 24**:', '- **hazard 9**: again'];
  const { tested, problems } = check([...two, ...wrong], "it('hazard 9, field report 24', () => {});");
  expect(tested).toHaveLength(2);
  expect(problems).toEqual([
    expect.stringMatching(/^docs\/hazards\.md:5: this entry cannot be read\. Begin it as in/),
    expect.stringMatching(/^docs\/hazards\.md:6: this entry cannot be read/),
    expect.stringMatching(/^docs\/hazards\.md:7: this entry cannot be read/),
    expect.stringMatching(/^docs\/hazards\.md:8: hazard 9 has an entry already, in line 3\. Remove/),
  ]);
});

test("the project's own list can be read to its end", () => {
  const text = fs.readFileSync(inRoot('docs', 'hazards.md'), 'utf8');
  const { problems } = checkHazards({ file: 'docs/hazards.md', text }, [], []);
  expect(problems.filter((problem) => !problem.includes('is cited by no test'))).toEqual([]);
  expect(problems.length).toBeGreaterThan(0);
});
