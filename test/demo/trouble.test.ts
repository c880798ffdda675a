import type { Page } from 'playwright-core';
import { afterAll, beforeEach, describe, expect, onTestFailed, test } from 'vitest';
import { has } from '../support/needs.ts';
import { DESKTOP } from './browser.ts';
import type { DemoWorld } from './demo-world.ts';
import { openPageOfDemo, type PageFixture } from './page-fixture.ts';

describe.runIf(has('chromium'))('a person who makes trouble', () => {
  let fixture: PageFixture<DemoWorld> | undefined;
  let page: Page;

  beforeEach(async () => {
    // Each test leaves a running bot without faults. A failed test may not, so the next one gets a new demo.
    onTestFailed(close);
    fixture ??= await openPageOfDemo();
    page = await fixture.visit(DESKTOP);
    await page.getByRole('tab', { name: 'Make trouble' }).click();
  });
  afterAll(close);

  async function close(): Promise<void> {
    const closing = fixture;
    fixture = undefined;
    await closing?.close();
  }

  function behind(): DemoWorld {
    if (fixture === undefined) throw new Error('no demo is open');
    return fixture.behind;
  }

  async function type(line: string): Promise<void> {
    const box = page.getByRole('combobox', { name: /^Message/ });
    await box.fill(line);
    await box.press('Enter');
  }

  /** Settles when the effect of a press has happened, so that the next request can't overtake it. */
  async function happened(press: Promise<void>): Promise<void> {
    await Promise.all([page.waitForResponse(/\/action$/), press]);
  }

  const button = (name: string) => page.getByRole('button', { name });
  const trouble = () => page.getByRole('region', { name: 'The bot is not running' });

  test('kills the bot, is told so, and starts it again', async () => {
    await happened(button('kill -9 the bot').click());
    await trouble().waitFor();
    await type('/snapshot 1002');
    await page.getByRole('alert').getByText('dispatch_failed').waitFor();
    await trouble().getByRole('button', { name: 'Start it again' }).click();
    await trouble().waitFor({ state: 'detached' });
    await type('/snapshot 1002');
    await page.getByRole('heading', { name: /^Snapshot 1002/ }).waitFor();
  });

  test('ends every session, and nobody notices', async () => {
    const { logins } = behind().service.records;
    await type('/snapshot 1012');
    await page.getByRole('heading', { name: /^Snapshot 1012/ }).waitFor();
    const before = logins.length;
    await happened(button('End every session now').click());
    await type('/snapshot 1010');
    await page.getByRole('heading', { name: /^Snapshot 1010/ }).waitFor();
    expect(logins).toHaveLength(before + 1);
  });

  test('lets logins be refused and ends that: the bot does not wait for its cool-down', async () => {
    const isRefused = page.getByRole('checkbox', { name: /The service refuses logins/ });
    await happened(isRefused.check());
    await type('/snapshot 1008');
    await page.getByText('Login failed: the service rejected').first().waitFor();
    const { pid } = behind().bot;
    await happened(isRefused.uncheck());
    expect(behind().bot.pid).not.toBe(pid);
    await trouble().waitFor({ state: 'detached' });
    await type('/snapshot 1008');
    await page.getByRole('heading', { name: /^Snapshot 1008/ }).waitFor();
  });

  test('lets Slack answer 429 and ends that: the answer comes after all', async () => {
    const isClosed = page.getByRole('checkbox', { name: /Slack answers 429/ });
    await happened(isClosed.check());
    await type('/snapshot 1011');
    await page
      .getByRole('region', { name: 'What happens underneath' })
      .getByText('429, too many')
      .first()
      .waitFor();
    await happened(isClosed.uncheck());
    await page.getByRole('heading', { name: /^Snapshot 1011/ }).waitFor();
  });
});
