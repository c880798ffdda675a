import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { DESKTOP, launchBrowser, PHONE } from './browser.ts';
import { Flow } from './flow.ts';
import { readManifest } from './manifest.ts';
import { servePageOf } from './page-server.ts';
import { seedConversations } from './seed.ts';
import { smallPng } from './small-png.ts';
import { openStage } from './stage.ts';

const FOLDER = fileURLToPath(new URL('../../docs/', import.meta.url));
const MOST_BYTES = 200_000;
/** For what says its piece in a few lines. */
const SHORT_PHONE = { width: PHONE.width, height: 460 };

interface Shot {
  readonly name: string;
  readonly viewport: { readonly width: number; readonly height: number };
  readonly dark?: true;
  /** Brings the page to where the picture is taken. */
  readonly scene: (page: Page) => Promise<void>;
}

const answer = (page: Page, id: string) =>
  page
    .getByRole('article')
    .filter({ hasText: new RegExp(`napshot ${id}\\b`) })
    .last();

async function type(page: Page, line: string): Promise<void> {
  const box = page.getByRole('combobox', { name: /^Message/ });
  await box.fill(line);
  await box.press('Enter');
}

/** Types a command and brings the beginning of its answer to the top. */
async function ask(page: Page, line: string, reads: RegExp): Promise<void> {
  const [, id = ''] = /(\d+)/.exec(line) ?? [];
  await type(page, line);
  const message = answer(page, id);
  await message.getByText(reads).first().waitFor();
  await message.evaluate((element) => element.scrollIntoView({ block: 'start' }));
}

const SHOTS: readonly Shot[] = [
  {
    name: 'demo-result',
    viewport: DESKTOP,
    scene: (page) => ask(page, '/snapshot 1001 hit', /Page 1 of/),
  },
  {
    name: 'demo-dark',
    viewport: DESKTOP,
    dark: true,
    async scene(page) {
      await type(page, '/snapshot 1004');
      await answer(page, '1004').getByText('still being processed').waitFor();
      await page.getByRole('combobox', { name: /^Message/ }).fill('/snapshot 10');
    },
  },
  {
    name: 'demo-details',
    viewport: DESKTOP,
    async scene(page) {
      await ask(page, '/snapshot 1001 hit', /Page 1 of/);
      await answer(page, '1001').getByRole('button', { name: 'Details' }).nth(4).click();
      await page.getByRole('dialog').getByText('Summary:').waitFor();
    },
  },
  { name: 'phone-result', viewport: PHONE, scene: (page) => ask(page, '/snapshot 1001 hit', /Page 1 of/) },
  {
    name: 'phone-waiting',
    viewport: SHORT_PHONE,
    async scene(page) {
      await type(page, '/snapshot 1004 hit');
      await answer(page, '1004').getByText('The archive is being unpacked').waitFor();
    },
  },
  { name: 'phone-no-hits', viewport: SHORT_PHONE, scene: (page) => ask(page, '/snapshot 1002', /asked by/) },
  {
    name: 'phone-details',
    viewport: PHONE,
    async scene(page) {
      await ask(page, '/snapshot 1001 hit', /Page 1 of/);
      await answer(page, '1001').getByRole('button', { name: 'Details' }).nth(4).click();
      await page.getByRole('dialog').getByText('Summary:').waitFor();
    },
  },
  {
    name: 'phone-filter',
    viewport: PHONE,
    async scene(page) {
      await ask(page, '/snapshot 1001 critical', /others hidden/);
      await answer(page, '1001').evaluate((element) => element.scrollIntoView({ block: 'end' }));
    },
  },
  {
    name: 'phone-compare',
    viewport: PHONE,
    async scene(page) {
      await type(page, '/snapshot compare 1010 1011');
      const message = page.getByRole('article').filter({ hasText: '1011' }).last();
      await message.getByText('cleared').first().waitFor();
      await message.evaluate((element) => element.scrollIntoView({ block: 'start' }));
    },
  },
  {
    name: 'phone-faults',
    viewport: PHONE,
    async scene(page) {
      await type(page, '/snapshot 9999');
      await answer(page, '9999').getByText('asked by').waitFor();
      await type(page, '/snapshot');
      await page.getByText('Only visible to you').waitFor();
    },
  },
  {
    name: 'phone-underneath',
    viewport: PHONE,
    async scene(page) {
      await type(page, '/snapshot 1012 hit');
      await answer(page, '1012').getByText('asked by').waitFor();
      await page.getByRole('button', { name: 'Shelf & calls' }).click();
    },
  },
];

/** Takes the pictures of the README: each of a new demo, so that nothing of another one is in it. */
async function takeAll(browser: Browser): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  for (const shot of SHOTS) {
    const path = `${FOLDER}${shot.name}.png`;
    const picture = smallPng(await take(browser, shot));
    if (picture.length > MOST_BYTES) throw new Error(`${path} would be larger than ${MOST_BYTES} bytes`);
    writeFileSync(path, picture);
    console.log(`${path}  ${Math.round(picture.length / 1000)} kB`);
  }
}

async function take(browser: Browser, { viewport, dark, scene }: Shot): Promise<Buffer> {
  const flow = new Flow();
  const manifest = readManifest();
  const stage = await openStage({ mode: 'http', manifest, onAnswered: flow.answered });
  await stage.bot.start();
  flow.listen(stage.slack);
  await seedConversations(stage.slack);
  const served = await servePageOf({ ...stage, flow, manifest }, 0);
  const context = await browser.newContext({
    viewport,
    // A phone's screen is sharper, and its picture is small.
    deviceScaleFactor: viewport.width === PHONE.width ? 2 : 1,
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  });
  try {
    const page = await context.newPage();
    await page.goto(served.address);
    await scene(page);
    await page.evaluate('document.fonts.ready');
    return await page.screenshot();
  } finally {
    await context.close();
    await served.close();
    await stage.close();
  }
}

const browser = await launchBrowser();
await takeAll(browser).finally(() => browser.close());
