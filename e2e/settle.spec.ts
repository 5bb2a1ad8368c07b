import fs from 'node:fs';
import { expect, test } from '@playwright/test';
import { picture, setTheme, temporaryFolder } from './parts/app';
import { useDesk } from './parts/desk';
import { killableServer } from './parts/killable-server';
import {
  answer,
  composer,
  connectAnthropic,
  openSession,
  request,
  row,
  startSession,
  turn,
} from './parts/session';

const desk = useDesk();
let folder = '';

test.beforeEach(() => {
  folder = temporaryFolder('settle');
});

test.afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

const long = (id: string) => ({
  id,
  name: 'everything__trigger-long-running-operation',
  arguments: { duration: 3, steps: 6 },
});

test('calls that a dead server left open are settled by the person: it happened, it did not, run it again with a fresh approval', async ({}, info) => {
  const everything = killableServer(folder);
  const running = await desk.launch({ servers: everything.servers });
  const { app, page } = running;
  await connectAnthropic(page, desk.server.baseUrl('anthropic'));
  desk.server.enqueue({ answer: { text: ['Three of them.'], calls: [long('c1'), long('c2'), long('c3')] } });
  await startSession(app, page, { coworker: 'Everything Guide', message: 'Run it three times' });
  await answer(page, 'One at a time');
  await request(page).getByText('This session', { exact: true }).click();
  await request(page)
    .getByText(/^Any arguments/)
    .click();
  await request(page).getByText('I know that anything can then be sent without asking me').click();
  await answer(page, 'Allow this session');
  for (const id of ['c1', 'c2', 'c3']) await expect(row(page, id).getByRole('progressbar')).toBeVisible();
  await everything.kill();
  for (const id of ['c1', 'c2', 'c3']) await expect(row(page, id)).toContainText('outcome unknown');
  await setTheme(app, 'light');
  await picture(page, info, 'settle-light');
  await setTheme(app, 'dark');
  await picture(page, info, 'settle-dark');
  await setTheme(app, 'light');

  await row(page, 'c1').getByRole('button', { name: 'Add a note' }).click();
  await row(page, 'c1').getByRole('textbox').fill('The light is on.');
  await row(page, 'c1').getByRole('button', { name: 'It happened' }).click();
  await expect(row(page, 'c1')).toContainText('it happened');
  await expect(row(page, 'c1')).toContainText('The light is on.');
  await row(page, 'c2').getByRole('button', { name: 'It did not' }).click();
  await expect(row(page, 'c2')).toContainText('it did not happen');

  await row(page, 'c3').getByRole('button', { name: 'Run it again' }).click();
  await expect(row(page, 'c3')).toContainText('it takes effect twice');
  await row(page, 'c3').getByRole('button', { name: 'Run it again', exact: true }).click();
  await expect(request(page)).toContainText('everything.trigger-long-running-operation');
  await picture(page, info, 'settle-run-again');
  await answer(page, 'Allow once');
  await expect(turn(page, 1)).toContainText('You had this run again.');
  await expect(turn(page, 1).locator('.activity-row')).toContainText('completed');
  await expect(turn(page, 0)).toContainText('You have said what became of its calls.');
  await expect(turn(page, 0)).not.toContainText('then settle the call');
  expect(desk.server.asked()).toHaveLength(1);
  expect(everything.starts()).toBe(2);

  desk.server.enqueue({ answer: { text: ['I see.'] } });
  await composer(page).fill('What do you know?');
  await composer(page).press('Enter');
  await expect(page.getByText('I see.')).toBeVisible();
  const heard = JSON.stringify(desk.server.asked().at(-1)?.body?.['messages']);
  expect(heard).toContain('The light is on.');
  await picture(page, info, 'settled');

  await running.close();
  const again = await desk.launch({ profile: running.profile });
  await openSession(again.page, /Run it three times/);
  await expect(row(again.page, 'c1')).toContainText('The light is on.');
  await expect(row(again.page, 'c2')).toContainText('it did not happen');
  await expect(row(again.page, 'c3')).toContainText('You had it run again');
});

test('a call that the person stopped can be settled too, by keyboard, and asks more quietly', async ({}, info) => {
  const everything = killableServer(folder);
  const { app, page } = await desk.launch({ servers: everything.servers });
  await connectAnthropic(page, desk.server.baseUrl('anthropic'));
  desk.server.enqueue({ answer: { text: ['Twice.'], calls: [long('c1')] } });
  await startSession(app, page, { coworker: 'Everything Guide', message: 'Run it' });
  await answer(page, 'Allow once');
  await expect(row(page, 'c1').getByRole('progressbar')).toBeVisible();
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(row(page, 'c1')).toContainText('may have run');
  await expect(row(page, 'c1')).toContainText('If you know what became of it, say so.');
  await setTheme(app, 'light');
  await picture(page, info, 'settle-stopped');

  const again = row(page, 'c1').getByRole('button', { name: 'Run it again…' });
  await again.focus();
  await page.keyboard.press('Enter');
  await expect(row(page, 'c1').getByRole('group', { name: 'What became of it' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(row(page, 'c1').getByRole('button', { name: 'Run it again', exact: true })).toBeFocused();
  await row(page, 'c1').getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(again).toBeFocused();
  await row(page, 'c1').getByRole('button', { name: 'It did not' }).press('Enter');
  await expect(row(page, 'c1')).toContainText('it did not happen');
  await expect(row(page, 'c1').locator('.row-toggle')).toBeFocused();
});

test('an unknown call stands in the Inbox, which leads to it also where another version is read', async ({}, info) => {
  const everything = killableServer(folder);
  const { app, page } = await desk.launch({ servers: everything.servers });
  await connectAnthropic(page, desk.server.baseUrl('anthropic'));
  desk.server.enqueue({ answer: { calls: [long('c1')] } }, { answer: { text: ['As you like.'] } });
  await startSession(app, page, { coworker: 'Everything Guide', message: 'Run it' });
  await answer(page, 'Allow once');
  await expect(row(page, 'c1').getByRole('progressbar')).toBeVisible();
  await everything.kill();
  await expect(row(page, 'c1')).toContainText('outcome unknown');
  await turn(page, 0).hover();
  await turn(page, 0).getByRole('button', { name: 'Edit this message' }).click();
  await page.keyboard.type(' no more');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('As you like.')).toBeVisible();
  await expect(row(page, 'c1')).toBeHidden();
  await expect(page.getByText('In another version, nobody knows whether a call took effect.')).toBeVisible();
  await setTheme(app, 'light');
  await picture(page, info, 'unknown-elsewhere');

  await page.getByRole('button', { name: /^Inbox/ }).click();
  const line = page.getByRole('main').getByRole('button', { name: /trigger-long-running-operation/ });
  await expect(line).toContainText('Nobody knows whether it took effect');
  await picture(page, info, 'inbox-unknown');
  await line.click();
  await expect(row(page, 'c1').locator('.row-toggle')).toBeFocused();
  await expect(page.getByText('You are reading another version.')).toBeVisible();
  await row(page, 'c1').getByRole('button', { name: 'It happened' }).click();
  await expect(row(page, 'c1')).toContainText('it happened');
  await page.getByRole('button', { name: 'Back to the current version' }).click();
  await expect(page.getByText('As you like.')).toBeVisible();
  await expect(page.getByText('In another version, nobody knows')).toHaveCount(0);
  await page.getByRole('button', { name: /^Inbox/ }).click();
  await expect(page.getByText('Nothing waits for you')).toBeVisible();
});
