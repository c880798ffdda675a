import type { Page, ViewportSize } from 'playwright-core';
import { realisticDocument } from '../emulators/diagnostics-service/shelf/scenarios.ts';
import { openWorld, type World, type WorldOptions } from '../support/world.ts';
import { sharedBrowser } from './browser.ts';
import { type DemoWorld, openDemoWorld } from './demo-world.ts';
import { readManifest } from './manifest.ts';
import { servePageOf } from './page-server.ts';
import { INTAKE, type PageTarget } from './page-target.ts';
import { seedConversations } from './seed.ts';

/** A page with its bot and a browser. */
export interface PageFixture<Behind> {
  readonly behind: Behind;
  readonly address: string;
  /**
   * Opens the page again. All tests of a fixture use the same tab, because another tab would be another process of the
   * browser. A script error makes `close` throw.
   */
  visit(viewport: ViewportSize): Promise<Page>;
  close(): Promise<void>;
}

/** A snapshot that is processed until a test replaces it by `READY_AFTER_ALL`. */
export const AWAITED = '7001';
export const READY_AFTER_ALL = {
  title: 'Awaited',
  purpose: 'Has to be waited for.',
  document: realisticDocument,
  counts: true,
};
/** Less than the timeout of a test, so that a failure says what the page was waiting for. */
const TIMEOUT_MS = 30_000;

/** Opens the page for a bot in this process. */
export async function openPageOfBot(options: WorldOptions = {}): Promise<PageFixture<World>> {
  const world = await openWorld({ variables: { ALLOWED_APPS: INTAKE.appId }, ...options });
  world.service.shelve(AWAITED, {
    ...READY_AFTER_ALL,
    processing: { forMs: 'forever', reasons: ['The archive is being unpacked.'] },
  });
  return open(world, { ...world, manifest: readManifest() }, () => world.close());
}

/** Opens the page for a bot in a process of its own, as in `npm run demo`. */
export async function openPageOfDemo(): Promise<PageFixture<DemoWorld>> {
  const world = await openDemoWorld();
  await world.bot.start();
  return open(world, world, () => world.close());
}

async function open<Behind>(
  behind: Behind,
  target: PageTarget,
  close: () => Promise<void>,
): Promise<PageFixture<Behind>> {
  await seedConversations(target.slack);
  const page = await servePageOf(target, 0);
  const failures: string[] = [];
  const openTab = async () => {
    const opened = await (await sharedBrowser()).newPage();
    opened.setDefaultTimeout(TIMEOUT_MS);
    opened.on('pageerror', (error) => failures.push(error.message));
    return opened;
  };
  let opening: Promise<Page> | undefined;
  return {
    behind,
    address: page.address,
    async visit(viewport) {
      opening ??= openTab();
      const tab = await opening;
      await tab.setViewportSize(viewport);
      await tab.goto(page.address);
      await tab.getByRole('combobox', { name: /^Message/ }).waitFor();
      return tab;
    },
    async close() {
      await (await opening)?.close();
      await page.close();
      await close();
      if (failures.length > 0) throw new Error(`Errors in the page: ${failures.join('; ')}`);
    },
  };
}
