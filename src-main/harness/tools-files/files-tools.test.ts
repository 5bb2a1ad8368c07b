import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aliasOf, ok, type JsonObject } from '../protocol';
import {
  ToolError,
  type NativeTool,
  type RegistrationOptions,
  type ToolContext,
  type ToolOutput,
} from '../tools/tool';
import { registerFilesTools } from '.';

let base: string;
const tools = new Map<string, { tool: NativeTool; options: RegistrationOptions | undefined }>();
registerFilesTools({
  registerNative: (tool, options) => {
    tools.set(tool.descriptor().qualified_name, { tool, options });
    return ok(null);
  },
});

beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'ow-files-')));
  mkdirSync(path.join(base, 'w/docs'), { recursive: true });
  mkdirSync(path.join(base, 'w-evil'));
  writeFileSync(path.join(base, 'w/a.txt'), 'one\ntwo\r\nthree');
  writeFileSync(path.join(base, 'w/docs/b.txt'), 'bee\n');
  writeFileSync(path.join(base, 'w-evil/secret'), 'outside');
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

const inside = (name: string): string => path.join(base, 'w', name);

function contextFor(name: string, more: Partial<ToolContext> = {}): ToolContext {
  return {
    session_id: 's',
    turn_id: 't',
    call_id: 'c',
    qualified_name: name,
    model_alias: aliasOf(name),
    workspace: path.join(base, 'w'),
    signal: new AbortController().signal,
    progress: () => undefined,
    ...more,
  };
}

function run(
  name: string,
  args: JsonObject,
  more: Partial<ToolContext> = {},
): Promise<ToolOutput | ToolError> {
  const entry = tools.get(name);
  if (entry === undefined) throw new Error(`no tool ${name}`);
  return entry.tool.call(contextFor(name, more), args);
}

async function output(name: string, args: JsonObject): Promise<ToolOutput> {
  const result = await run(name, args);
  if (result instanceof ToolError) throw result;
  return result;
}

async function refusal(name: string, args: JsonObject, more: Partial<ToolContext> = {}): Promise<ToolError> {
  const result = await run(name, args, more);
  expect(result, JSON.stringify(result)).toBeInstanceOf(ToolError);
  return result as ToolError;
}

const move = (source: string, destination: string): Promise<ToolOutput | ToolError> =>
  run('files.move_file', { source, destination });

describe('registerFilesTools', () => {
  it('registers three tools with strict schemas, descriptions and their classification (S0-28, S1-04, S1-06, S1-34)', () => {
    expect([...tools].map(([name, { options }]) => [name, options?.classification])).toEqual([
      ['files.list', 'read'],
      ['files.read', 'read'],
      ['files.move_file', 'write'],
    ]);
    for (const { tool } of tools.values()) {
      const { input_schema: schema, version } = tool.descriptor();
      expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
      for (const property of Object.values(schema.properties as JsonObject)) {
        expect(property).toHaveProperty('description');
      }
    }
  });

  it('answers with a remedy when the session has no folder, or its folder is gone', async () => {
    const args: JsonObject = { path: 'a', source: 'a', destination: 'b' };
    for (const name of tools.keys()) {
      for (const workspace of [null, path.join(base, 'gone')]) {
        const error = await refusal(name, args, { workspace });
        expect(error).toMatchObject({ code: 'workspace_unavailable' });
        expect(error.message).toMatch(/[Cc]hoose (a|another) folder/);
      }
    }
  });

  it("refuses a session's folder that a link replaced", async () => {
    symlinkSync('w-evil', path.join(base, 'swapped'));
    const workspace = path.join(base, 'swapped');
    expect((await refusal('files.list', {}, { workspace })).message).toContain('replaced by a link');
  });

  it('answers a cancelled call without an effect (S0-71)', async () => {
    const signal = AbortSignal.abort();
    for (const [name, args] of [
      ['files.list', {}],
      ['files.read', { path: 'a.txt' }],
      ['files.move_file', { source: 'a.txt', destination: 'new/c.txt' }],
    ] as const) {
      expect((await refusal(name, args, { signal })).code).toBe('cancelled');
    }
    expect(readdirSync(inside('.')).sort()).toEqual(['a.txt', 'docs']);
  });
});

describe('files.list', () => {
  it('lists name, kind, size and time; links are shown and not followed', async () => {
    symlinkSync('../w-evil', inside('link'));
    utimesSync(inside('a.txt'), 0, 1_700_000_000);
    const { structured, text } = await output('files.list', {});
    expect(structured).toMatchObject({
      path: '.',
      cut: false,
      entries: [
        { name: 'a.txt', kind: 'file', size: 14, modified: '2023-11-14T22:13:20.000Z' },
        { name: 'docs', kind: 'folder', size: null },
        { name: 'link', kind: 'link', size: null },
      ],
    });
    expect(text).toContain('a.txt (14 B, 2023-11-14T22:13:20.000Z)\ndocs/\nlink (link, not followed)');
  });

  it('goes as deep as it is asked', async () => {
    mkdirSync(inside('docs/x/y'), { recursive: true });
    const names = async (depth: number): Promise<string[]> => {
      const { structured } = await output('files.list', { path: 'docs', depth });
      return (structured as { entries: { name: string }[] }).entries.map((entry) => entry.name);
    };
    expect(await names(1)).toEqual(['b.txt', 'x']);
    expect(await names(2)).toEqual(['b.txt', 'x', 'x/y']);
  });

  it('is cut after 1,000 entries and says so', async () => {
    for (let index = 0; index < 1_005; index += 1) writeFileSync(inside(`docs/f${index}`), '');
    const { structured, text } = await output('files.list', { path: 'docs' });
    expect(structured).toMatchObject({ cut: true });
    expect((structured as { entries: unknown[] }).entries).toHaveLength(1_000);
    expect(text).toContain('cut after 1000 entries');
  });

  it('stays below the bound of a native result with the longest names (S0-77)', async () => {
    for (let index = 0; index < 900; index += 1)
      writeFileSync(inside(`docs/${'\u0001'.repeat(250)}${index}`), '');
    const result = await output('files.list', { path: 'docs' });
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(256 * 1024);
    expect(result.structured).toMatchObject({ cut: true });
  });

  it.runIf(process.platform === 'linux')(
    'counts names that are not valid text instead of guessing them',
    async () => {
      writeFileSync(Buffer.concat([Buffer.from(inside('docs/')), Buffer.from([0x66, 0xff])]), '');
      const { structured, text } = await output('files.list', { path: 'docs' });
      expect(structured).toMatchObject({ unreadable: 1, entries: [{ name: 'b.txt' }] });
      expect(text).toContain('could not be read: 1.');
    },
  );

  it('refuses files, links out and missing folders with a remedy', async () => {
    symlinkSync('../w-evil', inside('out'));
    expect((await refusal('files.list', { path: 'a.txt' })).message).toMatch(/is a file.*Give/);
    expect((await refusal('files.list', { path: 'out' })).code).toBe('path_refused');
    expect((await refusal('files.list', { path: 'gone' })).code).toBe('not_found');
    expect((await refusal('files.list', { path: '../w-evil' })).code).toBe('path_refused');
  });
});

describe('files.read', () => {
  it('answers text as it is, line ends kept', async () => {
    const { structured, text } = await output('files.read', { path: 'a.txt' });
    expect(text).toBe('one\ntwo\r\nthree');
    expect(structured).toMatchObject({
      lines: 3,
      cut: false,
      next_offset: null,
      encoding: 'utf-8',
      size: 14,
    });
  });

  it('reads a range and names the offset to go on with', async () => {
    const { structured, text } = await output('files.read', { path: 'a.txt', offset: 2, limit: 1 });
    expect(text).toBe('two\r\n[Cut: lines 2 to 2 are above. Go on with offset 3.]');
    expect(structured).toMatchObject({ offset: 2, lines: 1, cut: true, next_offset: 3 });
    expect((await output('files.read', { path: 'a.txt', offset: 9 })).text).toContain('no line 9');
  });

  it('reads UTF-8 and UTF-16 with a byte order mark (hazard 56)', async () => {
    const words = 'Grüße ☕ 😀\n';
    writeFileSync(inside('u8'), Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(words)]));
    writeFileSync(inside('le'), Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(words, 'utf16le')]));
    writeFileSync(
      inside('be'),
      Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(words, 'utf16le').swap16()]),
    );
    for (const name of ['u8', 'le', 'be'])
      expect((await output('files.read', { path: name })).text).toBe(words);
  });

  it('refuses binary files and other encodings', async () => {
    writeFileSync(inside('nul'), 'a\0b');
    writeFileSync(inside('png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]));
    writeFileSync(inside('latin1'), Buffer.from('Grüße', 'latin1'));
    for (const name of ['nul', 'png', 'latin1']) {
      expect((await refusal('files.read', { path: name })).code, name).toBe('not_text');
    }
  });

  it.skipIf(process.platform === 'win32')(
    'refuses FIFOs, devices and folders at once (hazard 55)',
    async () => {
      execFileSync('mkfifo', [inside('fifo')]);
      symlinkSync('/dev/zero', inside('zero'));
      for (const name of ['fifo', 'zero', 'docs']) {
        expect((await refusal('files.read', { path: name })).code).toBe('path_refused');
      }
    },
  );

  it('cuts at 200 KB, between lines where it can, and bounds a single huge line', async () => {
    writeFileSync(inside('big'), `${'"'.repeat(99)}\n`.repeat(5_000));
    const big = await output('files.read', { path: 'big', limit: 10_000 });
    expect(Buffer.byteLength(JSON.stringify(big))).toBeLessThan(201 * 1024);
    const { lines, next_offset: next } = big.structured as { lines: number; next_offset: number };
    expect(next).toBe(lines + 1);
    expect(big.text?.split('\n')).toHaveLength(lines + 1);
    writeFileSync(inside('line'), 'x'.repeat(5_000_000));
    const line = await output('files.read', { path: 'line' });
    expect(line.structured).toMatchObject({ cut: true, next_offset: null, lines: 1 });
    expect(line.text).toContain('longer than one answer');
  });

  it('does not scan a huge file to its end', async () => {
    writeFileSync(inside('sparse'), 'x\n');
    truncateSync(inside('sparse'), 20 * 1024 ** 3);
    expect((await refusal('files.read', { path: 'sparse', offset: 5 })).code).toBe('not_text');
    writeFileSync(inside('text'), Buffer.alloc(66 * 1024 * 1024, 'x'));
    expect((await refusal('files.read', { path: 'text', offset: 2 })).code).toBe('limit_reached');
  });

  it('pieces of consecutive ranges are the file again (property)', async () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'ü', '😀', '\r', '"', '\t'), maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 30 }),
        fc.integer({ min: 1, max: 7 }),
        async (lines, limit) => {
          const whole = lines.join('\n');
          writeFileSync(inside('p'), whole);
          let joined = '';
          for (let offset: number | null = 1; offset !== null;) {
            const { text, structured } = await output('files.read', { path: 'p', offset, limit });
            const next = (structured as { next_offset: number | null }).next_offset;
            joined += (text ?? '').replace(/\[(Cut: lines|The file)[^\]]*\]$/, '');
            offset = next;
          }
          expect(joined).toBe(whole);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('files.move_file', () => {
  it('moves and renames files and folders, and makes missing folders (S1-34)', async () => {
    expect(await move('a.txt', 'new/deep/a2.txt')).toEqual({
      structured: { moved: { from: 'a.txt', to: 'new/deep/a2.txt' } },
      text: 'Moved "a.txt" to "new/deep/a2.txt".',
    });
    expect(readFileSync(inside('new/deep/a2.txt'), 'utf8')).toBe('one\ntwo\r\nthree');
    expect(existsSync(inside('a.txt'))).toBe(false);
    expect(statSync(inside('new/deep/a2.txt')).nlink).toBe(1);
    expect(await move('docs', 'new/papers')).not.toBeInstanceOf(ToolError);
    expect(readFileSync(inside('new/papers/b.txt'), 'utf8')).toBe('bee\n');
  });

  it('never overwrites a file, a folder or a dangling link', async () => {
    symlinkSync('gone', inside('dangling'));
    mkdirSync(inside('empty'));
    writeFileSync(inside('c.txt'), 'keep');
    for (const [source, destination] of [
      ['a.txt', 'c.txt'],
      ['a.txt', 'docs'],
      ['a.txt', 'empty'],
      ['a.txt', 'dangling'],
      ['docs', 'empty'],
      ['docs', 'c.txt'],
    ] as const) {
      const error = (await move(source, destination)) as ToolError;
      expect(error.code, `${source} to ${destination}`).toBe('path_refused');
      expect(error.message).toMatch(/\. (Choose|Use)/);
    }
    expect(readFileSync(inside('c.txt'), 'utf8')).toBe('keep');
    expect(readdirSync(inside('.')).sort()).toEqual(['a.txt', 'c.txt', 'dangling', 'docs', 'empty']);
  });

  it('refuses traversal, absolute paths and links on source and destination (S0-65, S1-36, S1-38)', async () => {
    symlinkSync('../w-evil', inside('out'));
    symlinkSync('docs', inside('in'));
    symlinkSync('a.txt', inside('to-a'));
    const bad = [
      '../w-evil/secret',
      path.join(base, 'w-evil/secret'),
      'out/secret',
      'in/b.txt',
      'docs/../a.txt',
    ];
    for (const text of [...bad, 'to-a', 'out', '.', 'x\0y', 'C:\\x', '\\\\host\\x']) {
      const source = (await move(text, 'moved')) as ToolError;
      expect(source.code, text).toBe('path_refused');
      const destination = (await move('a.txt', text === '.' ? '.' : `${text}/new`)) as ToolError;
      expect(destination.code, text).toBe('path_refused');
    }
    expect(readdirSync(path.join(base, 'w-evil'))).toEqual(['secret']);
    expect(existsSync(inside('moved'))).toBe(false);
  });

  it('refuses protected names on both sides, in any letter case (hazard 60)', async () => {
    mkdirSync(inside('.git'));
    writeFileSync(inside('.git/config'), '');
    for (const [source, destination] of [
      ['.git/config', 'x'],
      ['.git', 'x'],
      ['a.txt', '.GIT/hooks/pre-commit'],
      ['a.txt', '.Mcp.JSON'],
      ['docs', 'sub/.VSCODE'],
    ] as const) {
      expect(((await move(source, destination)) as ToolError).message).toContain('protected');
    }
    expect(existsSync(inside('sub'))).toBe(false);
  });

  it('refuses a folder into itself and makes nothing on the way', async () => {
    const error = (await move('docs', 'docs/x/docs')) as ToolError;
    expect(error.message).toContain('lies inside the folder');
    expect(readdirSync(inside('docs'))).toEqual(['b.txt']);
    expect(await move('docs', 'docs')).toBeInstanceOf(ToolError);
  });

  it.skipIf(process.platform === 'win32')('refuses special files and says what is missing', async () => {
    execFileSync('mkfifo', [inside('fifo')]);
    expect(((await move('fifo', 'x')) as ToolError).code).toBe('path_refused');
    expect(((await move('gone', 'x')) as ToolError).code).toBe('not_found');
    expect(((await move('a.txt', `new/${'x'.repeat(256)}`)) as ToolError).message).toContain('too long');
    expect(existsSync(inside('new'))).toBe(false);
  });

  it.each(['~', '%2e%2e', '-rf', 'a\nb', 'CON', 'a:b', 'e\u0301'])(
    'moves %j exactly (hazard 54)',
    async (name) => {
      writeFileSync(inside(name), name);
      expect(await move(name, `odd/${name}`)).not.toBeInstanceOf(ToolError);
      expect(readdirSync(inside('odd'))).toEqual([name]);
    },
  );

  it('keeps the other names of a hard-linked file, mode and time', async () => {
    linkSync(inside('a.txt'), inside('twin'));
    chmodSync(inside('a.txt'), 0o640);
    utimesSync(inside('a.txt'), 1, 1_600_000_000);
    expect(await move('a.txt', 'z')).not.toBeInstanceOf(ToolError);
    expect(statSync(inside('z'))).toMatchObject({ mtimeMs: 1_600_000_000_000, nlink: 2 });
    expect(((await move('z', 'twin')) as ToolError).code).toBe('path_refused');
  });
});
