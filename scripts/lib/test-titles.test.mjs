import { expect, test } from 'vitest';
import { findTests } from './test-titles.mjs';

/** @param {string} text @param {string} [file] */
const titles = (text, file = 'x.test.ts') =>
  findTests(file, text).map(
    ({ titles, runs }) => `${titles.map((title) => title.text).join(' > ')}${runs ? '' : ' -'}`,
  );

test('finds tests with the titles of their groups and their own line', () => {
  const found = findTests(
    'x.test.ts',
    "describe('a', () => {\n  describe('b', () => {\n    it('c', () => {});\n  });\n});",
  );
  expect(found).toEqual([
    {
      titles: [
        { text: 'a', line: 1 },
        { text: 'b', line: 2 },
        { text: 'c', line: 3 },
      ],
      runs: true,
    },
  ]);
});

test.each([
  ["it.each<[string, number]>([['in a table', 1]])('%s, %i', () => {})", 'in a table, %i'],
  ["it.each(rows)('%s', () => {})", '%s'],
  ['test.each`a | b\n${1} | ${2}`("from a template", () => {})', 'from a template'],
  ["it.skipIf(onWindows)('here and there', () => {})", 'here and there'],
  ["test.describe.serial('group', () => { test('own', async ({}, info) => {}); })", 'group > own'],
  ["describe.each(rows.filter((row) => row.ok))('$name', () => { it('own', () => {}); })", '$name > own'],
  ["it.concurrent('c', () => {})", 'c'],
  ["it('with ' + 'more ' + name, () => {})", 'with more …'],
  ['test(`the ${kind} of ${`one`}`, () => {})', 'the … of one'],
  ['for (const name of names) test(name, () => {})', '…'],
  ["it('with options', { timeout: 5 }, () => {})", 'with options'],
])('reads %s', (text, title) => {
  expect(titles(text)).toEqual([title]);
});

test('a table gives one test a row', () => {
  expect(
    titles("describe.each(['a', 'b'])('%s', () => { it.each([['c', 1], [d, 2]])('%s', () => {}); })"),
  ).toEqual(['a > c', 'a > %s', 'b > c', 'b > %s']);
});

test.each([
  ["it.skip('a', () => {})", 'a -'],
  ["it.todo('a')", 'a -'],
  ["test.fixme('a', () => {})", 'a -'],
  ["describe.skip('a', () => { it('b', () => {}); })", 'a > b -'],
])('%s does not run', (text, title) => {
  expect(titles(text)).toEqual([title]);
});

test.each([
  "test.skip(process.platform === 'win32', 'npx is a script there')",
  "test.step('title', async () => {})",
  "test.describe.configure({ mode: 'serial' }, 1)",
  "test.beforeEach('title', async () => {})",
  "pattern.test('title', 1)",
  "// it('title', () => {})",
  'const text = "it(\'title\', () => {})";',
])('sees no test in %s', (text) => {
  expect(titles(text)).toEqual([]);
});

test('reads files with JSX', () => {
  expect(
    titles("it('a', () => { render(<p title=\"it('b', f)\">{text}</p>); }); it('c', () => {});", 'x.tsx'),
  ).toEqual(['a', 'c']);
});
