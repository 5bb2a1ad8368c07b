import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { launch, picture, resize, temporaryFolder } from './parts/app';
import { answer, composer, request, startSession } from './parts/session';

test('without any key a person sees a working coworker: the practice model, from the first screen to a real move', async ({}, info) => {
  const folder = temporaryFolder('work');
  fs.writeFileSync(path.join(folder, 'notes.txt'), 'Buy milk.');
  const running = await launch();
  const { app, page } = running;
  await expect(page.getByText('Not an AI: you decide what happens').first()).toBeVisible();
  await picture(page, info, 'onboarding');
  await page.getByRole('button', { name: 'Start with the practice model' }).click();
  await startSession(app, page, { coworker: 'File Organizer', folder, message: 'Tidy up' });
  await expect(page.getByRole('heading', { name: 'You play the model' })).toBeVisible();
  await expect(composer(page)).toBeFocused();
  await picture(page, info, 'practice-panel');
  for (const [width, height] of [
    [900, 600],
    [1280, 820],
  ] as const) {
    await resize(app, width, height);
    const panel = page.getByRole('region', { name: 'You play the model' });
    await expect
      .poll(async () => (await panel.boundingBox())?.height ?? 0)
      .toBeLessThanOrEqual(height * 0.45);
    await expect(panel.getByRole('group', { name: 'What the model does' })).toBeInViewport({ ratio: 1 });
    await expect(panel.getByRole('button', { name: 'Call tool' })).toBeInViewport({ ratio: 1 });
    await picture(page, info, `practice-panel-${width}`);
  }
  await page.getByRole('button', { name: 'Call tool' }).click();
  await expect(page.locator('.activity-row.completed')).toHaveCount(1);
  await page.getByRole('button', { name: /^Tool/ }).click();
  await page.getByRole('option', { name: /files\.move_file/ }).click();
  await page.getByRole('textbox', { name: /source/i }).fill('notes.txt');
  await page.getByRole('textbox', { name: /destination/i }).fill('Archive/notes.txt');
  await picture(page, info, 'practice-form');
  await page.getByRole('button', { name: 'Call tool' }).click();
  await expect(request(page)).toContainText('Move notes.txt to Archive/notes.txt');
  await expect(composer(page)).toBeFocused();
  const announced = page.locator('[aria-live="polite"]').filter({ hasText: 'Press F6 to answer' });
  await expect(announced).toHaveCount(1);
  await answer(page, 'Add a note');
  await expect(page.getByRole('textbox', { name: /^Note for the model/ })).toBeFocused();
  await answer(page, 'Allow once');
  await expect(composer(page)).toBeFocused();
  await expect(announced).toHaveCount(0);
  await expect(page.locator('.activity-row.completed')).toHaveCount(2);
  expect(fs.existsSync(path.join(folder, 'Archive/notes.txt'))).toBe(true);
  await page
    .getByRole('tab', { name: 'Answer' })
    .or(page.getByRole('radio', { name: 'Answer' }))
    .or(page.getByText('Answer', { exact: true }))
    .first()
    .click();
  await page.getByRole('textbox', { name: 'The model’s answer' }).fill('Tidy now.');
  await page.getByRole('button', { name: 'Answer and end the turn' }).click();
  await expect(page.getByText('Tidy now.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'You play the model' })).toBeHidden();
  await expect(composer(page)).toBeEnabled();
  await picture(page, info, 'practice-done');
  await page.getByRole('button', { name: /^Settings/ }).click();
  await expect(
    page
      .getByRole('main')
      .getByRole('button', { name: /^Model:/ })
      .first(),
  ).toContainText('Practice model');
  await running.close();
  const again = await launch({ profile: running.profile });
  await expect(again.page.getByRole('heading', { level: 1, name: 'Tidy up' })).toBeVisible();
  await expect(again.page.getByText('Tidy now.')).toBeVisible();
  await picture(again.page, info, 'reopened');
  await again.close();
  fs.rmSync(folder, { recursive: true, force: true });
});
