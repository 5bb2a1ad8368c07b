import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import {
  startModelServer,
  type ModelServer,
  type ScriptedCall,
} from '../src-main/harness/testing/model-server';
import { launch, picture, temporaryFolder, type RunningApp } from './parts/app';
import {
  answer,
  command,
  composer,
  conversationText,
  prepare,
  request,
  row,
  startSession,
} from './parts/session';

const wires = [
  { provider: 'anthropic', kind: 'anthropic' },
  { provider: 'openai', kind: 'openai' },
  { provider: 'google', kind: 'google' },
] as const;

let server: ModelServer;
let running: RunningApp | null = null;
let folder = '';

function call(id: string, name: string, args: Record<string, unknown>): ScriptedCall {
  return { id, name, arguments: args };
}

async function begin(
  provider: (typeof wires)[number]['provider'],
  kind: (typeof wires)[number]['kind'],
  profile?: string,
): Promise<RunningApp> {
  running = await launch(profile === undefined ? {} : { profile });
  const { page } = running;
  if (profile === undefined) {
    await command(page, 'provider.configure', {
      provider_id: provider,
      base_url: server.baseUrl(kind),
      key: 'test-key',
    });
    await prepare(page, { provider, name: 'test-model' });
  }
  return running;
}

test.beforeEach(async () => {
  server = await startModelServer();
  folder = temporaryFolder('work');
  fs.writeFileSync(path.join(folder, 'notes.txt'), 'Buy milk.');
  fs.writeFileSync(path.join(folder, 'photo.jpg'), 'not a photo');
});

test.afterEach(async () => {
  await running?.close();
  running = null;
  expect(await server.close()).toEqual([]);
  fs.rmSync(folder, { recursive: true, force: true });
});

for (const { provider, kind } of wires) {
  test(`a person lets File Organizer move a file with a click, over the ${provider} wire`, async ({}, info) => {
    server.enqueue(
      { answer: { text: ['I will look ', 'first.'], calls: [call('c1', 'files__list', {})] } },
      {
        answer: {
          text: ['Now the move.'],
          calls: [call('c2', 'files__move_file', { source: 'notes.txt', destination: 'Archive/notes.txt' })],
        },
      },
      { answer: { text: ['Moved it to **Archive**.'] }, delay_ms: 20 },
    );
    const { app, page } = await begin(provider, kind);
    await startSession(app, page, { coworker: 'File Organizer', folder, message: 'Archive my notes' });
    await expect(request(page)).toContainText('File Organizer asks to change files');
    await expect(request(page)).toContainText('files.move_file');
    await expect(request(page)).toContainText('notes.txt');
    expect(fs.existsSync(path.join(folder, 'notes.txt'))).toBe(true);
    await picture(page, info, `${provider}-approval`);
    await answer(page, 'Allow once');
    await expect(page.getByText('Moved it to Archive.')).toBeVisible();
    await expect(page.locator('.activity-row')).toHaveCount(2);
    await expect(page.locator('.activity-row').nth(1)).toContainText('completed');
    expect(fs.readFileSync(path.join(folder, 'Archive/notes.txt'), 'utf8')).toBe('Buy milk.');
    const told = server.asked().at(-1);
    expect(told?.results.map((result) => result.is_error)).toEqual([false, false]);
    expect(told?.tool_names).toEqual(['files__list', 'files__read', 'files__move_file']);
    await picture(page, info, `${provider}-done`);
  });
}

test('the session is found exactly as it was after the app was closed and opened again', async ({}, info) => {
  server.enqueue(
    {
      answer: {
        text: ['Looking.'],
        calls: [call('c1', 'files__list', {}), call('c2', 'files__read', { path: 'notes.txt' })],
      },
    },
    {
      answer: {
        calls: [call('c3', 'files__move_file', { source: 'photo.jpg', destination: 'Pictures/photo.jpg' })],
      },
    },
    { answer: { text: ['All done.'] } },
    { answer: { text: ['You are welcome.'] } },
  );
  const first = await begin('anthropic', 'anthropic');
  await startSession(first.app, first.page, {
    coworker: 'File Organizer',
    folder,
    message: 'Sort this folder',
  });
  await answer(first.page, 'Allow once');
  await expect(first.page.getByText('All done.')).toBeVisible();
  await expect(first.page.getByRole('button', { name: 'Stop' })).toBeHidden();
  const before = await conversationText(first.page);
  await first.close();
  const second = await begin('anthropic', 'anthropic', first.profile);
  await second.page
    .getByRole('button', { name: /Sort this folder/ })
    .first()
    .click();
  await expect(second.page.getByText('All done.')).toBeVisible();
  expect(await conversationText(second.page)).toBe(before);
  await picture(second.page, info, 'reopened');
  await command(second.page, 'provider.configure', {
    provider_id: 'anthropic',
    base_url: server.baseUrl('anthropic'),
    key: 'test-key',
  });
  await composer(second.page).fill('Thank you');
  await composer(second.page).press('Enter');
  await expect(second.page.getByText('You are welcome.')).toBeVisible();
  expect(server.asked().at(-1)?.user_texts).toEqual(['Sort this folder', 'Thank you']);
});

test('field report 24: a request that waits survives a restart, and its answer runs exactly that call', async () => {
  server.enqueue(
    { answer: { calls: [call('c1', 'files__move_file', { source: 'notes.txt', destination: 'a.txt' })] } },
    { answer: { text: ['Renamed.'] } },
  );
  const first = await begin('anthropic', 'anthropic');
  await startSession(first.app, first.page, { coworker: 'File Organizer', folder, message: 'Rename it' });
  await expect(request(first.page)).toBeVisible();
  await first.close();
  const second = await begin('anthropic', 'anthropic', first.profile);
  await command(second.page, 'provider.configure', {
    provider_id: 'anthropic',
    base_url: server.baseUrl('anthropic'),
    key: 'test-key',
  });
  await second.page
    .getByRole('button', { name: /Rename it/ })
    .first()
    .click();
  await expect(row(second.page, 'c1')).toContainText('waiting for you');
  expect(fs.existsSync(path.join(folder, 'notes.txt'))).toBe(true);
  await answer(second.page, 'Allow once');
  await expect(second.page.getByText('Renamed.')).toBeVisible();
  expect(fs.readdirSync(folder).sort()).toEqual(['a.txt', 'photo.jpg']);
});

test('deny with a note reaches the model, and nothing was run', async () => {
  server.enqueue(
    { answer: { calls: [call('c1', 'files__move_file', { source: 'notes.txt', destination: 'a.txt' })] } },
    { answer: { text: ['Understood.'] } },
  );
  const { app, page } = await begin('anthropic', 'anthropic');
  await startSession(app, page, { coworker: 'File Organizer', folder, message: 'Rename it' });
  await expect(request(page)).toBeVisible();
  await request(page).getByRole('button', { name: 'Add a note' }).click();
  await request(page)
    .getByRole('textbox', { name: /Note for the model/ })
    .fill('Keep its name.');
  await answer(page, 'Deny');
  await expect(page.getByText('Understood.')).toBeVisible();
  await expect(row(page, 'c1')).toContainText('denied');
  expect(server.asked().at(-1)?.results[0]?.text).toContain('Keep its name.');
  expect(fs.existsSync(path.join(folder, 'notes.txt'))).toBe(true);
});

test('field reports 17, 18: parallel calls wait in a queue, and a wider answer frees those that it covers', async ({}, info) => {
  const moves = ['a', 'b', 'c'].map((name, index) =>
    call(`c${index + 1}`, 'files__move_file', { source: `${name}.txt`, destination: `Archive/${name}.txt` }),
  );
  for (const name of ['a', 'b', 'c']) fs.writeFileSync(path.join(folder, `${name}.txt`), name);
  server.enqueue(
    { answer: { text: ['Three at once.'], calls: [...moves, call('c4', 'files__list', {})] } },
    { answer: { text: ['Archived.'] } },
  );
  const { app, page } = await begin('anthropic', 'anthropic');
  await startSession(app, page, { coworker: 'File Organizer', folder, message: 'Archive three' });
  await expect(request(page)).toContainText('File Organizer asks for 3 things');
  await expect(row(page, 'c4')).toContainText('completed');
  await picture(page, info, 'parallel-sheet');
  await answer(page, 'One at a time');
  await expect(request(page)).toContainText('1 of 3');
  await picture(page, info, 'parallel-queue');
  await request(page).getByText('This session', { exact: true }).click();
  await answer(page, 'Allow this session');
  await expect(page.getByText('Archived.')).toBeVisible();
  expect(fs.readdirSync(path.join(folder, 'Archive')).sort()).toEqual(['a.txt', 'b.txt', 'c.txt']);
  await expect(page.locator('.activity-row.completed')).toHaveCount(4);
});

test('Stop ends the stream at once and keeps what was said', async () => {
  server.enqueue({ answer: { text: ['One. ', 'Two. ', 'Three.'] }, hang_after_events: 4 });
  const { app, page } = await begin('anthropic', 'anthropic');
  await startSession(app, page, { coworker: 'File Organizer', folder, message: 'Count' });
  await expect(page.getByText(/One\./)).toBeVisible();
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText(/You stopped this turn/)).toBeVisible();
  await expect(page.getByText(/One\./)).toBeVisible();
  await expect.poll(() => server.asked()[0]?.isAborted()).toBe(true);
});

test('a provider that refuses the key is explained in words, and the conversation is kept', async ({}, info) => {
  server.enqueue({
    status: 401,
    body: { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } },
  });
  const { app, page } = await begin('anthropic', 'anthropic');
  await startSession(app, page, { coworker: 'File Organizer', folder, message: 'Hello' });
  await expect(page.getByText('The provider refused the key').first()).toBeVisible();
  await expect(page.getByText('Everything above is kept.', { exact: false }).first()).toBeVisible();
  await picture(page, info, 'provider-refused');
});

test('field reports 11, 12, 14: everything is reachable by keyboard, nothing takes the focus: F6 goes to the request and back, Enter allows only on its button', async () => {
  server.enqueue(
    { answer: { calls: [call('c1', 'files__move_file', { source: 'notes.txt', destination: 'a.txt' })] } },
    { answer: { text: ['Renamed.'] } },
  );
  const { app, page } = await begin('anthropic', 'anthropic');
  await startSession(app, page, { coworker: 'File Organizer', folder, message: 'Rename it' });
  await expect(request(page)).toBeVisible();
  await expect(composer(page)).toBeFocused();
  await page.waitForTimeout(650);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Space');
  expect(fs.existsSync(path.join(folder, 'notes.txt'))).toBe(true);
  await page.keyboard.press('F6');
  await expect(request(page)).toBeFocused();
  await page.keyboard.press('Enter');
  expect(fs.existsSync(path.join(folder, 'notes.txt'))).toBe(true);
  await page.keyboard.press('F6');
  await expect(composer(page)).toBeFocused();
  await page.keyboard.press('F6');
  const allow = request(page).getByRole('button', { name: 'Allow once' });
  for (
    let step = 0;
    step < 20 && !(await allow.evaluate((button) => button === document.activeElement));
    step += 1
  ) {
    await page.keyboard.press('Tab');
  }
  await expect(allow).toBeFocused();
  await page.waitForTimeout(650);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Renamed.')).toBeVisible();
  expect(fs.readdirSync(folder).sort()).toEqual(['a.txt', 'photo.jpg']);
});
