import { app, type Session, type WebContents } from 'electron';
import { appOrigin } from './serve-renderer';

function isOwnPage(url: string): boolean {
  return url === `${appOrigin}/` || url === `${appOrigin}/index.html`;
}

function guardContents(contents: WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  const stay = (event: { preventDefault(): void; readonly url: string }): void => {
    if (!isOwnPage(event.url)) event.preventDefault();
  };
  contents.on('will-navigate', stay);
  contents.on('will-frame-navigate', stay);
  contents.on('will-redirect', stay);
  contents.on('will-attach-webview', (event) => event.preventDefault());
}

/** Denies what no page of the app needs: permissions, devices, downloads (hazard 50). */
export function hardenSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event) => event.preventDefault());
}

/** Holds for every page that will ever exist: no navigation away, no new windows, no webviews (hazard 46). */
export function hardenContents(): void {
  app.on('web-contents-created', (_event, contents) => guardContents(contents));
}
