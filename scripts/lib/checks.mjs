import fs from 'node:fs';
import { single, vitestCounts } from './counts.mjs';
import { runAppTests, runSandboxTests, splitsByUser } from './end-to-end.mjs';
import { inRoot } from './paths.mjs';
import { run, toolPath } from './run.mjs';

/**
 * @typedef {object} Context what later checks need from earlier ones
 * @property {import('./electron.mjs').Electron | undefined} electron
 * @property {boolean} built
 * @property {string | undefined} packagedApp
 *
 * @typedef {object} Check
 * @property {string} name
 * @property {string} what
 * @property {boolean} [needsElectron]
 * @property {(context: Context) => Promise<import('./counts.mjs').Counts>} run
 */

/**
 * @param {string} packageName
 * @param {string[]} args
 * @param {string} [bin]
 */
const tool = (packageName, args, bin) => async () => {
  const code = await run(process.execPath, [toolPath(packageName, bin), ...args]);
  return single(code === 0);
};

const layerFolders = ['src-main', 'src-preload', 'src-renderer'];

/** @type {Check[]} in the order in which they run */
const all = [
  { name: 'format', what: 'Prettier', run: tool('prettier', ['--check', '--log-level', 'warn', '.']) },
  { name: 'lint', what: 'ESLint', run: tool('eslint', ['--max-warnings', '0', '.']) },
  { name: 'types', what: 'TypeScript', run: tool('typescript', ['-b'], 'tsc') },
  {
    name: 'layers',
    what: 'dependency-cruiser',
    run: tool('dependency-cruiser', [...layerFolders, '--config', '.dependency-cruiser.cjs'], 'depcruise'),
  },
  {
    name: 'requirements',
    what: 'every requirement tested, planned or without counterpart',
    run: requirements,
  },
  { name: 'build', what: 'esbuild and Vite', run: build },
  { name: 'unit', what: 'Vitest', run: unit },
  { name: 'package', what: 'electron-builder, Linux folder', needsElectron: true, run: packageFolder },
  { name: 'e2e', what: 'Playwright in Electron', needsElectron: true, run: endToEnd(runAppTests) },
  {
    name: 'sandbox',
    what: "Playwright as an ordinary user, Chromium's sandbox on",
    needsElectron: true,
    run: endToEnd(runSandboxTests),
  },
];

/** The checks of this machine: the packaged app is Linux's, the run as another user is root's. */
export const checks = all.filter(
  ({ name }) =>
    (name !== 'package' || process.platform === 'linux') && (name !== 'sandbox' || splitsByUser()),
);

async function requirements() {
  return single((await run(process.execPath, [inRoot('scripts', 'requirements.mjs')])) === 0);
}

/** @param {Context} context */
async function build(context) {
  const { buildApp } = await import('./bundle.mjs');
  await buildApp();
  context.built = true;
  return single(true);
}

async function unit() {
  const report = inRoot('artifacts', 'unit', 'report.json');
  fs.rmSync(report, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const code = await run(process.execPath, [toolPath('vitest'), 'run', ...reporters]);
  return vitestCounts(report, code);
}

/** @param {Context} context */
async function packageFolder(context) {
  await requireBuild(context);
  const { packageApp } = await import('./packaging.mjs');
  if (context.electron) context.packagedApp = await packageApp(context.electron, { targets: ['dir'] });
  return single(context.packagedApp !== undefined);
}

/** @param {(setup: import('./end-to-end.mjs').EndToEnd) => Promise<import('./counts.mjs').Counts>} runTests */
function endToEnd(runTests) {
  return async (/** @type {Context} */ context) => {
    await requireBuild(context);
    const { electron, packagedApp } = context;
    return electron ? runTests({ electron, packagedApp }) : single(false);
  };
}

/** @param {Context} context */
async function requireBuild(context) {
  if (!context.built) await build(context);
}
