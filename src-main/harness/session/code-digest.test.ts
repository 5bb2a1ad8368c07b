import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeDigest, type CodePlaces } from './code-digest';

type Files = Readonly<Record<string, string>>;

let base: string;
beforeEach(() => {
  base = fs.mkdtempSync(path.join(tmpdir(), 'ow-code-'));
});
afterEach(() => fs.rmSync(base, { recursive: true, force: true }));

function write(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }
}

/** A built app at that place, with the record that its build leaves. */
function build(at: string, files: Files): string {
  const folder = path.join(base, at);
  const sums = Object.entries(files).map(([name, text]) => [
    name,
    createHash('sha256').update(text).digest('hex'),
  ]);
  write(folder, { ...files, 'build.json': JSON.stringify({ files: Object.fromEntries(sums) }) });
  return folder;
}

const code = {
  'main.cjs': 'main',
  'preload.cjs': 'preload',
  'renderer/index.html': '<html>',
  'renderer/assets/index.js': 'window',
  'openworker.mjs': 'command line',
};
const app = { files: ['main.cjs', 'preload.cjs'], folders: ['renderer'] };
const commandLine = { files: ['openworker.mjs'] };

function digest(folder: string, places: Omit<CodePlaces, 'folder'> = app): string {
  const read = codeDigest(fs, { folder, ...places });
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
}

describe('codeDigest', () => {
  it('S0-57: is a SHA-256 over the built code, the same wherever the app lies', () => {
    const one = digest(build('one', code));
    expect(one).toMatch(/^[0-9a-f]{64}$/);
    expect(digest(build('elsewhere/two', code))).toBe(one);
    const maps = build('maps', code);
    write(maps, { 'renderer/assets/index.js.map': '{}', 'main.cjs.map': '{}' });
    expect(digest(maps)).toBe(one);
  });

  it('S0-57: the window and the command line of one build have the same, each without the other', () => {
    const one = digest(build('one', code));
    const { 'openworker.mjs': program, ...window } = code;
    const installed = build('installed', code);
    fs.rmSync(path.join(installed, 'openworker.mjs'));
    expect(digest(installed)).toBe(one);
    const alone = build('alone', code);
    for (const name of Object.keys(window)) fs.rmSync(path.join(alone, name));
    expect(digest(alone, commandLine)).toBe(one);
    expect(digest(build('new', { ...window, 'openworker.mjs': `${program}2` }))).not.toBe(one);
  });

  it.each<[string, Files]>([
    ['main', { 'main.cjs': 'main2' }],
    ['the preload script', { 'preload.cjs': 'preloae' }],
    ['the window', { 'renderer/assets/index.js': 'windox' }],
    ['what is there', { 'renderer/assets/more.js': '' }],
    ['where one file ends and the next begins', { 'main.cjs': 'mainp', 'preload.cjs': 'reload' }],
  ])('S0-58: differs when %s changed', (_, changed) => {
    expect(digest(build('new', { ...code, ...changed }))).not.toBe(digest(build('old', code)));
  });

  it('reads with what the host gives it, so that code in an archive can be read', () => {
    const folder = '/opt/app.asar/out';
    const sum = createHash('sha256').update('x').digest('hex');
    const files = { 'main.cjs': sum, 'renderer/a.js': sum, 'renderer/b.js': sum };
    const read: string[] = [];
    const reader = {
      readFileSync: (file: string) => {
        read.push(file);
        return Buffer.from(file.endsWith('build.json') ? JSON.stringify({ files }) : 'x');
      },
      readdirSync: () => [
        { name: 'b.js', isDirectory: () => false },
        { name: 'a.js', isDirectory: () => false },
      ],
    };
    expect(codeDigest(reader, { folder, files: ['main.cjs'], folders: ['renderer'] }).ok).toBe(true);
    expect(read.sort()).toEqual(['build.json', ...Object.keys(files)].map((name) => `${folder}/${name}`));
  });

  it.each<[string, (folder: string) => void]>([
    ['a file is missing', (folder) => fs.rmSync(path.join(folder, 'preload.cjs'))],
    ['a file of a folder is missing', (folder) => fs.rmSync(path.join(folder, 'renderer/index.html'))],
    ['a folder is missing', (folder) => fs.rmSync(path.join(folder, 'renderer'), { recursive: true })],
    ['a file was changed after the build', (folder) => write(folder, { 'main.cjs': 'other' })],
    ['a file was added after the build', (folder) => write(folder, { 'renderer/assets/more.js': '' })],
    ['the record is missing', (folder) => fs.rmSync(path.join(folder, 'build.json'))],
    ['the record is cut off', (folder) => write(folder, { 'build.json': '{"files":{' })],
    ['the record names nothing', (folder) => write(folder, { 'build.json': '{"files":[]}' })],
  ])('S0-58: fails with place and remedy where %s, rather than to answer for less', (_, breakIt) => {
    const folder = build('broken', code);
    breakIt(folder);
    const read = codeDigest(fs, { folder, ...app });
    if (read.ok) throw new Error('answered');
    expect(read.error.code).toBe('internal');
    expect(read.error.message).toContain(folder);
    expect(read.error.message).toMatch(/Install the app again\.$/);
  });
});
