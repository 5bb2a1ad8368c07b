import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandReading, type CommandSegment } from '../protocol';
import { openCommandReader, type CommandReader } from './command-reader';

type Read = CommandReading & { readonly type: 'read' };

const seed = 20260711;
const folder = mkdtempSync(join(tmpdir(), 'bash-differential-'));
const hasBash = spawnSync('bash', ['--version']).status === 0;
let reader: CommandReader;
beforeAll(async () => {
  reader = await openCommandReader();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Runs each line in a real bash that has no program at all, and tells what it would have started: each command's
 * words, with the variable A before them. Everything a line starts succeeds. What is expected is there as functions,
 * because those need no process; what is not is caught as an unknown command.
 */
function whatBashStarts(lines: readonly string[], expected: ReadonlySet<string>): string[][][] {
  const [script, log, texts] = ['script', 'log', 'texts'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const names = [...expected].filter((name) => /^(?!(if|then|fi|in)$)[A-Za-z][A-Za-z0-9]*$/.test(name));
  writeFileSync(log, '');
  writeFileSync(texts, lines.map((line) => `${line}\0`).join(''));
  writeFileSync(
    script,
    [
      'PATH=/nothing',
      `note() { printf '%s\\0' "$#" "\${A-none}" "$@" >&3; }`,
      'command_not_found_handle() { note "$@"; }',
      ...names.map((name) => `${name}() { note ${name} "$@"; }`),
      `while IFS= read -r -d '' line <&4; do`,
      `  eval "$line" </dev/null; case $line in *'&'*) wait;; esac`,
      `  printf 'next\\0' >&3`,
      'done',
    ].join('\n'),
  );
  const ran = spawnSync('bash', ['-c', '. "$0" 3>>"$1" 4<"$2"', script, log, texts], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: '/nobody', LC_ALL: 'C.UTF-8' },
    timeout: 15_000,
  });
  expect(ran.error).toBeUndefined();
  const fields = readFileSync(log, 'utf8').split('\0');
  const all: string[][][] = [[]];
  for (let at = 0; at < fields.length - 1;) {
    if (fields[at] === 'next') {
      all.push([]);
      at += 1;
      continue;
    }
    const end = at + 2 + Number(fields[at]);
    all.at(-1)?.push(fields.slice(at + 1, end));
    at = end;
  }
  return all.slice(0, -1);
}

/** What runs where everything succeeds: all but what stands behind "or", with the rest of its pipe. */
function expectedStarts(segments: readonly CommandSegment[]): string[][] {
  let skipped = false;
  const started: string[][] = [];
  for (const { words, assignments, connector } of segments) {
    skipped = connector === 'or' || (skipped && connector === 'pipe');
    if (!skipped) started.push([assignments.findLast(({ name }) => name === 'A')?.value ?? 'none', ...words]);
  }
  return started;
}

const sorted = (starts: readonly (readonly string[])[]): string[] =>
  starts.map((start) => JSON.stringify(start)).sort();

function readOnly(lines: readonly string[]): Read[] {
  return lines.map((line) => reader.read(line)).filter((reading) => reading.type === 'read');
}

function compare(readings: readonly Read[]): void {
  const names = readings.flatMap(({ segments }) => segments.map(({ words }) => words[0] ?? ''));
  const started = whatBashStarts(
    readings.map(({ text }) => text),
    new Set(names),
  );
  expect(started).toHaveLength(readings.length);
  const differences = readings.flatMap(({ text, segments }, index) => {
    const [ours, theirs] = [sorted(expectedStarts(segments)), sorted(started[index] ?? [])];
    return JSON.stringify(ours) === JSON.stringify(theirs) ? [] : [{ text, ours, theirs }];
  });
  expect(differences).toEqual([]);
}

const plain = fc.constantFrom(...'abzX019_-.,:/%+@=^]!éß猫😀', 'log', '--x');
const inSingle = fc.constantFrom(...'ab $`"\\*?[]{}~#;&|<>()!\n\t=,é');
const inDouble = fc.constantFrom(
  ..."ab '*?[]{}~#;&|<>()!\n\t=,é",
  '\\"',
  '\\\\',
  '\\$',
  '\\`',
  '\\a',
  '\\\n',
);
const escaped = fc.constantFrom(...'ab$`"\'\\*?[]{}~#;&|<>()!=é');
const piece = fc.oneof(
  { weight: 4, arbitrary: plain },
  { weight: 2, arbitrary: fc.array(inSingle, { maxLength: 6 }).map((all) => `'${all.join('')}'`) },
  { weight: 2, arbitrary: fc.array(inDouble, { maxLength: 6 }).map((all) => `"${all.join('')}"`) },
  { weight: 1, arbitrary: escaped.map((character) => `\\${character}`) },
);
const word = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''));
const literalLine = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => `prog ${words.join(' ')}`);

const fragments = [
  ...[
    'a',
    'b',
    'cc',
    'x1',
    '-v',
    'é',
    '😀',
    '1',
    '2',
    '%',
    '^',
    '@',
    '+',
    '-',
    '.',
    'in',
    'then',
    'if',
    'fi',
  ],
  ...[
    '\t',
    '\n',
    '\\',
    "'",
    '"',
    '{',
    '}',
    '{}',
    ',',
    '..',
    '~',
    '#',
    '=',
    '!',
    '$',
    '`',
    '(',
    ')',
    '[',
    ']',
    '*',
  ],
  ...[
    '\\\n',
    ' \\\n',
    '\\ ',
    '\\;',
    "'q r'",
    '"q r"',
    '""',
    "''",
    '$x',
    'A=1 ',
    'A=',
    ' #c',
    ' ! ',
    '{ ',
    '&',
    '|',
  ],
];
const joining = [' && ', ' || ', ' | ', ' |& ', '; ', ' & ', ' ; ', '\n', '&&', '||', ' && \n', ';\n'];
const wildLine = fc
  .array(
    fc.oneof(
      { weight: 5, arbitrary: fc.constant(' ') },
      { weight: 5, arbitrary: fc.constantFrom('a', 'b', 'cc') },
      { weight: 4, arbitrary: fc.constantFrom(...fragments) },
      { weight: 2, arbitrary: fc.constantFrom(...joining) },
    ),
    { minLength: 1, maxLength: 14 },
  )
  .map((parts) => `q${parts.join('')}`);

describe.runIf(hasBash)('beside a real bash', () => {
  it('hazard 11: words with quotes and escapes are what bash makes of them', () => {
    const lines = fc.sample(literalLine, { numRuns: 600, seed });
    const readings = readOnly(lines);
    expect(readings.length).toBeGreaterThan(350);
    compare(readings);
  });

  it('hazard 11: of any text at all that is read, bash starts exactly the commands that were read', () => {
    const lines = fc.sample(wildLine, { numRuns: 600, seed });
    const readings = readOnly(lines).filter(({ segments }) =>
      segments.every(({ words }) => words.length > 0),
    );
    expect(readings.length).toBeGreaterThan(150);
    expect(readings.filter(({ segments }) => segments.length > 1).length).toBeGreaterThan(60);
    compare(readings);
  });
});
