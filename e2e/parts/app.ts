import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { _electron, expect, type ElectronApplication, type Page, type TestInfo } from '@playwright/test';

const root = path.join(import.meta.dirname, '..', '..');

export const everythingServer = path.join(
  root,
  'node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);

export interface LaunchOptions {
  /** Profile of an earlier launch; a fresh one unless given. */
  readonly profile?: string;
  /** Content of servers.json, written before the first start. */
  readonly servers?: unknown;
  /** The same as text, for a file with errors. */
  readonly serversText?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly width?: number;
  readonly height?: number;
  readonly bundles?: readonly string[];
  /** Further words of the command line, behind the others. */
  readonly words?: readonly string[];
  /** Chromium's own sandbox; needs an ordinary user. */
  readonly sandbox?: boolean;
  /** The desktop's real keyring; Playwright's loader would choose none. */
  readonly keyring?: boolean;
}

export interface RunningApp {
  readonly app: ElectronApplication;
  readonly page: Page;
  readonly profile: string;
  /** What the window wrote to its console, errors first of all. */
  readonly console: string[];
  close(): Promise<void>;
}

export function temporaryFolder(name: string): string {
  return fs.mkdtempSync(path.join(os.tmpdir(), `openworker-${name}-`));
}

function cleanEnvironment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !/_API_KEY$/.test(name));
  return Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** Starts the built app as a person would, on a profile of its own, and waits for its window. */
export async function launch(options: LaunchOptions = {}): Promise<RunningApp> {
  const profile = options.profile ?? temporaryFolder('profile');
  if (options.servers !== undefined) {
    fs.writeFileSync(path.join(profile, 'servers.json'), JSON.stringify(options.servers));
  }
  if (options.serversText !== undefined) {
    fs.writeFileSync(path.join(profile, 'servers.json'), options.serversText);
  }
  const asRoot = process.getuid?.() === 0;
  const app = await _electron.launch({
    args: [
      ...(asRoot ? ['--no-sandbox'] : []),
      `--user-data-dir=${profile}`,
      ...(options.keyring ? ['-r', path.join(import.meta.dirname, 'use-keyring.cjs')] : []),
      root,
      ...(options.bundles ?? []).flatMap((folder) => ['--bundle', folder]),
      ...(options.words ?? []),
    ],
    chromiumSandbox: options.sandbox ?? false,
    cwd: root,
    env: { ...cleanEnvironment(), LANG: 'en_US.UTF-8', LANGUAGE: 'en', ...options.env },
  });
  const messages: string[] = [];
  const page = await app.firstWindow();
  page.on('console', (message) => messages.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => messages.push(`error: ${error.message}`));
  await resize(app, options.width ?? 1280, options.height ?? 820);
  await expect(page.locator('main')).toBeVisible();
  return { app, page, profile, console: messages, close: () => app.close() };
}

export async function resize(app: ElectronApplication, width: number, height: number): Promise<void> {
  await app.evaluate(
    ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.height),
    { width, height },
  );
}

/** Sets the theme of the system (the test driver stands before it), and waits until the window follows. */
export async function setTheme(app: ElectronApplication, theme: 'light' | 'dark'): Promise<void> {
  await app.evaluate(({ nativeTheme }, source) => {
    nativeTheme.themeSource = source;
  }, theme);
  const page = await app.firstWindow();
  await page.emulateMedia({ colorScheme: theme });
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
}

/** Keeps a picture of the window under a name that says what it shows. */
export async function picture(page: Page, info: TestInfo, name: string): Promise<void> {
  const folder = path.join(
    process.env['OPENWORKER_TEST_ARTIFACTS'] ?? path.join(root, 'artifacts', 'e2e'),
    'pictures',
  );
  fs.mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${name}.png`);
  await page.screenshot({ path: file });
  await info.attach(name, { path: file, contentType: 'image/png' });
}

/** Answers the next folder dialog with `folder`, as the person's choice. */
export async function pickFolder(app: ElectronApplication, folder: string): Promise<void> {
  await app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] });
  }, folder);
}
