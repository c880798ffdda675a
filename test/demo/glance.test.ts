import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { has } from '../support/needs.ts';
import type { World } from '../support/world.ts';
import { PHONE } from './browser.ts';
import { extentOf } from './lines.ts';
import { openPageOfBot, type PageFixture } from './page-fixture.ts';

/** What a person on a phone scrolls past for five hits, the name of the bot and the controls included. */
const MOST_LINES = 40;

async function type(page: Page, line: string): Promise<void> {
  const box = page.getByRole('combobox', { name: /^Message/ });
  await box.fill(line);
  await box.press('Enter');
}

describe.runIf(has('chromium'))('on a phone of 390 px', () => {
  let fixture: PageFixture<World>;
  beforeAll(async () => {
    fixture = await openPageOfBot();
  });
  afterAll(() => fixture.close());

  test.each([
    ['26808463', '/snapshot 26808463', 8],
    ['1009', '/snapshot 1009 hit', 4],
    ['1010', '/snapshot compare 1010 1011', 4],
  ])('each page of %s is read at a glance: %s', async (id, line, pages) => {
    const page = await fixture.visit(PHONE);
    await type(page, line);
    const message = page
      .getByRole('article')
      .filter({ hasText: new RegExp(`Snapshots? ${id}`) })
      .last();
    const heights: number[] = [];
    for (let number = 1; number <= pages; number += 1) {
      await message.getByText(`Page ${number} of`).waitFor();
      heights.push((await extentOf(message.locator('.said'))).lines);
      if (number < pages) await message.getByRole('button').filter({ hasText: '▸' }).click();
    }
    expect(heights.filter((lines) => lines > MOST_LINES)).toEqual([]);
    // A page that lost its texts would be short too.
    expect(Math.max(...heights)).toBeGreaterThan(MOST_LINES - 8);
  });
});
