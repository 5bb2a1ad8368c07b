import fs from 'node:fs';
import path from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { expectAccessible } from './parts/accessible';
import { everythingServer, launch, picture, resize, setTheme, type RunningApp } from './parts/app';
import { bigServer } from './parts/big-server';
import { command, createSession, must, settleIn, submit } from './parts/bridge';
import { place, writeBundle, type Place } from './parts/openworker';
import { practiceCall } from './parts/permissions';

let at: Place;
let running: RunningApp | null = null;

test.beforeEach(() => {
  at = place();
});

test.afterEach(async () => {
  await running?.close();
  running = null;
  at.close();
});

const everything = { transport: 'stdio', program: process.execPath, args: [everythingServer, 'stdio'] };

async function begin(servers: Record<string, unknown>, tools: readonly string[]): Promise<RunningApp> {
  const bundle = writeBundle(at, tools);
  running = await launch({ servers: { version: 1, servers }, bundles: [bundle] });
  await settleIn(running.page);
  return running;
}

async function openServer(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Servers/ }).click();
  await page
    .getByRole('main')
    .getByRole('button', { name: new RegExp(name) })
    .click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
}

const tick = (page: Page, tool: string) =>
  page.getByRole('checkbox', { name: `Select ${tool}`, exact: true });
const bar = (page: Page) => page.getByRole('region', { name: 'What the selected tools count as' });

async function setClass(page: Page, words: string, count: number): Promise<void> {
  await bar(page).getByRole('radio', { name: words }).check();
  await bar(page)
    .getByRole('button', { name: count === 1 ? 'Set for 1 tool' : `Set for ${count} tools` })
    .click();
  await expect(bar(page)).toBeHidden();
}

test('field report 37: only the person’s word lets a tool of a server run unasked; the server’s own hint can only make it be asked about', async ({}, info) => {
  const { page } = await begin({ everything }, ['everything.echo', 'everything.toggle-simulated-logging']);
  const session_id = await createSession(page, { coworker_id: 'tester' });
  const turn_id = await submit(page, session_id, 'Try both');
  const here = { session_id, turn_id };
  // The server says of this one that it reads only. Nobody vouched for it: asked.
  const unvetted = await practiceCall(page, here, 'everything__echo', { message: 'one' });
  expect(unvetted).toEqual({ type: 'asked', reason: 'not_read_only' });
  must(await command(page, 'session.stop', { session_id }));

  await openServer(page, 'everything');
  await expect(tick(page, 'everything.echo')).toBeVisible();
  const echo = page.locator('.server-tool', { has: tick(page, 'everything.echo') });
  await expect(echo).toContainText('asked about by default');
  await expect(echo).toContainText('The server says: reads only');
  await tick(page, 'everything.echo').check();
  await bar(page).getByRole('radio', { name: 'reads only' }).check();
  await expect(bar(page)).toContainText('Runs without asking, in every mode.');
  await expect(bar(page)).not.toContainText('does more than read');
  await setClass(page, 'reads only', 1);
  await expect(page.getByText('1 tool now counts as: reads only.')).toBeVisible();
  await expect(echo).toContainText(/you, \w+/);

  const toggle = 'everything.toggle-simulated-logging';
  await tick(page, toggle).check();
  await bar(page).getByRole('radio', { name: 'reads only' }).check();
  await expect(bar(page)).toContainText('toggle-simulated-logging does more than read');
  await picture(page, info, 'server-tools-warning');
  await setClass(page, 'reads only', 1);
  await expect(page.locator('.server-tool', { has: tick(page, toggle) })).toContainText(
    'asked about all the same',
  );

  const second = await submit(page, session_id, 'Try both again');
  const again = { session_id, turn_id: second };
  const vetted = await practiceCall(page, again, 'everything__echo', { message: 'two' });
  expect(vetted).toEqual({ type: 'ran', rule: 'classification_read', by: 'person' });
  const narrowed = await practiceCall(page, again, 'everything__toggle-simulated-logging', {});
  expect(narrowed).toEqual({ type: 'asked', reason: 'server_hint' });
  must(await command(page, 'session.stop', { session_id }));

  await tick(page, 'everything.echo').check();
  await setClass(page, 'unvetted (default)', 1);
  await expect(echo).toContainText('asked about by default');
  const third = await submit(page, session_id, 'Once more');
  const taken = await practiceCall(page, { session_id, turn_id: third }, 'everything__echo', {
    message: 'three',
  });
  expect(taken).toEqual({ type: 'asked', reason: 'not_read_only' });
});

test('field report 33: 300 tools are filtered, selected and vetted in a few clicks', async ({}, info) => {
  test.setTimeout(120_000);
  const { app, page } = await begin({ records: bigServer(at.folder, 300) }, ['records.list_record_0']);
  await openServer(page, 'records');
  await expect(page.getByText('The server is not running. Showing its tools starts it.')).toBeVisible();
  await picture(page, info, 'server-tools-unasked');
  await page.getByRole('button', { name: 'Show its tools' }).click();
  await expect(page.getByText('301 of 301 shown')).toBeVisible();
  await expect(page.getByText('2 hidden characters in its description')).toBeVisible();
  await picture(page, info, 'server-tools-light');

  const start = Date.now();
  await page.getByRole('checkbox', { name: 'Select all shown' }).check();
  await expect(page.getByText('300 tools selected')).toBeVisible();
  expect(Date.now() - start).toBeLessThan(2_000);
  await bar(page).getByRole('radio', { name: 'reads only' }).check();
  await expect(bar(page)).toContainText('150 of these do more than read');
  await expect(bar(page)).toContainText('and 144 more');
  await picture(page, info, 'server-tools-all');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Clear selection' }).click();

  await page.getByRole('button', { name: /^What the server says/ }).click();
  await page.getByRole('option', { name: 'Says: reads only' }).click();
  await expect(page.getByText('75 of 301 shown')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Name or description' }).fill('list_');
  await expect(page.getByText('38 of 301 shown')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select all shown' }).check();
  await setClass(page, 'reads only', 38);
  await expect(page.getByText('38 tools now count as: reads only.')).toBeVisible();

  await page.getByRole('searchbox', { name: 'Name or description' }).fill('');
  await page.getByRole('button', { name: /^Counts as/ }).click();
  await page.getByRole('option', { name: 'Unvetted' }).click();
  await expect(page.getByText('37 of 301 shown')).toBeVisible();
  // A range: from one tick to another with Shift, by mouse and by keyboard.
  const ticks = page.locator('.tool-check');
  await ticks.nth(0).click();
  await ticks.nth(4).click({ modifiers: ['Shift'] });
  await expect(page.getByText('5 tools selected')).toBeVisible();
  await ticks.nth(4).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(ticks.nth(6)).toBeFocused();
  await page.keyboard.press('Shift+Space');
  await expect(page.getByText('7 tools selected')).toBeVisible();
  await setClass(page, 'runs programs', 7);
  await expect(page.getByText('30 of 301 shown')).toBeVisible();
  await expect(page.locator('main :focus')).toHaveCount(1);

  await page.getByRole('button', { name: /^Counts as/ }).click();
  await page.getByRole('option', { name: 'runs programs' }).click();
  await page.getByRole('button', { name: /^What the server says/ }).click();
  await page.getByRole('option', { name: 'Whatever the server says' }).click();
  await expect(page.getByText('7 of 301 shown')).toBeVisible();
  await ticks.nth(1).check();
  await setTheme(app, 'dark');
  await page.waitForTimeout(250);
  await picture(page, info, 'server-tools-dark');
  await expectAccessible(page);
  await page.getByRole('button', { name: /^Counts as/ }).click();
  await page.getByRole('option', { name: 'Not usable' }).click();
  await expect(page.getByText('1 of 301 shown')).toBeVisible();
  await expect(page.getByText('1 of them is not shown now')).toBeVisible();
  must(await command(page, 'setting.set', { key: 'language', value: 'de' }));
  await expect(page.getByRole('heading', { name: 'Werkzeuge', exact: true })).toBeVisible();
  await resize(app, 900, 600);
  await page.locator('.page-scroll').evaluate((scroll) => scroll.scrollTo(0, 10_000));
  await picture(page, info, 'server-tools-german');
  await expectAccessible(page);
});

test('a server that cannot say its tools is explained with a way to try again, and a slow one can be left', async ({}, info) => {
  const slow = path.join(at.folder, 'slow.mjs');
  fs.writeFileSync(slow, 'process.stdin.resume(); setTimeout(() => process.exit(0), 60_000);');
  const { page } = await begin(
    {
      absent: { transport: 'stdio', program: 'no-such-program-here', args: [] },
      slow: { transport: 'stdio', program: process.execPath, args: [slow] },
    },
    ['files.list'],
  );
  await openServer(page, 'absent');
  await page.getByRole('button', { name: 'Show its tools' }).click();
  const tools = page.getByRole('region', { name: 'Tools', exact: true });
  await expect(tools.getByRole('alert')).toContainText('no-such-program-here');
  await picture(page, info, 'server-tools-failed');
  await expectAccessible(page);
  await tools.getByRole('button', { name: 'Try again' }).click();
  await expect(tools.getByRole('alert')).toContainText('no-such-program-here');

  await page.getByRole('button', { name: 'All servers' }).click();
  await openServer(page, 'slow');
  await page.getByRole('button', { name: 'Show its tools' }).click();
  await expect(page.getByText('Asking the server for its tools…')).toBeVisible();
  await expect(page.getByText(/\d s so far/)).toBeVisible();
  await picture(page, info, 'server-tools-slow');
  await page.getByRole('button', { name: 'Stop waiting' }).click();
  await expect(page.getByRole('button', { name: 'Show its tools' })).toBeVisible();
});
