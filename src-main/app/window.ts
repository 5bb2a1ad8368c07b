import { join } from 'node:path';
import { BrowserWindow, nativeTheme, type Session } from 'electron';
import { appOrigin } from './serve-renderer';

const pageLight = '#faf9f6';
const pageDark = '#191816';
/** How often a dead page is loaded again before the app gives up. */
const maxReloads = 5;

/** Size and place of the window, in device-independent pixels. */
export interface WindowBounds {
  readonly x?: number;
  readonly y?: number;
  readonly width: number;
  readonly height: number;
}

/** The main window. A page that dies is loaded again: everything that it showed lies in main. */
export function createWindow(deps: {
  readonly session: Session;
  readonly bounds: WindowBounds;
  readonly packaged: boolean;
}): BrowserWindow {
  const window = new BrowserWindow({
    ...deps.bounds,
    minWidth: 720,
    minHeight: 500,
    show: false,
    title: 'OpenWorker',
    backgroundColor: nativeTheme.shouldUseDarkColors ? pageDark : pageLight,
    webPreferences: {
      session: deps.session,
      preload: join(__dirname, 'preload.cjs'),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      spellcheck: false,
      devTools: !deps.packaged,
    },
  });
  window.once('ready-to-show', () => window.show());
  window.on('page-title-updated', (event) => event.preventDefault());
  let reloads = 0;
  window.webContents.on('render-process-gone', (_event, details) => {
    if (details.reason === 'clean-exit' || reloads >= maxReloads) return;
    reloads += 1;
    void window.loadURL(`${appOrigin}/`);
  });
  void window.loadURL(`${appOrigin}/`);
  return window;
}
