import { expect, test } from '@playwright/test';
import { expectAccessible } from './parts/accessible';
import { launch, picture, resize, setTheme, type RunningApp } from './parts/app';
import { command, must, query, settleIn } from './parts/bridge';

let running: RunningApp | null = null;

test.afterEach(async () => {
  await running?.close();
  running = null;
});

test('field report 29, field report 30: when a request expires and how the person is told of it are settings that last', async ({}, info) => {
  running = await launch();
  const { app, page, profile } = running;
  await settleIn(page);
  await page.getByRole('button', { name: /^Settings/ }).click();
  await page.getByRole('button', { name: 'Requests', exact: true }).click();
  await expect(page.getByRole('radio', { name: 'never' })).toBeChecked();
  await expect(page.getByText('waits until somebody answers it')).toBeVisible();
  await page.getByRole('radio', { name: 'after 1 hour' }).check();
  await expect(page.getByText('That is no refusal')).toBeVisible();
  await page.getByRole('radio', { name: 'after another time' }).check();
  const minutes = page.getByRole('textbox', { name: 'Minutes until a request expires' });
  await expect(minutes).toHaveValue('60');
  await minutes.fill('45 soon');
  await expect(page.getByRole('alert')).toContainText('from 1 to 10,080');
  await picture(page, info, 'settings-requests');
  await expectAccessible(page);
  await minutes.fill('45');
  await expect(page.getByRole('alert')).toHaveCount(0);

  await page.getByRole('button', { name: 'Attention', exact: true }).click();
  await expect(page.getByRole('checkbox', { name: /something waits/ })).toBeChecked();
  await page.getByRole('radio', { name: 'every 5 minutes' }).check();
  await page.getByRole('checkbox', { name: /long turn ends/ }).uncheck();
  await picture(page, info, 'settings-attention-light');
  await expectAccessible(page);
  await page.getByRole('checkbox', { name: /something waits/ }).uncheck();
  await expect(page.getByRole('radio', { name: 'every 5 minutes' })).toBeDisabled();
  await setTheme(app, 'dark');
  await page.waitForTimeout(250);
  await picture(page, info, 'settings-attention-dark');
  await expectAccessible(page);
  await page.getByRole('checkbox', { name: /something waits/ }).check();
  await expect
    .poll(async () => must(await query(page, 'settings.get', {})))
    .toMatchObject({
      approval_expiry_minutes: 45,
      notify_requests: true,
      notify_turn_end: false,
      notify_repeat_minutes: 5,
    });

  must(await command(page, 'setting.set', { key: 'language', value: 'de' }));
  await resize(app, 900, 600);
  await expect(page.getByRole('button', { name: 'Aufmerksamkeit' })).toBeVisible();
  await picture(page, info, 'settings-attention-german');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Anfragen', exact: true }).click();
  await picture(page, info, 'settings-requests-german');
  await expectAccessible(page);
  must(await command(page, 'setting.set', { key: 'language', value: 'en' }));

  await running.close();
  running = await launch({ profile });
  await running.page.getByRole('button', { name: /^Settings/ }).click();
  await running.page.getByRole('button', { name: 'Requests', exact: true }).click();
  await expect(running.page.getByRole('radio', { name: 'after another time' })).toBeChecked();
  await expect(running.page.getByRole('textbox', { name: /Minutes until/ })).toHaveValue('45');
});
