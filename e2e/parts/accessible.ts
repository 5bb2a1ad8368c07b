import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** No rule of axe is broken on the page as it is, and nothing to press or fill reaches beyond its window. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`),
  ).toEqual([]);
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll('button, input')]
      .filter((control) => control.getBoundingClientRect().right > window.innerWidth + 1)
      .map((control) => control.outerHTML.slice(0, 80)),
  );
  expect(cut).toEqual([]);
}
