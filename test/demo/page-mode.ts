import { BotDied } from './bot-process.ts';
import { type DemoWorld, openDemoWorld } from './demo-world.ts';
import { Flow } from './flow.ts';
import { readManifest } from './manifest.ts';
import type { Output } from './one-command.ts';
import type { DemoOptions } from './options.ts';
import { type ServedPage, servePageOf } from './page-server.ts';
import { seedConversations } from './seed.ts';
import { interruption } from './signals.ts';

const PORT = 4000;

/** Serves the page, until Ctrl-C. */
export async function servePage(
  { mode, verbose, unfurl }: DemoOptions,
  { out, err }: Output,
): Promise<number> {
  const stopped = interruption();
  const manifest = readManifest();
  const flow = new Flow();
  const world = await openDemoWorld({
    mode,
    unfurl,
    manifest,
    onAnswered: flow.answered,
    ...(verbose ? { onLine: err } : {}),
  });
  flow.listen(world.slack);
  const serving = servePageOf({ ...world, flow, manifest }, PORT);
  let page: ServedPage | undefined;
  try {
    await Promise.all([world.bot.start(), serving]);
    // What people say reaches a bot that listens.
    await seedConversations(world.slack);
    page = await serving;
    announce(page, out);
    warnOfDeath(world, err);
    await stopped;
    return 0;
  } finally {
    page ??= await serving.catch(() => undefined);
    await page?.close();
    await world.close();
  }
}

function announce({ address }: ServedPage, out: Output['out']): void {
  out(`\n  Snapshot Bot in a small Slack:  ${address}\n`);
  out('  The page says what to try first. Ctrl-C ends it.');
}

/** The page stays, and offers to start the bot again. */
function warnOfDeath({ bot }: DemoWorld, err: Output['err']): void {
  bot.on((state) => {
    if (state === 'died') err(`\n${new BotDied(bot.lastLines).message}\nThe page offers to start it again.`);
  });
}
