import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { inRoot, root } from './paths.mjs';
import { SetupError } from './report.mjs';

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd] the repository's root when left out
 * @property {NodeJS.ProcessEnv} [env]
 * @property {number} [uid] run as this user (needs root)
 * @property {number} [gid]
 */

/**
 * Runs a program with the terminal's input and output, and passes stop signals on to it.
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<number>} its exit code; 1 when a signal ended it or it could not start
 */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
    const pass = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal);
    const done = (/** @type {number} */ code) => {
      process.off('SIGTERM', pass).off('SIGINT', ignore);
      resolve(code);
    };
    // The terminal sends SIGINT to the child as well; this process only has to outlive it.
    const ignore = () => {};
    process.on('SIGTERM', pass).on('SIGINT', ignore);
    child.on('error', (error) => {
      process.stderr.write(`${command} could not be started: ${error.message}\n`);
      done(1);
    });
    child.on('close', (code) => done(code ?? 1));
  });
}

/**
 * Runs a short program and returns what it printed.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnSyncOptions} [options]
 * @returns {{ ok: boolean, output: string }} output holds stdout, or why it failed
 */
export function capture(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, encoding: 'utf8', ...options });
  if (result.error) return { ok: false, output: result.error.message };
  const ok = result.status === 0;
  return { ok, output: String(ok ? result.stdout : result.stderr || result.stdout).trim() };
}

/**
 * @param {string} command
 * @returns {string | undefined} where the program lies; the folders of administration are searched too
 */
export function findCommand(command) {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/sbin'];
  const names = process.platform === 'win32' ? [`${command}.exe`, `${command}.cmd`] : [command];
  return folders
    .flatMap((folder) => names.map((name) => path.join(folder, name)))
    .find((file) => fs.existsSync(file));
}

/**
 * The JavaScript file behind an installed package's command, to be run with this Node.
 * @param {string} packageName
 * @param {string} [bin] the command, when the package has several
 */
export function toolPath(packageName, bin = packageName) {
  const folder = inRoot('node_modules', packageName);
  const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const file = typeof manifest.bin === 'string' ? manifest.bin : manifest.bin?.[bin];
  if (!file) throw new SetupError(`The package ${packageName} has no command "${bin}".`);
  return path.join(folder, file);
}

export const isRoot = () => process.getuid?.() === 0;
