import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { has } from '../support/needs.ts';
import type { World } from '../support/world.ts';
import { PHONE } from './browser.ts';
import { extentOf } from './lines.ts';
import { openPageOfBot, type PageFixture } from './page-fixture.ts';

/** What a phone of 390 × 844 px shows of a conversation; a narrower one breaks more lines. */
const SCREEN = { lines: 26, height: 665 };
const NARROW_LINES = 30;
const LATER_LINES = 34;
const FEWEST_LINES = 22;

const MESSAGES = [
  ['/snapshot 1001 hit', 3],
  ['/snapshot 1013', 3],
  ['/snapshot 1009 hit', 3],
  ['/snapshot 1008 hit', 3],
  ['/snapshot 1001 miss', 2],
  ['/snapshot compare 1010 1011', 3],
] as const;

describe.runIf(has('chromium')).each([
  { width: PHONE.width, most: SCREEN.lines, height: SCREEN.height },
  { width: 360, most: NARROW_LINES, height: Number.POSITIVE_INFINITY },
])('on a phone of $width px', ({ width, most, height }) => {
  let fixture: PageFixture<World>;
  beforeAll(async () => {
    fixture = await openPageOfBot();
  });
  afterAll(() => fixture.close());

  test.each(MESSAGES)(
    'the first page of %s fits its screen, and later ones are read at a glance',
    async (line, pages) => {
      const page = await fixture.visit({ width, height: PHONE.height });
      const box = page.getByRole('combobox', { name: /^Message/ });
      await box.fill(line);
      await box.press('Enter');
      const [id = ''] = /\d+/.exec(line) ?? [];
      const message = page
        .getByRole('article')
        .filter({ hasText: new RegExp(`Snapshots? ${id}`) })
        .last();
      const extents: { lines: number; height: number }[] = [];
      for (let from = /1–/; extents.length < pages; ) {
        await message.getByText(new RegExp(`[a-z] ${from.source}`)).waitFor();
        extents.push(await extentOf(message.locator('.said')));
        const next = message.getByRole('button').filter({ hasText: '▸' });
        const [, last = ''] = /–(\d+) of/.exec((await message.textContent()) ?? '') ?? [];
        from = new RegExp(`${Number(last) + 1}(?:–| of)`);
        if (extents.length < pages) await next.click();
      }
      const [first, ...later] = extents;
      expect(first?.lines).toBeLessThanOrEqual(most);
      // A page that lost its texts would be short too.
      expect(first?.lines).toBeGreaterThanOrEqual(FEWEST_LINES);
      expect(first?.height).toBeLessThanOrEqual(height);
      const mostLater = LATER_LINES + (width < PHONE.width ? 7 : 0);
      expect(later.filter(({ lines }) => lines > mostLater)).toEqual([]);
    },
  );
});
