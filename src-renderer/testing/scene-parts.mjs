export const small = { width: 900, height: 600 };
export const large = { width: 1600, height: 1000 };
export const middle = { width: 1360, height: 860 };

export const open = (title) => (page) => page.getByRole('button', { name: title }).first().click();
export const both = (name, query, act, more = {}) => [
  { name: `${name}-light`, query: `?theme=light${query}`, size: middle, act, ...more },
  { name: `${name}-dark`, query: `?theme=dark${query}`, size: middle, act, ...more },
];

export const attach = (page) => page.getByRole('button', { name: 'Attach files' }).click();
export const paste = (page, type, name) =>
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

/** Leaves the sheet of a session where three requests wait, for one of them. */
export const oneByOne = async (page) => {
  await page.getByRole('button', { name: /^(One at a time|Einzeln)$/ }).waitFor();
  // It is deaf for its first half second.
  await page.waitForTimeout(700);
  await page.getByRole('button', { name: /^(One at a time|Einzeln)$/ }).click();
};
