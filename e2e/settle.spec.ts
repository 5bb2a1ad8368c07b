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
  await request(page).getByText('This session', { exact: true }).click();
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
