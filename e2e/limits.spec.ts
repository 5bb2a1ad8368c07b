import { expect, test, type Page } from '@playwright/test';
import { picture, setTheme } from './parts/app';
import { useDesk } from './parts/desk';
import { composer, openSession, startSession } from './parts/session';

const desk = useDesk();

const usage = { input: 600, output: 500 };
const pause = (page: Page) => page.getByRole('region', { name: 'Limit that was reached' });

/** The pause's buttons take no answer in their first half second. */
async function answerPause(page: Page, name: 'Go on' | 'Stop'): Promise<void> {
  await expect(pause(page)).toBeVisible();
  await page.waitForTimeout(650);
  await pause(page).getByRole('button', { name, exact: true }).click();
}

async function limitTokens(page: Page, tokens: string): Promise<void> {
  await page.getByRole('button', { name: /^(Set limits|Change the limits)$/ }).click();
  const field = page.getByLabel('Tokens', { exact: true });
  await field.fill(tokens);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(field).toBeHidden();
  await expect(page.getByRole('button', { name: 'Change the limits' })).toBeFocused();
}

test('a token limit that is set in the panel pauses the turn, waits through a restart and in the Inbox, and goes on or stops by a click', async ({}, info) => {
  desk.server.enqueue({ answer: { text: ['Answer one.'], usage } });
  const first = await desk.begin();
  const { page } = first;
  await startSession(first.app, page, { coworker: 'File Organizer', message: 'Question one' });
  await expect(page.getByText('Answer one.')).toBeVisible();
  await page.getByRole('button', { name: 'Set limits' }).click();
  await expect(page.getByLabel('Tokens', { exact: true })).toBeFocused();
  await page.getByLabel('Tokens', { exact: true }).fill('a lot');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Write a number, or leave it empty.')).toBeVisible();
  await picture(page, info, 'limits-form');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'Set limits' })).toBeFocused();
  await limitTokens(page, '1000');
  await composer(page).fill('Question two');
  await composer(page).press('Enter');
  await expect(pause(page)).toContainText('1,000 tokens');
  await expect(pause(page)).toContainText('1,100 tokens, limit 1,000');
  expect(desk.server.asked()).toHaveLength(1);
  await setTheme(first.app, 'light');
  await picture(page, info, 'pause-light');
  await setTheme(first.app, 'dark');
  await picture(page, info, 'pause-dark');
  await first.close();

  const second = await desk.begin(first.profile);
  await setTheme(second.app, 'light');
  expect(desk.server.asked()).toHaveLength(1);
  await second.page.getByRole('button', { name: /^Inbox/ }).click();
  const line = second.page.getByRole('button', { name: /This session has reached its limit/ });
  await expect(line).toBeVisible();
  await picture(second.page, info, 'inbox-pause');
  await line.click();
  await expect(pause(second.page)).toBeFocused();
  desk.server.enqueue({ answer: { text: ['Answer two.'], usage } });
  await answerPause(second.page, 'Go on');
  await expect(second.page.getByText('Answer two.')).toBeVisible();
  await expect(second.page.getByText(/you let it go on/)).toBeVisible();
  await expect(pause(second.page)).toBeHidden();

  await composer(second.page).fill('Question three');
  await composer(second.page).press('Enter');
  await answerPause(second.page, 'Stop');
  await expect(second.page.getByText(/you stopped it/)).toBeVisible();
  await expect(second.page.getByText(/You stopped this turn/)).toBeVisible();
  expect(desk.server.asked()).toHaveLength(2);
  await picture(second.page, info, 'pause-answered');
});

test('Stop ends a turn that stands at a limit, and a higher limit lets the next message through', async () => {
  desk.server.enqueue({ answer: { text: ['Answer one.'], usage } });
  const app = await desk.begin();
  const { page } = app;
  await startSession(app.app, page, { coworker: 'File Organizer', message: 'Question one' });
  await expect(page.getByText('Answer one.')).toBeVisible();
  await limitTokens(page, '500');
  await composer(page).fill('Question two');
  await composer(page).press('Enter');
  await expect(pause(page)).toBeVisible();
  await page.locator('[data-region="composer"]').getByRole('button', { name: 'Stop' }).click();
  await expect(pause(page)).toBeHidden();
  await expect(page.getByText(/until the turn ended/)).toBeVisible();
  await limitTokens(page, '100000');
  desk.server.enqueue({ answer: { text: ['Answer three.'], usage } });
  await composer(page).fill('Question three');
  await composer(page).press('Enter');
  await expect(page.getByText('Answer three.')).toBeVisible();
  await openSession(page, /Question one/);
});

test('a limit in dollars says that it cannot be reached where no price is known, and of two limits that are reached the second is named', async ({}, info) => {
  desk.server.enqueue({ answer: { text: ['Answer one.'], usage } });
  const { app, page } = await desk.begin();
  await startSession(app, page, { coworker: 'File Organizer', message: 'Question one' });
  await expect(page.getByText('Answer one.')).toBeVisible();
  const use = page.getByRole('region', { name: 'Use and limits' });
  await page.getByRole('button', { name: 'Set limits' }).click();
  await expect(use).toContainText('The price of Label of test-model is not known here');
  await page.getByLabel('US dollars', { exact: true }).fill('0.01');
  await page.getByLabel('Tokens', { exact: true }).fill('1000');
  await page.getByLabel('Turns', { exact: true }).fill('1');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(use).toContainText('Limit $0.01');
  await expect(use).toContainText('As it is, this limit pauses nothing.');
  await expect(use.getByRole('progressbar', { name: /\$/ })).toHaveCount(0);
  await composer(page).fill('Question two');
  await composer(page).press('Enter');
  await expect(pause(page)).toContainText(
    'Another limit is reached as well, and is asked about next: 2 turns, limit 1.',
  );
  await picture(page, info, 'limits-without-price');
  await answerPause(page, 'Stop');
  await expect(page.getByText(/You stopped this turn/)).toBeVisible();
});
