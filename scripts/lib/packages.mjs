import fs from 'node:fs';
import { inRoot, root } from './paths.mjs';
import { SetupError, say } from './report.mjs';
import { run } from './run.mjs';
import { digestOf, readStamp, writeStamp } from './stamp.mjs';

const stampFile = inRoot('node_modules', '.openworker-lock');

/**
 * Installs the packages of package-lock.json when node_modules is missing or was made from another lock file.
 * @throws {SetupError} when npm fails
 */
export async function ensurePackages() {
  const stamp = digestOf(root, ['package-lock.json']);
  if (readStamp(stampFile) === stamp) return;
  if (!installedMatchesLock()) {
    say('Installing the packages of package-lock.json ...');
    await install();
  }
  writeStamp(stampFile, stamp);
}

async function install() {
  // Under `npm start` this is the npm that runs; otherwise the one on the PATH.
  const npm = process.env.npm_execpath;
  const [command, args] = npm?.endsWith('js') ? [process.execPath, [npm]] : ['npm', []];
  const env = { ...process.env, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' };
  const code = await run(command, [...args, 'ci', '--no-progress', '--loglevel=error'], { env });
  if (code === 0) return;
  throw new SetupError(
    'npm could not install the packages (its message is above). ' +
      'Check that the npm registry is reachable, then run the same command again.',
  );
}

/** npm's own record of what it installed agrees with the lock file: somebody ran npm by hand, that is fine too. */
function installedMatchesLock() {
  const wanted = readPackages(inRoot('package-lock.json'));
  const installed = readPackages(inRoot('node_modules', '.package-lock.json'));
  if (!wanted || !installed) return false;
  const versionsAgree = Object.entries(installed).every(
    ([name, entry]) => wanted[name]?.version === entry.version,
  );
  const nothingMissing = Object.entries(wanted).every(
    ([name, entry]) => name === '' || entry.optional || entry.peer || installed[name],
  );
  return versionsAgree && nothingMissing;
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, optional?: boolean, peer?: boolean }> | undefined}
 */
function readPackages(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}
