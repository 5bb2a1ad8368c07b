import { ipcMain, type BrowserWindow, type IpcMainInvokeEvent } from 'electron';
import { channels } from '../../src-preload/contract';
import { fail, type Result } from '../harness';
import type { Dispatch } from './dispatch';

/** Only the top frame of the app's own page in the app's own window may ask for anything (hazard 45). */
export function isOwnFrame(
  event: Pick<IpcMainInvokeEvent, 'senderFrame' | 'sender'>,
  window: BrowserWindow | null,
  origin: string,
): boolean {
  const frame = event.senderFrame;
  if (!window || window.isDestroyed() || !frame) return false;
  return (
    event.sender === window.webContents &&
    frame === window.webContents.mainFrame &&
    frame.url.startsWith(`${origin}/`)
  );
}

export function registerIpc(deps: {
  readonly window: () => BrowserWindow | null;
  readonly origin: string;
  readonly command: Dispatch;
  readonly query: Dispatch;
}): void {
  const guarded =
    (dispatch: Dispatch) =>
    async (event: IpcMainInvokeEvent, name: unknown, payload: unknown): Promise<Result<unknown>> => {
      if (!isOwnFrame(event, deps.window(), deps.origin)) {
        return fail('invalid_input', 'This page may not talk to the app.');
      }
      return dispatch(name, payload);
    };
  ipcMain.handle(channels.command, guarded(deps.command));
  ipcMain.handle(channels.query, guarded(deps.query));
}
