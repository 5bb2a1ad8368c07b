import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inRoot, root } from './paths.mjs';
import { SetupError } from './report.mjs';
import { capture } from './run.mjs';

const userName = 'openworker-test';

/** @typedef {{ uid: number, gid: number }} User */

/**
 * Root only: the user that the tests of Chromium's sandbox run as, made when it does not exist. It has no password,
 * no home and no shell.
 * @returns {User}
 */
export function ensureOrdinaryUser() {
  if (!capture('id', ['-u', userName]).ok) {
    const home = ['--no-create-home', '--home-dir', '/nonexistent', '--shell', '/usr/sbin/nologin'];
    const made = capture('useradd', ['--system', '--user-group', ...home, userName]);
    if (!made.ok) throw new SetupError(`The user ${userName} could not be made: ${made.output}`);
  }
  const id = (/** @type {string} */ flag) => Number(capture('id', [flag, userName]).output);
  return { uid: id('-u'), gid: id('-g') };
}

/**
 * Copies the repository to a temporary folder that the user owns, because the repository may lie where only root can
 * look. What is large and only read (packages, a packaged app) is linked when the user can read it where it is.
 * @param {User} user
 * @returns {{ folder: string, node: string, place: (source: string, name: string) => string, close: () => void }}
 *   node: a Node that the user can run; place: puts one more folder there
 */
export function stageFor(user) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'openworker-sandbox-'));
  const leftOut = ['node_modules', '.git', 'dist', 'artifacts'].map((name) => inRoot(name));
  const filter = (/** @type {string} */ source) => !leftOut.includes(source);
  for (const name of fs.readdirSync(root)) {
    if (filter(inRoot(name))) fs.cpSync(inRoot(name), path.join(folder, name), { recursive: true, filter });
  }
  capture('chown', ['-R', `${user.uid}:${user.gid}`, folder]);
  const place = (/** @type {string} */ source, /** @type {string} */ name) =>
    placeReadable(user, source, path.join(folder, name));
  place(inRoot('node_modules'), 'node_modules');
  return {
    folder,
    node: place(process.execPath, '.node'),
    place,
    close: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * @param {User} user
 * @param {string} source a file or a folder
 * @param {string} target
 * @returns {string} target
 */
function placeReadable(user, source, target) {
  const real = fs.realpathSync(source);
  const readable = capture('test', ['-r', firstFile(real)], { ...user, cwd: '/' }).ok;
  if (readable) fs.symlinkSync(real, target);
  else if (!capture('cp', ['-al', real, target]).ok) {
    // Another file system: hard links do not reach it.
    fs.rmSync(target, { recursive: true, force: true });
    const copied = capture('cp', ['-a', real, target]);
    if (!copied.ok)
      throw new SetupError(`${real} could not be copied for the sandbox tests: ${copied.output}`);
  }
  return target;
}

/** @param {string} place @returns {string} a file in it, for a look at who may read it */
function firstFile(place) {
  if (!fs.statSync(place).isDirectory()) return place;
  const file = fs
    .readdirSync(place, { withFileTypes: true, recursive: false })
    .find((entry) => entry.isFile());
  return file ? path.join(place, file.name) : place;
}
