import fs from 'node:fs';
import path from 'node:path';
import { expect, test, type Locator, type Page } from '@playwright/test';
import { picture, temporaryFolder } from './parts/app';
import { useDesk } from './parts/desk';
import { composer, request, row, startSession } from './parts/session';

const desk = useDesk();
let folder = '';
const name = (at: number): string => `${String(at).padStart(2, '0')}.txt`;

test.beforeEach(() => {
  folder = temporaryFolder('batch');
  for (let at = 0; at < 40; at += 1) fs.writeFileSync(path.join(folder, name(at)), String(at));
});

test.afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

const moves = (count: number, to: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => ({
    id: `c${at}`,
    name: 'files__move_file',
    arguments: { source: name(at), destination: `${to(at)}/${name(at)}` },
  }));

async function begin(count: number, to: (at: number) => string, ends = true): Promise<Page> {
  desk.server.enqueue({ answer: { calls: moves(count, to) } });
  if (ends) desk.server.enqueue({ answer: { text: ['All answered.'] } });
  const { app, page } = await desk.begin();
  await startSession(app, page, { coworker: 'File Organizer', folder, message: 'Sort them' });
  await expect(request(page)).toContainText(`File Organizer asks for ${count} things`);
  return page;
}

const line = (page: Page, at: number): Locator =>
  request(page).getByRole('listitem', { name: new RegExp(name(at).replace('.', '\\.')) });

const left = (): string[] => fs.readdirSync(folder).filter((entry) => entry.endsWith('.txt'));

test('field reports 18 and 32: five calls are answered on one sheet, some allowed, one denied, one opened; each has its own answer', async ({}, info) => {
  const page = await begin(5, (at) => (at < 3 ? 'Archive' : 'Photos'));
  await expect(composer(page)).toBeFocused();
  await expect(request(page).getByRole('region', { name: /^files\.move_file/ })).toHaveCount(2);
  await picture(page, info, 'batch-sheet');
  await page.waitForTimeout(650);
  await line(page, 0).getByRole('button', { name: /^Deny/ }).click();
  await expect(line(page, 0)).toContainText('denied');
  await expect(line(page, 1)).not.toContainText('denied');
  await request(page).getByRole('button', { name: 'Allow these 2 once' }).first().click();
  await expect(line(page, 1)).toContainText('allowed');
  await expect(line(page, 2)).toContainText('allowed');
  expect(left()).toContain(name(0));
  await line(page, 3).getByRole('button', { name: /^Open/ }).click();
  await expect(request(page)).toContainText('Back to all of them');
  await page.waitForTimeout(650);
  await request(page).getByRole('button', { name: 'Allow once', exact: true }).click();
  await expect(line(page, 3)).toContainText('allowed');
  await page.waitForTimeout(650);
  await line(page, 4)
    .getByRole('button', { name: /^Allow once/ })
    .click();
  await expect(page.getByText('All answered.')).toBeVisible();
  expect(left()).toHaveLength(36);
  expect(left()).toContain(name(0));
  await expect(row(page, 'c0')).toContainText('denied');
  await expect(page.locator('.activity-row.completed')).toHaveCount(4);
});

test('forty calls of one response are allowed by keyboard alone, once each of them was on the screen', async ({}, info) => {
  const page = await begin(40, () => 'Archive');
  await page.keyboard.press('F6');
  await expect(request(page)).toBeFocused();
  const allow = request(page).getByRole('button', { name: 'Allow these 40 once' });
  await expect(allow).toHaveAttribute('aria-disabled', 'true');
  await expect(request(page)).toContainText('not on the screen yet');
  const later = line(page, 0).getByRole('button', { name: /^Later/ });
  for (let step = 0; step < 8 && !(await later.evaluate((it) => it === document.activeElement)); step += 1) {
    await page.keyboard.press('Tab');
  }
  await expect(later).toBeFocused();
  for (let step = 0; step < 39; step += 1) await page.keyboard.press('ArrowDown');
  await expect(line(page, 39).getByRole('button', { name: /^Later/ })).toBeFocused();
  await expect(allow).toHaveAttribute('aria-disabled', 'false');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await expect(allow).toBeFocused();
  await picture(page, info, 'batch-forty');
  await page.waitForTimeout(650);
  await page.keyboard.press('Enter');
  await expect(page.getByText('All answered.')).toBeVisible({ timeout: 30_000 });
  expect(left()).toEqual([]);
  expect(fs.readdirSync(path.join(folder, 'Archive'))).toHaveLength(40);
});

test('hazards 2 and 13: the sheet takes nothing in its first half second, no second click, no repeating key and no made-up click; Stop is in reach', async () => {
  const page = await begin(12, () => 'Archive', false);
  const allow = line(page, 0).getByRole('button', { name: /^Allow once/ });
  await page.waitForTimeout(2_100);
  await allow.evaluate((button: HTMLElement) => button.click());
  await page.waitForTimeout(200);
  expect(left()).toHaveLength(40);
  await expect(page.getByRole('button', { name: 'Stop' })).toBeInViewport();

  // Whatever stands there anew is deaf at first; taps lengthen that, but not for ever.
  await request(page).getByRole('button', { name: 'One at a time' }).click();
  await page.getByRole('button', { name: 'All 12 at once' }).click();
  const started = Date.now();
  while (left().length === 40 && Date.now() - started < 6_000)
    await allow.click({ timeout: 500 }).catch(() => undefined);
  expect(Date.now() - started).toBeGreaterThan(1_000);
  await expect.poll(() => left().length).toBe(39);

  const second = line(page, 1).getByRole('button', { name: /^Allow once/ });
  await second.focus();
  await page.keyboard.down('ArrowDown');
  await page.keyboard.up('ArrowDown');
  await page.keyboard.down('Enter');
  for (let at = 0; at < 20; at += 1) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await expect.poll(() => left().length).toBe(38);
  await page.waitForTimeout(300);
  expect(left()).toHaveLength(38);

  await line(page, 4).getByRole('button', { name: /^Deny/ }).dblclick();
  await page.waitForTimeout(300);
  await expect(request(page).getByText('denied', { exact: true })).toHaveCount(1);
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(request(page)).toBeHidden();
  await expect(page.getByText(/You stopped this turn/)).toBeVisible();
  expect(left()).toHaveLength(38);
  expect(desk.server.asked()).toHaveLength(1);
});
