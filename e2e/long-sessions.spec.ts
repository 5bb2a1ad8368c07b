import { expect, test } from '@playwright/test';
import { startModelServer, type ModelServer } from '../src-main/harness/testing/model-server';
import { launch, picture, setTheme, type RunningApp } from './parts/app';
import { command, composer, connectAnthropic, openSession, prepare, startSession } from './parts/session';
import { withWindowSize } from './parts/window-size';

let server: ModelServer;
let running: RunningApp | null = null;

test.afterEach(async () => {
  await running?.close();
  running = null;
  expect(await server.close()).toEqual([]);
});

const words = (topic: string) => `${topic} `.repeat(900);

test('when a small window fills, the older part gives way to a summary, which is seen in the timeline and nowhere else', async ({}, info) => {
  server = await startModelServer();
  const door = await withWindowSize(server.origin, 'test-model', 8_000);
  running = await launch();
  const { app, page } = running;
  const { provider_id } = (await command(page, 'provider.add', {
    label: 'Small server',
    base_url: door.baseUrl,
    key: 'test-key',
  })) as { provider_id: string };
  await prepare(page, { provider: provider_id, name: 'test-model' });
  const usage = { input: 2_500, output: 1_500 };
  server.enqueue({ answer: { text: [words('harbour')], usage } });
  await startSession(app, page, { coworker: 'File Organizer', message: 'Write about harbours' });
  await expect(page.getByText(/harbour harbour/)).toBeVisible();
  await expect(page.getByText(/of 8,000 tokens/)).toBeVisible();
  server.enqueue({ answer: { text: [words('lighthouse')], usage: { input: 5_000, output: 1_800 } } });
  await composer(page).fill('Write about lighthouses');
  await composer(page).press('Enter');
  await expect(page.getByText(/lighthouse lighthouse/)).toBeVisible();
  server.enqueue(
    { answer: { text: ['The person ', 'asked for texts on harbours.'], usage }, delay_ms: 400 },
    { answer: { text: ['Done with bridges.'], usage: { input: 2_000, output: 10 } } },
  );
  await composer(page).fill('Write about bridges');
  await composer(page).press('Enter');
  await expect(page.getByText('The older part is being summarised…')).toBeVisible();
  await picture(page, info, 'compacting');
  await expect(page.getByText('Done with bridges.')).toBeVisible();
  await expect(page.getByText('The older part is being summarised…')).toBeHidden();
  const note = page.getByText(/The older part was summarised for the model; nothing was deleted/);
  await expect(note).toBeVisible();
  await page.getByRole('button', { name: 'Summary' }).click();
  await expect(page.getByText('The person asked for texts on harbours.')).toBeVisible();
  await setTheme(app, 'light');
  await picture(page, info, 'compaction-light');
  await setTheme(app, 'dark');
  await picture(page, info, 'compaction-dark');
  const heard = JSON.stringify(server.asked().at(-1)?.body?.['messages']);
  expect(heard).toContain('asked for texts on harbours.');
  expect(heard).not.toContain('harbour harbour');
  await expect(page.getByText(/harbour harbour/)).toBeAttached();
  await door.close();
});

test('text that streamed for longer than two seconds survives the death of the app, marked as partial', async ({}, info) => {
  server = await startModelServer();
  const first = await launch();
  running = first;
  await connectAnthropic(first.page, server.baseUrl('anthropic'));
  const pieces = Array.from({ length: 12 }, (_, index) => `Piece ${index + 1}. `);
  server.enqueue({ answer: { text: pieces }, delay_ms: 500 });
  await startSession(first.app, first.page, { coworker: 'File Organizer', message: 'Say it slowly' });
  await expect(first.page.getByText(/Piece 7\./)).toBeVisible();
  const gone = new Promise((resolve) => first.app.process().once('exit', resolve));
  first.app.process().kill('SIGKILL');
  await gone;
  running = await launch({ profile: first.profile });
  const { page } = running;
  await openSession(page, /Say it slowly/);
  await expect(page.getByText(/Piece 1\./)).toBeAttached();
  await expect(page.getByText(/Piece 3\./)).toBeAttached();
  await expect(page.getByText(/^Partial: the answer was cut off here/)).toBeVisible();
  await expect(page.getByText(/The app closed during this turn/)).toBeVisible();
  await picture(page, info, 'partial-after-kill');
  expect(server.asked()).toHaveLength(1);
  await expect(page.getByRole('button', { name: 'Go on from here' })).toBeVisible();
});

test('the effort that is chosen before the first message reaches the model with it', async ({}, info) => {
  server = await startModelServer({ models: ['claude-opus-4-5'] });
  running = await launch();
  const { app, page } = running;
  await connectAnthropic(page, server.baseUrl('anthropic'), { model: 'claude-opus-4-5' });
  await page.getByRole('button', { name: /^Effort/ }).click();
  await page.getByRole('option', { name: /^High/ }).click();
  await picture(page, info, 'effort-before-first-message');
  server.enqueue({ answer: { text: ['Long thought.'] } }, { answer: { text: ['Short thought.'] } });
  await startSession(app, page, { coworker: 'File Organizer', message: 'Think hard' });
  await expect(page.getByText('Long thought.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Effort/ })).toContainText('High');
  const [high] = server.asked();
  expect(JSON.stringify(high?.body)).toMatch(/thinking|effort/);
  await page.getByRole('button', { name: /^Effort/ }).click();
  await page.getByRole('option', { name: /^Low/ }).click();
  await composer(page).fill('Now quickly');
  await composer(page).press('Enter');
  await expect(page.getByText('Short thought.')).toBeVisible();
  const low = server.asked().at(-1);
  expect([low?.body?.['thinking'], low?.body?.['output_config']]).not.toEqual([
    high?.body?.['thinking'],
    high?.body?.['output_config'],
  ]);
});
