import fs from 'node:fs';
import AxeBuilder from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { launch, picture, resize, setTheme, temporaryFolder, type RunningApp } from './parts/app';
import { command, composer, row } from './parts/session';
import { seedManySessions } from './parts/seed';

let running: RunningApp;
let folder = '';
let title = '';

const sizes = [
  { name: 'small', width: 900, height: 600 },
  { name: 'large', width: 1600, height: 1000 },
] as const;

/** Nothing that a person reads or presses may be cut off at the side. */
async function overflows(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    if (document.documentElement.scrollWidth > window.innerWidth)
      found.push('the page is wider than its window');
    for (const button of document.querySelectorAll('button, input, textarea, [role="button"]')) {
      const box = button.getBoundingClientRect();
      if (box.width > 0 && box.height > 0 && box.right > window.innerWidth + 1)
        found.push(button.outerHTML.slice(0, 80));
    }
    return found;
  });
}

async function accessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`),
  ).toEqual([]);
}

test.beforeAll(async () => {
  const profile = temporaryFolder('profile');
  folder = temporaryFolder('Downloads');
  title = seedManySessions(profile, folder);
  running = await launch({ profile });
  await command(running.page, 'setting.set', { key: 'onboarded', value: true });
});

test.afterAll(async () => {
  await running.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

for (const theme of ['light', 'dark'] as const) {
  for (const { name, width, height } of sizes) {
    test(`30 sessions, 20 rows and a 300-line answer at ${width} × ${height} in ${theme}`, async ({}, info) => {
      const { app, page } = running;
      // The window follows the setting; without it "dark" would show the theme of the test before.
      await command(page, 'setting.set', { key: 'theme', value: theme });
      await resize(app, width, height);
      await page.keyboard.press('Control+n');
      await expect(page.getByRole('heading', { name: 'What shall we work on?' })).toBeVisible();
      expect(await overflows(page)).toEqual([]);
      await picture(page, info, `new-session-${name}-${theme}`);
      await accessible(page);
      const open = page.getByRole('button', { name: new RegExp(title) }).first();
      if (!(await open.isVisible())) await page.getByRole('button', { name: /Show the list/ }).click();
      await open.click();
      await expect(row(page, 'c0')).toBeAttached();
      await expect(page.getByText('Nothing was deleted. Everything can be put back.')).toBeInViewport();
      expect(await overflows(page)).toEqual([]);
      await picture(page, info, `session-end-${name}-${theme}`);
      await row(page, 'c0').scrollIntoViewIfNeeded();
      await row(page, 'c3').getByRole('button').first().click();
      await expect(row(page, 'c3')).toContainText('It ended as failed. Look at the folder');
      await picture(page, info, `session-rows-${name}-${theme}`);
      await accessible(page);
      await row(page, 'c3').getByRole('button').first().click();
      for (const state of [
        'completed',
        'failed',
        'denied',
        'never ran',
        'cancelled',
        'may have run',
        'outcome unknown',
        'expired',
      ]) {
        await expect(page.locator('.activity-row').getByText(state, { exact: true }).first()).toBeAttached();
      }
    });
  }
}

test('settings, servers, inbox and shortcuts are accessible and hold at 900 × 600', async ({}, info) => {
  const { app, page } = running;
  await command(page, 'setting.set', { key: 'theme', value: 'light' });
  await setTheme(app, 'light');
  await resize(app, 900, 600);
  for (const name of ['Settings', 'Servers', 'Inbox']) {
    await page
      .getByRole('button', { name: new RegExp(`^${name}`) })
      .first()
      .click();
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
    expect(await overflows(page)).toEqual([]);
    await picture(page, info, `${name.toLowerCase()}-small`);
    await accessible(page);
  }
  await page.keyboard.press('Control+/');
  await expect(page.getByRole('heading', { name: 'Keyboard shortcuts' })).toBeVisible();
  await picture(page, info, 'shortcuts-small');
  await accessible(page);
  await page.keyboard.press('Escape');
});

test('sessions are renamed, archived, found and deleted', async () => {
  const { app, page } = running;
  await resize(app, 1280, 820);
  const item = page.getByRole('button', { name: /Session 3 about/ }).first();
  await item.click();
  await page.getByRole('button', { name: /Actions for “Session 3 about/ }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'Title of the session' }).fill('Three');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /^Three/ }).first()).toBeVisible();
  await page.getByRole('button', { name: /Actions for “Three”/ }).click();
  await page.getByRole('menuitem', { name: 'Archive' }).click();
  await expect(page.getByRole('button', { name: /^Three/ })).toHaveCount(0);
  await page.getByRole('searchbox', { name: 'Search sessions' }).fill('Session 4');
  await expect(page.getByRole('button', { name: /Session 4 about/ }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: /Session 5 about/ })).toHaveCount(0);
  await page.getByRole('button', { name: /Actions for “Session 4/ }).click();
  await page.getByRole('menuitem', { name: /Delete/ }).click();
  await page.getByRole('button', { name: 'Delete for good' }).click();
  await expect(page.getByRole('button', { name: /Session 4 about/ })).toHaveCount(0);
  await page.getByRole('searchbox', { name: 'Search sessions' }).fill('');
});

test('the conversation can be searched', async ({}, info) => {
  const { page } = running;
  await page
    .getByRole('button', { name: new RegExp(title) })
    .first()
    .click();
  await page.keyboard.press('Control+f');
  const find = page
    .getByRole('textbox', { name: /Find in the conversation/ })
    .or(page.getByRole('searchbox', { name: /Find in the conversation/ }));
  await find.fill('belongs to');
  await expect(page.getByText('1 of 150')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByText('2 of 150')).toBeVisible();
  await picture(page, info, 'find');
  await page.keyboard.press('Escape');
  await expect(find).toBeHidden();
});

test('the second language has every word of the window', async ({}, info) => {
  const { page } = running;
  await command(page, 'setting.set', { key: 'language', value: 'de' });
  await expect(page.getByRole('button', { name: /Neue Sitzung/ })).toBeVisible();
  await picture(page, info, 'german');
  await command(page, 'setting.set', { key: 'language', value: 'en' });
  await expect(page.getByRole('button', { name: /New session/ })).toBeVisible();
  await expect(composer(page)).toBeVisible();
});
