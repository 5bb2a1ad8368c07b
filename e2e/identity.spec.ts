import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { picture, setTheme, temporaryFolder } from './parts/app';
import { useDesk } from './parts/desk';
import { fileOrganizer } from './parts/openworker';
import { composer, connectAnthropic, openSession, startSession } from './parts/session';

const desk = useDesk();
let folder = '';

test.beforeEach(() => {
  folder = temporaryFolder('identity');
});

test.afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

test('a coworker that changed since the session: it stays readable, says what changed, and goes on as a new session with its history', async ({}, info) => {
  const bundle = path.join(folder, 'librarian');
  fs.cpSync(fileOrganizer, bundle, { recursive: true });
  const manifest = path.join(bundle, 'coworker', 'manifest.md');
  const words = fs.readFileSync(manifest, 'utf8').replace('id: file-organizer', 'id: librarian');
  fs.writeFileSync(manifest, words.replace(/name: File Organizer/, 'name: Librarian'));
  desk.server.enqueue({ answer: { text: ['Forty-two books.'] } });
  const first = await desk.launch({ bundles: [bundle] });
  await connectAnthropic(first.page, desk.server.baseUrl('anthropic'));
  await startSession(first.app, first.page, { coworker: 'Librarian', message: 'How many books?' });
  await expect(first.page.getByText('Forty-two books.')).toBeVisible();
  await first.close();

  fs.appendFileSync(manifest, '\nAlways answer in one line.\n');
  const second = await desk.launch({ bundles: [bundle], profile: first.profile });
  const { page } = second;
  await connectAnthropic(page, desk.server.baseUrl('anthropic'), { again: true });
  await openSession(page, /How many books/);
  const banner = page.getByRole('status', { name: 'This session is read only' });
  await expect(banner).toContainText('The coworker’s files are not the same.');
  await expect(banner).not.toContainText('The app’s program is another one');
  await expect(page.getByText('Forty-two books.')).toBeVisible();
  await expect(composer(page)).toBeDisabled();
  await setTheme(second.app, 'light');
  await picture(page, info, 'identity-changed-light');
  await setTheme(second.app, 'dark');
  await picture(page, info, 'identity-changed-dark');
  await setTheme(second.app, 'light');

  await banner.getByRole('button', { name: 'Continue as a new session' }).click();
  await expect(page.getByText(/This session goes on from/)).toBeVisible();
  await expect(page.getByText('Forty-two books.')).toBeVisible();
  await expect(banner).toBeHidden();
  const use = page.getByRole('region', { name: 'Use and limits' });
  await expect(use).toContainText(/carried over from the session before: .* 1 turn\. Limits count it too\./);
  desk.server.enqueue({ answer: { text: ['One was lent.'] } });
  await composer(page).fill('Was one lent?');
  await composer(page).press('Enter');
  await expect(page.getByText('One was lent.')).toBeVisible();
  const asked = desk.server.asked().at(-1);
  expect(asked?.user_texts).toEqual(['How many books?', 'Was one lent?']);
  expect(JSON.stringify(asked?.body)).toContain('Forty-two books.');
  expect(asked?.system).toContain('Always answer in one line.');
  await expect(use).toContainText('1 turn. Limits count it too.');
  await picture(page, info, 'identity-continued');
});
