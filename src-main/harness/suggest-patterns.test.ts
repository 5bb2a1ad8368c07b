import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, win32 } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coversArguments, type PatternSubject } from './approvals';
import type { JsonObject, Presentation } from './protocol';
import { realPath } from './session';
import { candidatePatterns, suggestPatterns } from './suggest-patterns';

let folder: string;
let workspace: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'suggest-')));
  workspace = join(folder, 'work');
  mkdirSync(join(workspace, 'docs', 'old'), { recursive: true });
  writeFileSync(join(workspace, 'docs', 'a.txt'), 'a');
  writeFileSync(join(workspace, 'docs', 'old', 'b.txt'), 'b');
  writeFileSync(join(workspace, 'c.txt'), 'c');
  mkdirSync(join(folder, 'elsewhere'));
  symlinkSync(join(folder, 'elsewhere'), join(workspace, 'away'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function subjectOf(args: JsonObject, at: string | null = workspace): PatternSubject {
  return { arguments: args, workspace: at, realPath, command: null };
}

function suggest(args: JsonObject, presentation: Presentation = 'plain') {
  return suggestPatterns({ presentation, subject: subjectOf(args), prefix: null });
}

const folderAt = (at: string, name: string) => ({ type: 'folder', at, folder: name });
const exactly = (value: JsonObject) => [{ type: 'exact', at: '', value }];

describe('what may narrow a permission', () => {
  it('is the workspace, then the folders of all paths together, then exactly this call', () => {
    const args = { source: 'docs/a.txt', destination: 'docs/old/a.txt' };
    expect(suggest(args)).toEqual([
      [folderAt('/source', '.'), folderAt('/destination', '.')],
      [folderAt('/source', 'docs'), folderAt('/destination', 'docs/old')],
      exactly(args),
    ]);
  });

  it('takes for a path what is named like one, or is there', () => {
    const named = ['path', 'file_path', 'outputDir', 'target-file', 'cwd'];
    for (const name of named) expect(suggest({ [name]: 'x/y.txt' }), name).toHaveLength(3);
    expect(suggest({ note: 'c.txt' })).toContainEqual([folderAt('/note', '.')]);
    for (const [name, value] of [
      ['profile', 'x/y.txt'],
      ['note', 'not there'],
      ['path', 'line\nbreak'],
      ['path', '\\\\server\\share\\x'],
      ['text', '../elsewhere'],
    ] as const) {
      expect(suggest({ [name]: value }), name).toEqual([exactly({ [name]: value })]);
    }
  });

  it('is the folder itself for a folder, and the common one for a list', () => {
    expect(suggest({ path: 'docs' })[1]).toEqual([folderAt('/path', 'docs')]);
    expect(suggest({ files: ['docs/a.txt', 'docs/old/b.txt'] })[1]).toEqual([folderAt('/files', 'docs')]);
    expect(suggest({ files: [] })).toEqual([exactly({ files: [] })]);
  });

  it('hazard 52: names where a link leads, and never says workspace for what lies elsewhere', () => {
    const args = { path: 'away/x.txt' };
    expect(suggest(args)).toEqual([[folderAt('/path', join(folder, 'elsewhere'))], exactly(args)]);
    const outside = { path: '/etc/hostname' };
    expect(suggest(outside)).toEqual([[folderAt('/path', '/etc')], exactly(outside)]);
  });

  it('is the host of an address, alone and with the folder that goes with it', () => {
    const args = { url: 'https://example.com:8443/a?b', path: 'docs/page.html' };
    const host = { type: 'host', at: '/url', host: 'example.com:8443' };
    expect(suggest(args)).toEqual([
      [folderAt('/path', '.')],
      [folderAt('/path', 'docs')],
      [host],
      [host, folderAt('/path', 'docs')],
      exactly(args),
    ]);
  });

  it('for a command never is a folder alone, and for a patch nothing but the patch itself', () => {
    const covers = (words: readonly string[]): boolean => words[0] === 'ls';
    const args = { command: 'ls -l', cwd: 'docs' };
    const subject = { ...subjectOf(args), command: { at: 'command', inspectable: true, covers } };
    const words = { type: 'command', words: ['ls'] };
    expect(suggestPatterns({ presentation: 'command', subject, prefix: ['ls'] })).toEqual([
      [words, folderAt('/cwd', 'docs')],
      [words, { type: 'exact', at: '/cwd', value: 'docs' }],
      exactly(args),
    ]);
    expect(suggestPatterns({ presentation: 'command', subject, prefix: null })).toEqual([exactly(args)]);
    const unread = { ...subject, command: { at: 'command', inspectable: false, covers: () => false } };
    expect(suggestPatterns({ presentation: 'command', subject: unread, prefix: ['ls'] })).toEqual([]);
    const patch = { patch: '…', path: 'docs/a.txt' };
    expect(suggest(patch, 'patch')).toEqual([exactly(patch)]);
  });

  it('for a command holds everything that stands beside it, in its folder or exactly', () => {
    const args = { command: 'npm test', cwd: 'docs', env: { CI: '1' }, timeout_ms: 5 };
    const command = { at: 'command', inspectable: true, covers: () => true };
    const subject = { ...subjectOf(args), command };
    const words = { type: 'command', words: ['npm', 'test'] };
    const beside = [
      { type: 'exact', at: '/env', value: { CI: '1' } },
      { type: 'exact', at: '/timeout_ms', value: 5 },
    ];
    expect(suggestPatterns({ presentation: 'command', subject, prefix: ['npm', 'test'] })).toEqual([
      [words, folderAt('/cwd', 'docs'), ...beside],
      [words, { type: 'exact', at: '/cwd', value: 'docs' }, ...beside],
      exactly(args),
    ]);
  });

  it('leaves exact values out where nobody would read them', () => {
    const args = { path: 'c.txt', content: 'x'.repeat(5_000) };
    expect(suggest(args)).toEqual([[folderAt('/path', '.')]]);
    expect(suggest({})).toEqual([exactly({})]);
  });

  it('writes folders of Windows relative to the workspace and with slashes', () => {
    const rules = { path: win32, exists: () => false, isFolder: (path: string) => path.endsWith('\\photos') };
    const args = { source: 'docs\\new\\a.txt', folder: 'photos', path: 'D:\\other\\b.txt' };
    const subject = { ...subjectOf(args, 'C:\\Users\\Ada\\work'), realPath: (path: string) => path };
    expect(candidatePatterns({ presentation: 'plain', subject, prefix: null }, rules)[1]).toEqual([
      folderAt('/source', 'docs/new'),
      folderAt('/folder', 'photos'),
      folderAt('/path', 'D:/other'),
    ]);
  });

  it('covers the call itself, whatever the arguments are', () => {
    const names = ['path', 'files', 'source', 'url', 'a/b~c', 'cwd', 'text', '__proto__', 'line\nbreak'];
    const path = fc.constantFrom(
      '.',
      '..',
      'docs',
      'docs/a.txt',
      'away/x',
      './docs//old',
      '/etc',
      '~',
      'ä/ö',
    );
    const value = fc.oneof(
      path,
      fc.array(path, { maxLength: 3 }),
      fc.webUrl(),
      fc.string(),
      fc.jsonValue({ maxDepth: 2 }),
    );
    const presentation = fc.constantFrom<Presentation>('plain', 'write', 'patch', 'message', 'command');
    const args = fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), value, { maxKeys: 4 });
    let suggested = 0;
    fc.assert(
      fc.property(args, presentation, fc.boolean(), (made, kind, without) => {
        // Only what JSON can say reaches a tool.
        const given = JSON.parse(JSON.stringify(made)) as JsonObject;
        const command = kind === 'command' ? { at: 'cwd', inspectable: true, covers: () => true } : null;
        const subject = { ...subjectOf(given, without ? null : workspace), command };
        const found = suggestPatterns({ presentation: kind, subject, prefix: ['x'] });
        suggested += found.length;
        expect(found.length).toBeLessThanOrEqual(6);
        for (const pattern of found) {
          expect(pattern.length).toBeGreaterThan(0);
          expect(coversArguments(pattern, subject)).toBe(true);
        }
      }),
      { numRuns: 400 },
    );
    expect(suggested).toBeGreaterThan(400);
  });
});
