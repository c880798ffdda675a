import type { Locator, Page } from 'playwright-core';

/**
 * Types a line in the message box of the page, or of its thread, and returns the new message about the first snapshot
 * in it, once the message contains `reads`. Older messages about the same snapshot don't count.
 */
export async function askOnPage(
  page: Page,
  line: string,
  reads: string | RegExp,
  where: Locator = page.locator('body'),
): Promise<Locator> {
  const [id = ''] = /\d+/.exec(line) ?? [];
  const about = where.getByRole('article').filter({ hasText: new RegExp(`Snapshots? ${id}\\b`) });
  const message = about.nth(await about.count());
  const box = where.getByRole('combobox', { name: /^(?:Message|Reply)/ }).last();
  await box.fill(line);
  await box.press('Enter');
  await message.getByText(reads).first().waitFor();
  return message;
}

/**
 * Looks up a snapshot in a thread that is two hours old, and waits until the channel shows the end. Calls `waiting`
 * once the wait has begun.
 */
export async function waitInOldThread(page: Page, id: string, waiting = () => {}): Promise<void> {
  await page.getByRole('article').filter({ hasText: 'lb-d' }).getByRole('button', { name: 'repl' }).click();
  const thread = page.getByRole('region', { name: /^Thread/ });
  const message = await askOnPage(page, `@snapshot ${id}`, 'still being processed', thread);
  await message.getByRole('button', { name: /^Tell me too/ }).click();
  await thread.getByText('You’re on the list').waitFor();
  waiting();
  await thread.getByText('Also sent to the channel').waitFor();
  const back = thread.getByRole('button', { name: '#support' });
  await back
    .or(thread.getByRole('button', { name: 'Close the thread' }))
    .first()
    .click();
  await page.getByRole('main').getByText('replied to a thread').waitFor();
}

/** Submits the form of the intake app, and opens the thread below what the app posts. */
export async function submitCase(page: Page): Promise<void> {
  const toChannels = page.getByRole('button', { name: 'Channels' });
  if (await toChannels.isVisible()) await toChannels.click();
  await page.getByRole('button', { name: 'New case' }).click();
  await page.getByRole('button', { name: 'Submit' }).click();
  const posted = page.getByRole('article').filter({ hasText: 'New case by' });
  await posted.getByRole('button', { name: '1 reply' }).click();
}
