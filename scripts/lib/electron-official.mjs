import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cacheFolder } from './cache-folder.mjs';
import { downloadNode, isAtLeast } from './node-version.mjs';
import { inRoot } from './paths.mjs';
import { say } from './report.mjs';
import { capture } from './run.mjs';

const folder = inRoot('node_modules', 'electron');
const probeMilliseconds = 8000;
const downloadMilliseconds = 15 * 60_000;
const rememberMilliseconds = 24 * 60 * 60_000;

/** @typedef {{ dist: string, version: string } | { unavailable: string }} Official */

/**
 * Electron's own binary, downloaded if it is not there yet. Whether the download works is found out with one short
 * request, and a no is remembered for a day, so that a machine without access never waits for it.
 * @param {{ retry?: boolean }} [options] retry asks again although a no is remembered
 * @returns {Promise<Official>}
 */
export async function officialElectron(options = {}) {
  const version = packageVersion();
  const dist = path.join(folder, 'dist');
  if (installedVersion(dist) === version) return { dist, version };
  if (!isAtLeast(process.version, downloadNode)) {
    return { unavailable: `its download needs Node ${downloadNode} or newer, this is ${process.version}` };
  }
  const remembered = options.retry ? undefined : recallFailure(version);
  if (remembered) return { unavailable: remembered };
  const refusal = (await probe(version)) ?? download();
  if (!refusal && installedVersion(dist) === version) return { dist, version };
  const unavailable = refusal ?? 'the download left no usable binary';
  rememberFailure(version, unavailable);
  return { unavailable };
}

/** @returns {string} the version that package.json pins */
export function packageVersion() {
  return JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')).version;
}

/** @param {string} dist */
function installedVersion(dist) {
  try {
    // Both files are written last, so an interrupted download does not count.
    const executable = fs.readFileSync(path.join(folder, 'path.txt'), 'utf8').trim();
    if (!fs.existsSync(path.join(dist, executable))) return undefined;
    return fs.readFileSync(path.join(dist, 'version'), 'utf8').trim().replace(/^v/, '');
  } catch {
    return undefined;
  }
}

/**
 * @param {string} version
 * @returns {Promise<string | undefined>} why the download will not work
 */
async function probe(version) {
  // A proxy is the downloader's business: it is not asked twice.
  if (process.env.ELECTRON_GET_USE_PROXY) return undefined;
  const mirror = process.env.ELECTRON_MIRROR ?? process.env.npm_config_electron_mirror;
  const base = mirror ?? 'https://github.com/electron/electron/releases/download/';
  const url = `${base}v${version}/SHASUMS256.txt`;
  try {
    const answer = await Promise.race([
      fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(probeMilliseconds) }),
      // Name lookup does not end with the signal; this timer must not keep the process alive either.
      delay(probeMilliseconds + 500, undefined, { ref: false }),
    ]);
    if (!answer) return `${new URL(url).host} did not answer in ${probeMilliseconds / 1000} s`;
    return answer.ok ? undefined : `${url} answered ${answer.status}`;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return `${new URL(url).host} cannot be reached (${cause instanceof Error ? cause.message : cause})`;
  }
}

/** @returns {string | undefined} why it failed */
function download() {
  say(`Downloading Electron ${packageVersion()} ...`);
  const result = capture(process.execPath, [path.join(folder, 'install.js')], {
    timeout: downloadMilliseconds,
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  return result.ok ? undefined : `the download failed: ${result.output.split('\n')[0]}`;
}

const failureFile = () => path.join(cacheFolder(), 'electron-download-failed.json');

/** @param {string} version */
function recallFailure(version) {
  try {
    const failure = JSON.parse(fs.readFileSync(failureFile(), 'utf8'));
    const recent = Date.now() - failure.at < rememberMilliseconds && failure.at <= Date.now();
    return failure.version === version && recent ? String(failure.reason) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {string} version
 * @param {string} reason
 */
function rememberFailure(version, reason) {
  fs.mkdirSync(cacheFolder(), { recursive: true });
  fs.writeFileSync(failureFile(), JSON.stringify({ version, reason, at: Date.now() }));
}
