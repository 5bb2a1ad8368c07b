import fs from 'node:fs';
import { SetupError, say } from './report.mjs';
import { capture, findCommand, isRoot, run } from './run.mjs';
import { appNeeds, testNeeds, virtualDisplayNeeds } from './system-needs.mjs';

/** @typedef {import('./system-needs.mjs').Need} Need */

/**
 * Linux only: makes sure that the libraries and programs are there. As root on Debian or Ubuntu it installs what is
 * missing; otherwise it ends with the one command that does.
 * @param {{ tests: boolean, virtualDisplay: boolean }} options
 * @throws {SetupError} when something is missing and cannot be installed here
 */
export async function ensureSystemPackages(options) {
  if (process.platform !== 'linux') return;
  const needs = [
    ...appNeeds,
    ...(options.virtualDisplay ? virtualDisplayNeeds : []),
    ...(options.tests ? testNeeds : []),
  ];
  const missing = missingOf(needs);
  if (missing.length === 0) return;
  const isDebian = findCommand('apt-get') !== undefined;
  if (!isDebian || !isRoot()) throw new SetupError(instructions(missing, isDebian));
  await install(missing);
  const left = missingOf(needs);
  if (left.length > 0) throw new SetupError(`After the installation there is still no ${names(left)}.`);
}

/** @param {Need[]} needs */
function missingOf(needs) {
  const ldconfig = findCommand('ldconfig');
  const libraries = ldconfig ? capture(ldconfig, ['-p']).output : '';
  const present = (/** @type {Need} */ { check }) => {
    if ('command' in check) return findCommand(check.command) !== undefined;
    if ('folder' in check) return fs.existsSync(check.folder) || !findCommand('apt-get');
    return libraries.includes(`\t${check.library} `);
  };
  return needs.filter((need, index) => needs.indexOf(need) === index && !present(need));
}

/** @param {Need[]} missing */
const names = (missing) => missing.map((need) => Object.values(need.check)[0]).join(', ');

/** @param {Need} need @returns {string} the name that this release knows */
function packageName(need) {
  const known = need.debian.find((name) =>
    /Candidate: (?!\(none\))/.test(capture('apt-cache', ['policy', name]).output),
  );
  return known ?? need.debian[need.debian.length - 1] ?? '';
}

/**
 * @param {Need[]} missing
 * @param {boolean} isDebian
 */
function instructions(missing, isDebian) {
  const packages = missing.map((need) => (isDebian ? packageName(need) : need.debian[0])).join(' ');
  if (isDebian) {
    return (
      `This system has no ${names(missing)}. Run this command, then start again:\n\n` +
      `  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${packages}\n`
    );
  }
  return (
    `This system has no ${names(missing)}. Install what your distribution calls them, then start again. ` +
    `On Debian the packages are: ${packages}`
  );
}

/** @param {Need[]} missing */
async function install(missing) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const wait = ['-o', 'DPkg::Lock::Timeout=300'];
  say('Reading the list of system packages (apt-get update) ...');
  await run('apt-get', [...wait, '-q', 'update'], { env });
  const packages = missing.map(packageName);
  say(`Installing system packages: ${packages.join(' ')}`);
  const args = [...wait, '-q', 'install', '-y', '--no-install-recommends', ...packages];
  if ((await run('apt-get', args, { env })) === 0) return;
  throw new SetupError(
    `apt-get could not install ${packages.join(' ')} (its message is above). Install them, then start again.`,
  );
}
