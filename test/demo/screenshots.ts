import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { askOnPage, submitCase, waitInOldThread } from './asking-on-page.ts';
import { DESKTOP, launchBrowser, PHONE } from './browser.ts';
import { openDemoWorld } from './demo-world.ts';
import { servePageOf } from './page-server.ts';
import { seedConversations } from './seed.ts';

const FOLDER = fileURLToPath(new URL('../../docs/', import.meta.url));
const MOST_BYTES = 400_000;
const DESK = { width: DESKTOP.width, height: 1_000 };

interface Shot {
  readonly name: string;
  readonly viewport: { readonly width: number; readonly height: number };
  /** Brings the page into the state of the picture. */
  readonly prepare: (page: Page) => Promise<unknown>;
}

const report = (page: Page) => askOnPage(page, '/snapshot 1001', 'And 24 more');
const several = (page: Page) => askOnPage(page, '/snapshot 1014 1015 1016 1017 1007', 'are ready');
const comparison = (page: Page) => askOnPage(page, '/snapshot compare 1010 1011', 'And 10 more');

async function windowOf(page: Page, label: string, shows: string): Promise<void> {
  await (await report(page)).getByRole('button', { name: label }).first().click();
  await page.getByRole('dialog').getByText(shows).first().waitFor();
}
const broadcast = (page: Page) => waitInOldThread(page, '1017');

/** Every picture in the documents. */
const SHOTS: readonly Shot[] = [
  { name: 'report-1280', viewport: DESK, prepare: report },
  { name: 'report-390', viewport: PHONE, prepare: report },
  { name: 'list-1280', viewport: DESK, prepare: (page) => windowOf(page, 'All 37 hits', 'Search') },
  {
    name: 'search-390',
    viewport: PHONE,
    prepare: (page) => askOnPage(page, '/snapshot 1001 CVE-2026-10000', 'Searched all'),
  },
  { name: 'several-1280', viewport: { ...DESK, height: 1_240 }, prepare: several },
  { name: 'comparison-1280', viewport: DESK, prepare: comparison },
  { name: 'broadcast-1280', viewport: DESK, prepare: broadcast },
  { name: 'broadcast-390', viewport: PHONE, prepare: broadcast },
  { name: 'intake-1280', viewport: DESK, prepare: submitCase },
  { name: 'intake-390', viewport: PHONE, prepare: submitCase },
];

/** Takes each picture in a new demo, so that pictures don't affect each other. */
async function takeAll(browser: Browser): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  for (const shot of SHOTS) {
    const path = `${FOLDER}${shot.name}.png`;
    const picture = await take(browser, shot);
    if (picture.length > MOST_BYTES) throw new Error(`${path} would be larger than ${MOST_BYTES} bytes`);
    writeFileSync(path, picture);
    console.log(`${path}  ${Math.round(picture.length / 1000)} kB`);
  }
}

async function take(browser: Browser, { viewport, prepare }: Shot): Promise<Buffer> {
  const world = await openDemoWorld();
  await world.bot.start();
  await seedConversations(world.slack);
  const served = await servePageOf(world, 0);
  const context = await browser.newContext({
    viewport,
    // A phone has a sharper screen, and its picture is small enough for that.
    deviceScaleFactor: viewport.width === PHONE.width ? 2 : 1,
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  try {
    const page = await context.newPage();
    await page.goto(served.address);
    await prepare(page);
    await page.evaluate('document.fonts.ready');
    // Moves the pointer away, so that no element shows its hover state.
    await page.mouse.move(0, 0);
    return await page.screenshot();
  } finally {
    await context.close();
    await served.close();
    await world.close();
  }
}

const browser = await launchBrowser();
await takeAll(browser).finally(() => browser.close());
