import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import {
  startModelServer,
  type ModelServer,
  type RecordedRequest,
} from '../src-main/harness/testing/model-server';
import { everythingServer, launch, picture, setTheme, type RunningApp } from './parts/app';
import { answer, composer, connectAnthropic, openSession, row, startSession } from './parts/session';

let server: ModelServer;
let running: RunningApp | null = null;

test.afterEach(async () => {
  await running?.close();
  running = null;
  expect(await server.close()).toEqual([]);
});

const servers = {
  version: 1,
  servers: {
    everything: { transport: 'stdio', program: process.execPath, args: [everythingServer, 'stdio'] },
  },
};

async function begin(model: string): Promise<RunningApp> {
  server = await startModelServer({ models: [model] });
  running = await launch({ servers });
  await connectAnthropic(running.page, server.baseUrl('anthropic'), { model });
  server.enqueue(
    { answer: { calls: [{ id: 'c1', name: 'everything__get-tiny-image', arguments: {} }] } },
    { answer: { text: ['A small picture.'] } },
  );
  await startSession(running.app, running.page, {
    coworker: 'Everything Guide',
    message: 'Fetch the picture',
  });
  await answer(running.page, 'Allow once');
  await expect(running.page.getByText('A small picture.')).toBeVisible();
  return running;
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly source?: { readonly type: string; readonly media_type: string; readonly data: string };
}

/** The blocks of each message, oldest first. */
function blocksOf(asked: RecordedRequest | undefined): readonly (readonly Block[])[] {
  const messages = (asked?.body?.['messages'] ?? []) as readonly { content: string | readonly Block[] }[];
  return messages.map(({ content }) =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  );
}

/** Files below the folder that hold the bytes, as they are or as base64 in any of its three alignments. */
function filesWith(folder: string, bytes: Buffer): string[] {
  const inner = [0, 1, 2].map((shift) => {
    const text = bytes
      .subarray(shift, shift + 3 * Math.floor((bytes.byteLength - shift) / 3))
      .toString('base64');
    return Buffer.from(text.slice(4, 64));
  });
  const needles = [bytes.subarray(0, 64), ...inner];
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => {
      const content = fs.readFileSync(file);
      return needles.some((needle) => content.includes(needle));
    });
}

test('a picture of a server is shown with its remaining time, reaches a seeing model behind all messages, and lies in no file', async ({}, info) => {
  const { app, page, profile } = await begin('claude-sonnet-4-5');
  const panel = page.getByRole('region', { name: 'Latest picture' });
  await expect(panel.getByRole('img')).toBeVisible();
  await expect(panel.getByRole('timer')).toContainText(/^4:[0-5]\d left$/);
  await expect(panel).toContainText('everything.get-tiny-image');
  await expect(panel).toContainText('has received it');
  await row(page, 'c1').getByRole('button').first().click();
  await setTheme(app, 'light');
  await picture(page, info, 'image-light');
  await setTheme(app, 'dark');
  await picture(page, info, 'image-dark');
  await setTheme(app, 'light');

  const messages = blocksOf(server.asked().at(-1));
  const images = messages.flatMap((blocks, at) =>
    blocks.filter((block) => block.type === 'image').map((block) => ({ block, at })),
  );
  expect(images).toHaveLength(1);
  expect(images[0]?.at).toBe(messages.length - 1);
  const data = images[0]?.block.source?.data ?? '';
  const pixels = Buffer.from(data, 'base64');
  expect(pixels.subarray(1, 4).toString()).toBe('PNG');
  expect(JSON.stringify(server.asked().at(-1)?.body).split(data.slice(8, 72))).toHaveLength(2);

  server.enqueue({ answer: { text: ['The same one.'] } });
  await composer(page).fill('And now?');
  await composer(page).press('Enter');
  await expect(page.getByText('The same one.')).toBeVisible();
  const later = blocksOf(server.asked().at(-1));
  expect(later.flatMap((blocks) => blocks.filter((block) => block.type === 'image'))).toHaveLength(1);
  expect(later.at(-1)?.some((block) => block.type === 'image')).toBe(true);

  expect(filesWith(profile, pixels)).toEqual([]);
  await running?.close();
  expect(filesWith(profile, pixels)).toEqual([]);
  running = await launch({ profile });
  await openSession(running.page, /Fetch the picture/);
  const gone = running.page.getByRole('region', { name: 'Latest picture' });
  await expect(gone).toContainText('Expired: capture again');
  await expect(gone.getByRole('img')).toHaveCount(0);
  await picture(running.page, info, 'image-expired');
});

test('a model that does not see is told of the picture in words, and gets no pixels', async ({}, info) => {
  const { page } = await begin('claude-2.1');
  const panel = page.getByRole('region', { name: 'Latest picture' });
  await expect(panel.getByRole('img')).toBeVisible();
  await expect(panel).toContainText('has not received it');
  await picture(page, info, 'image-not-seen');
  const asked = server.asked().at(-1);
  expect(
    blocksOf(asked)
      .flat()
      .some((block) => block.type === 'image'),
  ).toBe(false);
  expect(JSON.stringify(asked?.body)).not.toContain('iVBORw0KGgo');
  expect(asked?.results[0]?.text).toMatch(/image|picture/i);
});
