import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { startModelServer, type ModelServer } from '../src-main/harness/testing/model-server';
import { everythingServer, launch, temporaryFolder, type LaunchOptions, type RunningApp } from './parts/app';
import { answer, command, composer, prepare, request, row, startSession } from './parts/session';

let server: ModelServer;
let running: RunningApp | null = null;
let folder = '';

async function begin(options: LaunchOptions = {}): Promise<RunningApp> {
  running = await launch(options);
  await command(running.page, 'provider.configure', {
    provider_id: 'anthropic',
    base_url: server.baseUrl('anthropic'),
    key: 'test-key',
  });
  if (options.profile === undefined)
    await prepare(running.page, { provider: 'anthropic', name: 'test-model' });
  return running;
}

test.beforeEach(async () => {
  server = await startModelServer();
  folder = temporaryFolder('work');
});

test.afterEach(async () => {
  await running?.close();
  running = null;
  expect(await server.close()).toEqual([]);
  fs.rmSync(folder, { recursive: true, force: true });
});

test('field report 104: a result of 190 KB is folded, and the window answers at once', async () => {
  fs.writeFileSync(path.join(folder, 'big.txt'), 'a line of text that repeats itself\n'.repeat(5_500));
  server.enqueue(
    { answer: { calls: [{ id: 'c1', name: 'files__read', arguments: { path: 'big.txt' } }] } },
    { answer: { text: ['That is long.'] } },
  );
  const { app, page } = await begin();
  await startSession(app, page, { coworker: 'File Organizer', folder, message: 'Read it' });
  await expect(page.getByText('That is long.')).toBeVisible();
  await row(page, 'c1').getByRole('button').first().click();
  await expect(row(page, 'c1')).toContainText('a line of text that repeats itself');
  expect((await row(page, 'c1').innerText()).length).toBeLessThan(60_000);
  const began = Date.now();
  await composer(page).fill('Still fast');
  await expect(composer(page)).toHaveValue('Still fast');
  expect(Date.now() - began).toBeLessThan(1_000);
});

test('field report 102: a row leads to its request, and the request to its row', async () => {
  fs.writeFileSync(path.join(folder, 'a.txt'), 'a');
  server.enqueue(
    {
      answer: {
        calls: [{ id: 'c1', name: 'files__move_file', arguments: { source: 'a.txt', destination: 'b.txt' } }],
      },
    },
    { answer: { text: ['Fine.'] } },
  );
  const { app, page } = await begin();
  await startSession(app, page, { coworker: 'File Organizer', folder, message: 'Rename' });
  await row(page, 'c1').getByRole('button', { name: 'Answer' }).click();
  await expect(request(page)).toBeFocused();
  await request(page).getByRole('button', { name: 'Show it in the conversation' }).click();
  await expect(row(page, 'c1').getByRole('button').first()).toBeFocused();
  await answer(page, 'Deny');
  await expect(page.getByText('Fine.')).toBeVisible();
});

test('a window that is loaded anew in the middle of a stream shows what has streamed, and goes on', async () => {
  server.enqueue({ answer: { text: ['One. ', 'Two. ', 'Three. ', 'Four. ', 'Five.'] }, delay_ms: 700 });
  const { app, page } = await begin();
  await startSession(app, page, { coworker: 'File Organizer', message: 'Count' });
  await expect(page.getByText(/One\./)).toBeVisible();
  await page.reload();
  await page
    .getByRole('button', { name: /^Count/ })
    .first()
    .click();
  await expect(page.getByText(/One\. Two\./)).toBeVisible();
  await expect(page.getByText('One. Two. Three. Four. Five.')).toBeVisible();
  expect(server.asked()).toHaveLength(1);
});

test('hazard 89: quitting while a tool runs is quick, ends the server, and says afterwards what is known', async () => {
  const servers = {
    version: 1,
    servers: {
      everything: { transport: 'stdio', program: process.execPath, args: [everythingServer, 'stdio'] },
    },
  };
  server.enqueue({
    answer: {
      calls: [
        {
          id: 'c1',
          name: 'everything__trigger-long-running-operation',
          arguments: { duration: 60, steps: 60 },
        },
      ],
    },
  });
  const first = await begin({ servers });
  await startSession(first.app, first.page, { coworker: 'Everything Guide', message: 'Take long' });
  await answer(first.page, 'Allow once');
  await expect(row(first.page, 'c1')).toContainText('running');
  const began = Date.now();
  await first.close();
  expect(Date.now() - began).toBeLessThan(6_000);
  const second = await begin({ profile: first.profile });
  await second.page
    .getByRole('button', { name: /Take long/ })
    .first()
    .click();
  await expect(row(second.page, 'c1')).toContainText('may have run');
  await expect(second.page.getByText(/The app closed during this turn/)).toBeVisible();
  await expect(second.page.locator('.activity-row.running')).toHaveCount(0);
});

test('an app that is killed while a tool runs says that the outcome is unknown, and runs nothing again', async () => {
  const servers = {
    version: 1,
    servers: {
      everything: { transport: 'stdio', program: process.execPath, args: [everythingServer, 'stdio'] },
    },
  };
  server.enqueue({
    answer: {
      calls: [
        {
          id: 'c1',
          name: 'everything__trigger-long-running-operation',
          arguments: { duration: 20, steps: 20 },
        },
      ],
    },
  });
  const first = await begin({ servers });
  await startSession(first.app, first.page, { coworker: 'Everything Guide', message: 'Take long' });
  await answer(first.page, 'Allow once');
  await expect(row(first.page, 'c1')).toContainText('running');
  const gone = new Promise((resolve) => first.app.process().once('exit', resolve));
  first.app.process().kill('SIGKILL');
  await gone;
  const second = await begin({ profile: first.profile });
  await second.page
    .getByRole('button', { name: /Take long/ })
    .first()
    .click();
  await expect(row(second.page, 'c1')).toContainText('outcome unknown');
  await second.page.waitForTimeout(1_000);
  expect(server.asked()).toHaveLength(1);
});

test('code is copied by its button, and a link asks before it opens', async () => {
  server.enqueue({
    answer: { text: ['```ts\nconst answer = 42;\n```\n\nSee [the guide](https://example.com/guide).'] },
  });
  const { app, page } = await begin();
  await startSession(app, page, { coworker: 'File Organizer', message: 'Show code' });
  await page.getByRole('button', { name: /Copy the code/ }).click();
  await expect
    .poll(() => app.evaluate(({ clipboard }) => clipboard.readText()))
    .toContain('const answer = 42;');
  await app.evaluate(({ dialog, shell }) => {
    const seen: unknown[] = [];
    Object.assign(globalThis, { seen });
    dialog.showMessageBox = ((_window: unknown, options: { message: string }) => {
      seen.push(options.message);
      return Promise.resolve({ response: 0, checkboxChecked: false });
    }) as typeof dialog.showMessageBox;
    shell.openExternal = (url) => {
      seen.push(url);
      return Promise.resolve();
    };
  });
  await page
    .getByRole('link', { name: 'the guide' })
    .or(page.getByRole('button', { name: /the guide/ }))
    .first()
    .click();
  await expect
    .poll(() => app.evaluate(() => (globalThis as unknown as { seen: unknown[] }).seen))
    .toEqual(['Open example.com in your browser?', 'https://example.com/guide']);
});
