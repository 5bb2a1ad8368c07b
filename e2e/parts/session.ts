import { expect, type ElectronApplication, type Locator, type Page } from '@playwright/test';
import type { Bridge, CommandName, CommandPayload } from '../../src-preload/contract';
import { pickFolder } from './app';

declare global {
  interface Window {
    readonly openworker: Bridge;
  }
}

/** Sends a command over the real bridge, as the window itself does, and fails the test when it is refused. */
export async function command<N extends CommandName>(
  page: Page,
  name: N,
  payload: CommandPayload<N>,
): Promise<unknown> {
  const result = await page.evaluate(
    ([verb, data]) =>
      window.openworker.command(verb as never, data as never) as Promise<{
        ok: boolean;
        value?: unknown;
        error?: unknown;
      }>,
    [name, payload] as const,
  );
  if (!result.ok) throw new Error(`${name} was refused: ${JSON.stringify(result.error)}`);
  return result.value;
}

/** Ends the first-run screen and chooses the model for new sessions. */
export async function prepare(page: Page, model: { provider: string; name: string }): Promise<void> {
  await command(page, 'setting.set', { key: 'default_model', value: model });
  await command(page, 'setting.set', { key: 'onboarded', value: true });
  await expect(page.getByRole('heading', { name: 'What shall we work on?' })).toBeVisible();
}

export function composer(page: Page): Locator {
  return page.getByRole('textbox', { name: /^Message / });
}

/** Picks the coworker and the folder as a person does, and sends the first message. */
export async function startSession(
  app: ElectronApplication,
  page: Page,
  options: { coworker: string; folder?: string; message: string },
): Promise<void> {
  await page.getByRole('radio', { name: new RegExp(options.coworker) }).check();
  if (options.folder !== undefined) {
    await pickFolder(app, options.folder);
    await page.getByRole('button', { name: /Folder to work in/ }).click();
    await page.getByRole('option', { name: /Another folder/ }).click();
    await expect(page.getByRole('button', { name: /Folder to work in/ })).toContainText(
      options.folder.split('/').at(-1) ?? '',
    );
  }
  await composer(page).fill(options.message);
  await composer(page).press('Enter');
}

export function row(page: Page, callId: string): Locator {
  return page.locator(`[data-call-id="${callId}"]`);
}

export function request(page: Page): Locator {
  return page.getByRole('region', { name: 'Request that waits for you' });
}

/** Waits until the dock takes answers (it is deaf for half a second), then presses a button of it. */
export async function answer(page: Page, name: string | RegExp): Promise<void> {
  const button = request(page).getByRole('button', { name, exact: typeof name === 'string' });
  await expect(button).toBeVisible();
  await page.waitForTimeout(650);
  await button.click();
}

/** What a person sees of the conversation, in words: the same before and after a restart. */
export async function conversationText(page: Page): Promise<string> {
  const text = await page.getByRole('region', { name: 'Conversation' }).innerText();
  return text.replace(/\s+/g, ' ').trim();
}

/**
 * Points Anthropic at the model server. On a fresh profile its model becomes the one of new sessions; on an earlier one
 * only the key is entered anew, for without a keychain it is kept until the app ends.
 */
export async function connectAnthropic(
  page: Page,
  baseUrl: string,
  options: { readonly model?: string; readonly again?: boolean } = {},
): Promise<void> {
  await command(page, 'provider.configure', {
    provider_id: 'anthropic',
    base_url: baseUrl,
    key: 'test-key',
  });
  if (options.again !== true)
    await prepare(page, { provider: 'anthropic', name: options.model ?? 'test-model' });
}

/** Opens a session of the list on the left by its title. */
export async function openSession(page: Page, title: RegExp | string): Promise<void> {
  await page.getByRole('navigation').getByRole('button', { name: title }).first().click();
}

/** The turn of the conversation that stands at a place, from 0. */
export function turn(page: Page, index: number): Locator {
  return page.getByRole('region', { name: 'Conversation' }).locator('article.turn').nth(index);
}
