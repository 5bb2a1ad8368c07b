import { expect, test, type Page } from '@playwright/test';
import { picture, setTheme } from './parts/app';
import { useDesk } from './parts/desk';
import { composer, startSession } from './parts/session';

const desk = useDesk();

const sessionRow = (page: Page, title: string) =>
  page.getByRole('navigation').getByRole('button', { name: title }).first();
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Delete this session?' });

test('the keyboard keeps its place: after a dialog, a menu, a new name and a row that goes', async () => {
  desk.server.enqueue({ answer: { text: ['One.'] } }, { answer: { text: ['Two.'] } });
  const { app, page } = await desk.begin();
  await startSession(app, page, { coworker: 'File Organizer', message: 'Alpha' });
  await expect(page.getByText('One.')).toBeVisible();
  await page.getByRole('button', { name: 'New session' }).click();
  await startSession(app, page, { coworker: 'File Organizer', message: 'Beta' });
  await expect(page.getByText('Two.')).toBeVisible();

  const [alpha, beta] = [sessionRow(page, 'Alpha'), sessionRow(page, 'Beta')];
  await beta.focus();
  await page.keyboard.press('Delete');
  await expect(dialog(page).getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  await expect(beta).toBeFocused();
  await page.keyboard.press('F2');
  await page.keyboard.press('Escape');
  await expect(beta).toBeFocused();
  const more = page.getByRole('button', { name: 'Actions for “Beta”' });
  await more.press('Enter');
  await page.keyboard.press('Escape');
  await expect(more).toBeFocused();
  await more.press('Enter');
  await page.getByRole('menuitem', { name: /Delete/ }).press('Enter');
  await expect(dialog(page)).not.toContainText('Deleting stops');
  await page.keyboard.press('Escape');
  await expect(beta).toBeFocused();
  await page.keyboard.press('Delete');
  await dialog(page).getByRole('button', { name: 'Delete for good' }).press('Enter');
  await expect(beta).toHaveCount(0);
  await expect(alpha).toBeFocused();
});

test('asking again and going on leave the focus in the conversation', async () => {
  desk.server.enqueue({ answer: { text: ['First answer.'] } }, { answer: { text: ['Second answer.'] } });
  const { app, page } = await desk.begin();
  await startSession(app, page, { coworker: 'File Organizer', message: 'Tell me' });
  await page.getByRole('button', { name: 'Regenerate' }).press('Enter');
  await expect(page.getByText('Second answer.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Conversation' })).toBeFocused();
});

test('deleting a session that works says that the work is stopped by it', async ({}, info) => {
  desk.server.enqueue({ answer: { text: ['Thinking ', 'about it'] }, hang_after_events: 4 });
  const { app, page } = await desk.begin();
  await startSession(app, page, { coworker: 'File Organizer', message: 'Think' });
  await expect(page.getByText('Thinking')).toBeVisible();
  await sessionRow(page, 'Think').focus();
  await page.keyboard.press('Delete');
  await expect(dialog(page)).toContainText('is working in it right now. Deleting stops that');
  await setTheme(app, 'light');
  await picture(page, info, 'delete-working');
  await dialog(page).getByRole('button', { name: 'Stop and delete for good' }).press('Enter');
  await expect(sessionRow(page, 'Think')).toHaveCount(0);
  await expect(composer(page)).toBeVisible();
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false);
});
