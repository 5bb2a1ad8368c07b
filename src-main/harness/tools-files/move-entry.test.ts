import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Result } from '../protocol';
import { openWorkspace, resolveExisting, resolveNew, type Workspace } from '../workspace';
import { moveEntry } from './move-entry';
import { realMoveFs, type MoveFs } from './move-fs';

let base: string;
let workspace: Workspace;

beforeEach(async () => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'ow-move-')));
  mkdirSync(path.join(base, 'w/docs'), { recursive: true });
  writeFileSync(path.join(base, 'w/a.txt'), 'content');
  writeFileSync(path.join(base, 'w/docs/b.txt'), 'bee');
  const opened = await openWorkspace(path.join(base, 'w'));
  if (!opened.ok) throw new Error(opened.error.message);
  workspace = opened.value;
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

const inside = (name: string): string => path.join(base, 'w', name);

async function move(
  from: string,
  to: string,
  fs: Partial<MoveFs> = {},
  more: { at?: Workspace; signal?: AbortSignal } = {},
): Promise<Result<null>> {
  const at = more.at ?? workspace;
  const source = await resolveExisting(at, from, { kind: 'any', links: 'refuse', change: true });
  if (!source.ok) return source;
  const destination = await resolveNew(at, to);
  if (!destination.ok) return destination;
  const signal = more.signal ?? new AbortController().signal;
  const job = { workspace: at, source: source.value, destination: destination.value, signal };
  return moveEntry({ ...job, progress: () => undefined }, { ...realMoveFs, ...fs });
}

function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** A system that takes names that differ in letter case for one, and keeps the spelling that was given. */
function caseBlind(): MoveFs {
  const find = async (full: string): Promise<string> => {
    const folder = path.dirname(full);
    const name = path.basename(full);
    const names = await realMoveFs.readdir(folder);
    const hit = names.find((other) => other.toLowerCase() === name.toLowerCase());
    return path.join(folder, hit ?? name);
  };
  return {
    ...realMoveFs,
    lstat: async (at) => realMoveFs.lstat(await find(at)),
    unlink: async (at) => realMoveFs.unlink(await find(at)),
    rename: async (from, to) => realMoveFs.rename(await find(from), to),
    link: async (from, to) => realMoveFs.link(await find(from), await find(to)),
    mkdir: async (at) => realMoveFs.mkdir(await find(at)),
  };
}

describe('moveEntry on systems of other habits', () => {
  it('changes letter case alone where both spellings are one name', async () => {
    expect(await move('a.txt', 'A.TXT', caseBlind())).toMatchObject({ ok: true });
    expect(await move('docs', 'Docs', caseBlind())).toMatchObject({ ok: true });
    expect(readdirSync(inside('.')).sort()).toEqual(['A.TXT', 'Docs']);
    expect(readFileSync(inside('A.TXT'), 'utf8')).toBe('content');
  });

  it('does not take another file for a change of letter case', async () => {
    writeFileSync(inside('C.txt'), 'other');
    expect(await move('a.txt', 'c.TXT', caseBlind())).toMatchObject({ ok: false });
    linkSync(inside('a.txt'), inside('A.txt'));
    expect(await move('a.txt', 'A.txt')).toMatchObject({ ok: false });
    expect(readFileSync(inside('C.txt'), 'utf8')).toBe('other');
    expect(statSync(inside('a.txt')).nlink).toBe(2);
  });

  it.each(['EXDEV', 'EPERM', 'ENOTSUP'])('copies, then removes, when linking answers %s', async (code) => {
    const link = (): Promise<void> => Promise.reject(systemError(code));
    const before = statSync(inside('a.txt'));
    expect(await move('a.txt', 'new/b.txt', { link })).toMatchObject({ ok: true });
    expect(readFileSync(inside('new/b.txt'), 'utf8')).toBe('content');
    expect(existsSync(inside('a.txt'))).toBe(false);
    expect(statSync(inside('new/b.txt')).mode).toBe(before.mode);
    expect(Math.abs(statSync(inside('new/b.txt')).mtimeMs - before.mtimeMs)).toBeLessThan(1);
  });

  it('does not overwrite while copying either', async () => {
    const link = (_from: string, to: string): Promise<void> => {
      writeFileSync(to, 'somebody else');
      return Promise.reject(systemError('EXDEV'));
    };
    expect(await move('a.txt', 'b.txt', { link })).toMatchObject({
      ok: false,
      error: { code: 'path_refused' },
    });
    expect(readFileSync(inside('b.txt'), 'utf8')).toBe('somebody else');
    expect(readFileSync(inside('a.txt'), 'utf8')).toBe('content');
  });

  it('takes its part of a copy away when it is cancelled (S0-71)', async () => {
    const abort = new AbortController();
    const link = (): Promise<void> => {
      abort.abort();
      return Promise.reject(systemError('EXDEV'));
    };
    const moved = await move('a.txt', 'new/b.txt', { link }, { signal: abort.signal });
    expect(moved).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(readdirSync(inside('.')).sort()).toEqual(['a.txt', 'docs']);
  });

  it('says that a folder cannot go to another disk, and leaves nothing behind', async () => {
    const rename = (): Promise<void> => Promise.reject(systemError('EXDEV'));
    const moved = await move('docs', 'new/papers', { rename });
    expect(moved).toMatchObject({ ok: false, error: { code: 'path_refused' } });
    if (!moved.ok) expect(moved.error.message).toMatch(/another disk.*one by one/);
    expect(readdirSync(inside('.')).sort()).toEqual(['a.txt', 'docs']);
  });

  it('puts everything back when the old name cannot be removed', async () => {
    const unlink = (at: string): Promise<void> =>
      at.endsWith('/a.txt') ? Promise.reject(systemError('EPERM')) : realMoveFs.unlink(at);
    const moved = await move('a.txt', 'new/b.txt', { unlink });
    expect(moved).toMatchObject({ ok: false, error: { code: 'path_refused' } });
    expect(readdirSync(inside('.')).sort()).toEqual(['a.txt', 'docs']);
    expect(readFileSync(inside('a.txt'), 'utf8')).toBe('content');
  });

  it('reports a full disk as such', async () => {
    const mkdir = (): Promise<void> => Promise.reject(systemError('ENOSPC'));
    const moved = await move('a.txt', 'new/b.txt', { mkdir });
    expect(moved.ok ? '' : moved.error.message).toContain('No space is left');
  });
});

describe('moveEntry beside another program (S1-39)', () => {
  it('does not overwrite what appears at the last moment', async () => {
    for (const at of [workspace, { ...workspace, anchored: false }]) {
      const link: MoveFs['link'] = (from, to) => {
        writeFileSync(to, 'late');
        return realMoveFs.link(from, to);
      };
      expect(await move('a.txt', 'late.txt', { link }, { at })).toMatchObject({ ok: false });
      expect(readFileSync(inside('late.txt'), 'utf8')).toBe('late');
      const rename: MoveFs['rename'] = (from, to) => {
        writeFileSync(path.join(to, 'theirs'), 'late');
        return realMoveFs.rename(from, to);
      };
      expect(await move('docs', 'papers', { rename }, { at })).toMatchObject({ ok: false });
      expect(readFileSync(inside('papers/theirs'), 'utf8')).toBe('late');
      rmSync(inside('late.txt'));
      rmSync(inside('papers'), { recursive: true });
    }
    expect(readFileSync(inside('docs/b.txt'), 'utf8')).toBe('bee');
  });

  it('leaves a file alone that was saved anew during the move', async () => {
    const link: MoveFs['link'] = async (from, to) => {
      await realMoveFs.link(from, to);
      rmSync(from);
      writeFileSync(from, 'new version');
    };
    const moved = await move('a.txt', 'b.txt', { link });
    expect(moved).toMatchObject({ ok: false });
    expect(readFileSync(inside('a.txt'), 'utf8')).toBe('new version');
    expect(existsSync(inside('b.txt'))).toBe(false);
  });
});
