import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { checkSelection } from '../protocol';
import {
  checkBundle,
  instructionsFor,
  mcpOnlyProblems,
  openLibrary,
  readBundle,
  toCard,
  type Bundle,
} from '.';

const shipped = path.resolve(import.meta.dirname, '../../../assets/coworkers');

function bundleOf(tools: string[], instructions: string): Bundle {
  return {
    id: 'a',
    name: 'A',
    tagline: '',
    description: 'd',
    icon: 'bot',
    version: '1.0.0',
    default_mode: 'ask',
    recommended_models: [],
    instructions,
    instructions_line: 10,
    tools_version: 3,
    tools: checkSelection(tools).names,
    tool_lines: new Map(tools.map((name, index) => [name, index + 3])),
    skills: [],
    digest: '',
    folder: '/b',
  };
}

describe('checkBundle', () => {
  const registered = new Set(['files.list', 'files.read']);

  it('finds missing native tools, servers and remote tools, and looks for no substitute (S0-46, S1-31)', () => {
    const bundle = bundleOf(['files.list', 'files.Read', 'web.search', 'acme.a', 'acme.b', 'sleepy.x'], '');
    const catalogs = new Map([
      ['acme', new Set(['a'])],
      ['sleepy', null],
    ]);
    const problems = checkBundle(bundle, { registered, catalogs });
    expect(problems).toMatchObject([
      {
        code: 'tool_missing',
        severity: 'error',
        line: 4,
        message: expect.stringContaining('files.Read') as unknown,
      },
      {
        code: 'tool_missing',
        line: 5,
        message: expect.stringMatching(/Add a server "web" to servers\.json/) as unknown,
      },
      {
        code: 'tool_missing',
        line: 7,
        message: expect.stringMatching(/server "acme" offers no tool "b"/) as unknown,
      },
    ]);
    expect(checkBundle(bundle, { registered })).toHaveLength(1);
  });

  it('S0-60 C8: versions 1 and 2 select tools of servers only, whatever is built in', () => {
    const catalogs = new Map([['acme', new Set(['a'])]]);
    for (const tools_version of [1, 2] as const) {
      const bundle = { ...bundleOf(['acme.a', 'files.list', 'files.gone'], ''), tools_version };
      expect(checkBundle(bundle, { registered, catalogs })).toMatchObject(
        [4, 5].map((line) => ({
          code: 'tool_missing',
          severity: 'error',
          line,
          message: expect.stringMatching(
            /selects tools of servers only\. Write the file as version 3/,
          ) as unknown,
        })),
      );
      const resolved = [
        { descriptor: { qualified_name: 'acme.a' }, origin: { kind: 'mcp' as const, server: 'acme' } },
        { descriptor: { qualified_name: 'files.list' }, origin: { kind: 'native' as const } },
        { descriptor: { qualified_name: 'app.pick' }, origin: { kind: 'callback' as const } },
      ];
      expect(mcpOnlyProblems(bundle, resolved)).toMatchObject([
        { code: 'tool_missing', data: { tool: 'files.list' } },
        { code: 'tool_missing', data: { tool: 'app.pick' } },
      ]);
      expect(mcpOnlyProblems(bundleOf([], ''), resolved)).toEqual([]);
    }
  });

  it('warns of an alias that OpenAI shortens (C4)', () => {
    const bundle = bundleOf([`files.${'x'.repeat(58)}`, `files.${'x'.repeat(57)}`], '');
    const all = new Set(bundle.tools.map((tool) => tool.qualified_name));
    expect(checkBundle(bundle, { registered: all })).toMatchObject([
      {
        code: 'name_too_long',
        severity: 'warning',
        line: 3,
        message: expect.stringContaining('OpenAI') as unknown,
      },
    ]);
  });

  it('warns of texts that name unselected aliases, or tools by their qualified name (S0-48)', () => {
    const bundle = {
      ...bundleOf(
        ['files.list'],
        'Use `files__list`.\nThen files__move_file, twice: files__move_file.\nSee files.list.',
      ),
      skills: [{ name: 's', description: 'd', body: 'acme__go-on now, not __init__ or a.b', body_line: 5 }],
    };
    expect(checkBundle(bundle, { registered })).toMatchObject([
      { severity: 'warning', file: 'coworker/manifest.md', line: 11, code: 'tool_missing' },
      { severity: 'warning', line: 12, message: expect.stringContaining('Write "files__list"') as unknown },
      { severity: 'warning', file: 'coworker/skills/s/SKILL.md', line: 5 },
    ]);
  });
});

describe('instructionsFor', () => {
  it('lists skills behind the instructions, and adds nothing without any', () => {
    expect(instructionsFor({ instructions: 'Work.', skills: [] })).toBe('Work.');
    const skills = [{ name: 'sums', description: 'Adds\nnumbers.', body: 'b', body_line: 1 }];
    expect(instructionsFor({ instructions: 'Work.', skills })).toBe(
      'Work.\n\n## Skills\n\n- sums: Adds numbers.',
    );
  });
});

describe('the library', () => {
  let base: string;
  beforeEach(() => {
    base = realpathSync(mkdtempSync(path.join(tmpdir(), 'ow-library-')));
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  function add(folder: string, id: string): void {
    const coworker = path.join(base, folder, 'coworker');
    mkdirSync(coworker, { recursive: true });
    writeFileSync(
      path.join(coworker, 'manifest.md'),
      `---\nid: ${id}\nname: N ${id}\ndescription: d\nversion: 1.0.0\n---\nDo.\n`,
    );
    writeFileSync(path.join(coworker, 'tools.json'), '{"version":3,"tools":[]}');
  }

  it('lists good and broken bundles, and gets the good ones', async () => {
    add('all/one', 'one');
    add('all/Bad Folder', 'Not An Id');
    mkdirSync(path.join(base, 'all/empty'));
    add('solo', 'solo');
    const library = openLibrary({
      folders: [
        { path: path.join(base, 'all'), source: 'shipped', holds: 'bundles' },
        { path: path.join(base, 'solo'), source: 'folder', holds: 'bundle' },
        { path: path.join(base, 'solo/../solo'), source: 'folder', holds: 'bundle' },
        { path: path.join(base, 'gone'), source: 'folder', holds: 'bundles' },
      ],
    });
    const entries = await library.list();
    expect(entries.map(({ card, bundle }) => [card.id, card.name, card.source, bundle !== null])).toEqual([
      ['bad-folder', 'N Not An Id', 'shipped', false],
      ['empty', 'empty', 'shipped', false],
      ['one', 'N one', 'shipped', true],
      ['solo', 'N solo', 'folder', true],
    ]);
    expect(entries[0]?.card.problems.length).toBeGreaterThan(0);
    expect(await library.get('one')).toMatchObject({ ok: true, value: { id: 'one' } });
    expect(await library.get('empty')).toMatchObject({ ok: false, error: { code: 'bundle_invalid' } });
    expect(await library.get('../one')).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });

  it('names both folders of a duplicate id, and runs neither', async () => {
    add('all/one', 'same');
    add('all/two', 'same');
    const library = openLibrary({
      folders: [{ path: path.join(base, 'all'), source: 'folder', holds: 'bundles' }],
    });
    for (const { card, bundle } of await library.list()) {
      expect(bundle).toBeNull();
      expect(card.problems[0]?.message).toMatch(/all\/(one|two)".*all\/(one|two)".*Change/);
    }
    expect(await library.get('same')).toMatchObject({ ok: false, error: { code: 'bundle_invalid' } });
  });

  it('keeps a broken bundle in the list under the name of its folder (report 107)', async () => {
    add('all/one', 'one');
    writeFileSync(path.join(base, 'all/one/coworker/manifest.md'), 'nothing');
    const card = toCard(await readBundle(path.join(base, 'all/one'), 'folder'));
    expect(card).toMatchObject({ id: 'one', name: 'one', icon: 'bot', problems: [{ severity: 'error' }] });
  });
});

describe('the shipped coworkers', () => {
  const serverPath = path.resolve(
    import.meta.dirname,
    '../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
  );
  const client = new Client({ name: 'openworker-test', version: '1.0.0' });
  let names: ReadonlySet<string> = new Set();

  beforeAll(async () => {
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [serverPath, 'stdio'], stderr: 'ignore' }),
    );
    names = new Set((await client.listTools()).tools.map((tool) => tool.name));
  });
  afterAll(() => client.close());

  it('have no problems, against the real tools of the real server', async () => {
    const library = openLibrary({ folders: [{ path: shipped, source: 'shipped', holds: 'bundles' }] });
    const entries = await library.list();
    expect(entries.map((entry) => entry.card.id)).toEqual(['everything-guide', 'file-organizer']);
    const registered = new Set(['files.list', 'files.read', 'files.move_file']);
    for (const { card, bundle } of entries) {
      expect(card.problems).toEqual([]);
      if (bundle === null) throw new Error(card.id);
      expect(checkBundle(bundle, { registered, catalogs: new Map([['everything', names]]) })).toEqual([]);
      for (const tool of bundle.tools) expect(bundle.instructions).toContain(`\`${tool.model_alias}\``);
    }
  });

  it('S0-60: a coworker of version 1 or 2 has a card and no problems, against the same real server', async () => {
    const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'ow-versions-')));
    const texts = {
      one: '{"version":1,"server":"everything","tools":["echo","get-sum"]}',
      two: '{"version":2,"servers":[{"name":"everything","tools":["echo","get-sum"]}]}',
    };
    try {
      for (const [id, text] of Object.entries(texts)) {
        mkdirSync(path.join(base, id, 'coworker'), { recursive: true });
        const header = `---\nid: ${id}\nname: N\ndescription: d\nversion: 1.0.0\n---\nUse \`everything__echo\`.\n`;
        writeFileSync(path.join(base, id, 'coworker/manifest.md'), header);
        writeFileSync(path.join(base, id, 'coworker/tools.json'), text);
      }
      const library = openLibrary({ folders: [{ path: base, source: 'folder', holds: 'bundles' }] });
      const entries = await library.list();
      expect(entries.map(({ card }) => [card.id, card.tools, card.problems])).toEqual(
        ['one', 'two'].map((id) => [id, ['everything.echo', 'everything.get-sum'], []]),
      );
      for (const [index, { bundle }] of entries.entries()) {
        if (bundle === null) throw new Error('no bundle');
        expect(bundle.tools_version).toBe(index + 1);
        const registered = new Set(['files.list']);
        expect(checkBundle(bundle, { registered, catalogs: new Map([['everything', names]]) })).toEqual([]);
        expect(
          checkBundle(bundle, { registered, catalogs: new Map([['everything', new Set(['echo'])]]) }),
        ).toMatchObject([{ code: 'tool_missing', file: 'coworker/tools.json', line: 1 }]);
      }
    } finally {
      rmSync(base, { recursive: true, force: true });
    }
  });

  it('come with a servers.json that pins the server that this project tests with', () => {
    const read = (file: string): unknown =>
      JSON.parse(readFileSync(path.resolve(shipped, '../..', file), 'utf8'));
    const { devDependencies } = read('package.json') as { devDependencies: Record<string, string> };
    expect(read('assets/servers.json')).toEqual({
      version: 1,
      servers: {
        everything: {
          transport: 'stdio',
          program: 'npx',
          args: [
            '-y',
            `@modelcontextprotocol/server-everything@${devDependencies['@modelcontextprotocol/server-everything']}`,
          ],
        },
      },
    });
  });
});
