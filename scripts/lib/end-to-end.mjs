import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { playwrightCounts } from './counts.mjs';
import { openVirtualDisplay } from './display.mjs';
import { ensureOrdinaryUser, stageFor } from './ordinary-user.mjs';
import { inRoot, root } from './paths.mjs';
import { isRoot, run, toolPath } from './run.mjs';

/** @typedef {import('./counts.mjs').Counts} Counts */

/**
 * @typedef {object} EndToEnd
 * @property {import('./electron.mjs').Electron} electron
 * @property {string | undefined} packagedApp the packaged app's executable, when it was built
 */

/** Root runs the app without Chromium's sandbox; the sandbox's own tests then run as an ordinary user. */
export const splitsByUser = () => process.platform === 'linux' && isRoot();

/**
 * The tests in an Electron window: all of them, or without the sandbox's when root runs them.
 * @param {EndToEnd} setup
 * @returns {Promise<Counts>}
 */
export async function runAppTests(setup) {
  const projects = splitsByUser() ? ['--project=app', '--project=command-line'] : [];
  return playwright({
    cwd: root,
    node: process.execPath,
    projects,
    artifacts: inRoot('artifacts', 'e2e'),
    ...setup,
  });
}

/**
 * Root only: the tests named *.sandbox.spec.ts, as an ordinary user with Chromium's sandbox on.
 * @param {EndToEnd} setup
 * @returns {Promise<Counts>}
 */
export async function runSandboxTests(setup) {
  const user = ensureOrdinaryUser();
  const stage = stageFor(user);
  const { packagedApp } = setup;
  const packaged =
    packagedApp && path.join(stage.place(path.dirname(packagedApp), '.packaged'), path.basename(packagedApp));
  const artifacts = path.join(stage.folder, 'artifacts');
  fs.mkdirSync(artifacts);
  fs.chownSync(artifacts, user.uid, user.gid);
  try {
    return await playwright({
      cwd: stage.folder,
      node: stage.node,
      projects: ['--project=sandbox'],
      artifacts,
      electron: setup.electron,
      packagedApp: packaged,
      user,
    });
  } finally {
    fs.cpSync(artifacts, inRoot('artifacts', 'e2e-sandbox'), { recursive: true });
    stage.close();
  }
}

/**
 * @param {EndToEnd & { cwd: string, node: string, projects: string[], artifacts: string,
 *   user?: import('./ordinary-user.mjs').User }} options
 * @returns {Promise<Counts>}
 */
async function playwright(options) {
  const { cwd, node, user, artifacts } = options;
  const cli = path.join(cwd, path.relative(root, toolPath('@playwright/test', 'playwright')));
  const command = [node, cli, 'test', '-c', 'e2e/playwright.config.ts', ...options.projects];
  const report = path.join(artifacts, 'report.json');
  fs.rmSync(report, { force: true });
  const home = temporaryHome(user);
  const desktop = process.platform === 'linux';
  const display = desktop ? await openVirtualDisplay(user) : undefined;
  try {
    const env = {
      ...cleanEnvironment(),
      ...options.electron.env,
      ...(desktop ? { ...homeVariables(home), ...display?.env, OPENWORKER_TEST_DESKTOP: '1' } : {}),
      ...(options.packagedApp ? { PACKAGED_APP: options.packagedApp } : {}),
      OPENWORKER_TEST_ARTIFACTS: artifacts,
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
      FORCE_COLOR: '0',
    };
    const wrapped = desktop
      ? ['dbus-run-session', '--', node, path.join(cwd, 'scripts', 'lib', 'desktop-session.mjs'), ...command]
      : command;
    const code = await run(wrapped[0] ?? node, wrapped.slice(1), { cwd, env, ...user });
    return playwrightCounts(report, code);
  } finally {
    await display?.close();
    fs.rmSync(home, { recursive: true, force: true });
  }
}

/** The person's keys and Node options stay out of the tests. */
function cleanEnvironment() {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/(_API_KEY|_TOKEN|_SECRET)$|^NODE_OPTIONS$|^XDG_|^npm_/i.test(name),
  );
  return Object.fromEntries(kept);
}

/** @param {import('./ordinary-user.mjs').User} [user] */
function temporaryHome(user) {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'openworker-home-'));
  const runtime = path.join(home, 'run');
  fs.mkdirSync(runtime, { mode: 0o700 });
  if (user) for (const folder of [home, runtime]) fs.chownSync(folder, user.uid, user.gid);
  return home;
}

/** @param {string} home so that neither keyring nor settings of the person are touched */
const homeVariables = (home) => ({ HOME: home, XDG_RUNTIME_DIR: path.join(home, 'run') });
