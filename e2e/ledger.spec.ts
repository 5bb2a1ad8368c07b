import fs from 'node:fs';
import path from 'node:path';
import { expect, test, type ElectronApplication, type Page } from '@playwright/test';
import { expectAccessible } from './parts/accessible';
import {
  everythingServer,
  launch,
  pickFolder,
  picture,
  resize,
  setTheme,
  temporaryFolder,
  type RunningApp,
} from './parts/app';
import { command, createSession, must, settleIn, submit } from './parts/bridge';
import { allowLatest, grantsNow, practiceCall, seedPermissions } from './parts/permissions';
import { seedManySessions } from './parts/seed';

let folder = '';
let running: RunningApp | null = null;

test.beforeEach(() => {
  folder = fs.realpathSync(temporaryFolder('ledger'));
  for (const name of ['a', 'b', 'c', 'd']) fs.writeFileSync(path.join(folder, `${name}.txt`), name);
});

test.afterEach(async () => {
  await running?.close();
  running = null;
  fs.rmSync(folder, { recursive: true, force: true });
});

const everything = { transport: 'stdio', program: process.execPath, args: [everythingServer, 'stdio'] };
const move = (name: string) => ({ source: `${name}.txt`, destination: `Sorted/${name}.txt` });
const nav = (page: Page) => page.getByRole('button', { name: /^Permissions/ });
const inForce = (page: Page) => page.getByRole('list', { name: 'In force' }).getByRole('listitem');

test('field report 32, field report 34: a permission is listed in plain words, and taken back it is asked about for the very next call', async ({}, info) => {
  running = await launch();
  const { page } = running;
  await settleIn(page);
  await nav(page).click();
  await expect(page.getByText('You have given no lasting permission yet')).toBeVisible();
  await picture(page, info, 'ledger-empty');
  await expectAccessible(page);

  await pickFolder(running.app, folder);
  must(await command(page, 'workspace.pick', {}));
  const session_id = await createSession(page, { workspace: folder });
  const turn_id = await submit(page, session_id, 'Sort my letters');
  const here = { session_id, turn_id };
  expect(await practiceCall(page, here, 'files__move_file', move('a'))).toMatchObject({ type: 'asked' });
  await allowLatest(page, session_id, {
    scope: 'coworker',
    pattern: [{ type: 'folder', at: '/destination', folder: 'Sorted' }],
  });
  expect(await practiceCall(page, here, 'files__move_file', move('b'))).toEqual({
    type: 'ran',
    rule: 'grant_coworker',
    by: 'person',
  });
  await expect(nav(page)).toContainText('1');
  await page.getByRole('button', { name: /^Servers/ }).click();
  await nav(page).click();
  await expect(inForce(page)).toHaveCount(1);
  const item = inForce(page).first();
  await expect(item).toContainText('May call files.move_file where destination lies in Sorted or below it');
  await expect(item).toContainText('File Organizer, in every session');
  await expect(item).toContainText(/Used\s*(once|\d times), /);
  await expect(item).toContainText(/Lapses\s*in (89|90) days if nobody uses it/);
  await picture(page, info, 'ledger-one');

  await item.getByRole('button', { name: /^Take back/ }).click();
  await expect(page.getByText(/Permission taken back: files\.move_file/)).toBeVisible();
  await expect(page.getByText('None is in force')).toBeVisible();
  await expect(nav(page)).not.toContainText('1');
  expect(await practiceCall(page, here, 'files__move_file', move('c'))).toMatchObject({ type: 'asked' });
  expect(fs.existsSync(path.join(folder, 'c.txt'))).toBe(true);

  await page.getByRole('button', { name: '1 that has ended' }).click();
  await expect(page.getByText(/You took it back on/)).toBeVisible();
  await picture(page, info, 'ledger-taken-back');
  await expectAccessible(page);
  await page.getByRole('button', { name: /the request in “Sort my letters”/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Sort my letters' })).toBeVisible();
  await expect(page.locator('.activity-row').first()).toBeInViewport();
});

test('a permission for a session is taken back in the same place, and one of a deleted session says so', async () => {
  running = await launch();
  const { page } = running;
  await settleIn(page);
  await pickFolder(running.app, folder);
  must(await command(page, 'workspace.pick', {}));
  const session_id = await createSession(page, { workspace: folder });
  const turn_id = await submit(page, session_id, 'For this session');
  const here = { session_id, turn_id };
  await practiceCall(page, here, 'files__move_file', move('a'));
  await allowLatest(page, session_id, { scope: 'session', pattern: [] });
  await nav(page).click();
  await expect(inForce(page).first()).toContainText('in the session “For this session”');
  await expect(inForce(page).first()).toContainText('with its session, or in');
  expect(await practiceCall(page, here, 'files__move_file', move('b'))).toMatchObject({
    type: 'ran',
    rule: 'grant_session',
  });
  await inForce(page)
    .getByRole('button', { name: /^Take back/ })
    .click();
  await expect(page.getByText('None is in force')).toBeVisible();
  expect(await practiceCall(page, here, 'files__move_file', move('c'))).toMatchObject({ type: 'asked' });

  await allowLatest(page, session_id, { scope: 'coworker', pattern: [] });
  await page.getByRole('button', { name: /^Servers/ }).click();
  await nav(page).click();
  await expect(inForce(page)).toHaveCount(1);
  must(await command(page, 'session.stop', { session_id }));
  must(await command(page, 'session.delete', { session_id }));
  await expect(inForce(page).first()).toContainText('with a request in a session that was deleted');
  expect((await grantsNow(page)).map(({ grant }) => grant.scope)).toEqual(['coworker']);
});

test('500 permissions are filtered and sorted at once, by mouse and by keyboard', async ({}, info) => {
  test.setTimeout(120_000);
  const profile = temporaryFolder('ledger-profile');
  seedManySessions(profile, folder);
  seedPermissions(profile, 500);
  running = await launch({ profile, servers: { version: 1, servers: { everything } } });
  const { app, page } = running;
  await settleIn(page);
  await expect(nav(page)).toContainText('417');
  const start = Date.now();
  await nav(page).click();
  await expect(inForce(page)).toHaveCount(100);
  expect(Date.now() - start).toBeLessThan(3_000);
  await picture(page, info, 'ledger-light');
  await setTheme(app, 'dark');
  await page.waitForTimeout(250);
  await picture(page, info, 'ledger-dark');
  await expectAccessible(page);
  await setTheme(app, 'light');

  await page.getByRole('button', { name: 'Show 100 more' }).first().click();
  await expect(inForce(page)).toHaveCount(200);
  await page.getByRole('searchbox', { name: 'Tool or argument' }).fill('npm run');
  await expect(inForce(page)).toHaveCount(84);
  await expect(inForce(page).first()).toContainText('the command begins with npm run build');
  await page.getByRole('button', { name: /^Coworker: / }).click();
  await page.getByRole('option', { name: 'letter-writer (no longer there)' }).click();
  await expect(inForce(page)).toHaveCount(17);
  await page.getByRole('button', { name: /^How far/ }).click();
  await page.getByRole('option', { name: 'one session' }).click();
  await expect(inForce(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await page.getByRole('searchbox', { name: 'Tool or argument' }).fill('echo');
  await expect(inForce(page)).toHaveCount(83);
  await expect(inForce(page).first()).toContainText('Not narrowed: whatever this tool can do');

  const second = inForce(page).nth(1);
  const before = await second.innerText();
  await second.getByRole('button', { name: /^Take back/ }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText(/Permission taken back: everything\.echo/)).toBeVisible();
  await expect(second.getByRole('button', { name: /^Take back/ })).toBeFocused();
  expect(await second.innerText()).not.toBe(before);

  must(await command(page, 'setting.set', { key: 'language', value: 'de' }));
  await expect(page.getByRole('heading', { level: 1, name: 'Erlaubnisse' })).toBeVisible();
  await resize(app, 900, 600);
  await picture(page, info, 'ledger-german');
  await expectAccessible(page);
});

/** Answers a question of the window with a failure, until the function that this gives is called. */
async function breakQuery(app: ElectronApplication, name: string): Promise<() => Promise<void>> {
  await app.evaluate(({ ipcMain }, broken) => {
    type Handler = (event: unknown, name: string, payload: unknown) => unknown;
    const handlers = (ipcMain as unknown as { _invokeHandlers: Map<string, Handler> })._invokeHandlers;
    const real = handlers.get('openworker:query');
    if (!real) throw new Error('Nothing answers the questions of the window.');
    Object.assign(globalThis, { mendQuery: () => handlers.set('openworker:query', real) });
    handlers.set('openworker:query', (event, asked, payload) => {
      const error = { code: 'storage_failed', message: 'The journal cannot be read. Free some space.' };
      const raw = event as { _reply?: (value: unknown) => void };
      if (asked !== broken) return real(event, asked, payload);
      raw._reply?.({ ok: false, error });
      return { ok: false, error };
    });
  }, name);
  return () =>
    app.evaluate(() => {
      (globalThis as unknown as { mendQuery: () => void }).mendQuery();
    });
}

test('permissions that cannot be read are a failure with a way to try again', async ({}, info) => {
  running = await launch();
  const { app, page } = running;
  await settleIn(page);
  const mend = await breakQuery(app, 'grants.list');
  await nav(page).click();
  await expect(page.getByText('The journal cannot be read.')).toBeVisible();
  await picture(page, info, 'ledger-failed');
  await mend();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('You have given no lasting permission yet')).toBeVisible();
});
