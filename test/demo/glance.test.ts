import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { withAttention } from '../../src/slack/answer/around-message.ts';
import { MENU_ACTION } from '../../src/slack/answer/view-message.ts';
import type { BareBot } from '../emulators/slack/testing/bare-bot.ts';
import { everyMessage } from '../support/every-message.ts';
import { objectsIn } from '../support/message-parts.ts';
import { has } from '../support/needs.ts';
import { shelveUnit } from '../support/several.ts';
import type { World } from '../support/world.ts';
import { askOnPage } from './asking-on-page.ts';
import { PHONE } from './browser.ts';
import { extentsOf } from './lines.ts';
import { openPageOfBareBot, openPageOfBot, type PageFixture } from './page-fixture.ts';

/** What a phone of 390 × 844 px shows of a conversation; a narrower one breaks more lines. */
const SCREEN = { lines: 26, height: 665 };
const NARROW_LINES = 30;
const LATER_LINES = 34;
const FEWEST_LINES = 22;

/** What is typed; how many pages are read; and what was read of the device before, which the answer then says. */
const MESSAGES: [line: string, pages: number, before?: string][] = [
  ['/snapshot 1001 hit', 3],
  ['/snapshot 26808463 hit', 1, '/snapshot 1001'],
  ['/snapshot 1013', 3],
  ['/snapshot 1009 hit', 3],
  ['/snapshot 1008 hit', 3],
  ['/snapshot 1011', 3, '/snapshot 1010'],
  ['/snapshot 1010', 1, '/snapshot 1011'],
  ['/snapshot 1001 miss', 2],
  ['/snapshot 1001 certificate', 2],
  ['/snapshot 1001 high', 2],
  ['/snapshot compare 1010 1011', 3],
  ['/snapshot 1014 1015', 3],
  ['/snapshot 1014 1016 1017 1007', 2],
  ['/snapshot 1014 1015 1016 26808463', 2],
  ['/snapshot 1017 1014 1015 1016 1010 1012 1013 1002', 2],
  ['/snapshot 1014 1015 1016 miss', 2],
];

const ask = (page: Page, line: string) => askOnPage(page, line, /asked by/);

/** Accepts the first hit of a result, as one does on the page. */
async function acceptFirst(page: Page, line: string): Promise<void> {
  const message = await ask(page, line);
  await message
    .getByRole('button', { name: /^Details/ })
    .first()
    .click();
  const modal = page.getByRole('dialog');
  await modal.getByRole('button', { name: 'Accept for this device…' }).click();
  await modal.getByLabel('Why').fill('The part is ordered.');
  await modal.getByRole('button', { name: 'Accept', exact: true }).click();
  await modal.getByText(/^Accepted by/).waitFor();
  await page.keyboard.press('Escape');
}

/** The name of the app, seven lines with the row of buttons; one without its texts would be short, too. */
const PREVIEW_LINES = 8;
const FEWEST_PREVIEW_LINES = 5;
const PREVIEWS = [
  ['1001', '1 of 2 critical'],
  ['1012', 'fixes 1 of 1 hit'],
  ['1013', '1 of 2 critical'],
] as const;

const PHONES = [
  { width: PHONE.width, most: SCREEN.lines, height: SCREEN.height, preview: PREVIEW_LINES },
  { width: 360, most: NARROW_LINES, height: Number.POSITIVE_INFINITY, preview: PREVIEW_LINES + 1 },
];

/** Measures elements of the page on each phone. */
async function onPhones(page: Page, elements: Locator) {
  const measured = [];
  for (const phone of PHONES) {
    await page.setViewportSize({ width: phone.width, height: PHONE.height });
    measured.push({ phone, extents: await extentsOf(elements) });
  }
  return measured;
}

/** The golden messages that list hits or checks, once somebody is on it, which is possible once there is a result. */
const GOLDEN = Object.entries(everyMessage())
  .filter(([name]) => /^(?:result|search|comparison|several)-/.test(name))
  .map(([name, make]) => {
    const message = make();
    const isOver = objectsIn(message.blocks.at(-1)).some((each) => each.action_id === MENU_ACTION);
    const owner = { user: 'U0ANA', since: Date.now() };
    const owned = withAttention(message, 'C0SUPPORT', { owner });
    return { name, message: isOver ? owned : message };
  });
const LATER = /-(?:middle|last)-page$|-last$/;

/** Lines and pixels are those of a font: another one breaks lines elsewhere. */
const CAN_MEASURE = has('chromium') && has('Liberation Sans');

describe.runIf(CAN_MEASURE)('the golden messages on a phone', () => {
  let fixture: PageFixture<BareBot>;
  beforeAll(async () => {
    fixture = await openPageOfBareBot();
    for (const { message } of GOLDEN) {
      const posted = await fixture.behind.call('chat.postMessage', { channel: 'C0SUPPORT', ...message });
      expect(posted.ok).toBe(true);
    }
  });
  afterAll(() => fixture.close());

  test('fit its screen, and later pages are read at a glance', async () => {
    const page = await fixture.visit(PHONE);
    const measured = await onPhones(page, page.locator('article .said'));
    const tooLong = measured.flatMap(({ phone, extents }) =>
      extents.slice(-GOLDEN.length).flatMap(({ lines, height }, at) => {
        const name = GOLDEN[at]?.name ?? '';
        const fits = LATER.test(name) ? lines <= LATER_LINES : lines <= phone.most && height <= phone.height;
        return fits ? [] : `${name} at ${phone.width} px: ${lines} lines, ${height} px`;
      }),
    );
    expect(measured.map(({ extents }) => extents.length >= GOLDEN.length)).toEqual([true, true]);
    expect(GOLDEN.length).toBeGreaterThan(50);
    expect(tooLong).toEqual([]);
  });
});

describe.runIf(CAN_MEASURE)('on a phone, and on a narrower one', () => {
  let fixture: PageFixture<World>;
  beforeAll(async () => {
    fixture = await openPageOfBot();
    shelveUnit(fixture.behind);
  });
  // A long conversation takes long to draw.
  afterEach(() => {
    const { slack } = fixture.behind;
    for (const message of slack.messages('support')) slack.remove(message);
  });
  afterAll(() => fixture.close());

  const fits = async (message: Locator) => {
    for (const { phone, extents } of await onPhones(message.page(), message.locator('.said'))) {
      expect(extents).toHaveLength(1);
      for (const { lines, height } of extents) {
        expect(lines).toBeLessThanOrEqual(phone.most);
        // A page that lost its texts would be short too.
        expect(lines).toBeGreaterThanOrEqual(FEWEST_LINES);
        expect(height).toBeLessThanOrEqual(phone.height);
      }
    }
  };

  const fitsAlsoOnceSomebodyIsOnIt = async (message: Locator) => {
    await fits(message);
    await message.getByRole('button', { name: "I'm on it" }).click();
    await message.getByText('has been on it since').waitFor();
    await fits(message);
  };

  test.each(PREVIEWS)('the preview of %s takes at most seven lines', async (id, words) => {
    const page = await fixture.visit(PHONE);
    const box = page.getByRole('combobox', { name: /^Message/ });
    await box.fill(`https://service.example.com/snapshots/${id}`);
    await box.press('Enter');
    const preview = page.getByLabel(new RegExp(`^Preview of .*${id}$`)).last();
    await preview.getByText(words).waitFor();
    for (const { phone, extents } of await onPhones(page, preview)) {
      const [{ lines } = { lines: 0 }] = extents;
      expect(lines).toBeLessThanOrEqual(phone.preview);
      expect(lines).toBeGreaterThanOrEqual(FEWEST_PREVIEW_LINES);
    }
  });

  test.each(MESSAGES)(
    'the first page of %s fits its screen, also once somebody is on it, and later ones are read at a glance',
    async (line, pages, before) => {
      const page = await fixture.visit(PHONE);
      if (before !== undefined) await ask(page, before);
      const message = await ask(page, line);
      await fitsAlsoOnceSomebodyIsOnIt(message);
      for (let turned = 1; turned < pages; turned += 1) {
        const [, last = ''] = /–(\d+) of/.exec((await message.textContent()) ?? '') ?? [];
        await message.getByRole('button').filter({ hasText: '▸' }).click();
        await message.getByText(new RegExp(`[a-z] ${Number(last) + 1}(?:–| of)`)).waitFor();
        for (const { extents } of await onPhones(page, message.locator('.said'))) {
          expect(extents).toHaveLength(1);
          expect(extents.filter(({ lines }) => lines > LATER_LINES)).toEqual([]);
        }
      }
    },
  );

  // The last ones: an accepted hit is accepted in every later result of its device.
  test.each([['/snapshot 1013', /37 hits \(1\saccepted\) in 247 checks/, acceptFirst]])(
    'the first page of %s that says %s fits its screen, also once somebody is on it',
    async (...kind) => {
      const [line, says, before] = kind;
      const page = await fixture.visit(PHONE);
      await before?.(page, line);
      const message = await ask(page, line);
      await message.getByText(says).waitFor();
      await fitsAlsoOnceSomebodyIsOnIt(message);
    },
  );
});
