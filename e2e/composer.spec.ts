import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { startModelServer, type ModelServer } from '../src-main/harness/testing/model-server';
import { launch, pickFolder, picture, resize, temporaryFolder, type RunningApp } from './parts/app';
import { command, composer, prepare, startSession } from './parts/session';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let server: ModelServer;
let running: RunningApp;
let folder = '';

test.beforeEach(async () => {
  server = await startModelServer({ models: ['claude-sonnet-4-5'] });
  folder = temporaryFolder('work');
  fs.mkdirSync(path.join(folder, 'plans'));
  fs.writeFileSync(path.join(folder, 'plans', 'summer.md'), '# Summer');
  fs.writeFileSync(path.join(folder, 'notes.txt'), 'Buy milk.');
  running = await launch();
  await command(running.page, 'provider.configure', {
    provider_id: 'anthropic',
    base_url: server.baseUrl('anthropic'),
    key: 'test-key',
  });
  await prepare(running.page, { provider: 'anthropic', name: 'claude-sonnet-4-5' });
});

test.afterEach(async () => {
  await running.close();
  expect(await server.close()).toEqual([]);
  fs.rmSync(folder, { recursive: true, force: true });
});

test('files are attached by picking, pasting and dropping, shown before sending, and reach the model', async ({}, info) => {
  const { app, page } = running;
  const picked = path.join(folder, 'notes.txt');
  await app.evaluate(({ dialog }, file) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [file] });
  }, picked);
  await page.getByRole('radio', { name: /File Organizer/ }).check();
  await page.getByRole('button', { name: 'Attach files' }).click();
  const attached = page.getByRole('list', { name: 'Files to send' });
  await expect(attached).toContainText('notes.txt');
  await composer(page).evaluate(
    (box, bytes) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(bytes)], 'picture.png', { type: 'image/png' }));
      box.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      );
    },
    [...png],
  );
  await expect(attached).toContainText('picture');
  await composer(page).evaluate((box) => {
    const data = new DataTransfer();
    data.items.add(new File(['dropped words'], 'dropped.md', { type: 'text/markdown' }));
    box.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  await expect(attached).toContainText('dropped.md');
  await expect(attached.getByRole('listitem')).toHaveCount(3);
  await picture(page, info, 'attachments');
  server.enqueue({ answer: { text: ['I see three files.'] } });
  await composer(page).fill('What is this?');
  await composer(page).press('Enter');
  await expect(page.getByText('I see three files.')).toBeVisible();
  const body = JSON.stringify(server.asked()[0]?.body);
  expect(body).toContain('Buy milk.');
  expect(body).toContain('dropped words');
  expect(body).toContain(png.toString('base64'));
  await picture(page, info, 'attachments-sent');
});

test('a file that no model could read, or that is too large, is refused in words and the draft is kept', async () => {
  const { page } = running;
  await composer(page).fill('My draft');
  await composer(page).evaluate((box) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array([0x4d, 0x5a, 0x90, 0])], 'program.exe'));
    data.items.add(new File([new Uint8Array(6 * 1024 * 1024)], 'large.bin'));
    box.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  await expect(page.getByText(/program\.exe/).first()).toBeVisible();
  await expect(page.getByText(/large\.bin/).first()).toBeVisible();
  await expect(page.getByRole('list', { name: 'Files to send' })).toBeHidden();
  await expect(composer(page)).toHaveValue('My draft');
});

test('of one pick the good files are attached and each refused one is named, above and not over the controls', async ({}, info) => {
  const { app, page } = running;
  const good = path.join(folder, 'notes.txt');
  const bad = ['one.bin', 'two.bin'].map((name) => path.join(folder, name));
  for (const file of bad) fs.writeFileSync(file, Buffer.from([0x4d, 0x5a, 0x90, 0, 0xff]));
  await app.evaluate(
    ({ dialog }, files) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: files });
    },
    [...bad, good],
  );
  await resize(app, 900, 600);
  for (let time = 0; time < 5; time += 1) await page.getByRole('button', { name: 'Attach files' }).click();
  const attached = page.getByRole('list', { name: 'Files to send' });
  await expect(attached.getByRole('listitem')).toHaveCount(5);
  await expect(page.getByText(/one\.bin/)).toHaveCount(1);
  await expect(page.getByText(/two\.bin/)).toHaveCount(1);
  await page.getByRole('button', { name: 'Send' }).click({ trial: true });
  await picture(page, info, 'attachments-refused');
  await page.getByRole('button', { name: /^Servers/ }).click();
  await expect(page.getByText(/one\.bin/)).toBeHidden();
});

test('a picture that the model does not see is said to be unseen before and after it is sent', async ({}, info) => {
  const { page } = running;
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Model/ })
    .click();
  await page.getByRole('option', { name: /Practice model/ }).click();
  await page.getByRole('radio', { name: /File Organizer/ }).check();
  await expect(page.getByText(/without one its file tools cannot run/)).toBeVisible();
  await composer(page).evaluate(
    (box, bytes) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(bytes)], 'picture.png', { type: 'image/png' }));
      box.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      );
    },
    [...png],
  );
  const attached = page.getByRole('list', { name: 'Files to send' });
  await expect(attached).toContainText('the model does not see it');
  await expect(attached.locator('img')).toBeVisible();
  await picture(page, info, 'picture-unseen');
  await composer(page).fill('Look');
  await composer(page).press('Enter');
  await expect(page.getByRole('list', { name: 'Attached' })).toContainText('not shown to the model');
  await picture(page, info, 'picture-not-shown');
});

test('@ names files of the chosen folder before there is a session', async () => {
  const { app, page } = running;
  await page.getByRole('radio', { name: /File Organizer/ }).check();
  await pickFolder(app, folder);
  await page.getByRole('button', { name: 'Choose…' }).click();
  await expect(page.getByText(/without one its file tools cannot run/)).toBeHidden();
  await composer(page).pressSequentially('Read @summ');
  await expect(page.getByRole('listbox', { name: 'Files of the folder' })).toContainText('plans/summer.md');
  await page.keyboard.press('Enter');
  server.enqueue({ answer: { text: ['It is about summer.'] } });
  await page.keyboard.press('Enter');
  await expect(page.getByText('It is about summer.')).toBeVisible();
  expect(server.asked().at(-1)?.user_texts.at(-1)).toContain('plans/summer.md');
});

test('@ names files of the folder by keyboard, and the model is told of them', async ({}, info) => {
  const { app, page } = running;
  server.enqueue({ answer: { text: ['Ready.'] } }, { answer: { text: ['It is about summer.'] } });
  await startSession(app, page, { coworker: 'File Organizer', folder, message: 'Hello' });
  await expect(page.getByText('Ready.')).toBeVisible();
  await composer(page).pressSequentially('Read @summ');
  const options = page.getByRole('listbox', { name: 'Files of the folder' });
  await expect(options).toContainText('plans/summer.md');
  await picture(page, info, 'mention');
  await page.keyboard.press('Enter');
  await expect(composer(page)).toHaveValue(/plans\/summer\.md/);
  await page.keyboard.press('Enter');
  await expect(page.getByText('It is about summer.')).toBeVisible();
  expect(server.asked().at(-1)?.user_texts.at(-1)).toContain('plans/summer.md');
});

test('the draft of a session survives leaving it', async () => {
  const { app, page } = running;
  server.enqueue({ answer: { text: ['Ready.'] } });
  await startSession(app, page, { coworker: 'File Organizer', folder, message: 'Hello' });
  await expect(page.getByText('Ready.')).toBeVisible();
  await composer(page).fill('Half a thought');
  await page.getByRole('button', { name: /New session/ }).click();
  await page
    .getByRole('button', { name: /^Hello/ })
    .first()
    .click();
  await expect(composer(page)).toHaveValue('Half a thought');
});
