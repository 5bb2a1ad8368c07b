import fs from 'node:fs';
import path from 'node:path';
import { fallbackElectron, fallbackVersion, hasFallback } from './electron-fallback.mjs';
import { officialElectron, packageVersion } from './electron-official.mjs';
import { SetupError, say } from './report.mjs';
import { capture } from './run.mjs';

/**
 * @typedef {object} Electron
 * @property {string} executable
 * @property {string} dist the folder that holds it
 * @property {string} version
 * @property {'given' | 'official' | 'fallback'} origin
 * @property {NodeJS.ProcessEnv} env what makes the electron package, Playwright and electron-builder take it
 */

/**
 * Provides an Electron: the one that ELECTRON_OVERRIDE_DIST_PATH names, else Electron's own, else the fallback.
 * OPENWORKER_ELECTRON=official or =fallback decides for one of the last two.
 * @returns {Promise<Electron>}
 * @throws {SetupError} with the remedy, when there is none
 */
export async function provideElectron() {
  const given = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (given) return describe(given, 'given', readVersion(given));
  const wish = process.env.OPENWORKER_ELECTRON;
  if (wish === 'fallback' && hasFallback()) return fallback();
  const official = await officialElectron({ retry: wish === 'official' });
  if ('dist' in official) return describe(official.dist, 'official', official.version);
  const problem = `Electron ${packageVersion()} is not available here: ${official.unavailable}.`;
  if (wish === 'official' || !hasFallback()) throw new SetupError(`${problem}\n${remedy()}`);
  say(`${problem} Using Electron ${fallbackVersion} for development and tests.`);
  return fallback();
}

async function fallback() {
  const { dist, version } = await fallbackElectron();
  return describe(dist, 'fallback', version);
}

function remedy() {
  return (
    'Remedy, one of these:\n' +
    '  - use Node 22.12 or newer and a network that reaches github.com, then run the command again;\n' +
    '  - set ELECTRON_MIRROR to a mirror of the Electron releases;\n' +
    '  - unpack an Electron release for this platform and set ELECTRON_OVERRIDE_DIST_PATH to its folder.'
  );
}

/**
 * @param {string} dist
 * @param {Electron['origin']} origin
 * @param {string} version
 * @returns {Electron}
 */
function describe(dist, origin, version) {
  const folder = path.resolve(dist);
  const executable = path.join(folder, executableName());
  if (!fs.existsSync(executable)) {
    throw new SetupError(
      `There is no Electron at ${executable} (ELECTRON_OVERRIDE_DIST_PATH names its folder).`,
    );
  }
  const env = origin === 'official' ? {} : { ELECTRON_OVERRIDE_DIST_PATH: folder };
  return { executable, dist: folder, version, origin, env };
}

function executableName() {
  if (process.platform === 'darwin') return path.join('Electron.app', 'Contents', 'MacOS', 'Electron');
  return process.platform === 'win32' ? 'electron.exe' : 'electron';
}

/** @param {string} dist */
function readVersion(dist) {
  try {
    return fs.readFileSync(path.join(dist, 'version'), 'utf8').trim().replace(/^v/, '');
  } catch {
    return 'of unknown version';
  }
}

/**
 * Starts the binary once, as plain Node, which finds missing system libraries.
 * @param {Electron} electron
 * @returns {string | undefined} what is wrong with it
 */
export function electronProblem(electron) {
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  const result = capture(electron.executable, ['-p', 'process.versions.electron'], { env, timeout: 30_000 });
  return result.ok ? undefined : result.output;
}
