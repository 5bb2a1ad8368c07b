import { small, middle, open, both } from './scene-parts.mjs';

const request = (page) => page.locator('[data-region="approval"]');
const scrolled = (page) =>
  page.locator('.request-body:visible').evaluate((body) => body.scrollTo(0, body.scrollHeight));
const wide = (name) => async (page) => {
  await request(page).getByText(name, { exact: true }).first().click();
  await page.waitForTimeout(600);
};
const german = { theme: '?theme=light&language=de', size: middle };

/** Requests of every kind: a command, a difference, a changed definition, many at once, an edit, a wider scope. */
export const scenesOfApprovals = [
  ...both('ask-command', '', open('Run the tests')),
  { name: 'ask-command-small', query: '?theme=light', size: small, act: open('Run the tests') },
  {
    name: 'ask-command-wide',
    query: '?theme=light',
    size: { width: 1360, height: 1200 },
    act: async (page) => {
      await open('Run the tests')(page);
      await wide('Always for this coworker')(page);
      await request(page)
        .getByText(/Any arguments/)
        .click();
      await page.waitForTimeout(600);
    },
  },
  ...both('ask-uninspectable', '', open('Build it with make')),
  ...both('ask-diff', '', open('Mend the date'), { size: { width: 1360, height: 1300 } }),
  {
    name: 'ask-diff-small',
    query: '?theme=dark',
    size: small,
    act: async (page) => {
      await open('Mend the date')(page);
      await page.waitForTimeout(300);
      await scrolled(page);
    },
  },
  ...both('ask-new-definition', '', open('Report the bug'), { size: { width: 1360, height: 1200 } }),
  ...both('ask-many', '', open('Sort forty')),
  {
    name: 'ask-many-answered',
    query: '?theme=light',
    size: small,
    act: async (page) => {
      await open('Sort forty')(page);
      await page.waitForTimeout(900);
      await page.locator('.batch-group').first().scrollIntoViewIfNeeded();
      for (const index of [0, 1]) {
        await page
          .locator('.batch-group')
          .first()
          .locator('.batch-row')
          .nth(index + 2)
          .scrollIntoViewIfNeeded();
      }
      await page.locator('.batch-row').nth(0).getByText('Later').click();
      await page.locator('.batch-row').nth(1).getByText('Allow once').click();
      await page.waitForTimeout(200);
      await page.locator('.batch-row').nth(2).getByText('Deny').click();
    },
  },
  ...both(
    'ask-edit',
    '',
    async (page) => {
      await open('Tell the shop')(page);
      await request(page).getByRole('button', { name: 'Edit arguments' }).click();
      await request(page)
        .getByRole('textbox', { name: /essage/ })
        .first()
        .fill('The dates are wrong again, refuse it.');
      await page.waitForTimeout(900);
      await scrolled(page);
      await request(page).getByRole('button', { name: 'Allow once, as edited' }).click();
    },
    { size: { width: 1360, height: 1100 } },
  ),
  {
    name: 'ask-wide-preview',
    query: '?theme=dark',
    size: { width: 1360, height: 1000 },
    act: async (page) => {
      await open('Tell the shop')(page);
      await wide('This session')(page);
    },
  },
  {
    name: 'ask-wide-warning',
    query: german.theme,
    size: { width: 1360, height: 1000 },
    act: async (page) => {
      await open('Tell the shop')(page);
      await wide('Immer für diesen Mitarbeiter')(page);
      await request(page)
        .getByText(/Beliebige Argumente/)
        .click();
      await page.waitForTimeout(600);
    },
  },
  { name: 'ask-flood', query: '?theme=light', size: middle, wait: 1500, act: open('Move five hundred') },
  {
    name: 'ask-later',
    query: '?theme=light',
    size: small,
    act: async (page) => {
      await open('Sort forty')(page);
      await request(page).getByRole('button', { name: 'Decide later' }).click();
    },
  },
  { name: 'ask-german-many', query: german.theme, size: small, act: open('Sort forty') },
  { name: 'ask-german-command', query: german.theme, size: small, act: open('Run the tests') },
];
