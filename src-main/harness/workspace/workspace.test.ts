import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openFile, readBytes, resolveExisting, resolveNew, openWorkspace, type Workspace } from '.';

let base: string;
let workspace: Workspace;
const asRoot = process.getuid?.() === 0;
const onWindows = process.platform === 'win32';

beforeEach(async () => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'ow-workspace-')));
  mkdirSync(path.join(base, 'app/docs'), { recursive: true });
  mkdirSync(path.join(base, 'app-evil'));
  writeFileSync(path.join(base, 'app/a.txt'), 'inside');
  writeFileSync(path.join(base, 'app/docs/b.txt'), 'inside b');
  writeFileSync(path.join(base, 'app-evil/x'), 'outside');
  const opened = await openWorkspace(path.join(base, 'app'));
  if (!opened.ok) throw new Error(opened.error.message);
  workspace = opened.value;
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

const inside = (name: string): string => path.join(base, 'app', name);

async function read(text: string, at = workspace): Promise<string> {
  const found = await resolveExisting(at, text, { kind: 'file', links: 'inside' });
  if (!found.ok) return `${found.error.code}: ${found.error.message}`;
  const bytes = await readBytes(at, found.value, 1_000_000);
  return bytes.ok ? bytes.value.toString() : `${bytes.error.code}: ${bytes.error.message}`;
}

describe('openWorkspace', () => {
  it('answers the absolute real path, also through a link', async () => {
    symlinkSync(inside('.'), path.join(base, 'link'));
    const opened = await openWorkspace(path.join(base, 'link'));
    expect(opened).toMatchObject({ ok: true, value: { root: path.join(base, 'app') } });
  });

  it.each([
    ['missing', 'does not exist'],
    ['app/a.txt', 'is not a folder'],
    ['app/a.txt/x', 'does not exist'],
  ])('refuses %s with a remedy', async (name, reason) => {
    const opened = await openWorkspace(path.join(base, name));
    expect(opened).toMatchObject({ ok: false, error: { code: 'workspace_unavailable' } });
    if (!opened.ok) expect(opened.error.message).toMatch(new RegExp(`${reason}.*Choose`));
  });

  it('refuses empty and NUL names', async () => {
    for (const name of ['', 'a\0b']) {
      expect(await openWorkspace(name)).toMatchObject({
        ok: false,
        error: { code: 'workspace_unavailable' },
      });
    }
  });

  it.skipIf(asRoot || onWindows)('refuses a folder that may not be read', async () => {
    chmodSync(inside('docs'), 0);
    expect(await openWorkspace(inside('docs'))).toMatchObject({
      ok: false,
      error: { code: 'workspace_unavailable' },
    });
    chmodSync(inside('docs'), 0o700);
  });
});

describe('reading through the path module', () => {
  it('reads files inside, also hard links and odd names', async () => {
    expect(await read('a.txt')).toBe('inside');
    expect(await read('./docs//b.txt')).toBe('inside b');
    linkSync(path.join(base, 'app-evil/x'), inside('hard'));
    expect(await read('hard')).toBe('outside');
    for (const name of ['~', '%2e%2e', '-rf', 'a\nb', 'CON', 'x'.repeat(255)]) {
      writeFileSync(inside(name), name);
      expect(await read(name)).toBe(name);
    }
  });

  it('keeps NFC and NFD twins apart (hazard 54)', async () => {
    writeFileSync(inside('\u00e9'), 'composed');
    writeFileSync(inside('e\u0301'), 'decomposed');
    expect(await read('\u00e9')).toBe('composed');
    expect(await read('e\u0301')).toBe('decomposed');
  });

  it('follows links whose real path stays inside, and no others (hazard 52)', async () => {
    symlinkSync('docs/b.txt', inside('to-b'));
    symlinkSync('docs', inside('to-docs'));
    symlinkSync('../app-evil/x', inside('out'));
    symlinkSync('../app-evil', inside('out-dir'));
    symlinkSync('out', inside('chain'));
    symlinkSync('/proc/self/root', inside('proc'));
    symlinkSync('gone', inside('dangling'));
    symlinkSync('loop', inside('loop'));
    expect(await read('to-b')).toBe('inside b');
    expect(await read('to-docs/b.txt')).toBe('inside b');
    for (const name of ['out', 'out-dir/x', 'chain', 'proc/etc/passwd', 'dangling', 'loop', 'out-dir/../x']) {
      expect(await read(name), name).toMatch(/^path_refused: ".+" .+\. .+/);
    }
  });

  it('refuses every link when links are refused', async () => {
    symlinkSync('docs', inside('to-docs'));
    symlinkSync('docs/b.txt', inside('to-b'));
    for (const name of ['to-docs', 'to-docs/b.txt', 'to-b']) {
      const found = await resolveExisting(workspace, name, { kind: 'any', links: 'refuse' });
      expect(found).toMatchObject({ ok: false, error: { code: 'path_refused' } });
    }
  });

  it.skipIf(onWindows)('refuses special files without opening them (hazard 55)', async () => {
    execFileSync('mkfifo', [inside('fifo')]);
    symlinkSync('/dev/zero', inside('zero'));
    symlinkSync('fifo', inside('to-fifo'));
    for (const name of ['fifo', 'zero', 'to-fifo']) expect(await read(name), name).toMatch(/^path_refused/);
    expect(await read('docs')).toMatch(/^path_refused: "docs" is a folder/);
    expect(await read('a.txt/b')).toMatch(/^not_found/);
    expect(await read('x'.repeat(256))).toMatch(/too long/);
  });

  it.skipIf(asRoot || onWindows)('says that an unreadable file needs other permissions', async () => {
    chmodSync(inside('a.txt'), 0);
    expect(await read('a.txt')).toMatch(/^path_refused.*permission/);
  });

  it('refuses a file that was replaced after the decision', async () => {
    for (const anchored of [workspace.anchored, false]) {
      const at = { ...workspace, anchored };
      const found = await resolveExisting(at, 'docs/b.txt', { kind: 'file', links: 'inside' });
      if (!found.ok) throw new Error(found.error.message);
      rmSync(inside('docs/b.txt'));
      symlinkSync('../../app-evil/x', inside('docs/b.txt'));
      expect(await openFile(at, found.value)).toMatchObject({ ok: false, error: { code: 'path_refused' } });
      rmSync(inside('docs'), { recursive: true });
      symlinkSync('../app-evil', inside('docs'));
      writeFileSync(path.join(base, 'app-evil/b.txt'), 'outside b');
      expect(await openFile(at, found.value)).toMatchObject({ ok: false, error: { code: 'path_refused' } });
      rmSync(inside('docs'));
      mkdirSync(inside('docs'));
      writeFileSync(inside('docs/b.txt'), 'another');
      if (anchored) continue;
      writeFileSync(inside('docs/b.txt'), 'inside b');
    }
  });

  it('refuses a file beyond the limit', async () => {
    const found = await resolveExisting(workspace, 'a.txt', { kind: 'file', links: 'inside' });
    if (!found.ok) throw new Error(found.error.message);
    expect(await readBytes(workspace, found.value, 5)).toMatchObject({ ok: false });
    expect(await readBytes(workspace, found.value, 6)).toMatchObject({ ok: true });
  });
});

describe('resolveNew', () => {
  it('answers a place in folders that exist or not, and what stands there', async () => {
    expect(await resolveNew(workspace, 'new/deep/file')).toMatchObject({
      ok: true,
      value: { path: 'new/deep/file', taken: null, real: inside('new/deep/file') },
    });
    const taken = await resolveNew(workspace, 'a.txt');
    expect(taken.ok && taken.value.taken !== null).toBe(true);
  });

  it('refuses links on the way and at the end, dangling ones too', async () => {
    symlinkSync('../app-evil', inside('out-dir'));
    symlinkSync('docs', inside('to-docs'));
    symlinkSync('../app-evil/new', inside('dangling'));
    for (const name of [
      'out-dir/new',
      'to-docs/new',
      'dangling',
      'dangling/new',
      '.',
      'a.txt/new',
      '.Git/x',
    ]) {
      const place = await resolveNew(workspace, name);
      expect(place, name).toMatchObject({ ok: false, error: { code: 'path_refused' } });
    }
  });

  it('judges by real names: a folder reached under another spelling stays protected', async () => {
    mkdirSync(inside('.git'));
    const change = { kind: 'any', links: 'inside', change: true } as const;
    symlinkSync('.git', inside('harmless'));
    expect(await resolveExisting(workspace, 'harmless', change)).toMatchObject({
      ok: false,
      error: { code: 'path_refused' },
    });
  });
});

describe('property: no resolved path leaves the root, on the real file system (S1-36)', () => {
  it('holds for any mix of names, links and traversal', async () => {
    symlinkSync('../app-evil', inside('out-dir'));
    symlinkSync('docs', inside('to-docs'));
    symlinkSync('/', inside('slash'));
    symlinkSync('..', inside('docs/up'));
    symlinkSync('../../app-evil/x', inside('docs/out'));
    const names = ['a.txt', 'docs', 'b.txt', 'out-dir', 'to-docs', 'slash', 'up', 'out', 'x', '..', '.', ''];
    const part = fc.oneof(
      fc.constantFrom(...names, 'app', 'app-evil', 'etc', 'tmp'),
      fc.string({ maxLength: 3 }),
    );
    const root = workspace.root;
    const held = (real: string): boolean => real === root || real.startsWith(root + path.sep);
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 7 }), async (parts) => {
        const text = parts.join('/');
        for (const links of ['inside', 'refuse'] as const) {
          const found = await resolveExisting(workspace, text, { kind: 'any', links });
          if (!found.ok) continue;
          expect(held(realpathSync(found.value.real))).toBe(true);
          expect(realpathSync(path.join(root, text))).toBe(found.value.real);
        }
        const place = await resolveNew(workspace, text);
        if (place.ok) {
          expect(held(place.value.real)).toBe(true);
          if (place.value.taken !== null) expect(held(realpathSync(place.value.real))).toBe(true);
        }
      }),
      { numRuns: 600 },
    );
  });
});
