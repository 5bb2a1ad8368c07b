import fs from 'node:fs';
import path from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { everythingServer, launch, picture, setTheme, type RunningApp } from './parts/app';
import { useDesk } from './parts/desk';
import { prepare } from './parts/session';

const desk = useDesk();

const practice = { provider: 'practice', name: 'practice' };
const everything = { transport: 'stdio', program: process.execPath, args: [everythingServer, 'stdio'] };

function write(profile: string, servers: Readonly<Record<string, unknown>>): void {
  fs.writeFileSync(path.join(profile, 'servers.json'), JSON.stringify({ version: 1, servers }, null, 2));
}

async function openServer(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Servers/ }).click();
  await page.getByRole('button', { name: new RegExp(`^${name} `) }).click();
}

async function again(before: RunningApp): Promise<RunningApp> {
  await before.close();
  return desk.launch({ profile: before.profile });
}

test('hazards 16 and 18, field report 84: a server that was changed waits with its whole command and the difference, and starts by a click alone', async ({}, info) => {
  const first = await launch({ servers: { version: 1, servers: { everything } } });
  await prepare(first.page, practice);
  await openServer(first.page, 'everything');
  await expect(first.page.getByRole('button', { name: 'Show its tools' })).toBeVisible();

  const changed = {
    ...everything,
    args: [...everything.args, '--flag', `x${'y'.repeat(600)}`],
    env: { A: '1' },
  };
  const remote = { transport: 'streamable_http', url: 'https://mcp.example.com/mcp' };
  write(first.profile, { everything: changed, company: remote, off: { ...everything, enabled: false } });
  const { app, page } = await again(first);
  await page.getByRole('button', { name: /^Servers/ }).click();
  const row = (name: string) => page.getByRole('button', { name: new RegExp(`^${name} `) });
  await expect(row('everything')).toContainText('waits for you');
  await expect(row('company')).toContainText('waits for you');
  await expect(row('off')).toContainText('disabled');
  await picture(page, info, 'servers-waiting');

  await row('everything').click();
  const card = page.getByRole('region', { name: 'Waits for your word' });
  await expect(card).toContainText('This server is not the one that you accepted');
  await expect(card).toContainText('/args');
  await expect(card).toContainText('/env/A');
  await expect(card).toContainText('y'.repeat(600));
  await expect(page.getByRole('button', { name: 'Show its tools' })).toHaveCount(0);
  await picture(page, info, 'server-trust-changed');
  await setTheme(app, 'dark');
  await picture(page, info, 'server-trust-changed-dark');
  await setTheme(app, 'light');

  const accept = card.getByRole('button', { name: 'Let this program start' });
  await page.waitForTimeout(650);
  await accept.evaluate((button) => (button as HTMLButtonElement).click());
  await page.waitForTimeout(300);
  await expect(card).toBeVisible();
  await accept.focus();
  await page.keyboard.press('Enter');
  await expect(card).toHaveCount(0);
  await page.getByRole('button', { name: 'Show its tools' }).click();
  await expect(page.getByRole('list', { name: 'Tools of everything' })).toBeVisible();

  await page.getByRole('button', { name: 'Restart' }).click();
  await expect(page.getByText('Restarts', { exact: true })).toBeVisible();
  await picture(page, info, 'server-accepted');
});
