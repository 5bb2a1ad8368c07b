import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { picture, setTheme, temporaryFolder, type RunningApp } from './parts/app';
import { useDesk } from './parts/desk';
import {
  answer,
  composer,
  conversationText,
  openSession,
  request,
  row,
  startSession,
  turn,
} from './parts/session';

const desk = useDesk();

async function say(app: RunningApp, text: string): Promise<void> {
  await composer(app.page).fill(text);
  await composer(app.page).press('Enter');
}

/** The messages of the last request, as the model got them. */
function lastHeard(): string {
  return JSON.stringify(desk.server.asked().at(-1)?.body?.['messages'] ?? null);
}

test('a message is edited and an answer regenerated: each is a branch of its own, the others stay, also after a restart', async ({}, info) => {
  desk.server.enqueue(
    { answer: { text: ['Paris is large.'] } },
    { answer: { text: ['It has nine bridges.'] } },
    { answer: { text: ['Rome is old.'] } },
    { answer: { text: ['Rome is older still.'] } },
  );
  const first = await desk.begin();
  const { page } = first;
  await startSession(first.app, page, { coworker: 'File Organizer', message: 'Tell me of Paris' });
  await expect(page.getByText('Paris is large.')).toBeVisible();
  await say(first, 'And its bridges?');
  await expect(page.getByText('It has nine bridges.')).toBeVisible();

  await turn(page, 0).hover();
  await turn(page, 0).getByRole('button', { name: 'Edit this message' }).click();
  const edit = page.getByRole('textbox', { name: 'Your message, in other words' });
  await expect(edit).toBeFocused();
  await edit.fill('Tell me of Rome');
  await picture(page, info, 'branch-editing');
  await edit.press('Control+Enter');
  await expect(page.getByText('Rome is old.')).toBeVisible();
  await expect(page.getByText('It has nine bridges.')).toBeHidden();
  expect(lastHeard()).not.toContain('Paris');

  await page.getByRole('button', { name: 'Regenerate' }).click();
  await expect(page.getByText('Rome is older still.')).toBeVisible();
  expect(lastHeard()).toContain('Tell me of Rome');
  expect(lastHeard()).not.toContain('Rome is old.');
  const versions = page.getByRole('group', { name: 'Versions of this part' });
  await expect(versions).toContainText('3 of 3');
  await setTheme(first.app, 'light');
  await picture(page, info, 'branches-light');
  await setTheme(first.app, 'dark');
  await picture(page, info, 'branches-dark');

  await versions.getByRole('button', { name: 'Previous version' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Rome is old.')).toBeVisible();
  await expect(versions).toContainText('2 of 3');
  await page.keyboard.press('Enter');
  await expect(versions).toContainText('1 of 3');
  await expect(versions.getByRole('button', { name: 'Previous version' })).toBeFocused();
  await expect(page.getByText('It has nine bridges.')).toBeVisible();
  const read = await conversationText(page);
  await first.close();

  desk.server.enqueue({ answer: { text: ['The newest is of stone.'] } });
  const second = await desk.begin(first.profile);
  await openSession(second.page, /Tell me of Paris/);
  await expect(second.page.getByText('It has nine bridges.')).toBeVisible();
  expect(await conversationText(second.page)).toBe(read);
  await say(second, 'Which is the newest?');
  await expect(second.page.getByText('The newest is of stone.')).toBeVisible();
  expect(lastHeard()).toContain('nine bridges');
  expect(lastHeard()).not.toContain('Rome');
  await second.page.getByRole('button', { name: 'Next version' }).first().click();
  await expect(second.page.getByText('Rome is old.')).toBeVisible();
  await expect(second.page.getByText('The newest is of stone.')).toBeHidden();
});

test('a turn that failed at its provider goes on from where it stands, without the message once more', async ({}, info) => {
  desk.server.enqueue({
    status: 400,
    body: { type: 'error', error: { type: 'invalid_request_error', message: 'The credit is used up.' } },
  });
  const { app, page } = await desk.begin();
  await startSession(app, page, { coworker: 'File Organizer', message: 'Count to three' });
  await expect(page.getByText(/credit is used up/)).toBeVisible();
  const goOn = page.getByRole('button', { name: 'Go on from here' });
  await expect(goOn).toBeVisible();
  await picture(page, info, 'turn-failed-at-provider');
  desk.server.enqueue({ answer: { text: ['One, two, three.'] } });
  await goOn.click();
  await expect(page.getByText('One, two, three.')).toBeVisible();
  await expect(page.getByText('You went on from here.')).toBeVisible();
  await expect(goOn).toBeHidden();
  expect(desk.server.asked().at(-1)?.user_texts).toEqual(['Count to three']);
  await picture(page, info, 'turn-gone-on');
});

test('an answer that streams is told from its branches: nothing changes course while a turn runs', async () => {
  desk.server.enqueue(
    { answer: { text: ['Done.'] } },
    { answer: { text: ['One ', 'two'] }, hang_after_events: 4 },
  );
  const app = await desk.begin();
  const { page } = app;
  await startSession(app.app, page, { coworker: 'File Organizer', message: 'First' });
  await expect(page.getByText('Done.')).toBeVisible();
  await say(app, 'Second');
  await expect(turn(page, 1).getByText('One', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Edit this message' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Regenerate' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText(/You stopped this turn/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Edit this message' })).toHaveCount(2);
});

test('while a request waits, another version is read and left again, and the session stays where it is', async ({}, info) => {
  const folder = temporaryFolder('versions');
  fs.writeFileSync(path.join(folder, 'a.txt'), 'a');
  const move = { id: 'c1', name: 'files__move_file', arguments: { source: 'a.txt', destination: 'b.txt' } };
  desk.server.enqueue(
    { answer: { text: ['Which one?'] } },
    { answer: { calls: [move] } },
    { answer: { text: ['Moved.'] } },
  );
  const { app, page } = await desk.begin();
  await startSession(app, page, { coworker: 'File Organizer', folder, message: 'Rename it' });
  await expect(page.getByText('Which one?')).toBeVisible();
  await turn(page, 0).hover();
  await turn(page, 0).getByRole('button', { name: 'Edit this message' }).click();
  await page.keyboard.type(' to b.txt');
  await page.keyboard.press('Control+Enter');
  await expect(request(page)).toBeVisible();
  const versions = page.getByRole('group', { name: 'Versions of this part' });
  await versions.getByRole('button', { name: 'Previous version' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Which one?')).toBeVisible();
  await expect(row(page, 'c1')).toBeHidden();
  await expect(request(page)).toBeVisible();
  await expect(page.getByText('You are reading another version.')).toBeVisible();
  await setTheme(app, 'light');
  await picture(page, info, 'look-light');
  await setTheme(app, 'dark');
  await picture(page, info, 'look-dark');
  await page.getByRole('button', { name: 'Back to the current version' }).press('Enter');
  await expect(row(page, 'c1')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Conversation' })).toBeFocused();
  await versions.getByRole('button', { name: 'Previous version' }).click();
  await expect(row(page, 'c1')).toBeHidden();
  await request(page).getByRole('button', { name: 'Show it in the conversation' }).click();
  await expect(row(page, 'c1')).toBeVisible();
  await answer(page, 'Allow once');
  await expect(page.getByText('Moved.')).toBeVisible();
  fs.rmSync(folder, { recursive: true, force: true });
});
