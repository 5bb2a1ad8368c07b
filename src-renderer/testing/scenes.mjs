import { small, large, middle, open, both, attach, oneByOne, paste } from './scene-parts.mjs';
import { scenesOfApprovals } from './scenes-of-approvals.mjs';
import { scenesOfTurns } from './scenes-of-turns.mjs';

export const scenes = [
  ...both('session', '', open('Tidy the downloads')),
  { name: 'session-small', query: '?theme=light', size: small, act: open('Tidy the downloads') },
  { name: 'session-small-dark', query: '?theme=dark', size: small, act: open('Tidy the downloads') },
  { name: 'session-large', query: '?theme=light', size: large, act: open('Tidy the downloads') },
  { name: 'session-large-dark', query: '?theme=dark', size: large, act: open('Tidy the downloads') },
  {
    name: 'hostile',
    query: '?theme=light',
    size: middle,
    act: async (page) => {
      await open('Tidy the downloads')(page);
      await oneByOne(page);
      await page.getByRole('button', { name: 'Next request' }).click();
      await page.waitForTimeout(700);
      await page.getByRole('button', { name: 'Allow once', exact: true }).click();
    },
  },
  {
    name: 'long',
    query: '?theme=light',
    size: large,
    act: async (page) => {
      await open('Summary of Monday')(page);
      await page.waitForTimeout(300);
      await page.locator('.conversation-scroll').evaluate((element) => element.scrollTo(0, 1100));
    },
  },
  {
    name: 'long-dark',
    query: '?theme=dark',
    size: middle,
    act: async (page) => {
      await open('Summary of Monday')(page);
      await page.waitForTimeout(300);
      await page.locator('.conversation-scroll').evaluate((element) => element.scrollTo(0, 950));
    },
  },
  {
    name: 'rows',
    query: '?theme=light',
    size: large,
    act: async (page) => {
      await open('Summary of Monday')(page);
      await page.waitForTimeout(300);
      await page.locator('.conversation-scroll').evaluate((element) => element.scrollTo(0, 0));
      await page.locator('.row-toggle').first().click();
    },
  },
  {
    name: 'rows-failed',
    query: '?theme=light',
    size: small,
    act: async (page) => {
      await open('Summary of Monday')(page);
      await page.waitForTimeout(300);
      await page.locator('.activity-row.failed').first().scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'row-table',
    query: '?theme=dark',
    size: large,
    act: async (page) => {
      await open('Tidy the downloads')(page);
      await page.locator('.row-toggle').first().click();
    },
  },
  {
    name: 'find',
    query: '?theme=light',
    size: middle,
    act: async (page) => {
      await open('Summary of Monday')(page);
      await page.waitForTimeout(300);
      await page.keyboard.press('Control+f');
      await page.keyboard.type('price');
      await page.waitForTimeout(300);
      await page.keyboard.press('Enter');
    },
  },
  ...both('practice', '', open('Practice with')),
  {
    name: 'practice-form',
    query: '?theme=light',
    size: small,
    act: async (page) => {
      await open('Practice with')(page);
      await page.getByRole('button', { name: /^Tool/ }).click();
      await page.getByRole('option', { name: /move_file/ }).click();
      await page.getByRole('button', { name: 'Call tool' }).last().click();
    },
  },
  {
    name: 'notices',
    query: '?theme=light',
    size: small,
    act: async (page) => {
      await open('Tidy the downloads')(page);
      await attach(page);
      await paste(page, 'text/plain', 'empty.txt');
    },
  },
  {
    name: 'picture-unseen',
    query: '?theme=dark',
    size: small,
    act: async (page) => {
      await open('Practice with')(page);
      await paste(page, 'image/png', 'holiday.png');
      await attach(page);
    },
  },
  {
    name: 'note',
    query: '?theme=light',
    size: small,
    act: async (page) => {
      await open('Tidy the downloads')(page);
      await oneByOne(page);
      await page.getByRole('button', { name: 'Add a note' }).click();
    },
  },
  {
    name: 'practice-answer',
    query: '?theme=light',
    size: { width: 1280, height: 820 },
    act: async (page) => {
      await open('Practice with')(page);
      await page.getByText('Answer', { exact: true }).first().click();
    },
  },
  ...both('failed', '', open('Broken stream')),
  ...both('new', '', undefined),
  {
    name: 'new-mention',
    query: '?theme=light',
    size: middle,
    act: async (page) => {
      await page.getByRole('button', { name: /Folder to work in/ }).click();
      await page.getByRole('option', { name: /Another folder/ }).click();
      await page.getByRole('textbox', { name: /^Message/ }).pressSequentially('see @no');
    },
  },
  { name: 'new-replaced', query: '?theme=light&default=google', size: small },
  { name: 'new-small', query: '?theme=light', size: small },
  {
    name: 'new-menus',
    query: '?theme=light',
    size: middle,
    act: (page) => page.getByRole('button', { name: /^Model/ }).click(),
  },
  ...both('onboarding', '&onboarded=no&keychain=none', undefined),
  ...both('settings', '&keychain=none', async (page) => {
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await page
      .getByRole('button', { name: /Google/ })
      .first()
      .click();
    await page.getByRole('button', { name: /Add an OpenAI/ }).click();
  }),
  ...both('servers', '', (page) => page.getByRole('button', { name: /^Servers/ }).click()),
  ...both('inbox', '', (page) => page.getByRole('button', { name: /^Inbox/ }).click()),
  ...both('coworker', '', (page) => page.getByRole('button', { name: /Meeting Notes/ }).click()),
  {
    name: 'coworker-good',
    query: '?theme=light',
    size: middle,
    act: (page) => page.getByRole('button', { name: 'File Organizer' }).first().click(),
  },
  { name: 'shortcuts', query: '?theme=light', size: middle, act: (page) => page.keyboard.press('Control+/') },
  {
    name: 'menu',
    query: '?theme=light',
    size: middle,
    act: async (page) => {
      await page.getByRole('button', { name: 'Rename invoices' }).first().click({ button: 'right' });
    },
  },
  {
    name: 'delete',
    query: '?theme=light',
    size: middle,
    act: async (page) => {
      await page.getByRole('button', { name: 'Rename invoices' }).first().click({ button: 'right' });
      await page.getByRole('menuitem', { name: /Delete/ }).click();
    },
  },
  {
    name: 'stream',
    query: '?theme=light',
    size: middle,
    wait: 900,
    act: async (page) => {
      await open('Screenshots for')(page);
      await page.getByRole('textbox', { name: /^Message/ }).fill('Tell me something.');
      await page.keyboard.press('Enter');
    },
  },
  { name: 'zoom-200', query: '?theme=light', size: { width: 450, height: 300 }, act: undefined },
  {
    name: 'zoom-200-session',
    query: '?theme=light',
    size: { width: 680, height: 430 },
    act: async (page) => {
      await page.getByRole('button', { name: 'Show the list' }).click();
      await open('Tidy the downloads')(page);
    },
  },
  ...scenesOfTurns,
  ...scenesOfApprovals,
];
