import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { startModelServer, type ModelServer } from '../src-main/harness/testing/model-server';
import { launch, picture, type RunningApp } from './parts/app';
import { command, composer } from './parts/session';

const key = 'marker-key-8d1f0c';
const desktop = process.env['OPENWORKER_TEST_DESKTOP'] === '1';

let server: ModelServer;
let running: RunningApp | null = null;

async function enterKey(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: /^Settings/ }).click();
  const card = page.getByRole('listitem').filter({ hasText: 'Anthropic' });
  await card
    .getByRole('button', { name: /Anthropic/ })
    .first()
    .click();
  await card.getByRole('textbox', { name: /Address/ }).fill(server.baseUrl('anthropic'));
  await card.getByLabel('Key', { exact: true }).fill(text);
  await card.getByRole('button', { name: 'Check and save' }).click();
}

/** Every file below the folder that holds the marker, in any of the forms that a key could take. */
function filesWithKey(folder: string): string[] {
  const forms = [key, Buffer.from(key).toString('base64'), encodeURIComponent(key)];
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => forms.some((form) => fs.readFileSync(file).includes(form)));
}

test.beforeEach(async () => {
  server = await startModelServer({ keys: [key] });
});

test.afterEach(async () => {
  await running?.close();
  running = null;
  expect(await server.close()).toEqual([]);
});

test('hazard 96: without a keychain the app says so, keeps a key for this run only, and claims no encryption', async ({}, info) => {
  running = await launch();
  const { page, profile } = running;
  await command(page, 'setting.set', { key: 'onboarded', value: true });
  await enterKey(page, 'wrong-key');
  await expect(page.getByText('The provider refused the key').first()).toBeVisible();
  await picture(page, info, 'key-refused');
  await page.getByLabel('Key', { exact: true }).fill(key);
  await page.getByRole('button', { name: 'Check and save' }).click();
  await expect(page.getByText(/Accepted/)).toBeVisible();
  await expect(page.getByText(/no keychain/i).first()).toBeVisible();
  await picture(page, info, 'key-accepted');
  await running.close();
  expect(filesWithKey(profile)).toEqual([]);
  running = await launch({ profile });
  await running.page.getByRole('button', { name: /^Settings/ }).click();
  const card = running.page.getByRole('listitem').filter({ hasText: 'Anthropic' });
  await expect(card).toContainText('failed');
  await card
    .getByRole('button', { name: /Anthropic/ })
    .first()
    .click();
  await expect(card).toContainText('No key is set.');
});

test(`hazard 95: with the system's keychain a key outlives the app, and its bytes stand in no file, argument or environment${desktop ? '' : ' (skipped: needs the test desktop with a keyring)'}`, async () => {
  test.skip(!desktop, 'needs the test desktop with a keyring');
  running = await launch({ keyring: true });
  const { page, profile } = running;
  await command(page, 'setting.set', { key: 'onboarded', value: true });
  await enterKey(page, key);
  await expect(page.getByText(/Accepted/)).toBeVisible();
  await expect(page.getByText('The key lies in the system’s keychain.').first()).toBeVisible();
  const html = await page.content();
  expect(html).not.toContain(key);
  const family = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
  expect(family).not.toContain(key);
  await running.close();
  expect(filesWithKey(profile)).toEqual([]);
  expect(JSON.parse(fs.readFileSync(path.join(profile, 'secrets.json'), 'utf8'))).toMatchObject({
    version: 1,
  });
  server.enqueue({ answer: { text: ['Still here.'] } });
  running = await launch({ profile, keyring: true });
  await command(running.page, 'setting.set', {
    key: 'default_model',
    value: { provider: 'anthropic', name: 'test-model' },
  });
  await running.page.getByRole('button', { name: /New session/ }).click();
  await running.page.getByRole('radio', { name: /File Organizer/ }).check();
  await composer(running.page).fill('Hello');
  await composer(running.page).press('Enter');
  await expect(running.page.getByText('Still here.')).toBeVisible();
});
