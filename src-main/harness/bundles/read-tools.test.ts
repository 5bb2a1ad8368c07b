import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFrontmatter } from './frontmatter';
import { readTools } from './read-tools';

const toolsCases: [string, string, number | undefined, RegExp][] = [
  ['no JSON', 'tools:\n - x', 1, /not valid JSON/],
  ['a comment', '{\n// hi\n"version": 3, "tools": []}', 2, /comments are not allowed/],
  ['a trailing comma', '{"version": 3,\n"tools": ["a.b",]}', 2, /no comma may stand behind/],
  ['text behind the end', '{"version": 3, "tools": []}\n{}', 2, /behind the end/],
  ['a duplicate key', '{"version": 3,\n"tools": [],\n"tools": ["a.b"]}', 3, /second time. Remove/],
  ['a list', '["a.b"]', 1, /must be an object/],
  ['no version', '{"tools": []}', 1, /"version" is missing/],
  ['version 1', '{\n"version": 1, "server": "a", "tools": []}', 2, /reads version 3.*full names/],
  ['version 2', '{"version": 2, "servers": []}', 1, /reads version 3/],
  ['version 4', '{"version": 4, "tools": []}', 1, /must be the number 3/],
  ['a text version', '{"version": "3", "tools": []}', 1, /must be the number 3/],
  ['no tools', '{"version": 3}', 1, /"tools" must be a list/],
  ['tools that are an object', '{"version": 3,\n"tools": {}}', 2, /"tools" must be a list/],
  ['an entry that is no text', '{"version": 3, "tools": [\n7]}', 2, /not text. Write/],
  ['a bad name', '{"version": 3, "tools": ["a.b",\n"nodot"]}', 2, /not a qualified tool name. Write/],
  ['a name listed twice', '{"version": 3, "tools": ["a.b",\n"a.b"]}', 2, /listed twice. Remove/],
  ['an alias collision (C6)', '{"version": 3, "tools": ["a.b__c",\n"a__b.c"]}', 2, /"a\.b__c" and "a__b\.c"/],
  ['the reserved namespace (S0-51)', '{"version": 3, "tools": ["openworker.x"]}', 1, /reserved. Choose/],
  [
    'a name beyond 80 bytes (S0-52)',
    `{"version": 3, "tools": ["a.${'x'.repeat(80)}"]}`,
    1,
    /at most 80.*Shorten/,
  ],
  ['a nesting bomb', '['.repeat(200_000), 1, /nested too deeply|not valid JSON/],
];

describe('a malformed tools.json is a problem with file, line and remedy', () => {
  it.each(toolsCases)('%s', (_name, text, line, message) => {
    const { problems } = readTools(text);
    expect(problems).toContainEqual(
      expect.objectContaining({
        file: 'coworker/tools.json',
        line,
        severity: 'error',
        message: expect.stringMatching(message) as unknown,
      }),
    );
  });

  it('warns of a field that version 3 does not have', () => {
    const read = readTools('{"version": 3, "tools": ["a.b"], "servers": []}');
    expect(read).toMatchObject({ listed: ['a.b'], problems: [{ severity: 'warning', line: 1 }] });
  });
});

describe('property: the readers answer problems and never throw', () => {
  it('holds for headers and tool lists of any text', () => {
    const bits = fc.constantFrom(
      '---',
      '\n',
      'id: a',
      ': ',
      '- ',
      '[',
      '{',
      '"',
      '&a ',
      '*a',
      '!!x ',
      '|',
      '\t',
      '\ufeff',
      ',',
      '}',
      ']',
      '3',
      '"tools"',
      '"version"',
      ':',
    );
    const text = fc
      .array(fc.oneof(bits, fc.string({ maxLength: 4 })), { maxLength: 25 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (value) => {
        const front = readFrontmatter('f', `---\n${value}\n---\nbody`);
        for (const problem of front.problems) expect(problem.line).toBeGreaterThan(0);
        const list = readTools(value);
        expect(list.problems.length > 0 || value.includes('3')).toBe(true);
      }),
      { numRuns: 1_500 },
    );
  });
});
