import { openDemoWorld } from './demo-world.ts';
import type { Output } from './one-command.ts';
import type { DemoOptions } from './options.ts';
import { type ServedPage, servePageOf } from './page-server.ts';
import { seedConversations } from './seed.ts';
import { interruption } from './signals.ts';

const PORT = 4000;

/** Serves the page, until Ctrl-C. */
export async function servePage({ mode, verbose }: DemoOptions, { out, err }: Output): Promise<number> {
  const stopped = interruption();
  const world = await openDemoWorld({
    mode,
    // The page stays open and offers a button to start the bot again.
    onDeath: ({ message }) => err(`\n${message}\nThe page offers to start it again.`),
    ...(verbose && { onLine: err }),
  });
  const serving = servePageOf(world, PORT);
  let page: ServedPage | undefined;
  try {
    await Promise.all([world.bot.start(), serving]);
    // The bot has to listen before the first messages are posted.
    await seedConversations(world.slack);
    page = await serving;
    out(`\n  Snapshot Bot in a small Slack:  ${page.address}\n`);
    out('  The page says what to try first. Ctrl-C ends it.');
    await stopped;
    return 0;
  } finally {
    page ??= await serving.catch(() => undefined);
    await page?.close();
    await world.close();
  }
}
