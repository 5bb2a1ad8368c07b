import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BundleReading } from './bundle';
import { readBundle } from './read-bundle';

let base: string;

const manifest = `---
id: tester
name: Tester
description: Tests things.
version: 1.2.3
---

Do the work.
`;
const tools = '{ "version": 3, "tools": ["files.list"] }';

beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'ow-bundle-')));
  write('coworker/manifest.md', manifest);
  write('coworker/tools.json', tools);
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

function write(name: string, content: string | Buffer): void {
  const full = path.join(base, 'b', name);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, content);
}

const read = (): Promise<BundleReading> => readBundle(path.join(base, 'b'), 'folder');
const header = (lines: string): string => `---\n${lines}\n---\n\nDo the work.\n`;
const skill = (lines: string): string => `---\n${lines}\n---\n\nHow it is done.\n`;

describe('readBundle (S0-24..S0-27)', () => {
  it('reads identity, instructions, tools and skills', async () => {
    write(
      'coworker/manifest.md',
      header(
        'id: tester\nname: "Tester: the one"\ntagline: t\ndescription: >-\n  two\n  lines\nicon: wrench\nversion: 1.2.3\n' +
          'default_mode: read_only\nrecommended_models:\n  - ollama:qwen3\n  - "openai:gpt-5"',
      ),
    );
    write('coworker/skills/sums/SKILL.md', skill('name: sums\ndescription: Adds.'));
    const { bundle, problems } = await read();
    expect(problems).toEqual([]);
    expect(bundle).toMatchObject({
      id: 'tester',
      name: 'Tester: the one',
      tagline: 't',
      description: 'two lines',
      icon: 'wrench',
      version: '1.2.3',
      default_mode: 'read_only',
      recommended_models: ['ollama:qwen3', 'openai:gpt-5'],
      instructions: 'Do the work.',
      tools: [{ qualified_name: 'files.list', model_alias: 'files__list' }],
      skills: [{ name: 'sums', description: 'Adds.', body: 'How it is done.' }],
      folder: path.join(base, 'b'),
    });
    expect(bundle?.digest).toMatch(/^[0-9a-f]{64}$/);
  });

  it('accepts byte order marks and CRLF, and fills in defaults (hazard 74)', async () => {
    write('coworker/manifest.md', `\ufeff${manifest.replaceAll('\n', '\r\n')}`);
    write('coworker/tools.json', `\ufeff${tools}`);
    const { bundle, problems } = await read();
    expect(problems).toEqual([]);
    expect(bundle).toMatchObject({
      tagline: '',
      icon: 'bot',
      default_mode: 'ask',
      recommended_models: [],
      skills: [],
    });
  });
});

const manifestCases: [string, string, number | undefined, RegExp][] = [
  ['no header', 'Do the work.', 1, /must begin with a line "---".*Add/],
  ['a header without end', '---\nid: x\n', 1, /never ends.*Add/],
  [
    'a colon in a plain value',
    header('id: a\nname: Tester: the one\ndescription: d\nversion: 1.0.0'),
    3,
    /double quotes/,
  ],
  ['a duplicate field', header('id: a\nname: n\nid: b\ndescription: d\nversion: 1.0.0'), 4, /twice.*Remove/],
  ['a tab as indentation', header('id: a\nname:\n\t- x'), 4, /not valid YAML/],
  ['an alias bomb', header('id: &a x\nname: *a'), 2, /anchors and aliases.*Write/],
  ['a header that is a list', header('- a\n- b'), 2, /must be fields.*Add/],
  ['a custom tag', header('id: !evil x\nname: n'), 2, /not valid YAML/],
  ['no id', header('name: n\ndescription: d\nversion: 1.0.0'), 1, /"id" is missing. Add/],
  [
    'an id that is a path',
    header('id: "../../x"\nname: n\ndescription: d\nversion: 1.0.0'),
    2,
    /"id" is.*lower-case/,
  ],
  ['an id in capitals', header('id: Tester\nname: n\ndescription: d\nversion: 1.0.0'), 2, /lower-case/],
  [
    'an empty name',
    header('id: a\nname:\ndescription: d\nversion: 1.0.0'),
    3,
    /"name" must be text, but is empty/,
  ],
  [
    'a name of two lines',
    header('id: a\nname: "a\\nb"\ndescription: d\nversion: 1.0.0'),
    3,
    /one line. Join/,
  ],
  [
    'a huge name',
    header(`id: a\nname: ${'x'.repeat(81)}\ndescription: d\nversion: 1.0.0`),
    3,
    /at most 80.*Shorten/,
  ],
  [
    'a version that is a number',
    header('id: a\nname: n\ndescription: d\nversion: 1.0'),
    5,
    /number 1.*double quotes/,
  ],
  ['a version of two numbers', header('id: a\nname: n\ndescription: d\nversion: "1.0"'), 5, /three numbers/],
  [
    'bypass as default mode',
    header('id: a\nname: n\ndescription: d\nversion: 1.0.0\ndefault_mode: bypass'),
    6,
    /only the person.*Write/,
  ],
  [
    'an unknown mode',
    header('id: a\nname: n\ndescription: d\nversion: 1.0.0\ndefault_mode: yolo'),
    6,
    /"ask" or "read_only"/,
  ],
  [
    'models that are no list',
    header('id: a\nname: n\ndescription: d\nversion: 1.0.0\nrecommended_models: gpt'),
    6,
    /provider:name/,
  ],
  [
    'a model without provider',
    header('id: a\nname: n\ndescription: d\nversion: 1.0.0\nrecommended_models: [gpt]'),
    6,
    /"gpt".*provider:name/,
  ],
  [
    'a model that is a map',
    header('id: a\nname: n\ndescription: d\nversion: 1.0.0\nrecommended_models: [{a: b}]'),
    6,
    /provider:name/,
  ],
  [
    'no instructions',
    '---\nid: a\nname: n\ndescription: d\nversion: 1.0.0\n---\n\n',
    7,
    /no instructions. Write/,
  ],
];

describe('a malformed manifest is a problem with file, line and remedy', () => {
  it.each(manifestCases)('%s', async (_name, text, line, message) => {
    write('coworker/manifest.md', text);
    const { bundle, problems } = await read();
    expect(bundle).toBeNull();
    const errors = problems.filter((problem) => problem.severity === 'error');
    expect(errors).toContainEqual(
      expect.objectContaining({
        file: 'coworker/manifest.md',
        line,
        message: expect.stringMatching(message) as unknown,
      }),
    );
    for (const error of errors) expect(error.message).toMatch(/^coworker\/manifest\.md, line \d+: /);
  });

  it('lists all problems at once, not only the first', async () => {
    write('coworker/manifest.md', header('name:\nversion: 2\ndefault_mode: x'));
    write('coworker/tools.json', '{"version":3,"tools":["x"]}');
    const { problems } = await read();
    expect(problems.length).toBeGreaterThanOrEqual(6);
  });

  it('warns of an unknown field and still runs', async () => {
    write('coworker/manifest.md', manifest.replace('name:', 'colour: red\nname:'));
    const { bundle, problems } = await read();
    expect(bundle).not.toBeNull();
    expect(problems).toMatchObject([{ severity: 'warning', line: 3 }]);
  });
});

describe('skills', () => {
  it.each([
    [
      'a colon in its description (report 107)',
      'a',
      'name: a\ndescription: When: always',
      3,
      /double quotes/,
    ],
    ['no description', 'a', 'name: a', 1, /"description" is missing/],
    ['another name than its folder', 'a', 'name: b\ndescription: d', 2, /folder is "a".*same name/],
    ['a name that is a path', 'a', 'name: ../a\ndescription: d', 2, /lower-case/],
  ])('%s', async (_name, folder, lines, line, message) => {
    write(`coworker/skills/${folder}/SKILL.md`, skill(lines));
    const { bundle, problems, skills } = await read();
    expect(bundle).toBeNull();
    expect(skills).toEqual(['a']);
    expect(problems).toContainEqual(
      expect.objectContaining({
        file: `coworker/skills/${folder}/SKILL.md`,
        line,
        message: expect.stringMatching(message) as unknown,
      }),
    );
  });

  it('names a skill folder without SKILL.md, and a stray file', async () => {
    write('coworker/skills/a/notes.md', 'x');
    write('coworker/skills/stray.md', 'x');
    const { problems } = await read();
    expect(problems.map((problem) => [problem.file, problem.severity])).toEqual([
      ['coworker/skills/stray.md', 'warning'],
      ['coworker/skills/a/SKILL.md', 'error'],
    ]);
  });
});

describe('the folder', () => {
  it.each([
    ['coworker/manifest.md', /missing. Create/],
    ['coworker/tools.json', /missing. Create it with/],
  ])('without %s is a problem', async (file, message) => {
    rmSync(path.join(base, 'b', file));
    const { bundle, problems } = await read();
    expect(bundle).toBeNull();
    expect(problems).toMatchObject([
      { file, severity: 'error', message: expect.stringMatching(message) as unknown },
    ]);
  });

  it('that does not exist, or is a file, is a problem', async () => {
    writeFileSync(path.join(base, 'file'), '');
    for (const name of ['gone', 'file']) {
      const { bundle, problems } = await readBundle(path.join(base, name), 'folder');
      expect(bundle).toBeNull();
      expect(problems).toMatchObject([{ code: 'workspace_unavailable' }]);
    }
  });

  it('refuses links that leave it, links to folders, and follows links to its own files', async () => {
    writeFileSync(path.join(base, 'secret'), manifest);
    write('coworker/real.md', 'x');
    symlinkSync('real.md', path.join(base, 'b/coworker/link.md'));
    expect((await read()).problems).toEqual([]);
    symlinkSync('../../secret', path.join(base, 'b/coworker/out.md'));
    symlinkSync('.', path.join(base, 'b/coworker/loop'));
    const { problems } = await read();
    expect(problems.map((problem) => problem.file)).toEqual(['coworker/loop', 'coworker/out.md']);
    rmSync(path.join(base, 'b/coworker/manifest.md'));
    symlinkSync('../../secret', path.join(base, 'b/coworker/manifest.md'));
    expect((await read()).bundle).toBeNull();
  });

  it('refuses huge and binary files, and twins by letter case', async () => {
    write('coworker/manifest.md', manifest + 'x'.repeat(300 * 1024));
    write('coworker/tools.json', Buffer.from([0xff, 0xfe, 0x7b, 0]));
    const first = await read();
    expect(first.problems).toMatchObject([
      { file: 'coworker/manifest.md', message: expect.stringContaining('256 KB') as unknown },
      { file: 'coworker/tools.json', message: expect.stringContaining('Save it as UTF-8') as unknown },
    ]);
    write('coworker/Manifest.md', manifest);
    expect((await read()).problems.some((problem) => problem.message.includes('only in letter case'))).toBe(
      true,
    );
  });

  it('warns of hidden and direction-changing characters with line and column', async () => {
    write(
      'coworker/manifest.md',
      manifest.replace('Do the work.', 'Do \u202ethe\n\nwo\u200brk \u{e0041}. 👩‍💻 می‌روم'),
    );
    const { bundle, problems } = await read();
    expect(bundle).not.toBeNull();
    expect(problems).toMatchObject([
      { severity: 'warning', line: 8, message: expect.stringMatching(/column 4 holds U\+202E/) as unknown },
      {
        severity: 'warning',
        line: 10,
        message: expect.stringMatching(/column 3 holds U\+200B and 1 more/) as unknown,
      },
    ]);
  });
});

describe('the digest', () => {
  const digest = async (): Promise<string | undefined> => (await read()).bundle?.digest;

  it('is the same wherever the bundle lies, and ignores what systems leave behind', async () => {
    const first = await digest();
    write('coworker/.DS_Store', 'x');
    write('coworker/skills/Thumbs.db', 'x');
    write('notes-beside.md', 'x');
    expect(await digest()).toBe(first);
    cpSync(path.join(base, 'b'), path.join(base, 'copy'), { recursive: true });
    expect((await readBundle(path.join(base, 'copy'), 'shipped')).bundle?.digest).toBe(first);
  });

  it('changes with any byte, any name, and where a byte moves from one file to another', async () => {
    const seen = [await digest()];
    for (const [name, content] of [
      ['coworker/extra/a', 'xy'],
      ['coworker/extra/a', 'x'],
      ['coworker/extra/ax', ''],
      ['coworker/extra/b', 'y'],
    ] as const) {
      write(name, content);
      seen.push(await digest());
    }
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('is frozen: a golden value', async () => {
    expect(await digest()).toBe('305351f2732cf275fb43ff01e71cba79e96ab27cc0dd815f93afc386c5d8fa3f');
  });
});
