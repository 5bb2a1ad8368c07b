import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CommandDesk } from './command-desk';
import type { ApprovalRequested, CommandReading, FileChange, JsonObject, Presentation } from './protocol';
import { readRequest } from './read-request';

let folder: string;
let workspace: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'read-request-')));
  workspace = join(folder, 'work');
  mkdirSync(join(workspace, 'docs'), { recursive: true });
  writeFileSync(join(workspace, 'docs', 'a.txt'), 'one\ntwo\nthree\n');
  writeFileSync(join(folder, 'secret.txt'), 'TOP SECRET\n');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const noCommands: CommandDesk = { facts: () => null, reading: () => null, prefix: () => null };

function requestOf(presentation: Presentation, args: JsonObject | null): ApprovalRequested {
  return {
    approval_id: 'a_1',
    call_id: 'c_1',
    name: 'edit__file',
    model_alias: 'edit__file',
    qualified_name: 'edit.file',
    arguments: args,
    arguments_digest: '0',
    pin: 'p',
    classification: 'write',
    placement: 'in_app',
    presentation,
    origin: { kind: 'native' },
    reason: 'not_read_only',
  };
}

async function read(presentation: Presentation, args: JsonObject | null, commands = noCommands) {
  const definition = { input_schema: { type: 'object' } };
  const reading = await readRequest(commands, {
    request: requestOf(presentation, args),
    workspace,
    definition,
  });
  if (!reading.ok) throw new Error(reading.error.message);
  return reading.value;
}

async function changes(presentation: Presentation, args: JsonObject): Promise<readonly FileChange[]> {
  const { shape } = await read(presentation, args);
  if (shape.type !== 'files') throw new Error(`The shape is ${shape.type}.`);
  return shape.changes;
}

/** Every path below the folder with what a change of it would change. */
function snapshot(at: string): string[] {
  return readdirSync(at, { withFileTypes: true, recursive: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => {
      const { mtimeMs, ctimeMs, size, mode } = statSync(path);
      return [path, mtimeMs, ctimeMs, size, mode].join(' ');
    });
}

describe('a write that is asked about', () => {
  it('says what is there, what would be, and where it really lies', async () => {
    const real_path = join(workspace, 'docs', 'a.txt');
    const before = 'one\ntwo\nthree\n';
    expect(await changes('write', { path: 'docs/a.txt', content: 'new\n' })).toEqual([
      { path: 'docs/a.txt', real_path, before, after: 'new\n', state: 'changed' },
    ]);
    expect(await changes('write', { path: real_path, content: before })).toEqual([
      { path: real_path, real_path, before, after: before, state: 'same' },
    ]);
    expect(await changes('write', { path: 'fresh/b.txt', content: 'x' })).toEqual([
      {
        path: 'fresh/b.txt',
        real_path: join(workspace, 'fresh/b.txt'),
        before: null,
        after: 'x',
        state: 'new',
      },
    ]);
  });

  it('hazard 52: follows links inside the folder and reads nothing that lies outside', async () => {
    symlinkSync('docs/a.txt', join(workspace, 'alias.txt'));
    symlinkSync(join(folder, 'secret.txt'), join(workspace, 'innocent.txt'));
    symlinkSync(folder, join(workspace, 'up'));
    const [alias] = await changes('write', { path: 'alias.txt', content: 'x' });
    expect(alias).toMatchObject({ real_path: join(workspace, 'docs', 'a.txt'), state: 'changed' });
    const outside = ['innocent.txt', 'up/secret.txt', 'up/new.txt', '../secret.txt', '/etc/hostname', 'docs'];
    for (const path of [...outside, 'docs/a.txt/b', '', 'a\0b']) {
      const read = await changes('write', { path, content: 'x' });
      expect(read, path).toEqual([{ path, real_path: null, before: null, after: 'x', state: 'unreadable' }]);
    }
  });

  it('shows no bytes that are no text, and no more than can be looked through', async () => {
    writeFileSync(join(workspace, 'image.bin'), Buffer.from([0x89, 0x50, 0xff, 0xfe]));
    writeFileSync(join(workspace, 'nul.txt'), 'a\0b');
    writeFileSync(join(workspace, 'large.txt'), 'x'.repeat(512 * 1024 + 1));
    for (const [path, state] of [
      ['image.bin', 'not_text'],
      ['nul.txt', 'not_text'],
      ['large.txt', 'too_large'],
    ] as const) {
      expect(await changes('write', { path, content: 'x' })).toMatchObject([{ before: null, state }]);
    }
    const [large] = await changes('write', { path: 'docs/a.txt', content: 'é'.repeat(300 * 1024) });
    expect(large).toMatchObject({ before: 'one\ntwo\nthree\n', after: null, state: 'too_large' });
  });

  it('reads nothing at all in a session without a folder', async () => {
    const request = requestOf('write', { path: join(folder, 'secret.txt'), content: 'x' });
    const reading = await readRequest(noCommands, { request, workspace: null, definition: null });
    expect(reading).toMatchObject({
      ok: true,
      value: { shape: { changes: [{ before: null, state: 'unreadable' }] }, schema: null },
    });
  });
});

describe('a patch that is asked about', () => {
  const patch = createTwoFilesPatch(
    'a/docs/a.txt',
    'b/docs/a.txt',
    'one\ntwo\nthree\n',
    'one\n2\nthree\nfour\n',
  );

  it('is applied in memory to several files, new and deleted ones among them', async () => {
    writeFileSync(join(workspace, 'gone.txt'), 'old\n');
    const text = [
      patch,
      createTwoFilesPatch('/dev/null', 'b/new.txt', '', 'hello\n'),
      createTwoFilesPatch('a/gone.txt', '/dev/null', 'old\n', ''),
    ].join('\n');
    expect(await changes('patch', { patch: text })).toMatchObject([
      {
        path: 'docs/a.txt',
        state: 'changed',
        before: 'one\ntwo\nthree\n',
        after: 'one\n2\nthree\nfour\n',
      },
      { path: 'new.txt', state: 'new', before: null, after: 'hello\n' },
      { path: 'gone.txt', state: 'deleted', before: 'old\n', after: null },
    ]);
  });

  it('takes parts that follow each other in one file, and names without prefixes', async () => {
    const first = createTwoFilesPatch('docs/a.txt', 'docs/a.txt', 'one\ntwo\nthree\n', 'one\n2\nthree\n');
    const second = createTwoFilesPatch('./docs/a.txt', './docs/a.txt', 'one\n2\nthree\n', 'one\n2\n3\n');
    expect(await changes('patch', { patch: `${first}${second}` })).toMatchObject([
      { before: 'one\ntwo\nthree\n', after: 'one\n2\n3\n', state: 'changed' },
    ]);
    const hunks = '@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n';
    expect(await changes('patch', { path: 'docs/a.txt', patch: hunks })).toMatchObject([
      { path: 'docs/a.txt', after: 'one\n2\nthree\n' },
    ]);
  });

  it('shows a renamed file as one that goes and one that comes', async () => {
    const text =
      'diff --git a/docs/a.txt b/docs/b.txt\nsimilarity index 100%\nrename from docs/a.txt\nrename to docs/b.txt\n';
    const found = await changes('patch', { patch: text });
    expect(found.map(({ path, state }) => [path, state]).sort()).toEqual([
      ['docs/a.txt', 'deleted'],
      ['docs/b.txt', 'new'],
    ]);
  });

  it('says of each file whether the patch does not fit, or what is there cannot be shown', async () => {
    writeFileSync(join(workspace, 'docs', 'a.txt'), 'something else\n');
    writeFileSync(join(workspace, 'there.txt'), 'already\n');
    symlinkSync(join(folder, 'secret.txt'), join(workspace, 'innocent.txt'));
    const text = [
      patch,
      createTwoFilesPatch('/dev/null', 'b/there.txt', '', 'hello\n'),
      createTwoFilesPatch('a/missing.txt', 'b/missing.txt', 'x\n', 'y\n'),
      createTwoFilesPatch('a/innocent.txt', 'b/innocent.txt', 'TOP SECRET\n', 'x\n'),
      'diff --git a/pic.png b/pic.png\nBinary files a/pic.png and b/pic.png differ\n',
    ].join('\n');
    const found = await changes('patch', { patch: text });
    expect(found.map(({ path, state, after }) => [path, state, after])).toEqual([
      ['docs/a.txt', 'does_not_fit', null],
      ['there.txt', 'does_not_fit', null],
      ['missing.txt', 'does_not_fit', null],
      ['innocent.txt', 'unreadable', null],
      ['pic.png', 'not_text', null],
    ]);
    expect(JSON.stringify(found)).not.toContain('SECRET');
  });

  it('is shown as it is where it is no patch', async () => {
    for (const text of [
      '',
      'Please change it.',
      '@@ -1,1 +1,1 @@\n-a\n+b\n',
      '--- a\n',
      'x'.repeat(600_000),
    ]) {
      expect((await read('patch', { patch: text })).shape).toEqual({ type: 'plain' });
    }
    expect((await read('patch', { patch: 7 })).shape).toEqual({ type: 'plain' });
  });

  it('a patch made to fit nowhere in a long file is given up soon', async () => {
    writeFileSync(join(workspace, 'docs', 'a.txt'), '\n'.repeat(500_000));
    const lines = ' \n'.repeat(100_000);
    const text = `--- a/docs/a.txt\n+++ b/docs/a.txt\n@@ -1,100001 +1,100000 @@\n${lines}-no\n`;
    const began = performance.now();
    expect(await changes('patch', { patch: text })).toMatchObject([{ state: 'too_large', after: null }]);
    expect(performance.now() - began).toBeLessThan(3_000);
  });
});

describe('a request that is asked about', () => {
  it('of a command has its reading and the folder that it would run in', async () => {
    const reading: CommandReading = {
      type: 'read',
      text: 'git status',
      segments: [
        { words: ['git', 'status'], assignments: [], redirections: [], connector: 'first', via: [] },
      ],
    };
    const commands: CommandDesk = {
      facts: () => ({
        at: 'command',
        inspectable: true,
        covers: (words) => words.join(' ') === 'git status',
      }),
      reading: ({ command }) => (command === undefined ? null : reading),
      prefix: () => ['git', 'status'],
    };
    const here = await read('command', { command: 'git status' }, commands);
    expect(here.shape).toEqual({ type: 'command', reading, folder: workspace });
    expect(here.suggestions[0]).toEqual([{ type: 'command', words: ['git', 'status'] }]);
    const below = await read('command', { command: 'git status', cwd: 'docs' }, commands);
    expect(below.shape).toMatchObject({ folder: join(workspace, 'docs') });
    expect(below.suggestions[0]).toEqual([
      { type: 'command', words: ['git', 'status'] },
      { type: 'folder', at: '/cwd', folder: 'docs' },
    ]);
    expect((await read('command', { script: 'git status' }, commands)).shape).toEqual({ type: 'plain' });
  });

  it('of any other kind is shown as it is, with the schema that edited arguments have to fit', async () => {
    const reading = await read('plain', { path: 'docs/a.txt', content: 'x' });
    expect(reading).toMatchObject({ shape: { type: 'plain' }, schema: { type: 'object' } });
  });

  it('gives nothing away of arguments that are withheld', async () => {
    expect(await read('write', null)).toEqual({
      shape: { type: 'plain' },
      suggestions: [],
      schema: { type: 'object' },
    });
  });

  it('changes nothing on the disk by being looked at', async () => {
    symlinkSync('docs/a.txt', join(workspace, 'alias.txt'));
    const before = snapshot(folder);
    const text = createTwoFilesPatch('a/docs/a.txt', 'b/docs/a.txt', 'one\ntwo\nthree\n', 'x\n');
    await read('patch', { patch: text });
    await read('write', { path: 'docs/a.txt', content: 'x' });
    await read('write', { path: 'deep/er/new.txt', content: 'x' });
    await read('plain', { source: 'alias.txt', destination: 'somewhere/else.txt' });
    expect(snapshot(folder)).toEqual(before);
    expect(readFileSync(join(workspace, 'docs', 'a.txt'), 'utf8')).toBe('one\ntwo\nthree\n');
  });
});
