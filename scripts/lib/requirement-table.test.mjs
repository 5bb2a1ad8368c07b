import { expect, test } from 'vitest';
import { readTable } from './requirement-table.mjs';

const heading = '| Id | Requirement | Where | State |\n| --- | --- | --- | --- |\n';

test('reads the rows of every table with their line and state', () => {
  const text = `# Words | and more\n\n${heading}| S0-01 | \`a \\| b\` | \`tools/\` |  |\n\n${heading}| C8 | x | | planned: a golden test |\n| S1-21 | x | | no counterpart: Rust |\n`;
  expect(readTable(text)).toEqual({
    rows: [
      { id: 'S0-01', line: 5, state: 'must be tested', words: '' },
      { id: 'C8', line: 9, state: 'planned', words: 'a golden test' },
      { id: 'S1-21', line: 10, state: 'no counterpart', words: 'Rust' },
    ],
    problems: [],
  });
});

test.each(['later', 'planned', 'planned:', 'no counterpart: ', 'Planned: x', 'tested'])(
  'refuses the state "%s" with the remedy',
  (state) => {
    const { rows, problems } = readTable(`${heading}| S0-01 | x | y | ${state} |`);
    expect(rows).toEqual([]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({
      line: 3,
      message: expect.stringMatching(/S0-01.*planned: WHAT IS MISSING/),
    });
  },
);

test('refuses a row that lacks a cell', () => {
  expect(readTable(`| S0-01 | x | y |`).problems).toEqual([
    { line: 1, message: expect.stringContaining('S0-01 has 3 cells') },
  ]);
});
