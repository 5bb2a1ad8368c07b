import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fuzzyScore } from './fuzzy-match';
import { listFilesForMention, openWorkspace, type Workspace } from '.';

let base: string;
let workspace: Workspace;
const never = new AbortController().signal;

beforeEach(async () => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'ow-mention-')));
  for (const name of ['w/src/deep', 'w/node_modules/p', 'w/.git', 'out']) {
    mkdirSync(path.join(base, name), { recursive: true });
  }
  for (const name of [
    'w/readme.md',
    'w/src/report-final.txt',
    'w/src/deep/final-report.txt',
    'w/src/xreportx.txt',
    'w/node_modules/p/report.txt',
    'w/.git/report',
    'out/report-secret.txt',
  ]) {
    writeFileSync(path.join(base, name), '');
  }
  symlinkSync('../out', path.join(base, 'w/linked'));
  const opened = await openWorkspace(path.join(base, 'w'));
  if (!opened.ok) throw new Error(opened.error.message);
  workspace = opened.value;
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

describe('listFilesForMention', () => {
  it('ranks beginnings of names first, and skips links, node_modules and .git', async () => {
    const found = await listFilesForMention(workspace, 'Report', 10, never);
    expect(found).toEqual({
      paths: ['src/report-final.txt', 'src/deep/final-report.txt', 'src/xreportx.txt'],
      cut: false,
    });
  });

  it('lists files near the top first without a query, up to the limit', async () => {
    const found = await listFilesForMention(workspace, '', 2, never);
    expect(found.paths[0]).toBe('readme.md');
    expect(found.paths).toHaveLength(2);
  });

  it('says when a limit or an abort ended the walk', async () => {
    const limits = { max_entries: 2, max_ms: 1_000 };
    expect((await listFilesForMention(workspace, '', 10, never, limits)).cut).toBe(true);
    expect(await listFilesForMention(workspace, '', 10, AbortSignal.abort())).toEqual({
      paths: [],
      cut: true,
    });
    const late = { max_entries: 100, max_ms: -1 };
    expect((await listFilesForMention(workspace, '', 10, never, late)).cut).toBe(true);
  });
});

describe('fuzzyScore', () => {
  it('finds scattered letters in order, prefers starts of words, and refuses the rest', () => {
    const at = (query: string, text: string): number => fuzzyScore(query, text) ?? -Infinity;
    expect(at('srf', 'src/report-final.txt')).toBeGreaterThan(at('srf', 'xsxrxf.txt'));
    expect(fuzzyScore('zzz', 'src/report.txt')).toBeNull();
  });
});
