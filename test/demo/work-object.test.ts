import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { has } from '../support/needs.ts';
import { DESKTOP, PHONE, SMALL_PHONE } from './browser.ts';
import type { DemoWorld } from './demo-world.ts';
import { openPageOfDemo, type PageFixture } from './page-fixture.ts';

/** As with `UNFURL=work-object npm run demo`. */
describe.runIf(has('chromium'))('a Work Object under a pasted link', () => {
  let fixture: PageFixture<DemoWorld>;
  beforeAll(async () => {
    fixture = await openPageOfDemo({ unfurl: 'work-object' });
  });
  afterAll(() => fixture.close());

  const previewOf = (page: Page, id: string) =>
    page.getByRole('region', { name: new RegExp(`^Preview of .*${id}$`) }).last();
  const panelOf = (page: Page) => page.getByRole('region', { name: 'Side panel' });

  async function paste(page: Page, id: string): Promise<void> {
    const box = page.getByRole('combobox', { name: /^Message/ });
    await box.fill(`see https://service.example.com/snapshots/${id}`);
    await box.press('Enter');
  }

  test.each([
    ['a desktop', DESKTOP],
    ['a phone', PHONE],
    ['a small phone', SMALL_PHONE],
  ])('on %s it shows its fields and buttons, and its side panel the first hits', async (_name, viewport) => {
    const page = await fixture.visit(viewport);
    await paste(page, '1013');
    const preview = previewOf(page, '1013');
    await preview.getByText('37 hits in 247 checks').waitFor();
    expect(await preview.getByRole('term').allTextContents()).toEqual(['Device', 'Counts']);
    await preview.getByRole('button', { name: 'Snapshot 1013' }).click();
    const panel = panelOf(page);
    await panel.getByText('◆ Critical').first().waitFor();
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width, 'nothing to scroll sideways').toBe(viewport.width);
    await panel.getByRole('button', { name: /^(#support|Close)/ }).click();
    await panel.waitFor({ state: 'detached' });
    await preview.locator('button:focus', { hasText: 'Snapshot 1013' }).waitFor();
    await preview.getByRole('button', { name: 'Browse privately' }).click();
    await page
      .getByRole('dialog')
      .getByText(/37 hits/)
      .first()
      .waitFor();
  });

  test('"Show result" answers in the thread, which takes the place of the side panel', async () => {
    const page = await fixture.visit(DESKTOP);
    await paste(page, '1012');
    const preview = previewOf(page, '1012');
    await preview.getByRole('button', { name: 'Snapshot 1012' }).click();
    await panelOf(page)
      .getByText(/^Snapshot 1012/)
      .waitFor();
    await preview.getByRole('button', { name: 'Show result' }).click();
    await page.getByRole('button', { name: '1 reply' }).last().click();
    await page.getByRole('region', { name: 'Thread in #support' }).waitFor();
    expect(await panelOf(page).count()).toBe(0);
  });

  test('somebody whom the bot does not answer reads why in the side panel', async () => {
    const page = await fixture.visit(DESKTOP);
    fixture.behind.slack.join('support', 'guest');
    await paste(page, '1010');
    await previewOf(page, '1010').getByText('Device').waitFor();
    await page.getByLabel('You are').selectOption('guest');
    await previewOf(page, '1010').getByRole('button', { name: 'Snapshot 1010' }).click();
    await panelOf(page)
      .getByText(/answers only members/)
      .waitFor();
  });
});
