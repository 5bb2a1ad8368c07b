import { small, large, middle, oneByOne, open, both } from './scene-parts.mjs';

/** Branches, limits, unknown outcomes, guardrails, images, a changed identity: what came with long sessions. */
export const scenesOfTurns = [
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
  ...both('withheld', '', async (page) => {
    await open('Tidy the downloads')(page);
    await oneByOne(page);
    await page.getByRole('button', { name: 'Next request' }).click();
    await page.getByRole('button', { name: 'Next request' }).click();
  }),
  {
    name: 'limits-form',
    query: '?theme=dark',
    size: large,
    act: async (page) => {
      await open('Sort photos')(page);
      await page.getByRole('button', { name: 'Change the limits' }).click();
    },
  },
  ...both('journal-loss', '&journal=loss', async (page) => {
    await open('Rename invoices')(page);
    await page.getByRole('textbox', { name: /^Message/ }).fill('And April.');
    await page.getByRole('button', { name: 'Send', exact: true }).hover();
  }),
  {
    name: 'german-withheld',
    query: '?theme=light&language=de',
    size: middle,
    act: async (page) => {
      await open('Tidy the downloads')(page);
      await oneByOne(page);
      await page.getByRole('button', { name: 'Nächste Anfrage' }).click();
      await page.getByRole('button', { name: 'Nächste Anfrage' }).click();
    },
  },
  {
    name: 'german-journal-loss',
    query: '?theme=dark&language=de&journal=loss',
    size: small,
    act: open('Rename invoices'),
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
  ...both('look', '', async (page) => {
    await open('Weekly cleanup number 12')(page);
    await page.waitForTimeout(300);
    await page.getByRole('button', { name: 'Previous version' }).click();
    await page.getByRole('button', { name: 'Previous version' }).focus();
  }),
  { name: 'look-waiting', query: '?theme=light', size: small, act: open('Weekly cleanup number 12') },
  {
    name: 'look-unknown',
    query: '?theme=light',
    size: { width: 1360, height: 1100 },
    act: async (page) => {
      await page.getByRole('button', { name: /^Inbox/ }).click();
      await page
        .getByRole('button', { name: /notify/ })
        .first()
        .click();
      await page.waitForTimeout(300);
      await page.getByRole('button', { name: 'Thoughts' }).click();
    },
  },
  {
    name: 'german-look',
    query: '?theme=dark&language=de',
    size: small,
    act: async (page) => {
      await open('Weekly cleanup number 12')(page);
      await page.waitForTimeout(300);
      await page.getByRole('button', { name: 'Vorige Fassung' }).click();
    },
  },
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
