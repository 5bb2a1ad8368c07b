import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { getCurrentFuseWire } from '@electron/fuses';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { setFuses } from './after-pack.mjs';

const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const [off, on] = [48, 49];
/** @type {string} */
let folder;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fuses-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

/** @param {number} length of the fuse wire; each fuse starts as the opposite of what a release wants */
function binary(length) {
  const file = path.join(folder, 'electron');
  const wire = [on, off, on, on, off, off, on, on, off, on].slice(0, length);
  fs.writeFileSync(file, Buffer.concat([Buffer.from(sentinel), Buffer.from([1, length, ...wire])]));
  return file;
}

test('sets all nine fuses of a current Electron', async () => {
  const file = binary(9);
  await setFuses(file);
  const wire = await getCurrentFuseWire(file);
  expect(Object.values(wire).slice(0, 9)).toEqual([off, on, off, off, on, on, off, off, on]);
});

test('sets the fuses that an older Electron has', async () => {
  const file = binary(8);
  await setFuses(file);
  const wire = await getCurrentFuseWire(file);
  expect(Object.values(wire).slice(0, 8)).toEqual([off, on, off, off, on, on, off, off]);
});

test('refuses an Electron with a fuse that nobody has decided', async () => {
  await expect(setFuses(binary(10))).rejects.toThrow(/strictlyRequireAllFuses/);
});
