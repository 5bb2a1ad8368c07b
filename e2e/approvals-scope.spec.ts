import fs from 'node:fs';
import path from 'node:path';
import { expect, test, type Locator, type Page } from '@playwright/test';
import { picture, temporaryFolder } from './parts/app';
import { useDesk } from './parts/desk';
import { answer, composer, request, row, startSession } from './parts/session';

const desk = useDesk();
let folder = '';

test.beforeEach(() => {
  folder = temporaryFolder('scope');
  for (const name of ['a', 'b', 'c', 'd']) fs.writeFileSync(path.join(folder, `${name}.txt`), name);
});

test.afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

const move = (id: string, name: string, to = `Archive/${name}.txt`) => ({
  id,
  name: 'files__move_file',
  arguments: { source: `${name}.txt`, destination: to },
});

const begin = async (message: string) => {
  const running = await desk.begin();
  await startSession(running.app, running.page, { coworker: 'File Organizer', folder, message });
  return running;
};

const scope = (page: Page, name: string): Promise<void> =>
  request(page).getByText(name, { exact: true }).click();

const here = (page: Page): Locator => page.getByRole('region', { name: 'Allowed in advance here' });

test('field report 5: a permission for the session says what it covers, holds for the very next call, and is taken back where it stands', async ({}, info) => {
  desk.server.enqueue(
    { answer: { calls: [move('c1', 'a')] } },
    { answer: { calls: [move('c2', 'b')] } },
    { answer: { text: ['Two are archived.'] } },
  );
  const { page } = await begin('Archive a and b');
  await expect(request(page)).toContainText('Covers this one call of files.move_file');
  await expect(request(page).getByRole('button', { name: 'Allow once', exact: true })).toBeVisible();
  await scope(page, 'This session');
  await expect(request(page)).toContainText('It lapses with the session.');
  await expect(request(page)).toContainText('No earlier call of this tool is on record.');
  await picture(page, info, 'scope-session');
  await answer(page, 'Allow this session');
  await expect(page.getByText('Two are archived.')).toBeVisible();
  expect(fs.readdirSync(path.join(folder, 'Archive')).sort()).toEqual(['a.txt', 'b.txt']);

  await row(page, 'c2').getByRole('button').first().click();
  await expect(row(page, 'c2')).toContainText('Ran because you allowed it for the session.');
  await expect(row(page, 'c2')).toContainText('Set by you on');
  await expect(here(page)).toContainText('files.move_file');
  await row(page, 'c2').getByRole('button', { name: 'Take this permission back' }).click();
  await expect(row(page, 'c2')).toContainText('You have taken it back since.');
  await expect(here(page)).toContainText('Nothing is allowed in advance.');
  await picture(page, info, 'scope-taken-back');

  desk.server.enqueue({ answer: { calls: [move('c3', 'c')] } }, { answer: { text: ['As you like.'] } });
  await composer(page).fill('And c');
  await composer(page).press('Enter');
  await scope(page, 'Always for this coworker');
  await expect(request(page)).toContainText('It would have covered all 2 calls on record.');
  await expect(request(page)).toContainText('It lapses when nobody uses it for 90 days.');
  await answer(page, 'Deny');
  await expect(page.getByText('As you like.')).toBeVisible();
});

test('a permission for the coworker reaches its other sessions, and ends from the column on the right', async () => {
  desk.server.enqueue({ answer: { calls: [move('c1', 'a')] } }, { answer: { text: ['One is archived.'] } });
  const { app, page } = await begin('Archive a');
  await scope(page, 'Always for this coworker');
  await answer(page, 'Always allow for this coworker');
  await expect(page.getByText('One is archived.')).toBeVisible();

  desk.server.enqueue({ answer: { calls: [move('c2', 'b')] } }, { answer: { text: ['Nobody was asked.'] } });
  await page.getByRole('button', { name: 'New session' }).click();
  await startSession(app, page, { coworker: 'File Organizer', folder, message: 'Archive b' });
  await expect(page.getByText('Nobody was asked.')).toBeVisible();
  await expect(here(page)).toContainText('for this coworker, until nobody uses it for 90 days');
  await here(page).getByRole('button', { name: 'Take back: files.move_file' }).click();
  await expect(here(page)).toContainText('Nothing is allowed in advance.');

  desk.server.enqueue({ answer: { calls: [move('c3', 'c')] } }, { answer: { text: ['You said no.'] } });
  await composer(page).fill('Archive c');
  await composer(page).press('Enter');
  await answer(page, 'Deny');
  await expect(page.getByText('You said no.')).toBeVisible();
});

test('field report 26: what the person edits is checked, is what runs, and stands in the row beside what was proposed', async ({}, info) => {
  desk.server.enqueue({ answer: { calls: [move('c1', 'a')] } }, { answer: { text: ['Moved.'] } });
  const { page } = await begin('Archive a');
  await request(page).getByRole('button', { name: 'Edit arguments' }).click();
  await request(page).getByText('JSON', { exact: true }).click();
  const text = request(page).getByRole('textbox', { name: 'Arguments as JSON' });
  const allow = request(page).getByRole('button', { name: 'Allow once, as edited' });
  await text.fill('{"source": "a.txt"');
  await expect(allow).toHaveAttribute('aria-disabled', 'true');
  await text.fill('{"source": "a.txt", "destination": "Kept/renamed.txt"}');
  await expect(request(page).getByRole('region', { name: 'What you changed' })).toContainText('renamed');
  await picture(page, info, 'edit-arguments');
  await answer(page, 'Allow once, as edited');
  await expect(page.getByText('Moved.')).toBeVisible();
  expect(fs.readdirSync(path.join(folder, 'Kept'))).toEqual(['renamed.txt']);
  await row(page, 'c1').getByRole('button').first().click();
  await expect(row(page, 'c1')).toContainText('edited by you');
  await expect(row(page, 'c1')).toContainText('What you changed before you allowed it');
  await expect(row(page, 'c1')).toContainText('Archive/a.txt');
  await picture(page, info, 'edited-row');
});

test('what is edited stays while another request is looked at', async () => {
  desk.server.enqueue(
    { answer: { calls: [move('c1', 'a'), move('c2', 'b')] } },
    { answer: { text: ['Neither.'] } },
  );
  const { page } = await begin('Archive two');
  await expect(request(page)).toContainText('1 of 2');
  await request(page).getByRole('button', { name: 'Edit arguments' }).click();
  await request(page).getByText('JSON', { exact: true }).click();
  const text = request(page).getByRole('textbox', { name: 'Arguments as JSON' });
  await text.fill('{"source": "a.txt", not whole yet');
  await request(page).getByRole('button', { name: 'Next request' }).click();
  await expect(text).toBeHidden();
  await expect(request(page).getByRole('button', { name: 'Allow once', exact: true })).toBeVisible();
  await request(page).getByRole('button', { name: 'Previous request' }).click();
  await expect(text).toHaveValue('{"source": "a.txt", not whole yet');
  await answer(page, 'Deny');
  await answer(page, 'Deny');
  await expect(page.getByText('Neither.')).toBeVisible();
});

test('hazard 4 and field report 39: arguments that are longer than the screen are allowed only once their end was on it', async ({}, info) => {
  const long = `Archive/${'very/long/'.repeat(340)}end.txt`;
  desk.server.enqueue({ answer: { calls: [move('c1', 'a', long)] } }, { answer: { text: ['No.'] } });
  const { page } = await begin('Archive a deeply');
  const allow = request(page).getByRole('button', { name: 'Allow once', exact: true });
  await expect(request(page)).toContainText('Scroll through all the arguments to allow them.');
  await page.waitForTimeout(650);
  await allow.click({ force: true });
  await expect(allow).toHaveAttribute('aria-disabled', 'true');
  await request(page).getByRole('region', { name: 'The request in full' }).focus();
  await page.keyboard.press('End');
  await expect(allow).toHaveAttribute('aria-disabled', 'false');
  await picture(page, info, 'scrolled-to-end');
  await answer(page, 'Deny');
  await expect(page.getByText('No.', { exact: true })).toBeVisible();
});

test('field report 28: a request that is put off stays in sight, and F6 leads to it', async () => {
  desk.server.enqueue({ answer: { calls: [move('c1', 'a')] } }, { answer: { text: ['Later.'] } });
  const { page } = await begin('Archive a');
  await request(page).getByRole('button', { name: 'Decide later' }).click();
  await expect(request(page)).toContainText('One request waits for you');
  await composer(page).focus();
  await page.keyboard.press('F6');
  await expect(request(page)).toBeFocused();
  await request(page).getByRole('button', { name: 'Answer' }).click();
  await answer(page, 'Deny');
  await expect(page.getByText('Later.', { exact: true })).toBeVisible();
});
