import { expect, test } from '@playwright/test';
import { startModelServer, type ModelServer } from '../src-main/harness/testing/model-server';
import { launch, picture, type RunningApp } from './parts/app';
import { command, createSession, must, settleIn, submit, waitForState } from './parts/bridge';
import { startCanary, type Canary } from './parts/canary';

// What a model writes is text: hazards 42 and 43 in a real session.
let running: RunningApp;
let canary: Canary;
let server: ModelServer;

test.beforeEach(async () => {
  canary = await startCanary();
  server = await startModelServer();
  running = await launch();
  await settleIn(running.page);
});

test.afterEach(async () => {
  await running.close();
  expect(await server.close()).toEqual([]);
  await canary.close();
});

const end = 'The end of the answer.';

function hostileMarkdown(origin: string): string {
  const table = Array.from(
    { length: 400 },
    (_, row) => `| ${row} | ${'cell '.repeat(20)} | ![x](${origin}/t${row}.png) |`,
  );
  return [
    '<script>window.pwned = 1</script>',
    '<img src=x onerror="window.pwned = 1">',
    `<img src="${origin}/img.png">`,
    '<svg onload="window.pwned = 1"><animate onbegin="window.pwned = 1" attributeName=x></svg>',
    `<iframe src="${origin}/frame"></iframe>`,
    `<iframe srcdoc="<script>parent.pwned = 1</script>"></iframe>`,
    `<style>@import url(${origin}/style.css); main { display: none !important }</style>`,
    `<link rel=stylesheet href=${origin}/link.css>`,
    `<base href="${origin}/">`,
    `<meta http-equiv=refresh content="0; url=${origin}/meta">`,
    `<form action="${origin}/form"><button id=forged>Allow once</button></form>`,
    `<video src="${origin}/v.mp4" autoplay></video><audio src="${origin}/a.mp3" autoplay></audio>`,
    '<details open ontoggle="window.pwned = 1">x</details>',
    '<math><mtext></form><form><mglyph><style></math><img src onerror=window.pwned=1>',
    '<noscript><p title="</noscript><img src=x onerror=window.pwned=1>">',
    '<a href="javascript:window.pwned=1">click</a> <a href="data:text/html,x">data</a>',
    '<div style="position:fixed;inset:0;z-index:9999;background:white">cover</div>',
    '[script link](javascript:window.pwned=1) [upper](JAVASCRIPT:window.pwned=1) [tab](java&Tab;script:window.pwned=1)',
    '[data link](data:text/html;base64,PHNjcmlwdD53aW5kb3cucHduZWQ9MTwvc2NyaXB0Pg==) [file](file:///etc/passwd)',
    `[vscode](vscode://file/x) [smb](smb://host/x) [user](https://google.com@evil.example/) <javascript:window.pwned=1>`,
    `![remote](${origin}/remote.png) ![data](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+) ![ref][r] ![js](javascript:window.pwned=1)`,
    '',
    `[r]: ${origin}/reference.png`,
    '',
    '```"><img src=x onerror=window.pwned=1>',
    'code with a hostile language name',
    '```',
    '```mermaid',
    'graph TD; A["<img src=x onerror=window.pwned=1>"] --> B; click A href "javascript:window.pwned=1"',
    '```',
    '```html',
    '<script>window.pwned = 1</script>',
    '```',
    '$$\\href{javascript:window.pwned=1}{x}$$ \\includegraphics{https://evil.example/x.png}',
    '',
    `Hidden: a\u200bb \u202etxt.exe \u{e0041}\u{e0042} and a link [safe text](https://evil.example/?q=secret)`,
    '',
    '| n | text | picture |',
    '| - | - | - |',
    ...table,
    '',
    `${'> '.repeat(500)}deep`,
    '',
    `${'['.repeat(2_000)}${'*a'.repeat(2_000)}`,
    '',
    end,
  ].join('\n');
}

test('hazard 43: a hostile answer stays text: no script, no handler, no request, no cover, no false button', async ({}, info) => {
  const { page } = running;
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await running.app.evaluate(({ session }) => {
    const urls: string[] = [];
    Object.assign(globalThis, { askedUrls: urls });
    session.fromPartition('app').webRequest.onBeforeRequest((details, answer) => {
      urls.push(details.url);
      answer({});
    });
  });
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { seenHostile: seen });
    const look = (node: Node): void => {
      if (!(node instanceof Element)) return;
      for (const element of [node, ...node.querySelectorAll('*')]) {
        if (
          /^(script|iframe|object|embed|form|base|meta|link|video|audio|style|webview|frame|applet|math)$/i.test(
            element.tagName,
          )
        ) {
          seen.push(element.outerHTML.slice(0, 200));
        }
        for (const { name, value } of element.attributes) {
          if (/^on/i.test(name) || /^\s*(javascript|data|vbscript|file):/i.test(value))
            seen.push(`${element.tagName} ${name}=${value}`);
          if (
            (name === 'src' || name === 'srcset' || name === 'href' || name === 'action') &&
            /^(https?:)?\/\//i.test(value)
          ) {
            seen.push(`${element.tagName} ${name}=${value}`);
          }
        }
      }
    };
    new MutationObserver((records) => {
      for (const record of records) {
        for (const node of record.addedNodes) look(node);
        if (record.type === 'attributes') look(record.target);
      }
    }).observe(document.body, { childList: true, subtree: true, attributes: true });
  });

  const added = await command(page, 'provider.add', {
    label: 'Test endpoint',
    base_url: server.baseUrl('compatible'),
    key: 'test-key',
  });
  const { provider_id } = must(added);
  const text = hostileMarkdown(canary.origin);
  const pieces = text.match(/[\s\S]{1,4000}/g) ?? [];
  server.enqueue({
    answer: { text: pieces, reasoning: { text: '<img src=x onerror="window.pwned = 1">' } },
    delay_ms: 15,
  });
  const session_id = await createSession(page, { model: { provider: provider_id, name: 'test-model' } });
  must(
    await command(page, 'session.rename', { session_id, title: 'Corpus <img src=x onerror=window.pwned=1>' }),
  );
  await page.getByText('Corpus <img').first().click();
  await submit(
    page,
    session_id,
    'Show me <script>window.pwned = 1</script> ![x](https://evil.example/x.png)',
  );
  await waitForState(page, session_id, 'done', 'failed');
  await waitForState(page, session_id, 'done');
  await expect(page.getByText(end)).toBeVisible();

  expect(await page.evaluate(() => (window as unknown as { seenHostile: string[] }).seenHostile)).toEqual([]);
  expect(await page.evaluate(() => 'pwned' in window)).toBe(false);
  await expect(page.getByRole('button', { name: 'Allow once' })).toHaveCount(0);
  await expect(page.locator('main')).toContainText('U+202E');
  expect(page.url()).toBe('app://openworker/');
  const inMain = await running.app.evaluate(
    () => (globalThis as unknown as { askedUrls: string[] }).askedUrls,
  );
  const foreign = [...asked, ...inMain].filter(
    (url) => !/^(app:\/\/openworker\/|blob:app:\/\/openworker\/|devtools:)/.test(url),
  );
  expect(foreign).toEqual([]);
  expect(canary.hits).toEqual([]);
  expect(running.console.filter((line) => line.startsWith('error'))).toEqual([]);
  await picture(page, info, 'hostile-answer');
});

test('hazard 42: a link in an answer leads to the question in main, and dead links lead nowhere', async () => {
  const { page, app } = running;
  await app.evaluate(({ dialog, shell }) => {
    const log = { opened: [] as string[], asked: [] as string[] };
    Object.assign(globalThis, { linkLog: log });
    shell.openExternal = (url: string) => {
      log.opened.push(url);
      return Promise.resolve();
    };
    dialog.showMessageBox = ((_window: unknown, options: { message: string; detail: string }) => {
      log.asked.push(`${options.message} ${options.detail}`);
      return Promise.resolve({ response: log.asked.length === 1 ? 1 : 0, checkboxChecked: false });
    }) as unknown as typeof dialog.showMessageBox;
  });
  const log = (): Promise<{ opened: string[]; asked: string[] }> =>
    app.evaluate(() => (globalThis as unknown as { linkLog: { opened: string[]; asked: string[] } }).linkLog);
  const session_id = await createSession(page);
  must(await command(page, 'session.rename', { session_id, title: 'Links here' }));
  await page.getByText('Links here').first().click();
  const turn_id = await submit(page, session_id, 'Links, please');
  const reply =
    '[good place](https://good.example/page) and [bad place](javascript:window.pwned=1) and [file place](file:///etc/passwd)';
  await expect
    .poll(
      async () =>
        (await command(page, 'practice.act', { session_id, turn_id, act: { type: 'reply', text: reply } }))
          .ok,
    )
    .toBe(true);
  await page.getByText('bad place').click();
  await page.getByText('file place').click();
  expect(await log()).toEqual({ opened: [], asked: [] });
  const good = page.getByRole('link', { name: 'good place' });
  await good.click({ button: 'middle' });
  expect(await log()).toEqual({ opened: [], asked: [] });
  await good.click();
  await expect.poll(async () => (await log()).asked.length).toBe(1);
  expect((await log()).asked[0]).toContain('good.example');
  expect((await log()).opened).toEqual([]);
  await good.click();
  await expect.poll(async () => (await log()).opened).toEqual(['https://good.example/page']);
  expect(page.url()).toBe('app://openworker/');
});
