import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { has } from '../support/needs.ts';
import type { World } from '../support/world.ts';
import { askOnPage, submitCase, waitInOldThread } from './asking-on-page.ts';
import { DESKTOP, PHONE } from './browser.ts';
import { AWAITED, openPageOfBot, openPageOfDemo, type PageFixture, READY_AFTER_ALL } from './page-fixture.ts';

const messageBox = (page: Page) => page.getByRole('combobox', { name: /^Message/ });

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
])('On %s', (_name, viewport) => {
  let fixture: PageFixture<World>;
  beforeAll(async () => {
    fixture = await openPageOfBot();
  });
  afterAll(() => fixture.close());

  test('a wait is shown and becomes the result, and nothing scrolls sideways', async () => {
    const page = await fixture.visit(viewport);
    const message = await askOnPage(page, `/snapshot ${AWAITED}`, /is still being processed/);
    fixture.behind.service.shelve(AWAITED, READY_AFTER_ALL);
    await message.getByRole('heading', { name: `Snapshot ${AWAITED}` }).waitFor();
    await reads(message, '(edited)');
    await reads(message, /37 hits/);
    await askOnPage(page, '/snapshot compare 1010 1011', /asked by/i);
    await askOnPage(page, '/snapshot 1014 1015 1016', /asked by/i);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
  });

  test('a pasted link gets its preview, whose buttons work, and which goes with its message', async () => {
    const page = await fixture.visit(viewport);
    await type(page, 'see https://service.example.com/snapshots/1013');
    const preview = page.getByRole('region', { name: /snapshots\/1013$/ });
    await reads(preview, /37 hits/);
    await preview.getByRole('button', { name: /^Show re/ }).click();
    await page.getByRole('button', { name: '1 reply' }).last().waitFor();
    const message = page.getByRole('article').filter({ has: preview });
    await message.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete message' }).click();
    await preview.waitFor({ state: 'detached' });
  });

  test('a window closes by a key and gives the keyboard back; a page that is loaded again shows none', async () => {
    const page = await fixture.visit(viewport);
    const message = await askOnPage(page, '/snapshot 1001', /asked by/i);
    const details = message.getByRole('button', { name: /^Details/ }).first();
    const dialog = page.getByRole('dialog');
    await details.press('Enter');
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await details.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);
    await details.press('Enter');
    await dialog.waitFor();
    await page.reload();
    await askOnPage(page, '/snapshot 1012', /asked by/i);
  });

  test('a thread answers a mention, a shortcut opens a window, and the app has a Home tab', async () => {
    const page = await fixture.visit(viewport);
    await page
      .getByRole('article')
      .filter({ hasText: 'Escalation' })
      .getByRole('button', { name: 'repl' })
      .click();
    const thread = page.getByRole('region', { name: /^Thread/ });
    const reply = thread.getByRole('combobox', { name: 'Reply' });
    await reply.fill('/snapshot 1001');
    await reply.press('Enter');
    await reads(page.getByRole('alert'), 'Slash commands do not exist in threads');
    await askOnPage(page, '@snapshot 1002', /asked by/i, thread);
    if (viewport === PHONE) {
      await thread.getByRole('button', { name: '#support' }).click();
      await page.getByRole('button', { name: 'Channels' }).click();
    }
    await page.getByRole('button', { name: 'Look up a snapshot' }).click();
    await page.getByRole('dialog').getByRole('textbox').first().fill('no id');
    await page.getByRole('dialog').locator('[type=submit]').click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'snapshot', exact: true }).click();
    await page.getByRole('tab', { name: 'Home' }).click();
    await page.locator('.home').getByRole('button').first().waitFor();
  });

  test('the side panel shows who called whom', async () => {
    const page = await fixture.visit(viewport);
    await askOnPage(page, '/snapshot 1002', /asked by/i);
    if (viewport === PHONE) await page.getByRole('button', { name: 'Snapshots to try' }).click();
    const panel = page.getByRole('region', { name: 'What happens underneath' });
    for (const step of [
      /Slack to the bot:\s*@ana: \/snapshot 1002\s*acknowledged/,
      /the bot to the service:\s*log in\s*200, a new session/,
      /the bot to the service:\s*diagnostics of 1002\s*200, the result/,
      /the bot to Slack:\s*chat.postMessage in #support\s*ok/,
    ])
      await panel.getByRole('listitem').filter({ hasText: step }).first().waitFor();
  });

  test('the end of a wait in a thread older than an hour is in the channel, too', async () => {
    const page = await fixture.visit(viewport);
    const { service } = fixture.behind;
    service.shelve('7002', { ...READY_AFTER_ALL, processing: { forMs: 'forever' } });
    await waitInOldThread(page, '7002', () => service.shelve('7002', READY_AFTER_ALL));
  });

  test('the form of an app that is listed is answered in the thread of what it posts', async () => {
    const page = await fixture.visit(viewport);
    await submitCase(page);
    await reads(page.getByRole('region', { name: /^Thread/ }), 'Asked by an app');
  });

  test('hostile text is shown as text: it runs, loads and opens nothing', async () => {
    const page = await fixture.visit(viewport);
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(fixture.address) && !request.url().startsWith('data:'))
        elsewhere.push(request.url());
    });
    page.on('dialog', (dialog) => elsewhere.push(dialog.message()));
    const message = await askOnPage(page, '/snapshot 1008', /asked by/i);
    expect(await message.locator('script, iframe, img, style, object').count()).toBe(0);
    expect(await message.locator('a[href^="javascript"], a[href^="data"]').count()).toBe(0);
    expect(elsewhere).toEqual([]);
  });
});

describe.runIf(has('chromium'))('A new demo', () => {
  test('says what to try first, and plays its tour by a link', async () => {
    const fixture = await openPageOfBot();
    onTestFinished(() => fixture.close());
    const page = await fixture.visit(PHONE);
    const first = page.getByRole('region', { name: 'What to try first' });
    await first.getByRole('button', { name: '/snapshot 1001' }).click();
    await eventually(async () => expect(await messageBox(page).inputValue()).toBe('/snapshot 1001'));
    await first.getByRole('button', { name: /tour/ }).click();
    await page.getByText(/^A snapshot whose analysis is ready/).waitFor();
    await reads(page.getByRole('article').filter({ hasText: 'Snapshot 1001' }), /37 hits/);
    await first.waitFor({ state: 'detached' });
  });

  test('lets one kill the bot, says so, and starts it again', async () => {
    const fixture = await openPageOfDemo();
    onTestFinished(() => fixture.close());
    const page = await fixture.visit(DESKTOP);
    await page.getByRole('button', { name: 'kill -9 the bot' }).click();
    await page.getByRole('button', { name: 'Start it again' }).click();
    await page.getByRole('region', { name: 'The bot is not running' }).waitFor({ state: 'detached' });
    await askOnPage(page, '/snapshot 1012', /asked by/i);
  });
});
