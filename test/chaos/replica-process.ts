import { argv, env, exit, stdout } from 'node:process';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { DEFAULT_TIMING } from '../../src/lookups/lookups.ts';
import { createLogger } from '../../src/ops/logging.ts';

/** A stop may take this long. */
const GONE_WITHIN_MS = 9_500;

/**
 * Starts the bot like `main.ts`, but with shorter times than a configuration allows. Arguments, in milliseconds: the
 * interval after a 202, the length of a day, and how far the clock is off. Prints "listening" once the bot takes
 * deliveries. A message of the parent process steps the clock.
 */
const intervalMs = Number(argv[2]);
const config = readConfig(env, () => '');
const logger = createLogger(config.logLevel, config.secrets);
const timing = {
  ...DEFAULT_TIMING,
  intervalMs,
  // Several times the interval: on a busy machine an answer of the service takes that long.
  answerMs: 2_000,
  // Longer than the default second: otherwise each lookup on a busy machine would first post “Looking up”.
  progressAfterMs: 10_000,
  coolDownMs: 500,
  // Shorter than the default second, to save time. Tests of the shipped stop wait for the whole second.
  shutdownDelayMs: 200,
  dayMs: Number(argv[3]),
  retry: { ...DEFAULT_TIMING.retry, firstDelayMs: 20, longestDelayMs: 100 },
};
let offsetMs = Number(argv[4]);
process.on('message', (step: { readonly offsetMs: number }) => {
  offsetMs = step.offsetMs;
});
const bot = await createApp({ config, logger, timing, now: () => Date.now() + offsetMs });
await bot.start();
process.on('SIGTERM', async () => {
  setTimeout(() => exit(0), GONE_WITHIN_MS).unref();
  await bot.stop();
  exit(0);
});
stdout.write('listening\n');
