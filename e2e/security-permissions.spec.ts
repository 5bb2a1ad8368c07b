import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { launch, type RunningApp } from './parts/app';
import { command, query, settleIn } from './parts/bridge';
import { startCanary, type Canary } from './parts/canary';

// What the page may ask the system for: permissions, devices, downloads and the way to the browser.
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

test.describe('hazard 50: permissions and downloads', () => {
  test('every permission is denied without a question', async () => {
    const session = await running.page.context().newCDPSession(running.page);
    const outcome = async (expression: string): Promise<unknown> => {
      const answer = await session.send('Runtime.evaluate', {
        expression,
        awaitPromise: true,
        returnByValue: true,
        userGesture: true,
      });
      return answer.result.value as unknown;
    };
    const refused = (call: string) =>
      `Promise.resolve().then(() => ${call}).then((v) => 'granted ' + JSON.stringify(v), (e) => 'refused ' + e.name)`;
    expect(
      await outcome(
        `new Promise((done) => navigator.geolocation.getCurrentPosition(() => done('granted'), (e) => done('refused ' + e.code)))`,
      ),
    ).toBe('refused 1');
    for (const call of [
      'navigator.mediaDevices.getUserMedia({ audio: true })',
      'navigator.mediaDevices.getUserMedia({ video: true })',
      'navigator.mediaDevices.getDisplayMedia({ video: true })',
      'navigator.clipboard.readText()',
      'navigator.requestMIDIAccess({ sysex: true })',
    ]) {
      expect(await outcome(refused(call)), call).toMatch(/^refused /);
    }
    expect(await outcome('Notification.requestPermission()')).toBe('denied');
    for (const name of ['geolocation', 'camera', 'microphone', 'clipboard-read', 'notifications', 'midi']) {
      const state = await outcome(
        `navigator.permissions.query({ name: '${name}' }).then((s) => s.state, () => 'unknown')`,
      );
      expect(['denied', 'unknown'], name).toContain(state);
    }
    for (const device of ['hid', 'usb', 'serial', 'bluetooth']) {
      const call =
        device === 'serial'
          ? 'requestPort()'
          : device === 'bluetooth'
            ? 'requestDevice({ acceptAllDevices: true })'
            : 'requestDevice({ filters: [] })';
      expect(
        await outcome(
          refused(
            `navigator.${device}.${call}.then((d) => (Array.isArray(d) && d.length === 0 ? Promise.reject(new Error('none')) : d))`,
          ),
        ),
        device,
      ).toMatch(/^refused /);
    }
    await session.detach();
    await expectAtHome();
  });

  test('a download is cancelled before a byte is written', async () => {
    await running.app.evaluate(({ session }) => {
      const seen: boolean[] = [];
      Object.assign(globalThis, { seenDownloads: seen });
      session.fromPartition('app').on('will-download', (event) => seen.push(event.defaultPrevented));
    });
    await running.page.evaluate(() => {
      const url = URL.createObjectURL(new Blob(['x']));
      const link = Object.assign(document.createElement('a'), { href: url, download: 'loot.txt' });
      document.body.append(link);
      link.click();
      link.remove();
    });
    await new Promise((resolve) => setTimeout(resolve, 500));
    const seen = await running.app.evaluate(
      () => (globalThis as unknown as { seenDownloads: boolean[] }).seenDownloads,
    );
    expect(seen.every((prevented) => prevented)).toBe(true);
    expect(seen.length).toBeLessThanOrEqual(1);
    const downloads = await running.app.evaluate(({ app }) => app.getPath('downloads'));
    expect(fs.existsSync(path.join(downloads, 'loot.txt'))).toBe(false);
    await expectAtHome();
  });
});

test.describe('hazard 42: links', () => {
  /** Counts what would open outside, and answers the question with the button of this index. */
  async function stub(button: number): Promise<() => Promise<{ opened: string[]; asked: string[] }>> {
    await running.app.evaluate(({ dialog, shell }, response) => {
      const log = { opened: [] as string[], asked: [] as string[] };
      Object.assign(globalThis, { linkLog: log });
      shell.openExternal = (url: string) => {
        log.opened.push(url);
        return Promise.resolve();
      };
      dialog.showMessageBox = ((_window: unknown, options: { message: string; detail: string }) => {
        log.asked.push(`${options.message} ${options.detail}`);
        return Promise.resolve({ response, checkboxChecked: false });
      }) as unknown as typeof dialog.showMessageBox;
    }, button);
    return () =>
      running.app.evaluate(
        () => (globalThis as unknown as { linkLog: { opened: string[]; asked: string[] } }).linkLog,
      );
  }

  test('hostile addresses are refused in main, without a question', async () => {
    const log = await stub(0);
    for (const url of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'file:///etc/passwd',
      'smb://host/share',
      'ms-msdt:/id PCWDiagnostic',
      'ms-msdt:/id',
      'vscode://file/etc/passwd',
      'data:text/html,<script>alert(1)</script>',
      'blob:https://example.com/1',
      '\\\\host\\share',
      '//example.com/x',
      'https://a@b.example/',
      'https://google.com:x@evil.example/',
      ' https://example.com',
      'https://example.com\n',
      'https:\\\\example.com',
      'java\tscript:alert(1)',
      'app://openworker/',
      'openworker://x',
      'mailto:a@b.example?attach=/etc/passwd',
      'https://',
      '',
      `https://example.com/${'x'.repeat(5_000)}`,
    ]) {
      const answer = await command(running.page, 'link.open', { url });
      expect(answer.ok, url.slice(0, 60)).toBe(false);
      if (!answer.ok) expect(answer.error.code).toBe('invalid_input');
    }
    expect(await log()).toEqual({ opened: [], asked: [] });
  });

  test('a good address opens once after a yes that showed its host, and never after a no', async () => {
    const no = await stub(1);
    expect(await command(running.page, 'link.open', { url: 'https://example.com/a' })).toEqual({
      ok: true,
      value: null,
    });
    expect((await no()).opened).toEqual([]);
    expect((await no()).asked).toHaveLength(1);
    const yes = await stub(0);
    expect(await command(running.page, 'link.open', { url: 'https://exämple.com/a?b=1' })).toEqual({
      ok: true,
      value: null,
    });
    expect((await yes()).opened).toEqual(['https://xn--exmple-cua.com/a?b=1']);
    expect((await yes()).asked[0]).toContain('xn--exmple-cua.com');
    await command(running.page, 'link.open', { url: 'mailto:someone@example.com' });
    expect((await yes()).opened).toEqual(['https://xn--exmple-cua.com/a?b=1', 'mailto:someone@example.com']);
  });
});
