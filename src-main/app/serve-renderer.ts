import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { protocol, type Session } from 'electron';

export const appOrigin = 'app://openworker';

/** The only sources that the window may use; everything else is blocked by Chromium itself. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-src 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Must run before the app is ready. */
export function declareAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

/** The built files of the window by request path: a fixed map, so that no path can lead anywhere else. */
export function rendererFiles(folder: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    if (extname(file) in mediaTypes) files.set(`/${relative(folder, file).split(sep).join('/')}`, file);
  }
  return files;
}

/** Serves the window's files, and nothing else, on `app://openworker/`. */
export function serveRenderer(session: Session, folder: string): void {
  const files = rendererFiles(folder);
  session.protocol.handle('app', (request) => {
    const url = new URL(request.url);
    const file =
      url.origin === appOrigin || request.url.startsWith(`${appOrigin}/`)
        ? files.get(url.pathname === '/' ? '/index.html' : url.pathname)
        : undefined;
    if (file === undefined || request.method !== 'GET') return new Response('Not found', { status: 404 });
    return new Response(new Uint8Array(readFileSync(file)), {
      headers: {
        'content-type': mediaTypes[extname(file)] ?? 'application/octet-stream',
        'content-security-policy': contentSecurityPolicy,
        'x-content-type-options': 'nosniff',
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
      },
    });
  });
}
