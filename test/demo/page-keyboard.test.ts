import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { has } from '../support/needs.ts';
import type { World } from '../support/world.ts';
import { askOnPage } from './asking-on-page.ts';
import { DESKTOP, PHONE, SMALL_PHONE } from './browser.ts';
import { openPageOfBot, type PageFixture } from './page-fixture.ts';

const messageBox = (page: Page) => page.getByRole('combobox', { name: /^Message/ });

const answerTo = (page: Page, line: string) => askOnPage(page, line, /Hits 1–3 of/);

/** The label of the element with the keyboard focus. */
function focused(page: Page): Promise<string> {
  return page.evaluate<string>('document.activeElement?.textContent ?? ""');
}

describe.runIf(has('chromium')).each([
  ['a desktop', DESKTOP],
  ['a phone', PHONE],
  ['a small phone', SMALL_PHONE],
])('on %s', (_name, viewport) => {
  let fixture: PageFixture<World>;
  beforeAll(async () => {
    fixture = await openPageOfBot();
  });
  afterAll(() => fixture.close());

  test('a menu opens where there is room: all of its entries can be seen and pressed', async () => {
    const page = await fixture.visit(viewport);
    const message = await answerTo(page, '/snapshot 1001 hit');
    await message.locator('.overflow > button').last().click();
    const entries = await message.getByRole('menuitem').all();
    expect(entries.length).toBeGreaterThanOrEqual(3);
    for (const entry of entries) {
      const { x = -1, y = -1, width = 0, height = 0 } = (await entry.boundingBox()) ?? {};
      expect(x).toBeGreaterThanOrEqual(0);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(viewport.width);
      expect(y + height).toBeLessThanOrEqual(viewport.height);
      // A trial click presses nothing, but fails if the entry is clipped or covered.
      await entry.click({ trial: true });
    }
  });

  test('turning a page leaves the keyboard in the message, on Next where there is one', async () => {
    const page = await fixture.visit(viewport);
    const message = await answerTo(page, '/snapshot 1010 hit');
    await message.getByRole('button').filter({ hasText: '▸' }).focus();
    await page.keyboard.press('Enter');
    await message.getByText(/Hits 4–8 of/).waitFor();
    await expect.poll(() => focused(page)).toContain('▸');
    await page.keyboard.press('Enter');
    await message.getByText(/Hits 9–13 of/).waitFor();
  });

  test('closing a modal gives the keyboard back to the button that opened it', async () => {
    const page = await fixture.visit(viewport);
    const message = await answerTo(page, '/snapshot 1001 hit');
    const details = message.getByRole('button', { name: /^Details/ }).first();
    await details.focus();
    await page.keyboard.press('Enter');
    const modal = page.getByRole('dialog');
    await modal.waitFor();
    await modal.getByRole('button', { name: 'Close', exact: true }).focus();
    await page.keyboard.press('Enter');
    await modal.waitFor({ state: 'detached' });
    expect(await details.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);
  });

  test('the answer to a line of one’s own is seen, wherever the reader was', async () => {
    const page = await fixture.visit(viewport);
    await answerTo(page, '/snapshot 1001 hit');
    await page.getByRole('log').evaluate((list) => list.scrollTo({ top: 0 }));
    await messageBox(page).fill('/snapshot 1002');
    await messageBox(page).press('Enter');
    const answer = page.getByRole('article').filter({ hasText: '180 checks passed' }).last();
    const bottom = async () => {
      const { y = viewport.height, height = 1 } = (await answer.boundingBox()) ?? {};
      return y + height;
    };
    await expect.poll(bottom).toBeLessThan(viewport.height);
  });

  test.each([
    ['in the menu', /Search…/, [], 'Search for (optional)'],
    ['in the window behind it', /Compare, follow/, ['Compare with…'], /^The other snapshot/],
  ])('a form %s is open at its first field, and gives the keyboard back to the menu', async (...way) => {
    const [, entry, inWindow, label] = way;
    const page = await fixture.visit(viewport);
    const message = await answerTo(page, '/snapshot 1010 hit');
    const isFocused = (control: Locator) =>
      control.evaluate((element) => element === element.ownerDocument.activeElement);
    const menu = message.locator('.overflow > button').last();
    const modal = page.getByRole('dialog');
    for (const end of ['Escape', 'Enter']) {
      await menu.focus();
      await page.keyboard.press('Enter');
      // Its first entry takes the keyboard when it opens: a key that comes sooner would go there.
      await expect.poll(() => isFocused(message.getByRole('menuitem').first())).toBe(true);
      await message.getByRole('menuitem', { name: entry }).press('Enter');
      for (const name of inWindow) await modal.getByRole('button', { name }).press('Enter');
      const box = modal.getByLabel(label);
      await expect.poll(() => isFocused(box)).toBe(true);
      if (end === 'Enter') await modal.getByRole('button', { name: 'Cancel' }).focus();
      await page.keyboard.press(end);
      await modal.waitFor({ state: 'detached' });
      expect(await isFocused(menu)).toBe(true);
    }
  });

  test('the message box is two keys away from the top of the page, and few from the latest message', async () => {
    const page = await fixture.visit(viewport);
    await answerTo(page, '/snapshot 1001 hit');
    await answerTo(page, '/snapshot 1010 hit');
    await page.reload();
    await page.getByRole('article').last().waitFor();
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to the message box');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toMatch(/^Message/);
    const stops: string[] = await page.evaluate(
      `[...document.querySelectorAll('.conversation .messages :is(article, button, a[href], select, input)')]
        .filter((each) => each.tabIndex === 0).map((each) => each.closest('article')?.textContent ?? '')`,
    );
    // All of these stops are in one message, the latest one.
    expect(new Set(stops).size).toBe(1);
    expect(stops[0]).toContain('Snapshot 1010');
  });

  test('the arrow keys go from message to message', async () => {
    const page = await fixture.visit(viewport);
    await answerTo(page, '/snapshot 1001 hit');
    await answerTo(page, '/snapshot 1010 hit');
    await page.getByRole('button', { name: 'Skip to the latest message' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toContain('Snapshot 1010');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => focused(page)).not.toContain('Snapshot 1010');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused(page)).toContain('Snapshot 1010');
  });
});
