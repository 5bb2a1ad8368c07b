const small = { width: 900, height: 600 };
const large = { width: 1600, height: 1000 };
const middle = { width: 1360, height: 860 };

const open = (title) => (page) => page.getByRole('button', { name: title }).first().click();
const both = (name, query, act, more = {}) => [
  { name: `${name}-light`, query: `?theme=light${query}`, size: middle, act, ...more },
  { name: `${name}-dark`, query: `?theme=dark${query}`, size: middle, act, ...more },
];

const attach = (page) => page.getByRole('button', { name: 'Attach files' }).click();
const paste = (page, type, name) =>
  page.getByRole('textbox', { name: /^Message/ }).evaluate(
    (box, [mediaType, fileName]) => {
      const data = new DataTransfer();
      data.items.add(new File(['<svg/>'], fileName, { type: mediaType }));
      box.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      );
    },
    [type, name],
  );

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
      await page.getByRole('button', { name: 'Next request' }).click();
      await page.waitForTimeout(700);
      await page.getByText('This session', { exact: true }).first().click();
      await page.getByRole('button', { name: 'Allow this session' }).click();
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
  ...both('branches', '', open('Rename invoices')),
  {
    name: 'branches-top',
    query: '?theme=light',
    size: large,
    act: async (page) => {
      await open('Rename invoices')(page);
      await page.waitForTimeout(300);
      await page.locator('.conversation-scroll').evaluate((element) => element.scrollTo(0, 0));
      await page.getByRole('button', { name: /^3 changes/ }).click();
      await page.getByRole('button', { name: 'Summary', exact: true }).click();
    },
  },
  {
    name: 'branches-other',
    query: '?theme=light',
    size: small,
    act: async (page) => {
      await open('Rename invoices')(page);
      await page.getByRole('button', { name: 'Previous version' }).first().click();
    },
  },
  {
    name: 'edit',
    query: '?theme=dark',
    size: small,
    act: async (page) => {
      await open('Rename invoices')(page);
      await page.getByRole('button', { name: 'Edit this message' }).nth(1).click();
    },
  },
  ...both('paused', '', open('Fix the failing')),
  { name: 'paused-small', query: '?theme=light', size: small, act: open('Fix the failing') },
  {
    name: 'queue',
    query: '?theme=light',
    size: small,
    act: async (page) => {
      await open('Fix the failing')(page);
      await page.waitForTimeout(900);
      await page.getByRole('button', { name: 'Go on', exact: true }).click();
      await page.getByRole('textbox', { name: /^Message/ }).fill('And the one about leap years.');
    },
  },
  {
    name: 'limits',
    query: '?theme=light',
    size: large,
    act: async (page) => {
      await open('Fix the failing')(page);
      await page.getByRole('button', { name: 'Change the limits' }).click();
      await page.getByRole('textbox', { name: 'Turns' }).fill('2.5');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
    },
  },
  ...both('uncertain', '', async (page) => {
    await open('Import the price')(page);
    await page.waitForTimeout(300);
    await page.getByText('It happened').first().scrollIntoViewIfNeeded();
  }),
  {
    name: 'settle',
    query: '?theme=light',
    size: { width: 1360, height: 1400 },
    act: async (page) => {
      await open('Import the price')(page);
      await page.waitForTimeout(300);
      await page.getByRole('button', { name: 'Run it again…' }).first().click();
      await page.getByRole('group', { name: 'What became of it' }).first().getByText('Add a note').click();
      await page.getByRole('button', { name: 'Run it again', exact: true }).first().click();
    },
  },
  {
    name: 'guardrails',
    query: '?theme=light',
    size: { width: 1360, height: 2000 },
    act: async (page) => {
      await open('Import the price')(page);
      await page.waitForTimeout(300);
      for (const index of [0, 1, 2, 3, 6]) await page.locator('.row-toggle').nth(index).click();
      await page.locator('.conversation-scroll').evaluate((element) => element.scrollTo(0, 0));
    },
  },
  { name: 'request-changed', query: '?theme=dark', size: middle, act: open('Import the price') },
  ...both('picture', '', async (page) => {
    await open('Sort photos')(page);
    await page.locator('.row-toggle').first().click();
  }),
  {
    name: 'picture-live-facts',
    query: '?theme=light',
    size: { width: 1600, height: 1500 },
    act: async (page) => {
      await open('Sort photos')(page);
      await page.getByRole('button', { name: 'Show', exact: true }).first().click();
      await page.getByRole('button', { name: 'Parts' }).click();
    },
  },
  { name: 'picture-expired', query: '?theme=light&expired', size: large, act: open('Sort photos') },
  {
    name: 'effort',
    query: '?theme=light',
    size: small,
    act: async (page) => {
      await open('Sort photos')(page);
      await page.getByRole('button', { name: /^Effort/ }).click();
    },
  },
  ...both('standing', '', open('Weekly cleanup number 10')),
  { name: 'standing-small', query: '?theme=light', size: small, act: open('Weekly cleanup number 10') },
  {
    name: 'continues',
    query: '?theme=light',
    size: middle,
    act: async (page) => {
      await open('Weekly cleanup number 10')(page);
      await page.getByRole('button', { name: 'Continue as a new session' }).click();
    },
  },
  {
    name: 'loads-earlier',
    query: '?theme=light&slow',
    size: middle,
    act: async (page) => {
      await open('Weekly cleanup number 11')(page);
      await page.waitForTimeout(300);
      for (let step = 0; step < 6; step += 1) {
        await page.locator('.conversation-scroll').evaluate((element) => element.scrollTo(0, 0));
        await page.waitForTimeout(150);
      }
    },
  },
  { name: 'many', query: '?theme=light', size: middle, wait: 3000, act: open('Weekly cleanup number 11') },
  {
    name: 'many-hover',
    query: '?theme=light',
    size: middle,
    wait: 900,
    act: async (page) => {
      await open('Weekly cleanup number 11')(page);
      await page.waitForTimeout(1500);
      await page.getByText('Answer 398').hover();
    },
  },
  {
    name: 'german-branches',
    query: '?theme=light&language=de',
    size: small,
    act: open('Rename invoices'),
  },
  { name: 'german-paused', query: '?theme=dark&language=de', size: small, act: open('Fix the failing') },
  { name: 'german-facts', query: '?theme=light&language=de', size: large, act: open('Sort photos') },
  {
    name: 'german-uncertain',
    query: '?theme=light&language=de',
    size: small,
    act: async (page) => {
      await open('Import the price')(page);
      await page.waitForTimeout(300);
      await page.getByText('Es ist geschehen').first().scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'german-standing',
    query: '?theme=light&language=de',
    size: small,
    act: open('Weekly cleanup number 10'),
  },
  { name: 'empty', query: '?theme=light&empty', size: middle },
  { name: 'german', query: '?theme=light&language=de', size: middle, act: open('Tidy the downloads') },
];
