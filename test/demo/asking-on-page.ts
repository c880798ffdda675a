import type { Locator, Page } from 'playwright-core';

/**
 * Types a line in the message box of the page, or of its thread, and returns the new message about the first snapshot
 * that it names, once that says `reads`. Messages about the same snapshot that stood there before are never meant.
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

/** Submits the form of the intake app, and opens the thread below what the app posts. */
export async function submitCase(page: Page): Promise<void> {
  const toChannels = page.getByRole('button', { name: 'Channels' });
  if (await toChannels.isVisible()) await toChannels.click();
  await page.getByRole('button', { name: 'New case' }).click();
  await page.getByRole('button', { name: 'Submit' }).click();
  const posted = page.getByRole('article').filter({ hasText: 'New case by' });
  await posted.getByRole('button', { name: '1 reply' }).click();
}
