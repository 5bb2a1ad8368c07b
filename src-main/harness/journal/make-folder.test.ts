import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeFolder } from './make-folder';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'make-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('makes a data folder and those above it, for the person alone', () => {
  expect(makeFolder(join(folder, 'a/b/c')).ok).toBe(true);
  expect(statSync(join(folder, 'a/b/c')).mode & 0o777).toBe(0o700);
  expect(makeFolder(join(folder, 'a/b/c')).ok).toBe(true);
});

it('names the file that stands in the way, and makes nothing', () => {
  writeFileSync(join(folder, 'note'), '');
  for (const path of [join(folder, 'note'), join(folder, 'note/data')]) {
    const made = makeFolder(path);
    expect(made).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    expect(!made.ok && made.error.message).toContain(`${join(folder, 'note')} is a file`);
  }
});

it(`answers at once where a file system takes no folders${existsSync('/proc/self') ? '' : ' (skipped: needs /proc)'}`, ({
  skip,
}) => {
  if (!existsSync('/proc/self')) skip();
  expect(makeFolder('/proc/openworker-test')).toMatchObject({
    ok: false,
    error: { code: 'journal_unavailable' },
  });
});
