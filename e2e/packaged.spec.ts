import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { extractFile, listPackage } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { chromium, expect, test, type Browser, type Page } from '@playwright/test';
import { temporaryFolder } from './parts/app';
import { act, command, createSession, must, query, settleIn, submit, waitForState } from './parts/bridge';
import { root } from './parts/openworker';

const executable = process.env['PACKAGED_APP'] ?? '';
const why = executable === '' ? ' (skipped: PACKAGED_APP names no packaged app)' : '';
test.skip(executable === '', 'PACKAGED_APP names no packaged app');

const resources = path.join(
  path.dirname(executable),
  process.platform === 'darwin' ? '../Resources' : 'resources',
);
const switches = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

/** The packaged app over Chromium's own port: its fuses leave Playwright no other way in, as it should be. */
interface Packaged {
  readonly page: Page;
  close(): Promise<void>;
}

function endpointOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const fail = (): void => reject(new Error(`The packaged app opened no port: ${said.slice(-500)}`));
    const timer = setTimeout(fail, 20_000);
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const found = /DevTools listening on (ws:\/\/\S+)/.exec(said)?.[1];
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(found);
    });
    child.once('exit', fail);
  });
}

/** Waits for the window before anything attaches: Playwright does not come through to an app that still starts. */
async function windowListed(endpoint: string): Promise<void> {
  const list = new URL('/json/list', endpoint.replace(/^ws:/, 'http:'));
  const urls = async (): Promise<string> => {
    const pages = (await (await fetch(list)).json()) as { url: string }[];
    return pages.map((page) => page.url).join(' ');
  };
  await expect.poll(urls, { timeout: 20_000 }).toContain('app://openworker/');
}

async function pageOf(browser: Browser): Promise<Page> {
  await expect
    .poll(() =>
      browser
        .contexts()
        .flatMap((context) => context.pages())
        .some((page) => page.url().startsWith('app://')),
    )
    .toBe(true);
  const page = browser
    .contexts()
    .flatMap((context) => context.pages())
    .find((one) => one.url().startsWith('app://'));
  if (!page) throw new Error('The packaged app has no window.');
  return page;
}

async function startPackaged(profile: string, words: readonly string[] = []): Promise<Packaged> {
  const child = spawn(
    executable,
    [...switches, '--remote-debugging-port=0', `--user-data-dir=${profile}`, ...words],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, LANG: 'en_US.UTF-8', LANGUAGE: 'en' } },
  );
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const end = async (): Promise<void> => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), 8_000);
    await gone;
    clearTimeout(timer);
  };
  try {
    const endpoint = await endpointOf(child);
    await windowListed(endpoint);
    const browser = await chromium.connectOverCDP(endpoint);
    const page = await pageOf(browser);
    return { page, close: () => browser.close().then(end) };
  } catch (error) {
    await end();
    throw error;
  }
}

test(`the packaged app shows its first screen and runs a practice session${why}`, async () => {
  const profile = temporaryFolder('packaged');
  const packaged = await startPackaged(profile);
  try {
    const { page } = packaged;
    await expect(page.getByRole('heading', { name: 'Welcome to OpenWorker' })).toBeVisible();
    const info = must(await query(page, 'app.info', {}));
    const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(info).toMatchObject({ version, data_folder: profile });
    await settleIn(page);
    const cards = must(await query(page, 'coworkers.list', {}));
    expect(cards.map((card) => [card.id, card.source]).sort()).toEqual([
      ['everything-guide', 'shipped'],
      ['file-organizer', 'shipped'],
    ]);
    expect(cards.flatMap((card) => card.problems)).toEqual([]);
    expect(must(await query(page, 'servers.list', {})).map((server) => server.name)).toEqual(['everything']);
    const shipped = JSON.parse(fs.readFileSync(path.join(root, 'assets', 'servers.json'), 'utf8')) as unknown;
    expect(JSON.parse(fs.readFileSync(path.join(profile, 'servers.json'), 'utf8'))).toEqual(shipped);

    const session_id = await createSession(page);
    const turn_id = await submit(page, session_id, 'List my files');
    await act(page, session_id, turn_id, { type: 'call', name: 'files__list', arguments: { path: '.' } });
    await act(page, session_id, turn_id, { type: 'reply', text: 'There is no folder yet.' });
    await waitForState(page, session_id, 'done');
    await page.getByText('List my files').first().click();
    await expect(page.getByText('There is no folder yet.')).toBeVisible();
  } finally {
    await packaged.close();
  }

  const again = await startPackaged(profile);
  try {
    expect(must(await query(again.page, 'sessions.list', {}))).toMatchObject([
      { title: 'List my files', state: 'done' },
    ]);
  } finally {
    await again.close();
    fs.rmSync(profile, { recursive: true, force: true });
  }
});

test(`the packaged app lists a real folder of a session that an earlier run made${why}`, async () => {
  const profile = temporaryFolder('packaged');
  const folder = fs.realpathSync(temporaryFolder('work'));
  fs.writeFileSync(path.join(folder, 'notes.txt'), 'Buy milk.\n');
  // The system's folder dialog cannot be clicked from here; the command line of the same version makes the session.
  const made = spawnSync(
    process.execPath,
    [
      ...[
        path.join(root, 'out', 'openworker.mjs'),
        'run',
        '--bundle',
        path.join(root, 'assets/coworkers/file-organizer'),
      ],
      ...['--workspace', folder, '--data', profile, '--model', 'practice', 'First'],
    ],
    { input: 'say Made.\n' },
  );
  expect(made.status).toBe(0);
  const packaged = await startPackaged(profile);
  try {
    const { page } = packaged;
    await settleIn(page);
    const from = must(await query(page, 'sessions.list', {}))[0]?.session_id ?? '';
    // The command line is other code than the app: the session goes on as a new one (S0-58).
    expect(must(await query(page, 'session.standing', { session_id: from }))).toMatchObject({
      type: 'changed',
      parts: expect.arrayContaining(['app']) as unknown,
    });
    const { session_id } = must(await command(page, 'session.continue_as_new', { session_id: from }));
    const turn_id = await submit(page, session_id, 'List it');
    await act(page, session_id, turn_id, { type: 'call', name: 'files__list', arguments: { path: '.' } });
    await act(page, session_id, turn_id, { type: 'reply', text: 'One file.' });
    await waitForState(page, session_id, 'done');
    expect(
      must(await query(page, 'workspace.files', { session_id, workspace: null, query: 'notes' })),
    ).toEqual(['notes.txt']);
    await page.getByText('First').first().click();
    await expect(page.getByText('One file.')).toBeVisible();
    expect((await command(page, 'session.stop', { session_id })).ok).toBe(true);
  } finally {
    await packaged.close();
    fs.rmSync(profile, { recursive: true, force: true });
    fs.rmSync(folder, { recursive: true, force: true });
  }
});

test(`hazard 48: the fuses are set for a release${why}`, async () => {
  const wire = await getCurrentFuseWire(executable);
  const state = (fuse: FuseV1Options) => (wire as unknown as Record<number, FuseState>)[fuse];
  for (const fuse of [
    FuseV1Options.RunAsNode,
    FuseV1Options.EnableNodeOptionsEnvironmentVariable,
    FuseV1Options.EnableNodeCliInspectArguments,
    FuseV1Options.LoadBrowserProcessSpecificV8Snapshot,
    FuseV1Options.GrantFileProtocolExtraPrivileges,
  ]) {
    expect(state(fuse), FuseV1Options[fuse]).toBe(FuseState.DISABLE);
  }
  for (const fuse of [
    FuseV1Options.EnableCookieEncryption,
    FuseV1Options.OnlyLoadAppFromAsar,
    FuseV1Options.EnableEmbeddedAsarIntegrityValidation,
  ]) {
    expect(state(fuse), FuseV1Options[fuse]).toBe(FuseState.ENABLE);
  }
});

test(`hazard 48: it is no Node, obeys no NODE_OPTIONS and opens no inspector${why}`, async () => {
  const profile = temporaryFolder('packaged');
  const trap = path.join(profile, 'trap.cjs');
  const mark = path.join(profile, 'sprung');
  fs.writeFileSync(trap, `require('node:fs').writeFileSync(${JSON.stringify(mark)}, 'x')`);
  const asNode = spawn(
    executable,
    [...switches, `--user-data-dir=${profile}`, '-e', `require(${JSON.stringify(trap)})`],
    {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: `--require ${trap}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const inspected = spawn(
    executable,
    [...switches, `--user-data-dir=${path.join(profile, 'two')}`, '--inspect=0', trap],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let said = '';
  for (const child of [asNode, inspected])
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await new Promise((resolve) => setTimeout(resolve, 4_000));
  // Both are the app: they run on instead of ending as a script would.
  expect([asNode.exitCode, inspected.exitCode]).toEqual([null, null]);
  expect(fs.existsSync(mark)).toBe(false);
  expect(said).not.toContain('Debugger listening');
  const ended = [asNode, inspected].map((child) => new Promise((resolve) => child.once('exit', resolve)));
  for (const child of [asNode, inspected]) child.kill('SIGTERM');
  const timer = setTimeout(() => [asNode, inspected].forEach((child) => child.kill('SIGKILL')), 8_000);
  await Promise.all(ended);
  clearTimeout(timer);
  fs.rmSync(profile, { recursive: true, force: true });
});

test(`it holds the licences, the coworkers and servers.json, and nothing that it does not need${why}`, () => {
  const archive = path.join(resources, 'app.asar');
  expect(fs.existsSync(path.join(resources, 'default_app.asar'))).toBe(false);
  expect(fs.existsSync(path.join(resources, 'app'))).toBe(false);
  const beside = path.dirname(process.platform === 'darwin' ? path.dirname(executable) : executable);
  const licences = fs.readFileSync(path.join(beside, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
  for (const name of ['react', 'libsql', 'ajv', '@modelcontextprotocol/client', 'zustand']) {
    expect(licences, name).toContain(name);
  }
  expect(fs.readFileSync(path.join(beside, 'LICENSE.openworker.txt'), 'utf8')).toContain('MIT License');
  const files = listPackage(archive, { isPack: false }).map((file) => file.replaceAll('\\', '/'));
  for (const file of ['/out/main.cjs', '/out/preload.cjs', '/out/renderer/index.html', '/package.json']) {
    expect(files).toContain(file);
  }
  // Beside the archive: bundles are read as a person's own folders are.
  for (const file of [
    'servers.json',
    'coworkers/file-organizer/coworker/manifest.md',
    'coworkers/file-organizer/coworker/tools.json',
    'coworkers/everything-guide/coworker/manifest.md',
    'coworkers/everything-guide/coworker/tools.json',
  ]) {
    const shipped = fs.readFileSync(path.join(resources, 'assets', file), 'utf8');
    expect(shipped, file).toBe(fs.readFileSync(path.join(root, 'assets', file), 'utf8'));
  }
  expect(
    files.filter((file) => /\.(map|ts|tsx)$|\.test\.|renderer-fixture|\/(src-|e2e|scripts)/.test(file)),
  ).toEqual([]);
  const packages = new Set(
    files.flatMap((file) => /^\/node_modules\/(@[^/]+\/[^/]+|[^@/][^/]*)/.exec(file)?.[1] ?? []),
  );
  expect(
    [...packages].filter((name) => !/^(libsql|@libsql\/[^/]+|@neon-rs\/load|detect-libc)$/.test(name)),
  ).toEqual([]);
  const built = fs.readFileSync(path.join(root, 'out', 'preload.cjs'));
  expect(extractFile(archive, path.join('out', 'preload.cjs')).equals(built)).toBe(true);
});
