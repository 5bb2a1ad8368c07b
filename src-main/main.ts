import fs, { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { app, BrowserWindow, dialog, nativeTheme, session } from 'electron';
import { channels, type AppInfo, type Push, type RevealTarget } from '../src-preload/contract';
import { createPendingAttachments } from './app/attachments';
import { hardenContents, hardenSession } from './app/harden';
import { createKeychainSecrets, keychainFacts } from './app/keychain-secrets';
import { installMenu } from './app/menu';
import { provideServersFile } from './app/servers-file';
import { appOrigin, declareAppScheme, serveRenderer } from './app/serve-renderer';
import { startSystemAttention, type SystemAttention } from './app/system-attention';
import { createWindow } from './app/window';
import { restoreBounds, watchBounds } from './app/window-bounds';
import { wordsFor, type Words } from './app/words';
import { codeDigest, openHarness, registerFilesTools, type Harness, type HarnessNotice } from './harness';
import { createChosenFolders } from './ipc/chosen-folders';
import { createCommandDispatch, createQueryDispatch } from './ipc/dispatch';
import { hostCommands } from './ipc/host-commands';
import { createJournalWatch } from './ipc/journal-watch';
import { providerCommands } from './ipc/provider-commands';
import { queries, windowSettings } from './ipc/queries';
import { registerIpc } from './ipc/register';
import { createReveals } from './ipc/reveals';
import { sessionCommands } from './ipc/session-commands';
import { createSubscriptions } from './ipc/subscriptions';

/** How long a quit may take before the app ends all the same, in milliseconds. */
const quitLimitMs = 5_000;

let window: BrowserWindow | null = null;

function send(push: Push): void {
  if (window && !window.isDestroyed()) window.webContents.send(channels.push, push);
}

const reveals = createReveals(send);

/** Opens the window where it is closed, which only macOS leaves it; set once there is something to show. */
let openWindow: (() => void) | null = null;

function focusWindow(): void {
  if (!window) {
    openWindow?.();
    return;
  }
  if (window.isMinimized()) window.restore();
  if (!window.isVisible()) window.show();
  window.focus();
}

function reveal(target: RevealTarget): void {
  focusWindow();
  reveals.reveal(target);
}

function pushOf(notice: HarnessNotice): Push {
  switch (notice.type) {
    case 'session_changed':
      return { topic: 'sessions', changed: [notice.summary], removed: [] };
    case 'session_removed':
      return { topic: 'sessions', changed: [], removed: [notice.session_id] };
    case 'providers_changed':
      return { topic: 'providers', providers: notice.providers };
    case 'servers_changed':
      return { topic: 'servers', servers: notice.servers };
    case 'grants_changed':
      return { topic: 'grants' };
    case 'image_changed':
      return { topic: 'image', session_id: notice.session_id };
    case 'settings_changed':
      return { topic: 'settings', settings: windowSettings(notice.settings) };
  }
}

function appInfo(): AppInfo {
  const keychain = keychainFacts();
  return {
    version: app.getVersion(),
    electron: process.versions.electron,
    platform: process.platform === 'win32' || process.platform === 'darwin' ? process.platform : 'linux',
    data_folder: app.getPath('userData'),
    keychain: keychain.kind,
    keychain_backend: keychain.backend,
  };
}

/** Folders given as `--bundle DIR` by the person who starts the app. */
function bundleArguments(argv: readonly string[]): string[] {
  return argv.flatMap((argument, index) =>
    argument === '--bundle' && argv[index + 1] ? [argv[index + 1] ?? ''] : [],
  );
}

function languageOf(harness: Harness): string {
  const chosen = windowSettings(harness.settings.get()).language;
  return chosen === '' || chosen === 'system' ? app.getLocale() : chosen;
}

function connectWindow(harness: Harness, words: () => Words, quitting: AbortSignal): { reset(): void } {
  const attachments = createPendingAttachments();
  const folders = createChosenFolders(harness);
  const journal = createJournalWatch(harness.journal, send);
  const subscriptions = createSubscriptions(harness, (push) => {
    send(push);
    journal.look();
  });
  registerIpc({
    window: () => window,
    origin: appOrigin,
    command: journal.behind(
      createCommandDispatch({
        ...sessionCommands({
          harness,
          mayUse: folders.mayUse,
          takeAttachments: attachments.take,
          subscriptions,
        }),
        ...providerCommands(harness, quitting),
        ...hostCommands({
          harness,
          window: () => window,
          words,
          attachments,
          rememberFolder: folders.add,
          signal: quitting,
        }),
      }),
    ),
    query: journal.behind(
      reveals.behind(
        createQueryDispatch(queries({ harness, info: appInfo, mayUse: folders.mayUse, signal: quitting })),
      ),
    ),
  });
  return {
    reset() {
      subscriptions.clear();
      reveals.reset();
    },
  };
}

function showWindow(harness: Harness, attention: SystemAttention, onReload: () => void): void {
  const appSession = session.fromPartition('app');
  window = createWindow({
    session: appSession,
    bounds: restoreBounds(harness.settings.get()),
    packaged: app.isPackaged,
  });
  watchBounds(window, (bounds) => void harness.settings.set('window', bounds));
  window.webContents.on('did-start-navigation', (details) => {
    if (details.isMainFrame && !details.isSameDocument) onReload();
  });
  window.on('focus', () => send({ topic: 'window', focused: true }));
  window.on('blur', () => send({ topic: 'window', focused: false }));
  window.on('closed', () => {
    window = null;
    onReload();
  });
  attention.watch(window);
}

/** What waits for a person who is elsewhere; a click on a notice leads to it. */
function startAttention(harness: Harness, words: () => Words, quitting: AbortSignal): SystemAttention {
  const attention = startSystemAttention({
    harness,
    window: () => window,
    words,
    open: (target) => (target ? reveal({ type: 'session', ...target }) : focusWindow()),
    log: (line) => console.error(line),
  });
  quitting.addEventListener('abort', () => attention.close());
  return attention;
}

function followSettings(harness: Harness, words: () => Words): void {
  const apply = (): void => {
    nativeTheme.themeSource = windowSettings(harness.settings.get()).theme;
    installMenu(words(), app.isPackaged, reveal);
  };
  apply();
  harness.listen((notice) => {
    send(pushOf(notice));
    if (notice.type === 'settings_changed') apply();
  });
}

/** Ends the harness before the app: what runs is recorded, what it started is stopped. */
function closeOnQuit(harness: Harness, quitting: AbortController): void {
  let closed = false;
  app.on('before-quit', (event) => {
    if (closed) return;
    event.preventDefault();
    if (quitting.signal.aborted) return;
    quitting.abort();
    const limit = new Promise((resolve) => setTimeout(resolve, quitLimitMs));
    void Promise.race([harness.close(), limit]).finally(() => {
      closed = true;
      app.quit();
    });
  });
}

async function start(): Promise<void> {
  await app.whenReady();
  const assets = join(app.isPackaged ? process.resourcesPath : app.getAppPath(), 'assets');
  const dataFolder = app.getPath('userData');
  const secrets = createKeychainSecrets(join(dataFolder, 'secrets.json'), keychainFacts(), (line) =>
    console.error(line),
  );
  const places = { folder: __dirname, files: ['main.cjs', 'preload.cjs'], folders: ['renderer'] };
  const code = codeDigest(fs, places);
  if (!code.ok) {
    dialog.showErrorBox(wordsFor(app.getLocale()).cannotStart, code.error.message);
    app.exit(1);
    return;
  }
  const opened = await openHarness({
    dataFolder,
    codeDigest: code.value,
    toolImages: true,
    guardrailsFile: join(dataFolder, 'guardrails.json'),
    appVersion: app.getVersion(),
    libraryFolders: [{ folder: join(assets, 'coworkers'), source: 'shipped' }],
    bundleFolders: bundleArguments(process.argv),
    serversFile: provideServersFile(dataFolder, join(assets, 'servers.json')),
    serversTrust: 'recorded',
    registerNative: registerFilesTools,
    secrets,
    ownerProvider: null,
    resolveSecret: (name) => secrets.get(`server:${name}`),
    env: process.env,
    standing: 'ask',
    log: (line) => console.error(line),
  });
  if (!opened.ok) {
    dialog.showErrorBox(wordsFor(app.getLocale()).cannotStart, opened.error.message);
    app.exit(1);
    return;
  }
  const harness = opened.value;
  const quitting = new AbortController();
  const words = (): Words => wordsFor(languageOf(harness));
  const appSession = session.fromPartition('app');
  hardenSession(appSession);
  hardenSession(session.defaultSession);
  serveRenderer(appSession, join(__dirname, 'renderer'));
  followSettings(harness, words);
  const connection = connectWindow(harness, words, quitting.signal);
  const attention = startAttention(harness, words, quitting.signal);
  openWindow = () => showWindow(harness, attention, connection.reset);
  openWindow();
  closeOnQuit(harness, quitting);
  app.on('second-instance', () => focusWindow());
  app.on('activate', () => {
    if (BrowserWindow.getAllWindows().length === 0) openWindow?.();
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  void harness.providers.refresh(undefined, quitting.signal);
}

// A folder that the person names holds everything of this run; the single-instance lock goes by it too.
const userData = app.commandLine.getSwitchValue('user-data-dir');
if (userData !== '') app.setPath('userData', resolve(userData));

/**
 * Longest command line, in bytes. Chromium hands a second start's words to the first one in a message of bounded size;
 * with a larger one it takes the running app for dead and kills it.
 */
const maxArgumentBytes = 16_384;

// Windows shows notifications only of an app that it knows by the name of its installer.
if (process.platform === 'win32') app.setAppUserModelId('org.openworker.desktop');
declareAppScheme();
// Root cannot run Chromium's sandbox: there, and only there, the developer's own switch is obeyed.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
hardenContents();
if (Buffer.byteLength(process.argv.join(' ')) > maxArgumentBytes) {
  console.error(`The command line is longer than ${maxArgumentBytes} bytes. Start the app with fewer words.`);
  app.exit(1);
} else if (!app.requestSingleInstanceLock()) {
  console.error('OpenWorker is open already on this data folder; its window was brought to the front.');
  app.exit(0);
} else if (existsSync(join(__dirname, 'renderer', 'index.html'))) void start();
else {
  console.error('The window is not built. Run "npm run build" first.');
  app.exit(1);
}
