import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { has } from '../support/needs.ts';
import type { World } from '../support/world.ts';
import { askOnPage } from './asking-on-page.ts';
import { PHONE } from './browser.ts';
import { openPageOfBot, type PageFixture } from './page-fixture.ts';

/** Somebody at a phone: types, and counts the taps after that. */
class Reader {
  taps = 0;
  readonly page: Page;
  constructor(page: Page) {
    this.page = page;
  }
  ask(line: string, reads: RegExp, where?: Locator): Promise<Locator> {
    return askOnPage(this.page, line, reads, where);
  }
  async tap(control: Locator): Promise<void> {
    this.taps += 1;
    await control.click();
  }
  /** Opens a list and chooses: a phone takes two taps for that. */
  async choose(list: Locator, label: string): Promise<void> {
    this.taps += 2;
    await list.selectOption({ label });
  }
  async fromMenu(message: Locator, entry: RegExp): Promise<Locator> {
    await this.tap(message.locator('.overflow > button').last());
    await this.tap(message.getByRole('menuitem', { name: entry }));
    return this.page.getByRole('dialog');
  }
}

type Job = readonly [job: string, most: number, done: (reader: Reader) => Promise<unknown>];
const HITS = /Hits 1–3 of/;

const JOBS: readonly Job[] = [
  ['whether a CVE is found', 0, (a) => a.ask('/snapshot 1001 CVE-2026-10000', /^Hit: CVE-2026-10000/)],
  [
    'the text for the case',
    2,
    async (a) => {
      const window = await a.fromMenu(await a.ask('/snapshot 1001 hit', HITS), /case/);
      await expect.poll(() => window.locator('textarea').inputValue()).toContain('edge-7');
    },
  ],
  [
    'what is new since the last snapshot',
    0,
    async (a) => {
      await a.ask('/snapshot 1010 hit', HITS);
      await a.ask('/snapshot 1011 hit', /Since 1010 .*new/);
    },
  ],
  ['which release to install', 0, (a) => a.ask('/snapshot 1013 hit', /^17\S+ fixes \d+ of 37 hits/)],
  [
    'all releases and what they fix',
    2,
    async (a) => {
      const window = await a.fromMenu(await a.ask('/snapshot 1013 hit', HITS), /[Uu]pgrade/);
      await window
        .getByText(/fixes \d+ of 37 hits/)
        .nth(1)
        .waitFor();
    },
  ],
  [
    'the critical hits alone',
    2,
    async (a) => {
      const message = await a.ask('/snapshot 1001 hit', HITS);
      await a.choose(message.getByRole('combobox'), '◆ Critical (2)');
      await message.getByText('35 others hidden').waitFor();
    },
  ],
  [
    'the article of the twelfth hit',
    3,
    async (a) => {
      const message = await a.ask('/snapshot 1001 hit', HITS);
      for (const reads of [/Hits 4–8 of/, /Hits 9–13 of/]) {
        await a.tap(message.getByRole('button').filter({ hasText: '▸' }));
        await message.getByText(reads).waitFor();
      }
      const rows = message.getByRole('group', { name: 'Actions' }).filter({ hasText: 'Details' });
      const article = rows
        .nth(12 - 9)
        .getByRole('link')
        .first();
      // What stands above the screen is scrolled back to.
      expect((await article.boundingBox())?.y).toBeGreaterThan(0);
      // The page of the article is none of ours.
      a.taps += 1;
      await article.click({ trial: true });
    },
  ],
  [
    'to hand over',
    3,
    async (a) => {
      const message = await a.ask('/snapshot 1012 hit', /asked by/);
      await message.getByRole('button', { name: "I'm on it" }).click();
      await message.getByText('on it since').waitFor();
      await a.tap(message.getByRole('button', { name: /^Hand over/ }));
      await a.choose(a.page.getByRole('dialog').getByRole('combobox'), 'Ben Okafor');
      await a.page.getByRole('dialog').getByText('is on it now').waitFor();
      await message.getByText('@ben').waitFor();
    },
  ],
  [
    'the result for oneself',
    1,
    async (a) => {
      const box = a.page.getByRole('combobox', { name: /^Message/ });
      await box.fill('/snapshot 1001 me');
      await box.press('Enter');
      await a.page.getByRole('dialog').getByText(HITS).waitFor();
    },
  ],
  [
    'the result in a thread',
    0,
    async (a) => {
      const said = a.page.getByRole('article').filter({ hasText: 'Escalation' }).first();
      // Whoever asks there reads the thread.
      await said.getByRole('button', { name: /repl/ }).click();
      const thread = a.page.getByRole('region', { name: /^Thread/ });
      await a.ask('@snapshot 1001', HITS, thread);
    },
  ],
  ['why it is not ready', 0, (a) => a.ask('/snapshot 1004 hit', /The archive is being unpacked/)],
];

describe.runIf(has('chromium'))('on a phone', () => {
  let fixture: PageFixture<World>;
  beforeAll(async () => {
    fixture = await openPageOfBot();
  });
  afterAll(() => fixture.close());

  test.each(JOBS)('%s takes at most %d taps', async (_job, most, done) => {
    const reader = new Reader(await fixture.visit(PHONE));
    await done(reader);
    expect(reader.taps).toBeLessThanOrEqual(most);
  });
});
