import fs from 'node:fs';
import path from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { picture, setTheme, temporaryFolder } from './parts/app';
import { useDesk } from './parts/desk';
import { answer, composer, openSession, request, startSession } from './parts/session';

const desk = useDesk();
let folder = '';

test.beforeEach(() => {
  folder = temporaryFolder('queue');
  fs.writeFileSync(path.join(folder, 'a.txt'), 'a');
});

test.afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

const move = {
  calls: [{ id: 'c1', name: 'files__move_file', arguments: { source: 'a.txt', destination: 'b.txt' } }],
};
const queued = (page: Page) => page.getByRole('region', { name: 'Queued messages' });

test('while a call waits, one message waits for its turn and another goes into it; both arrive where they belong', async ({}, info) => {
  desk.server.enqueue(
    { answer: move },
    { answer: { text: ['Moved, and noted.'] } },
    { answer: { text: ['Next done.'] } },
  );
  const { app, page } = await desk.begin();
  await startSession(app, page, { coworker: 'File Organizer', folder, message: 'Rename it' });
  await expect(request(page)).toBeVisible();
  await composer(page).fill('Then list the folder');
  await composer(page).press('Enter');
  await expect(queued(page)).toContainText('Then list the folder');
  await expect(queued(page)).toContainText('after this turn');
  await composer(page).fill('Keep the date in its name');
  await composer(page).press('Control+Enter');
  await expect(queued(page)).toContainText('into this turn');
  await setTheme(app, 'light');
  await picture(page, info, 'queue-light');
  await setTheme(app, 'dark');
  await picture(page, info, 'queue-dark');
  await setTheme(app, 'light');
  await answer(page, 'Allow once');
  await expect(page.getByText('Next done.')).toBeVisible();
  await expect(queued(page)).toBeHidden();
  const heard = desk.server.asked().map((asked) => asked.user_texts);
  expect(heard[1]?.join('\n')).toContain('Keep the date in its name');
  expect(heard[1]?.join('\n')).not.toContain('Then list the folder');
  expect(heard[2]?.at(-1)).toBe('Then list the folder');
  await expect(page.getByText('You, while it was working')).toBeVisible();
  await picture(page, info, 'steered');
});

test('while a stream hangs, a queued message is taken back into the composer, and goes nowhere', async () => {
  desk.server.enqueue({ answer: { text: ['Thinking ', 'about it'] }, hang_after_events: 4 });
  const { app, page } = await desk.begin();
  await startSession(app, page, { coworker: 'File Organizer', message: 'Think' });
  await expect(page.getByText('Thinking')).toBeVisible();
  await composer(page).fill('And hurry');
  await composer(page).press('Enter');
  await expect(queued(page)).toContainText('And hurry');
  await expect(composer(page)).toHaveValue('');
  await composer(page).fill('written since');
  await queued(page).getByRole('button', { name: 'Take back' }).click();
  await expect(queued(page)).toBeHidden();
  await expect(composer(page)).toHaveValue('And hurry\n\nwritten since');
  await expect(composer(page)).toBeFocused();
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText(/You stopped this turn/)).toBeVisible();
  expect(desk.server.asked()).toHaveLength(1);
});

test('queued messages are held after Stop and after a restart, until the person sends them', async ({}, info) => {
  desk.server.enqueue({ answer: { text: ['Thinking ', 'about it'] }, hang_after_events: 4 });
  const first = await desk.begin();
  await startSession(first.app, first.page, { coworker: 'File Organizer', message: 'Think' });
  await expect(first.page.getByText('Thinking')).toBeVisible();
  await composer(first.page).fill('First of two');
  await composer(first.page).press('Enter');
  await composer(first.page).fill('Second of two');
  await composer(first.page).press('Control+Enter');
  await expect(queued(first.page)).toContainText('Second of two');
  await first.page.getByRole('button', { name: 'Stop' }).click();
  await expect(queued(first.page)).toContainText('2 messages are held back.');
  await first.page.waitForTimeout(900);
  expect(desk.server.asked()).toHaveLength(1);
  await picture(first.page, info, 'queue-held');
  await first.close();

  const second = await desk.begin(first.profile);
  await openSession(second.page, /Think/);
  await expect(queued(second.page)).toContainText('2 messages are held back.');
  expect(desk.server.asked()).toHaveLength(1);
  desk.server.enqueue({ answer: { text: ['Both answered.'] } });
  await queued(second.page).getByRole('button', { name: 'Send now' }).click();
  await expect(second.page.getByText('Both answered.')).toBeVisible();
  await expect(queued(second.page)).toBeHidden();
  expect(desk.server.asked().at(-1)?.user_texts.join('\n')).toMatch(/First of two\s*Second of two/);
  expect(desk.server.asked()).toHaveLength(2);
});

test('what Stop held back stays held while a new turn runs, and says so; what is queued meanwhile goes', async ({}, info) => {
  desk.server.enqueue(
    { answer: { text: ['Thinking ', 'about it'] }, hang_after_events: 4 },
    { answer: move },
    { answer: { text: ['Moved.'] } },
    { answer: { text: ['Newer done.'] } },
    { answer: { text: ['Older done.'] } },
  );
  const { app, page } = await desk.begin();
  await startSession(app, page, { coworker: 'File Organizer', folder, message: 'Think' });
  await expect(page.getByText('Thinking')).toBeVisible();
  await composer(page).fill('The older one');
  await composer(page).press('Enter');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(queued(page)).toContainText('One message is held back.');
  await composer(page).fill('Rename it');
  await composer(page).press('Enter');
  await expect(request(page)).toBeVisible();
  await composer(page).fill('The newer one');
  await composer(page).press('Enter');
  const item = (text: string) => queued(page).getByRole('listitem').filter({ hasText: text });
  await expect(item('The newer one')).toContainText('after this turn');
  await expect(item('The older one')).toContainText('held back');
  await expect(queued(page)).toContainText('You can send it once this turn has ended.');
  await setTheme(app, 'light');
  await picture(page, info, 'queue-held-while-running');
  await answer(page, 'Allow once');
  await expect(page.getByText('Newer done.')).toBeVisible();
  await expect(item('The older one')).toBeVisible();
  await queued(page).getByRole('button', { name: 'Send now' }).press('Enter');
  await expect(page.getByText('Older done.')).toBeVisible();
  await expect(queued(page)).toBeHidden();
  await expect(composer(page)).toBeFocused();
});
