import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeDigest } from './code-digest';

let base: string;
beforeEach(() => {
  base = fs.mkdtempSync(path.join(tmpdir(), 'ow-code-'));
});
afterEach(() => fs.rmSync(base, { recursive: true, force: true }));

function build(at: string, files: Readonly<Record<string, string>>): string {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(base, at, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }
  return path.join(base, at);
}

const code = {
  'main.cjs': 'main',
  'preload.cjs': 'preload',
  'renderer/index.html': '<html>',
  'renderer/assets/index.js': 'window',
};

function digest(folder: string): string {
  const read = codeDigest(fs, { folder, files: ['main.cjs', 'preload.cjs'], folders: ['renderer'] });
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
}

describe('codeDigest', () => {
  it('S0-57: is a SHA-256 over the built code, the same wherever the app lies', () => {
    const one = digest(build('one', code));
    expect(one).toBe('0889a522c5c8b0f1f0329f18731aa24401c784e3368e2d74b97ec81a16efdd18');
    expect(digest(build('elsewhere/two', code))).toBe(one);
    expect(
      digest(build('maps', { ...code, 'renderer/assets/index.js.map': '{}', 'main.cjs.map': '{}' })),
    ).toBe(one);
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['main', { 'main.cjs': 'main2' }],
    ['the preload script', { 'preload.cjs': 'preloae' }],
    ['the window', { 'renderer/assets/index.js': 'windox' }],
    ['what is there', { 'renderer/assets/more.js': '' }],
    ['where one file ends and the next begins', { 'main.cjs': 'mainp', 'preload.cjs': 'reload' }],
  ])('S0-58: differs when %s changed', (_, changed) => {
    expect(digest(build('new', { ...code, ...changed }))).not.toBe(digest(build('old', code)));
  });

  it('reads with what the host gives it, so that code in an archive can be read', () => {
    const read: string[] = [];
    const reader = {
      readFileSync: (file: string) => {
        read.push(file);
        return Buffer.from('x');
      },
      readdirSync: () => [
        { name: 'b.js', isDirectory: () => false },
        { name: 'a.js', isDirectory: () => false },
      ],
    };
    const folder = '/opt/app.asar/out';
    expect(codeDigest(reader, { folder, files: ['main.cjs'], folders: ['renderer'] }).ok).toBe(true);
    expect(read).toEqual([`${folder}/main.cjs`, `${folder}/renderer/a.js`, `${folder}/renderer/b.js`]);
  });

  it('fails with place and remedy where code is missing, rather than to answer for less', () => {
    const folder = build('broken', { 'main.cjs': 'main' });
    fs.mkdirSync(path.join(folder, 'renderer'));
    for (const places of [
      { folder, files: ['main.cjs', 'preload.cjs'] },
      { folder, files: ['main.cjs'], folders: ['renderer'] },
      { folder, files: ['main.cjs'], folders: ['gone'] },
      { folder, files: [] },
    ]) {
      const read = codeDigest(fs, places);
      if (read.ok) throw new Error('answered');
      expect(read.error.code).toBe('internal');
      expect(read.error.message).toContain(folder);
      expect(read.error.message).toMatch(/Install the app again\.$/);
    }
  });
});
