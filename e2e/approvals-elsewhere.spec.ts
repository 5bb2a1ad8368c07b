import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { temporaryFolder } from './parts/app';
import { useDesk } from './parts/desk';
import { fileOrganizer, keyVariable, openworker } from './parts/openworker';
import { request, row, startSession } from './parts/session';

const desk = useDesk();
let folder = '';

test.beforeEach(() => {
  folder = temporaryFolder('elsewhere');
  fs.writeFileSync(path.join(folder, 'notes.txt'), 'Buy milk.\n');
});

test.afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

test('field report 24: a request of the window is seen beside it, answered from the command line once it is closed, and the window shows the outcome', async () => {
  const move = { source: 'notes.txt', destination: 'Archive/notes.txt' };
  desk.server.enqueue(
    { answer: { calls: [{ id: 'c1', name: 'files__move_file', arguments: move }] } },
    { answer: { text: ['Archived from the terminal.'] } },
  );
  const { app, page, profile, close } = await desk.begin();
  await startSession(app, page, { coworker: 'File Organizer', folder, message: 'Archive the notes' });
  await expect(request(page)).toBeVisible();

  const data = ['--data', profile, '--json'];
  const listed = await openworker(['approvals', 'list', ...data]);
  const [waiting] = (JSON.parse(listed.stdout) as { approvals: { approval_id: string; shown: string }[] })
    .approvals;
  if (!waiting) throw new Error('No request waits.');
  const address = ['--base-url', desk.server.baseUrl('anthropic'), '--api-key-env', keyVariable];
  const answer = ['approvals', 'answer', waiting.approval_id, '--bundle', fileOrganizer, '--allow', 'once'];
  const beside = await openworker([...answer, ...address, ...data]);
  expect(beside.code, beside.stdout).toBe(1);
  expect(fs.existsSync(path.join(folder, 'notes.txt'))).toBe(true);

  await close();
  const ended = await openworker([...answer, '--shown', waiting.shown, ...address, ...data]);
  expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  expect(JSON.parse(ended.stdout)).toMatchObject({
    status: 'completed',
    text: 'Archived from the terminal.',
  });
  expect(fs.readFileSync(path.join(folder, 'Archive', 'notes.txt'), 'utf8')).toBe('Buy milk.\n');

  const again = await desk.begin(profile);
  await again.page
    .getByRole('button', { name: /Archive the notes/ })
    .first()
    .click();
  await expect(again.page.getByText('Archived from the terminal.')).toBeVisible();
  await row(again.page, 'c1').getByRole('button').first().click();
  await expect(row(again.page, 'c1')).toContainText('allowed once by you');
});
