import fs from 'node:fs';
import { expect, test } from 'vitest';
import { inRoot } from './paths.mjs';
import { knownIds } from './requirement-ids.mjs';
import { readTable } from './requirement-table.mjs';
import { sortRequirements } from './sort-requirements.mjs';

/**
 * @param {Record<string, string>} states by id; every other id has no counterpart
 * @param {string[]} titles of the tests
 */
function sort(states, titles = []) {
  const rows = knownIds.map(
    (id) => `| ${id} | x | y | ${states[id] ?? 'no counterpart: of another world'} |`,
  );
  const text = titles.map((title) => `it('${title}', () => {});`).join('\n');
  return sortRequirements({ file: 'docs/requirements.md', text: rows.join('\n') }, [
    { file: 'a.test.ts', text },
  ]);
}

test('sorts every id into one of three kinds', () => {
  const titles = ['S0-01 (in part) S0-02: half', 'S0-02..S0-03: whole'];
  const sorted = sort({ 'S0-01': 'planned: the other half', 'S0-02': '', 'S0-03': '' }, titles);
  expect(sorted.problems).toEqual([]);
  expect(sorted.tested.map(({ id, proofs }) => [id, proofs.length])).toEqual([
    ['S0-02', 2],
    ['S0-03', 1],
  ]);
  expect(sorted.planned).toEqual([
    {
      id: 'S0-01',
      missing: 'the other half',
      proofs: [{ file: 'a.test.ts', line: 1, title: titles[0], whole: false }],
    },
  ]);
  expect(sorted.noCounterpart).toHaveLength(knownIds.length - 3);
});

test.each([
  ['in none of the three kinds', '', [], /S0-01 is in none of the three kinds.*title of a test/],
  [
    'tested in part only',
    '',
    ['S0-01 (in part)'],
    /S0-01 has tests of a part only: a\.test\.ts:1.*Test the rest/,
  ],
  [
    'planned and tested',
    'planned: it',
    ['S0-01 is there'],
    /S0-01 is marked "planned".*a\.test\.ts:1.*Empty its state/,
  ],
  [
    'without counterpart and tested',
    'no counterpart: it',
    ['S0-01 (in part)'],
    /S0-01 is marked "no counterpart"/,
  ],
  ['of a state that is none', 'later', [], /the state of S0-01 is "later"/],
])(
  'an id that is %s is a problem that names it, the file and the remedy',
  (_what, state, titles, message) => {
    expect(sort({ 'S0-01': state }, titles).problems).toEqual([
      expect.stringMatching(new RegExp(`^docs/requirements\\.md:1: ${message.source}`)),
    ]);
  },
);

test('a title with an unknown id is a problem, also in a test that does not run, and is named once for a group', () => {
  const text =
    "it.skip('S0-84', () => {});\ndescribe('C14', () => { it('a', () => {}); it('b', () => {}); });";
  const { problems } = sortRequirements({ file: 'd', text: '' }, [{ file: 'a.test.ts', text }]);
  expect(problems.filter((problem) => problem.startsWith('a.test.ts'))).toEqual([
    expect.stringMatching(/^a\.test\.ts:1: .*S0-84.*correct the title/),
    expect.stringMatching(/^a\.test\.ts:2: .*C14.*correct the title/),
  ]);
});

test('a test that is skipped or still to do proves nothing', () => {
  const text = "it.skip('S0-01', () => {});\nit.todo('S0-01');";
  const rows = knownIds.map((id) => `| ${id} | x | y | ${id === 'S0-01' ? '' : 'planned: x'} |`).join('\n');
  expect(sortRequirements({ file: 'd', text: rows }, [{ file: 'a.test.ts', text }]).problems).toEqual([
    expect.stringContaining('S0-01 is in none of the three kinds'),
  ]);
});

test('the rows of a table are one proof for each id, named by the first row that carries it', () => {
  const text = "it.each([['S0-01 a'], ['S0-02 b'], ['S0-01 c']])('C1: %s', () => {});";
  const rows = knownIds.map((id) => `| ${id} | x | y | ${/^(S0-0[12]|C1)$/.test(id) ? '' : 'planned: x'} |`);
  const { tested, problems } = sortRequirements({ file: 'd', text: rows.join('\n') }, [
    { file: 'a.test.ts', text },
  ]);
  expect(problems).toEqual([]);
  expect(tested.map(({ id, proofs }) => [id, ...proofs.map(({ title }) => title)])).toEqual([
    ['S0-01', 'C1: S0-01 a'],
    ['S0-02', 'C1: S0-02 b'],
    ['C1', 'C1: S0-01 a'],
  ]);
});

test('a title is shown on one line, without control characters', () => {
  const text = "it('S0-01: a\\n\\u001b[31mb\\u202e', () => {});";
  const rows = knownIds.map((id) => `| ${id} | x | y | ${id === 'S0-01' ? '' : 'planned: x'} |`).join('\n');
  const { tested } = sortRequirements({ file: 'd', text: rows }, [{ file: 'a.test.ts', text }]);
  expect(tested[0]?.proofs[0]?.title).toBe('S0-01: a [31mb ');
});

test('missing, unknown and doubled rows are problems', () => {
  const rows = [...knownIds.filter((id) => id !== 'S1-40'), 'S0-84', 'C3'].map(
    (id) => `| ${id} | x | y | planned: x |`,
  );
  expect(sortRequirements({ file: 'd', text: rows.join('\n') }, []).problems).toEqual([
    expect.stringMatching(/^d: S1-40 has no row/),
    expect.stringMatching(/^d:187: S0-84 is no requirement/),
    expect.stringMatching(/^d:188: C3 has a row already/),
  ]);
});

test("the project's own document has a good row for every id", () => {
  const { rows, problems } = readTable(fs.readFileSync(inRoot('docs', 'requirements.md'), 'utf8'));
  expect(problems).toEqual([]);
  expect(rows.map(({ id }) => id)).toEqual(knownIds);
});
