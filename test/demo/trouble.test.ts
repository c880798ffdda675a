import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { has } from '../support/needs.ts';
import { DESKTOP } from './browser.ts';
import { openDemo, type Playhouse } from './playhouse.ts';
import type { Stage } from './stage.ts';

describe.runIf(has('chromium'))('a person who makes trouble', () => {
  let house: Playhouse<Stage>;
  beforeAll(async () => {
    house = await openDemo();
  });
  afterAll(() => house.close());

  async function visit(): Promise<Page> {
    const page = await house.visit({ viewport: DESKTOP });
    await page.getByRole('tab', { name: 'Make trouble' }).click();
    return page;
  }

  async function type(page: Page, line: string): Promise<void> {
    const box = page.getByRole('combobox', { name: /^Message/ });
    await box.fill(line);
    await box.press('Enter');
  }

  test('kills the bot, is told so, and starts it again', async () => {
    const page = await visit();
    await page.getByRole('button', { name: 'kill -9 the bot' }).click();
    const trouble = page.getByRole('region', { name: 'The bot is not running' });
    await type(page, '/snapshot 1002');
    await page.getByRole('alert').getByText('dispatch_failed').waitFor();
    await trouble.getByRole('button', { name: 'Start it again' }).click();
    await trouble.waitFor({ state: 'detached' });
    await type(page, '/snapshot 1002');
    await page.getByRole('heading', { name: /^Snapshot 1002/ }).waitFor();
  });

  test('ends every session, and nobody notices', async () => {
    const page = await visit();
    const { logins } = house.behind.service.records;
    await type(page, '/snapshot 1012');
    await page.getByRole('heading', { name: /^Snapshot 1012/ }).waitFor();
    const before = logins.length;
    await page.getByRole('button', { name: 'End every session now' }).click();
    await type(page, '/snapshot 1010');
    await page.getByRole('heading', { name: /^Snapshot 1010/ }).waitFor();
    expect(logins).toHaveLength(before + 1);
  });

  test('has logins refused and takes it back: the bot does not wait for its cool-down', async () => {
    const page = await visit();
    const isRefused = page.getByRole('checkbox', { name: /The service refuses logins/ });
    await isRefused.check();
    await page.getByRole('button', { name: 'End every session now' }).click();
    await type(page, '/snapshot 1008');
    await page.getByText('Login failed: the service rejected').first().waitFor();
    await isRefused.uncheck();
    const trouble = page.getByRole('region', { name: 'The bot is not running' });
    await trouble.waitFor();
    await trouble.waitFor({ state: 'detached' });
    await type(page, '/snapshot 1008');
    await page.getByRole('heading', { name: /^Snapshot 1008/ }).waitFor();
  });

  test('lets Slack answer 429 and takes it back: the answer comes after all', async () => {
    const page = await visit();
    const isClosed = page.getByRole('checkbox', { name: /Slack answers 429/ });
    await isClosed.check();
    await type(page, '/snapshot 1011');
    await page
      .getByRole('region', { name: 'What happens underneath' })
      .getByText('429, too many')
      .first()
      .waitFor();
    await isClosed.uncheck();
    await page.getByRole('heading', { name: /^Snapshot 1011/ }).waitFor();
  });
});
