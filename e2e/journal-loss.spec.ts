import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { picture, setTheme, temporaryFolder } from './parts/app';
import { useDesk } from './parts/desk';
import { composer, connectAnthropic, openSession, startSession } from './parts/session';
import { fileOrganizer, openworker } from './parts/openworker';

const desk = useDesk();

test('a journal that lost its last entries is said in the window, and goes on only after a confirmed word of the person', async ({}, info) => {
  const first = await desk.launch();
  const { profile } = first;
  await connectAnthropic(first.page, desk.server.baseUrl('anthropic'));
  desk.server.enqueue({ answer: { text: ['Answer one.'] } }, { answer: { text: ['Answer two.'] } });
  await startSession(first.app, first.page, { coworker: 'File Organizer', message: 'Question one' });
  await expect(first.page.getByText('Answer one.')).toBeVisible();
  await first.close();
  const kept = temporaryFolder('kept');
  const files = ['journal.db', 'journal.db-wal', 'journal.db-shm'];
  for (const name of files) {
    if (fs.existsSync(path.join(profile, name)))
      fs.copyFileSync(path.join(profile, name), path.join(kept, name));
  }
  const second = await desk.launch({ profile });
  await connectAnthropic(second.page, desk.server.baseUrl('anthropic'), { again: true });
  await openSession(second.page, /Question one/);
  await composer(second.page).fill('Question two');
  await composer(second.page).press('Enter');
  await expect(second.page.getByText('Answer two.')).toBeVisible();
  await second.close();
  // An older copy of the database comes back beside the newer mark.
  for (const name of files) {
    fs.rmSync(path.join(profile, name), { force: true });
    if (fs.existsSync(path.join(kept, name)))
      fs.copyFileSync(path.join(kept, name), path.join(profile, name));
  }
  fs.rmSync(kept, { recursive: true });

  const cli = await openworker([
    ...['run', '--bundle', fileOrganizer, '--model', 'practice', '--data', profile],
    'Hello',
  ]);
  expect(cli.code).toBe(1);
  expect(cli.stderr).toContain('journal.mark');

  const third = await desk.launch({ profile });
  const { app, page } = third;
  const notice = page.getByRole('alert', { name: 'The record of your sessions' });
  await expect(notice).toContainText('Nothing is recorded or run until this is settled');
  await expect(notice).toContainText('journal.mark');
  await openSession(page, /Question one/);
  await expect(page.getByText('Answer one.')).toBeVisible();
  await expect(notice).toContainText('session “Question one”');
  await expect(page.getByText('Nothing can be recorded now, so nothing can be sent or run.')).toBeVisible();
  for (const name of ['Edit this message', 'Regenerate']) {
    await expect(page.getByRole('button', { name })).toHaveCount(0);
  }
  await setTheme(app, 'light');
  await picture(page, info, 'journal-loss-light');
  await setTheme(app, 'dark');
  await picture(page, info, 'journal-loss-dark');
  await setTheme(app, 'light');
  await connectAnthropic(page, desk.server.baseUrl('anthropic'), { again: true }).catch(() => undefined);
  await composer(page).fill('Question three');
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeDisabled();
  await composer(page).press('Enter');
  await expect(composer(page)).toHaveValue('Question three');
  expect(desk.server.asked()).toHaveLength(2);

  await notice.getByRole('button', { name: 'Go on without these entries…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Go on without the missing entries?' });
  await picture(page, info, 'journal-loss-confirm');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(notice).toBeVisible();
  await notice.getByRole('button', { name: 'Go on without these entries…' }).click();
  await dialog.getByRole('button', { name: 'Go on without these entries', exact: true }).click();
  await expect(notice).toBeHidden();
  await expect(page.getByRole('button', { name: 'Regenerate' })).toBeVisible();
  await connectAnthropic(page, desk.server.baseUrl('anthropic'), { again: true });
  desk.server.enqueue({ answer: { text: ['Answer three.'] } });
  await composer(page).press('Enter');
  await expect(page.getByText('Answer three.')).toBeVisible();
  await third.close();
  const last = await desk.launch({ profile });
  await expect(last.page.getByRole('alert', { name: 'The record of your sessions' })).toHaveCount(0);
});
