import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { has } from '../support/needs.ts';
import type { World } from '../support/world.ts';
import { askOnPage } from './asking-on-page.ts';
import { DESKTOP, PHONE } from './browser.ts';
import { AWAITED, openPageOfBot, type PageFixture, READY_AFTER_ALL } from './page-fixture.ts';

/** The pixels that a line of a preview takes at most: seven lines, and the name of the app above them. */
const LINE_HEIGHT = 27;
const messageBox = (page: Page) => page.getByRole('combobox', { name: /^Message/ });
/** The accessible names of these buttons differ from their visible text. */
const turner = (message: Locator, label: string) => message.getByRole('button').filter({ hasText: label });

async function type(page: Page, line: string): Promise<void> {
  await messageBox(page).fill(line);
  await messageBox(page).press('Enter');
}

async function reads(element: Locator, text: string | RegExp): Promise<void> {
  await element.getByText(text).first().waitFor();
}

describe.runIf(has('chromium')).each([
  ['a desktop', DESKTOP],
  ['a phone', PHONE],
])('on %s', (_name, viewport) => {
  let fixture: PageFixture<World>;
  beforeAll(async () => {
    fixture = await openPageOfBot();
  });
  afterAll(() => fixture.close());

  test('what can be typed is listed, with its usage; a wait is shown, and becomes the result', async () => {
    const page = await fixture.visit(viewport);
    await messageBox(page).fill('/snapshot 10');
    await reads(page.getByRole('main'), /^\/snapshot 26808463 hit$/);
    const listed = page.locator(`datalist[id="${await messageBox(page).getAttribute('list')}"] option`);
    expect(await listed.evaluateAll((all) => all.map((each) => each.getAttribute('value')))).toEqual(
      expect.arrayContaining(['/snapshot 1004 hit', '@snapshot ']),
    );
    const message = await askOnPage(page, `/snapshot ${AWAITED} hit`, /is still being processed/);
    fixture.behind.service.shelve(AWAITED, READY_AFTER_ALL);
    await message.getByRole('heading', { name: `Snapshot ${AWAITED}` }).waitFor();
    await reads(message, '(edited)');
    await reads(message, '37 hits in 247 checks');
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width, 'nothing to scroll sideways').toBe(viewport.width);
  });

  test('a pasted link gets its preview, whose buttons work, and which goes with its message', async () => {
    const page = await fixture.visit(viewport);
    await type(page, 'see https://service.example.com/snapshots/1013');
    const previews = page.getByRole('region', { name: /snapshots\/1013$/ });
    const preview = previews.last();
    await reads(preview, '37 hits in 247 checks');
    expect((await preview.boundingBox())?.height).toBeLessThan(LINE_HEIGHT * 8);
    await preview.getByRole('button', { name: 'Show result' }).click();
    await page.getByRole('button', { name: '1 reply' }).last().waitFor();
    const message = page.getByRole('article').filter({ has: preview }).last();
    await message.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete message' }).click();
    await previews.waitFor({ state: 'detached' });
  });

  test('a filter shows the critical hits alone, and the menu exports them into the thread', async () => {
    const page = await fixture.visit(viewport);
    const message = await askOnPage(page, '/snapshot 26808463 hit', /Hits 1–3 of/);
    await message.getByRole('combobox').selectOption({ label: '◆ Critical (2)' });
    await reads(message, /35 others hidden/);
    expect(await message.getByRole('button', { name: /^Details/ }).count()).toBe(2);
    await message.locator('.overflow > button').click();
    const entry = message.getByRole('menuitem', { name: /export/ });
    const box = await entry.boundingBox();
    expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 0) <= viewport.width, 'on the screen').toBe(
      true,
    );
    await entry.click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /shown as CSV/ })
      .click();
    await reads(page.getByRole('dialog'), 'The file is in the thread of the message.');
    await page.keyboard.press('Escape');
    await reads(message, /1 reply/);
  });

  test('a page that is loaded again shows no window, as Slack’s does, so that the next command is sent', async () => {
    const page = await fixture.visit(viewport);
    const message = await askOnPage(page, '/snapshot 1010 hit', /asked by/);
    await message.getByRole('button', { name: 'Details' }).first().click();
    await page.getByRole('dialog').waitFor();
    await page.reload();
    await askOnPage(page, '/snapshot 1012', 'asked by');
  });

  test('the side panel shows who called whom', async () => {
    const page = await fixture.visit(viewport);
    await askOnPage(page, '/snapshot 1002', 'asked by');
    if (viewport === PHONE) await page.getByRole('button', { name: 'Snapshots to try' }).click();
    const panel = page.getByRole('region', { name: 'What happens underneath' });
    for (const step of [
      /Slack to the bot:\s*@ana: \/snapshot 1002\s*acknowledged/,
      /the bot to the service:\s*log in\s*200, a new session/,
      /the bot to the service:\s*diagnostics of 1002\s*200, the result/,
      /the bot to Slack:\s*chat.postMessage in #support\s*ok/,
    ]) {
      await panel.getByRole('listitem').filter({ hasText: step }).first().waitFor();
    }
  });

  test('hostile text is shown as text: it runs, loads and opens nothing', async () => {
    const page = await fixture.visit(viewport);
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(fixture.address) && !request.url().startsWith('data:'))
        elsewhere.push(request.url());
    });
    page.on('dialog', (dialog) => elsewhere.push(dialog.message()));
    const message = await askOnPage(page, '/snapshot 1008 hit', /asked by/);
    for (let first = 1; ; ) {
      await reads(message, /asked by/);
      expect(await message.locator('script, iframe, img, style, object').count()).toBe(0);
      expect(await message.locator('a[href^="javascript"], a[href^="data"]').count()).toBe(0);
      const next = turner(message, '▸');
      if ((await next.count()) === 0) break;
      await next.click();
      first += first === 1 ? 3 : 5;
      await reads(message, new RegExp(`Hits ${first}\\b`));
    }
    expect(await message.textContent()).toMatch(/<script|<!channel>|<img/);
    expect(elsewhere).toEqual([]);
  });
});

test.runIf(has('chromium'))('a new demo says what to try first, and plays its tour by a link', async () => {
  const fixture = await openPageOfBot();
  onTestFinished(() => fixture.close());
  const page = await fixture.visit(PHONE);
  const first = page.getByRole('region', { name: 'What to try first' });
  await first.getByRole('button', { name: '/snapshot 1001' }).click();
  expect(await messageBox(page).inputValue()).toBe('/snapshot 1001');
  await messageBox(page).fill('');
  await first.getByRole('button', { name: /tour/ }).click();
  await page.getByText('A snapshot whose analysis is ready. /snapshot 1001 hit').waitFor();
  await reads(page.getByRole('article').filter({ hasText: 'Snapshot 1001' }), /Hits 1–3 of/);
  await first.waitFor({ state: 'detached' });
});
