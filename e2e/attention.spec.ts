import fs from 'node:fs';
import path from 'node:path';
import { expect, test, type ElectronApplication, type Page } from '@playwright/test';
import type { ScriptedResponse } from '../src-main/harness/testing/model-server';
import { picture, temporaryFolder } from './parts/app';
import { useDesk } from './parts/desk';
import { composer, request, startSession } from './parts/session';

const desk = useDesk();
let folder = '';

test.beforeEach(() => {
  folder = temporaryFolder('attention-private');
  for (const name of ['salaries-a.txt', 'salaries-b.txt', 'salaries-c.txt']) {
    fs.writeFileSync(path.join(folder, name), 'secret');
  }
});

test.afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

interface Recorded {
  readonly shown: { readonly title: string; readonly body: string; open: boolean; click(): void }[];
  readonly badges: number[];
}

const move = (id: string, name: string) => ({
  id,
  name: 'files__move_file',
  arguments: { source: `salaries-${name}.txt`, destination: `secret-${name}.txt` },
});

/** Puts a recorder in the place of the system's notifications and of its badge. */
async function record(app: ElectronApplication): Promise<void> {
  await app.evaluate(({ app: system, Notification }) => {
    const recorded: Recorded = { shown: [], badges: [] };
    Object.assign(globalThis, { recorded });
    Notification.isSupported = () => true;
    Notification.prototype.show = function show(this: Electron.Notification) {
      const entry = {
        title: this.title,
        body: this.body,
        open: true,
        click: () => this.emit('click', {}),
      };
      recorded.shown.push(entry);
      this.on('close', () => (entry.open = false));
    };
    Notification.prototype.close = function close(this: Electron.Notification) {
      this.emit('close', {});
    };
    system.setBadgeCount = (count = 0) => {
      recorded.badges.push(count);
      return true;
    };
  });
}

const told = (app: ElectronApplication) =>
  app.evaluate(() => {
    const { shown, badges } = (globalThis as unknown as { recorded: Recorded }).recorded;
    return {
      shown: shown.map(({ title, body, open }) => ({ title, body, open })),
      badge: badges.at(-1) ?? 0,
    };
  });

const click = (app: ElectronApplication, at: number) =>
  app.evaluate((_electron, which) => {
    (globalThis as unknown as { recorded: Recorded }).recorded.shown[which]?.click();
  }, at);

const hide = (app: ElectronApplication) =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());

const windowState = (app: ElectronApplication) =>
  app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    return { visible: window?.isVisible(), focused: window?.isFocused() };
  });

/** From here on the model answers only when the function that this gives is called. */
function holdAnswers(response: ScriptedResponse): () => void {
  let answerNow = (): void => undefined;
  const asked = new Promise<void>((resolve) => (answerNow = resolve));
  desk.server.respondWith(() => asked.then(() => response));
  return () => answerNow();
}

/** Sets the app's clock ahead: what it measures of a turn that runs grows by as much. */
const passHalfAMinute = (app: ElectronApplication) =>
  app.evaluate(() => {
    const { performance } = globalThis;
    const before = performance.now.bind(performance);
    performance.now = () => before() + 31_000;
  });

const newSession = (page: Page) => page.getByRole('button', { name: 'New session' }).click();

test('field report 29: a request behind a hidden window is told of without private data, and a click opens exactly it', async ({}, info) => {
  desk.server.enqueue({ answer: { text: ['Both.'], calls: [move('c1', 'a'), move('c2', 'b')] } });
  const answerNow = holdAnswers({ answer: { calls: [move('c3', 'c')] } });
  const { app, page } = await desk.begin();
  await record(app);
  await startSession(app, page, { coworker: 'File Organizer', folder, message: 'Hide the salaries' });
  await expect(request(page)).toContainText('salaries-a.txt');
  await expect.poll(async () => (await told(app)).badge).toBe(2);
  await newSession(page);
  await startSession(app, page, { coworker: 'File Organizer', folder, message: 'One more salary' });
  // Whoever leaves just as a request comes may not have seen it.
  await page.waitForTimeout(2_500);
  await newSession(page);
  expect((await told(app)).shown).toEqual([]);
  await hide(app);
  expect((await told(app)).shown).toEqual([]);
  answerNow();
  await expect.poll(async () => (await told(app)).shown.length).toBe(1);
  const { shown, badge } = await told(app);
  expect(shown).toEqual([{ title: 'OpenWorker', body: 'A coworker waits for your answer.', open: true }]);
  expect(badge).toBe(3);
  expect(JSON.stringify(shown)).not.toMatch(/salar|secret|files|move|File Organizer|attention-private/i);

  await click(app, 0);
  await expect(request(page)).toContainText('salaries-c.txt');
  await expect(request(page)).toBeFocused();
  expect((await windowState(app)).visible).toBe(true);
  await expect.poll(async () => (await told(app)).shown[0]?.open).toBe(false);
  await picture(page, info, 'attention-opened');

  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(page.getByText(/You stopped this turn/)).toBeVisible();
  await expect.poll(async () => (await told(app)).badge).toBe(2);
  expect((await told(app)).shown).toHaveLength(1);
});

test('hazard 13: many requests at once are one notice at a time, which says how many and opens the oldest', async () => {
  const calls = Array.from({ length: 40 }, (_, at) => move(`c${at}`, ['a', 'b', 'c'][at % 3] ?? 'a'));
  const answerNow = holdAnswers({ answer: { calls } });
  const { app, page } = await desk.begin();
  await record(app);
  await startSession(app, page, { coworker: 'File Organizer', folder, message: 'Move them all' });
  await expect.poll(() => desk.server.asked().length).toBe(1);
  await newSession(page);
  await hide(app);
  answerNow();
  await expect.poll(async () => (await told(app)).badge).toBe(40);
  await expect
    .poll(async () => (await told(app)).shown.at(-1)?.body)
    .toBe('40 requests wait for your answer.');
  const { shown } = await told(app);
  expect(shown.length).toBeLessThanOrEqual(2);
  expect(shown.filter((notice) => notice.open)).toHaveLength(1);
  await click(app, shown.length - 1);
  await expect(request(page)).toContainText('1 of 40');
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
});

test('a click on a notice opens the window that was closed, at the request', async () => {
  const answerNow = holdAnswers({ answer: { calls: [move('c1', 'a')] } });
  const { app, page } = await desk.begin();
  await record(app);
  await startSession(app, page, { coworker: 'File Organizer', folder, message: 'Hide one' });
  await expect.poll(() => desk.server.asked().length).toBe(1);
  await newSession(page);
  // Only macOS lets the app live on without a window.
  await app.evaluate(() => Object.defineProperty(process, 'platform', { value: 'darwin' }));
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  await expect.poll(() => app.windows().length).toBe(0);
  answerNow();
  await expect
    .poll(async () => (await told(app)).shown.map(({ body }) => body))
    .toEqual(['A coworker waits for your answer.']);
  const opened = app.waitForEvent('window');
  await click(app, 0);
  await expect(request(await opened)).toContainText('salaries-a.txt');
  await expect.poll(async () => (await told(app)).shown[0]?.open).toBe(false);
  expect((await told(app)).badge).toBe(1);
});

test('a long turn that ends behind another window is told of, and one in the focused window is not', async () => {
  const finish = holdAnswers({ answer: { text: ['Done with the salaries.'] } });
  const { app, page } = await desk.begin();
  await record(app);
  await startSession(app, page, { coworker: 'File Organizer', folder, message: 'Take long' });
  await expect.poll(() => desk.server.asked().length).toBe(1);
  await newSession(page);
  await passHalfAMinute(app);
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.blur());
  await expect.poll(() => windowState(app)).toEqual({ visible: true, focused: false });
  finish();
  await expect
    .poll(async () => (await told(app)).shown.map(({ body }) => body))
    .toEqual(['A coworker has finished.']);
  await click(app, 0);
  await expect(page.getByText('Done with the salaries.')).toBeVisible();
  await expect.poll(async () => (await told(app)).shown[0]?.open).toBe(false);

  await expect.poll(async () => (await windowState(app)).focused).toBe(true);
  const finishAgain = holdAnswers({ answer: { text: ['Done again.'] } });
  await composer(page).fill('Once more');
  await composer(page).press('Enter');
  await expect.poll(() => desk.server.asked().length).toBe(2);
  await passHalfAMinute(app);
  finishAgain();
  await expect(page.getByText('Done again.')).toBeVisible();
  await page.waitForTimeout(1_500);
  expect(await told(app)).toMatchObject({ shown: [{ open: false }], badge: 0 });
});
