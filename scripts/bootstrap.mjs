import { pathToFileURL } from 'node:url';
import { needsVirtualDisplay } from './lib/display.mjs';
import { assertNode } from './lib/node-version.mjs';
import { ensurePackages } from './lib/packages.mjs';
import { runScript, say, SetupError } from './lib/report.mjs';
import { ensureSystemPackages } from './lib/system-packages.mjs';

/**
 * Makes a fresh clone ready: packages of the lock file, system packages, an Electron. It needs Node alone; whatever
 * lies in node_modules is imported only after it is installed.
 * @param {{ tests?: boolean, electron?: boolean }} [options] tests: also what the checks need;
 *   electron: false leaves system packages and Electron out
 * @returns {Promise<import('./lib/electron.mjs').Electron | undefined>}
 * @throws {SetupError} with the remedy in its message
 */
export async function bootstrap(options = {}) {
  assertNode();
  await ensurePackages();
  if (options.electron === false) return undefined;
  await ensureSystemPackages({ tests: options.tests ?? false, virtualDisplay: needsVirtualDisplay() });
  const { electronProblem, provideElectron } = await import('./lib/electron.mjs');
  const electron = await provideElectron();
  const problem = electronProblem(electron);
  if (problem)
    throw new SetupError(`Electron ${electron.version} at ${electron.dist} does not start: ${problem}`);
  return electron;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await runScript(async () => {
    const electron = await bootstrap({ tests: process.argv.includes('--tests') });
    if (electron) say(`Ready: Electron ${electron.version} (${electron.origin}) in ${electron.dist}`);
  });
}
