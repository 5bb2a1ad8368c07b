import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { launch, pickFolder, temporaryFolder, type RunningApp } from './parts/app';
import {
  act,
  command,
  createSession,
  eventsNow,
  must,
  query,
  settleIn,
  submit,
  summaryOf,
  waitForState,
  type PageWindow,
} from './parts/bridge';
import { startCanary } from './parts/canary';
import { root, until } from './parts/openworker';

// The bridge: who may use it, and with what.
let running: RunningApp;

test.beforeEach(async () => {
  running = await launch();
  await settleIn(running.page);
});

test.afterEach(async () => {
  await running.close();
});

test('hazard 45: another window, another origin and a navigated window may not use the bridge', async () => {
  const canary = await startCanary();
  try {
    const answers = await running.app.evaluate(
      async ({ BrowserWindow }, { preload, foreign }) => {
        const [own] = BrowserWindow.getAllWindows();
        const call = `window.openworker.command('session.create', { coworker_id: 'file-organizer', mode: 'ask',
          model: { provider: 'practice', name: 'practice' }, workspace: null })`;
        const ask = `window.openworker.query('sessions.list', {})`;
        const found: Record<string, unknown> = {};
        const other = new BrowserWindow({
          show: false,
          webPreferences: { preload, partition: 'app', contextIsolation: true, sandbox: true },
        });
        for (const url of [foreign, 'about:blank', 'data:text/html,<p>x</p>', 'app://openworker/']) {
          await other.loadURL(url);
          found[url] = [
            await other.webContents.executeJavaScript(call),
            await other.webContents.executeJavaScript(ask),
          ];
        }
        other.destroy();
        await own?.loadURL(foreign);
        found['navigated'] = [
          await own?.webContents.executeJavaScript(call),
          await own?.webContents.executeJavaScript(ask),
        ];
        await own?.loadURL('app://openworker/');
        return found;
      },
      { preload: path.join(root, 'out', 'preload.cjs'), foreign: `${canary.origin}/foreign.html` },
    );
    expect(Object.keys(answers)).toHaveLength(5);
    const refused = {
      ok: false,
      error: { code: 'invalid_input', message: 'This page may not talk to the app.' },
    };
    for (const [from, answer] of Object.entries(answers)) expect(answer, from).toEqual([refused, refused]);
    expect(await query(running.page, 'sessions.list', {})).toEqual({ ok: true, value: [] });
  } finally {
    await canary.close();
  }
});

test('hazard 44: whatever the page sends, it gets a typed refusal and the app lives on', async () => {
  test.setTimeout(120_000);
  const answers = await running.page.evaluate(async () => {
    const { openworker } = window as unknown as PageWindow;
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    const detached = new ArrayBuffer(8);
    structuredClone(detached, { transfer: [detached] });
    const own = (json: string): unknown => JSON.parse(json);
    const odd: readonly unknown[] = [
      undefined,
      null,
      0,
      Number.NaN,
      -1,
      10n,
      true,
      '',
      'text',
      [],
      [1],
      cyclic,
      detached,
      new Uint8Array(1_000_000),
      new Date(),
      new Map([['session_id', 'x']]),
      new Error('x'),
      () => 1,
      { session_id: null },
      { session_id: 'a'.repeat(1_000_000) },
      { session_id: '../../etc' },
      own('{"__proto__":{"session_id":"x"}}'),
      own('{"session_id":"x","__proto__":{"polluted":true}}'),
      own('{"constructor":{"prototype":{"polluted":true}}}'),
    ];
    const commands = [
      'session.create',
      'session.submit',
      'session.stop',
      'session.rename',
      'session.archive',
      'session.delete',
      'session.set_model',
      'session.set_mode',
      'session.subscribe',
      'session.unsubscribe',
      'approval.answer',
      'practice.act',
      'provider.configure',
      'provider.add',
      'provider.remove',
      'attachment.add',
      'link.open',
      'clipboard.write',
      'setting.set',
    ];
    const queries = ['session.tools', 'workspace.files', 'attachment.read'];
    const names: readonly unknown[] = [
      '',
      '__proto__',
      'constructor',
      'toString',
      'nobody',
      null,
      undefined,
      5,
      {},
      [],
      'x'.repeat(1_000_000),
    ];
    const found: { what: string; answer: unknown; thrown: string | null; ms: number }[] = [];
    const attempt = async (what: string, send: () => Promise<unknown>): Promise<void> => {
      try {
        const begun = performance.now();
        const answer = await send();
        found.push({ what, answer, thrown: null, ms: performance.now() - begun });
      } catch (error) {
        found.push({ what, answer: null, thrown: String(error).slice(0, 300), ms: 0 });
      }
    };
    for (const [index, payload] of odd.entries()) {
      for (const name of commands) {
        await attempt(`${name} ${index}`, () => openworker.command(name as 'session.stop', payload as never));
      }
      for (const name of queries) {
        await attempt(`${name} ${index}`, () => openworker.query(name as 'session.tools', payload as never));
      }
    }
    const huge = { session_id: 'x', text: 'y'.repeat(50 * 1024 * 1024), attachments: [], mentions: [] };
    await attempt('50 MB', () => openworker.command('session.submit', huge));
    for (const name of names) {
      await attempt(`name ${String(name).slice(0, 20)}`, () =>
        openworker.command(name as 'session.stop', {} as never),
      );
      await attempt(`name ${String(name).slice(0, 20)}`, () => openworker.query(name as 'app.info', {}));
    }
    return { found, polluted: 'polluted' in {} };
  });
  expect(answers.polluted).toBe(false);
  expect(answers.found.length).toBeGreaterThan(500);
  for (const { what, answer, thrown, ms } of answers.found) {
    expect(ms, what).toBeLessThan(20_000);
    // What cannot be copied at all never leaves the page: the bridge throws there.
    if (thrown === null) {
      // A name `__proto__` is dropped on the way: what is left may be well-formed, about a session that is not there.
      if (!(answer as { ok: boolean }).ok) {
        expect(answer, what).toMatchObject({
          ok: false,
          error: { code: expect.stringMatching(/^(invalid_input|not_found)$/) as unknown },
        });
      } else expect(what).toBe('session.unsubscribe 22');
      expect(JSON.stringify(answer), what).not.toMatch(/\s+at .+:\d+:\d+/);
      expect(JSON.stringify(answer).length, what).toBeLessThan(2_000);
    } else {
      expect(thrown, what).toMatch(/clone|copied|recursion|convert|serialize/i);
    }
  }
  expect(await running.app.evaluate(() => 'polluted' in {})).toBe(false);
  expect(must(await query(running.page, 'sessions.list', {}))).toEqual([]);
  expect(must(await query(running.page, 'app.info', {})).version).toMatch(/^\d/);
});

test('hazard 44: well-formed requests about what is not there are refused as such', async () => {
  const { page } = running;
  const id = 's_nobody';
  const digest = '0'.repeat(64);
  for (const answer of [
    await command(page, 'session.submit', { session_id: id, text: 'x', attachments: [], mentions: [] }),
    await command(page, 'session.stop', { session_id: id }),
    await command(page, 'session.delete', { session_id: id }),
    await command(page, 'session.subscribe', { session_id: id, after_seq: 0 }),
    await command(page, 'approval.answer', {
      session_id: id,
      approval_id: 'a_1',
      shown: { arguments_digest: digest, pin: digest },
      answer: { type: 'allow', scope: 'once' },
    }),
    await command(page, 'practice.act', { session_id: id, turn_id: 't', act: { type: 'reply', text: '' } }),
    await query(page, 'session.tools', { session_id: id }),
    await query(page, 'attachment.read', { session_id: id, digest }),
  ]) {
    expect(answer).toMatchObject({ ok: false, error: { code: 'not_found' } });
  }
});

test('a folder that the person did not pick is refused, and the picked one is taken', async () => {
  const folder = fs.realpathSync(temporaryFolder('work'));
  const fresh = {
    coworker_id: 'file-organizer',
    model: { provider: 'practice', name: 'practice' },
    mode: 'ask' as const,
  };
  for (const workspace of ['/', '/etc', folder, `${folder}/`, '', '.']) {
    expect(await command(running.page, 'session.create', { ...fresh, workspace })).toMatchObject({
      ok: false,
      error: { code: 'workspace_unavailable' },
    });
  }
  await pickFolder(running.app, folder);
  expect(must(await command(running.page, 'workspace.pick', {}))).toEqual({ path: folder });
  const created = await command(running.page, 'session.create', { ...fresh, workspace: folder });
  expect(created.ok).toBe(true);
  expect(
    (await command(running.page, 'session.create', { ...fresh, workspace: path.dirname(folder) })).ok,
  ).toBe(false);
  fs.rmSync(folder, { recursive: true });
});

test('an answer for other arguments than those shown, and a second answer, run nothing', async () => {
  const { page } = running;
  const folder = fs.realpathSync(temporaryFolder('work'));
  fs.writeFileSync(path.join(folder, 'a.txt'), 'a');
  await pickFolder(running.app, folder);
  must(await command(page, 'workspace.pick', {}));
  const session_id = await createSession(page, { workspace: folder });
  const turn_id = await submit(page, session_id, 'Move it');
  const args = { source: 'a.txt', destination: 'b.txt' };
  await act(page, session_id, turn_id, { type: 'call', name: 'files__move_file', arguments: args });
  await waitForState(page, session_id, 'needs_you');
  const request = (await eventsNow(page, session_id)).find((event) => event.type === 'approval_requested');
  if (request?.type !== 'approval_requested') throw new Error('Nothing was asked.');
  const { approval_id, arguments_digest, pin } = request.data;
  const shown = { arguments_digest, pin };
  const answer = { type: 'allow', scope: 'once' } as const;
  const stale = { ok: false, error: { code: 'stale_answer' } };
  expect(
    await command(page, 'approval.answer', {
      session_id,
      approval_id,
      shown: { arguments_digest: '0'.repeat(64), pin },
      answer,
    }),
  ).toMatchObject(stale);
  expect(fs.existsSync(path.join(folder, 'a.txt'))).toBe(true);
  const deny = { type: 'deny', note: '' } as const;
  must(await command(page, 'approval.answer', { session_id, approval_id, shown, answer: deny }));
  expect(await command(page, 'approval.answer', { session_id, approval_id, shown, answer })).toMatchObject(
    stale,
  );
  await act(page, session_id, turn_id, { type: 'reply', text: 'Fine.' });
  await waitForState(page, session_id, 'done');
  expect(fs.existsSync(path.join(folder, 'a.txt'))).toBe(true);
  fs.rmSync(folder, { recursive: true });
});

test('hazard 49: the page dies with a request open: it comes back, the request still waits, nothing ran', async () => {
  const { page, app } = running;
  const folder = fs.realpathSync(temporaryFolder('work'));
  fs.writeFileSync(path.join(folder, 'a.txt'), 'a');
  await pickFolder(app, folder);
  must(await command(page, 'workspace.pick', {}));
  const session_id = await createSession(page, { workspace: folder });
  const turn_id = await submit(page, session_id, 'Move it');
  const args = { source: 'a.txt', destination: 'b.txt' };
  await act(page, session_id, turn_id, { type: 'call', name: 'files__move_file', arguments: args });
  await waitForState(page, session_id, 'needs_you');
  const before = await eventsNow(page, session_id);

  const crashed = page.waitForEvent('crash');
  await app.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer();
  });
  await crashed;
  // Playwright does not attach to a page again that crashed, so main asks the new page.
  const inPage = (script: string): Promise<unknown> =>
    app.evaluate(
      ({ BrowserWindow }, code) => BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(code),
      script,
    );
  await expect
    .poll(() => inPage('Boolean(document.querySelector("main"))').catch(() => false), { timeout: 15_000 })
    .toBe(true);
  const state = (await inPage(`window.openworker.query('sessions.list', {})`)) as {
    value: { state: string; waiting: number }[];
  };
  expect(state.value[0]).toMatchObject({ state: 'needs_you' });
  expect(fs.existsSync(path.join(folder, 'a.txt'))).toBe(true);

  await inPage(`document.querySelector('nav .session-list ul button, nav .session-list ul a')?.click()`);
  await expect
    .poll(() => inPage('document.body.innerText.includes("Allow once")'), { timeout: 10_000 })
    .toBe(true);
  const request = before.find((event) => event.type === 'approval_requested');
  if (request?.type !== 'approval_requested') throw new Error('Nothing was asked.');
  const answer = JSON.stringify({
    session_id,
    approval_id: request.data.approval_id,
    shown: { arguments_digest: request.data.arguments_digest, pin: request.data.pin },
    answer: { type: 'allow', scope: 'once' },
  });
  expect(await inPage(`window.openworker.command('approval.answer', ${answer})`)).toEqual({
    ok: true,
    value: null,
  });
  await until(() => fs.existsSync(path.join(folder, 'b.txt')), 'the move');
  fs.rmSync(folder, { recursive: true });
});

test('hazard 47: a second start, also with a link or switches, ends at once, shows the first window and does nothing else', async () => {
  await running.app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    const log = { focused: 0 };
    Object.assign(globalThis, { focusLog: log });
    if (window) window.focus = () => (log.focused += 1);
  });
  const executable = await running.app.evaluate(() => process.execPath);
  const asRoot = process.getuid?.() === 0;
  const config = Buffer.from('{"program":"touch","args":["/tmp/owned"]}').toString('base64');
  const attempts: readonly (readonly [number, readonly string[]])[] = [
    [0, []],
    [0, [`openworker://install?config=${config}`]],
    [0, ['openworker://x', '--inspect=0', '--bundle', '/etc']],
    // Too long to be handed over: Chromium would take the first app for dead and kill it.
    [1, [`openworker://${'a'.repeat(100_000)}`]],
    [1, [`openworker://${'a'.repeat(30_000)}`, 'b'.repeat(30_000)]],
    [0, [`openworker://${'a'.repeat(10_000)}`]],
  ];
  for (const [end, words] of attempts) {
    const second = spawn(
      executable,
      [...(asRoot ? ['--no-sandbox'] : []), `--user-data-dir=${running.profile}`, root, ...words],
      { stdio: 'ignore' },
    );
    const code = await new Promise((resolve) => second.on('exit', resolve));
    expect(code).toBe(end);
  }
  const focused = (): Promise<number> =>
    running.app.evaluate(() => (globalThis as unknown as { focusLog: { focused: number } }).focusLog.focused);
  await expect.poll(focused).toBe(4);
  expect(await running.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  expect(must(await query(running.page, 'sessions.list', {}))).toEqual([]);
  expect(
    must(await query(running.page, 'coworkers.list', {}))
      .map((card) => card.id)
      .sort(),
  ).toEqual(['everything-guide', 'file-organizer']);
  expect(must(await query(running.page, 'servers.list', {})).map((server) => server.name)).toEqual([
    'everything',
  ]);
});

test('hazard 47: a link among the words of the first start is ignored', async () => {
  const linked = await launch({ words: ['openworker://install?config=e30=', 'file:///etc/passwd'] });
  try {
    expect(linked.page.url()).toBe('app://openworker/');
    expect(must(await query(linked.page, 'sessions.list', {}))).toEqual([]);
    expect(must(await query(linked.page, 'servers.list', {})).map((server) => server.name)).toEqual([
      'everything',
    ]);
    expect(await summaryOf(linked.page, 'any')).toBeNull();
  } finally {
    await linked.close();
  }
});
