import type { BrowserContextOptions, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { startDiagnosticsService } from '../emulators/diagnostics-service/service.ts';
import { realisticDocument } from '../emulators/diagnostics-service/shelf/scenarios.ts';
import { type Bench, startBench } from '../emulators/slack/testing/bare-bot.ts';
import { trustedCertificates } from '../support/trusted-certificates.ts';
import { openWorld, type World, type WorldOptions } from '../support/workplace.ts';
import { sharedBrowser } from './browser.ts';
import { Flow } from './flow.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { servePageOf } from './page-server.ts';
import { seedConversations } from './seed.ts';
import { openStage, type Stage } from './stage.ts';
import type { Theatre } from './theatre.ts';

/** A page in front of a bot, and a browser to look at it. */
export interface Playhouse<Behind> {
  readonly behind: Behind;
  readonly address: string;
  /** Opens the page until the test is over; a script error in it makes the test fail. */
  visit(options?: BrowserContextOptions): Promise<Page>;
  close(): Promise<void>;
}

/** Like 1003, for tests whose bot and service keep a shorter interval. */
export const SOON_READY = '7001';
const ENOUGH_MS = 700;
/** Less than a test may take, so that what was waited for is named. */
const PATIENCE_MS = 30_000;

/** The page in front of the whole bot. */
export async function openPlayhouse(options: WorldOptions = {}): Promise<Playhouse<World>> {
  const flow = new Flow();
  const world = await openWorld({
    ...options,
    service: { onAnswered: flow.answered, ...options.service },
  });
  world.service.shelve(SOON_READY, {
    title: 'Ready soon',
    purpose: 'Has to be waited for, but not for long.',
    document: realisticDocument,
    counts: true,
    processing: { forMs: ENOUGH_MS, reasons: ['The archive is being unpacked.'] },
  });
  const theatre = { slack: world.slack, service: world.service, flow, manifest: readManifest() };
  return open(world, theatre, () => world.close());
}

/** The page in front of a bot that a test plays itself. */
export async function openBench(
  manifest: Manifest,
  ...bench: Parameters<typeof startBench>
): Promise<Playhouse<Bench>> {
  const flow = new Flow();
  const behind = await startBench(...bench);
  const service = await startDiagnosticsService({ certificates: await trustedCertificates() });
  const theatre = { slack: behind.slack, service, flow, manifest };
  return open(behind, theatre, async () => {
    await behind.close();
    await service.close();
  });
}

/** The page in front of the bot as a process of its own, as `npm run demo` has it. */
export async function openDemo(): Promise<Playhouse<Stage>> {
  const flow = new Flow();
  const manifest = readManifest();
  const stage = await openStage({ mode: 'http', manifest, onAnswered: flow.answered });
  await stage.bot.start();
  return open(stage, { ...stage, flow, manifest }, () => stage.close());
}

async function open<Behind>(
  behind: Behind,
  theatre: Theatre,
  close: () => Promise<void>,
): Promise<Playhouse<Behind>> {
  theatre.flow.listen(theatre.slack);
  await seedConversations(theatre.slack);
  const page = await servePageOf(theatre, 0);
  const failures: string[] = [];
  return {
    behind,
    address: page.address,
    async visit(options = {}) {
      const context = await (await sharedBrowser()).newContext(options);
      // A page that is left open draws all that the tests after this one do.
      onTestFinished(() => context.close());
      const tab = await context.newPage();
      tab.setDefaultTimeout(PATIENCE_MS);
      tab.on('pageerror', (error) => failures.push(error.message));
      await tab.goto(page.address);
      await tab.getByRole('combobox', { name: /^Message/ }).waitFor();
      return tab;
    },
    async close() {
      await page.close();
      await close();
      if (failures.length > 0) throw new Error(`Errors in the page: ${failures.join('; ')}`);
    },
  };
}
