import { BotDied } from '../support/bot-process.ts';
import { type DemoWorld, openDemoWorld } from './demo-world.ts';
import { runCommand } from './one-command.ts';
import { BadArguments, type DemoOptions, HELP, readOptions } from './options.ts';
import { interruption } from './signals.ts';
import { runTour } from './tour.ts';

const out = (line: string) => console.log(line);
const err = (line: string) => console.error(line);

/** Runs the demo as its options say, and returns the exit code. */
async function main(options: DemoOptions): Promise<number> {
  if (options.kind === 'help') {
    out(HELP);
    return 0;
  }
  if (options.kind === 'page') {
    const { servePage } = await import('./page-mode.ts');
    return servePage(options, { out, err });
  }
  const { promise: death, reject: onDeath } = Promise.withResolvers<never>();
  const { mode, verbose } = options;
  const world = await openDemoWorld({ mode, onDeath, ...(verbose && { onLine: err }) });
  const interrupted = interruption().then(() => 1);
  try {
    return await Promise.race([runCommands(options, world), death, interrupted]);
  } finally {
    await world.close();
  }
}

async function runCommands(options: DemoOptions, world: DemoWorld): Promise<number> {
  await world.bot.start();
  const isFine =
    options.kind === 'tour'
      ? await runTour(world, out)
      : await runCommand(world, options.command, { out, err });
  return isFine ? 0 : 1;
}

async function run(): Promise<number> {
  try {
    return await main(readOptions(process.argv.slice(2)));
  } catch (error) {
    if (!(error instanceof BadArguments) && !(error instanceof BotDied)) throw error;
    err(error.message);
    return 1;
  }
}

// Don't wait for requests that are still open.
process.exit(await run());
