import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { launch, temporaryFolder, type RunningApp } from './parts/app';
import { query, settleIn } from './parts/bridge';
import { startCanary, type Canary } from './parts/canary';

// The page itself: what it has, what it may load, where it may go, what it may ask for.
let running: RunningApp;
let canary: Canary;

test.beforeAll(async () => {
  canary = await startCanary();
  running = await launch();
  await settleIn(running.page);
});

test.afterAll(async () => {
  await running.close();
  await canary.close();
});

const home = 'app://openworker/';

/** Nothing left the page, it is still ours, and it still talks to the app. */
async function expectAtHome(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(running.page.url()).toBe(home);
  expect(await running.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  expect((await query(running.page, 'app.info', {})).ok).toBe(true);
  // Asked by script: a locator would wait for the end of a navigation that was, rightly, never begun.
  expect(await running.page.evaluate(() => document.querySelector('main')?.checkVisibility())).toBe(true);
  expect(canary.hits).toEqual([]);
}

test('the page has the three functions of the bridge and nothing of Node or Electron', async () => {
  const found = await running.page.evaluate(() => {
    const names = [
      'require',
      'process',
      'module',
      'exports',
      'Buffer',
      'global',
      '__dirname',
      'setImmediate',
      'electron',
      'ipcRenderer',
    ];
    const bridge = (window as unknown as { openworker: Record<string, unknown> }).openworker;
    return {
      node: names.filter((name) => name in window),
      bridge: Object.keys(bridge).sort(),
      kinds: [...new Set(Object.values(bridge).map((value) => typeof value))],
      frozen: Object.isFrozen(bridge),
      constructor: (() => {
        try {
          const make = (bridge.command as { constructor: FunctionConstructor }).constructor;
          return String(make('return typeof process')());
        } catch {
          return 'refused';
        }
      })(),
    };
  });
  expect(found).toMatchObject({
    node: [],
    bridge: ['command', 'onPush', 'query'],
    kinds: ['function'],
    frozen: true,
  });
  expect(['undefined', 'refused']).toContain(found.constructor);
});

test('the window is made with every switch on the safe side', async () => {
  const preferences = await running.app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
      getLastWebPreferences(): Record<string, unknown>;
    };
    return contents.getLastWebPreferences();
  });
  expect(preferences).toMatchObject({
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInSubFrames: false,
    webviewTag: false,
    webSecurity: true,
  });
  expect(preferences['nodeIntegrationInWorker']).not.toBe(true);
  expect(preferences['allowRunningInsecureContent']).not.toBe(true);
  expect(preferences['experimentalFeatures']).not.toBe(true);
});

test('the policy blocks inline script, handlers, style, remote images, scripts, frames, fetch, sockets and beacons', async () => {
  const blocked = await running.page.evaluate(async (origin) => {
    const violations: string[] = [];
    document.addEventListener('securitypolicyviolation', (event) =>
      violations.push(event.effectiveDirective),
    );
    const refused: string[] = [];
    const attempt = async (name: string, work: () => unknown): Promise<void> => {
      try {
        await work();
      } catch {
        refused.push(name);
      }
    };
    const add = (tag: string, set: (node: HTMLElement) => void) => () => {
      const node = document.createElement(tag);
      set(node);
      document.body.append(node);
    };
    await attempt(
      'inline script',
      add('script', (node) => (node.textContent = 'window.pwned = 1')),
    );
    await attempt(
      'remote script',
      add('script', (node) => ((node as HTMLScriptElement).src = `${origin}/s.js`)),
    );
    await attempt(
      'handler',
      add('img', (node) => node.setAttribute('onerror', 'window.pwned = 1')),
    );
    await attempt(
      'html',
      add('div', (node) => (node.innerHTML = '<img src=x onerror="window.pwned = 1">')),
    );
    await attempt(
      'style',
      add('style', (node) => (node.textContent = 'main { display: none }')),
    );
    await attempt(
      'sheet',
      add('link', (node) => Object.assign(node, { rel: 'stylesheet', href: `${origin}/s.css` })),
    );
    await attempt(
      'image',
      add('img', (node) => ((node as HTMLImageElement).src = `${origin}/i.png`)),
    );
    await attempt(
      'frame',
      add('iframe', (node) => ((node as HTMLIFrameElement).src = `${origin}/f.html`)),
    );
    await attempt(
      'object',
      add('object', (node) => ((node as HTMLObjectElement).data = `${origin}/o.html`)),
    );
    await attempt(
      'base',
      add('base', (node) => ((node as HTMLBaseElement).href = `${origin}/`)),
    );
    await attempt('fetch', () => fetch(`${origin}/fetch`));
    await attempt('beacon', () => {
      navigator.sendBeacon(`${origin}/beacon`, 'x');
    });
    await attempt('socket', () => new WebSocket(origin.replace('http', 'ws')));
    await attempt('worker', () => new Worker(`${origin}/w.js`));
    await attempt('timer', () => setTimeout('window.pwned = 1' as unknown as () => void, 0));
    await new Promise((resolve) => setTimeout(resolve, 500));
    const base = document.baseURI;
    for (const node of document.querySelectorAll(
      'body > script, body > style, body > iframe, body > object, body > base, body > link, body > img',
    ))
      node.remove();
    return { violations, refused, base, pwned: 'pwned' in window };
  }, canary.origin);
  expect(blocked.pwned).toBe(false);
  expect(blocked.base).toBe(home);
  for (const directive of ['style-src-elem', 'img-src', 'frame-src', 'connect-src', 'base-uri']) {
    expect(blocked.violations, directive).toContain(directive);
  }
  for (const name of ['inline script', 'remote script', 'html', 'object', 'worker'])
    expect(blocked.refused, name).toContain(name);
  await expectAtHome();
});

test('text does not become code: eval and Function are blocked', async () => {
  const session = await running.page.context().newCDPSession(running.page);
  for (const expression of ['eval("1 + 1")', 'new Function("return 2")()']) {
    const answer = await session.send('Runtime.evaluate', { expression, allowUnsafeEvalBlockedByCSP: false });
    expect(answer.exceptionDetails?.exception?.description ?? '', expression).toMatch(
      /EvalError|Content Security Policy|TrustedScript/,
    );
  }
  await session.detach();
});

test('the files of the window are all that app:// serves', async () => {
  const asked = [
    'app://openworker/../package.json',
    'app://openworker/..%2f..%2fpackage.json',
    'app://openworker/main.cjs',
    'app://openworker/%2e%2e/preload.cjs',
    'app://elsewhere/index.html',
  ];
  const statuses = await running.page.evaluate(
    (urls) =>
      Promise.all(
        urls.map((url) =>
          fetch(url).then(
            (response) => response.status,
            () => 0,
          ),
        ),
      ),
    asked,
  );
  for (const [index, status] of statuses.entries()) expect([0, 404], asked[index]).toContain(status);
});

test.describe('hazard 46: nothing navigates and no window opens', () => {
  const ways: readonly (readonly [string, (origin: string) => void])[] = [
    ['window.open', (origin) => void window.open(`${origin}/open`)],
    ['window.open about:blank', () => void window.open('about:blank')],
    ['window.open of a file', () => void window.open('file:///etc/passwd')],
    ['location', (origin) => void (window.location.href = `${origin}/location`)],
    ['location.replace', (origin) => window.location.replace(`${origin}/replace`)],
    [
      'location to another path of ours',
      () => void (window.location.href = 'app://openworker/assets/x.html'),
    ],
    ['location to a file', () => void (window.location.href = 'file:///etc/passwd')],
    ['location to javascript:', () => void (window.location.href = 'javascript:window.pwned=1')],
    ['location to data:', () => void (window.location.href = 'data:text/html,<p>x</p>')],
    [
      'a link with target=_blank',
      (origin) => {
        const link = Object.assign(document.createElement('a'), {
          href: `${origin}/blank`,
          target: '_blank',
        });
        document.body.append(link);
        link.click();
        link.dispatchEvent(new MouseEvent('auxclick', { button: 1, bubbles: true, cancelable: true }));
        link.remove();
      },
    ],
    [
      'a form',
      (origin) => {
        const form = Object.assign(document.createElement('form'), {
          action: `${origin}/form`,
          method: 'post',
        });
        document.body.append(form);
        form.submit();
        form.remove();
      },
    ],
    [
      'meta refresh',
      (origin) => {
        const meta = Object.assign(document.createElement('meta'), {
          httpEquiv: 'refresh',
          content: `0; url=${origin}/meta`,
        });
        document.head.append(meta);
      },
    ],
    [
      'a webview',
      (origin) => {
        const view = document.createElement('webview');
        view.setAttribute('src', `${origin}/webview`);
        document.body.append(view);
        setTimeout(() => view.remove(), 100);
      },
    ],
  ];
  for (const [name, way] of ways) {
    test(name, async () => {
      await running.page.evaluate(way, canary.origin).catch(() => undefined);
      await expectAtHome();
      expect(await running.page.evaluate(() => 'pwned' in window)).toBe(false);
    });
  }

  test('a middle click and a click with Ctrl on a real link', async () => {
    const { page } = running;
    await page.evaluate((origin) => {
      const link = Object.assign(document.createElement('a'), {
        href: `${origin}/middle`,
        textContent: 'a link',
      });
      link.id = 'middle';
      Object.assign(link.style, {
        position: 'fixed',
        top: '0',
        left: '40%',
        zIndex: '9999',
        padding: '20px',
      });
      Object.assign(window, { middleClicks: 0 });
      for (const type of ['auxclick', 'click'])
        link.addEventListener(type, () => {
          const counted = window as unknown as { middleClicks: number };
          counted.middleClicks += 1;
        });
      document.body.append(link);
    }, canary.origin);
    const spot = await page.evaluate(() => {
      const box = document.querySelector('#middle')?.getBoundingClientRect();
      return { x: (box?.x ?? 0) + 10, y: (box?.y ?? 0) + 10 };
    });
    await page.mouse.click(spot.x, spot.y, { button: 'middle' });
    await page.keyboard.down('Control');
    await page.mouse.click(spot.x, spot.y);
    await page.keyboard.up('Control');
    expect(await page.evaluate(() => (window as unknown as { middleClicks: number }).middleClicks)).toBe(2);
    await page.evaluate(() => document.querySelector('#middle')?.remove());
    await expectAtHome();
  });

  test('a dropped link and a dropped file', async () => {
    const folder = temporaryFolder('drop');
    const file = path.join(folder, 'page.html');
    fs.writeFileSync(file, '<!doctype html><p>dropped</p>');
    const session = await running.page.context().newCDPSession(running.page);
    const items = [{ mimeType: 'text/uri-list', data: `${canary.origin}/dropped` }];
    for (const data of [
      { items, dragOperationsMask: 1 },
      { items: [], files: [file], dragOperationsMask: 1 },
    ]) {
      for (const place of [
        { x: 300, y: 300 },
        { x: 40, y: 400 },
        { x: 640, y: 780 },
      ]) {
        for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
          await session.send('Input.dispatchDragEvent', { type, ...place, data });
        }
      }
    }
    await session.detach();
    await expectAtHome();
    fs.rmSync(folder, { recursive: true });
  });
});
