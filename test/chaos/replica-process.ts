import { argv, env, exit, stdout } from 'node:process';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/ops/logging.ts';
import { DEFAULT_TIMING } from '../../src/timing.ts';

/**
 * The tests' own entry point: the bot as `main.ts` runs it, with the interval that its first argument names, because
 * the shipped configuration can't make it shorter. Says on the standard output when it listens.
 */
const intervalMs = Number(argv[2]);
const config = readConfig(env, () => '');
const logger = createLogger(config.logLevel, config.secrets);
const timing = {
  ...DEFAULT_TIMING,
  intervalMs,
  // As in openChaosWorld: a first answer can take more than the shipped second on a busy machine.
  progressAfterMs: 10_000,
  coolDownMs: 500,
  // The shipped second is waited for where the shipped bot is stopped.
  shutdownDelayMs: 200,
  dayMs: 2_000,
  retry: { ...DEFAULT_TIMING.retry, firstDelayMs: 20, longestDelayMs: 100 },
};
const bot = await createApp({ config, logger, timing });
await bot.start();
process.on('SIGTERM', async () => {
  await bot.stop();
  exit(0);
});
stdout.write('listening\n');
