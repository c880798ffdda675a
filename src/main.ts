import { flushCompileCache } from 'node:module';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import { ConfigProblems, loadConfig } from './config/config.ts';
import { CannotStart, Stopping } from './core/faults.ts';
import { createLogger, forPeople } from './ops/logging.ts';
import { TokenRejected } from './slack/front/slack-client.ts';

/** The exit code when a restart may help, such as after a network outage. */
const EXIT_FAILED = 1;
/** The exit code when a setting must change first; the systemd unit then does not restart the bot. */
const EXIT_CONFIGURATION = 2;
/** How long a stop takes at most. Unfinished work continues at the next start or on another replica. Milliseconds. */
const GONE_WITHIN_MS = 8_000;
/**
 * How long after the start Node's compile cache is written. By then the first login, and usually the first answer, have
 * loaded their code; later code is written at the exit. Milliseconds.
 */
const WRITE_CACHE_AFTER_MS = 60_000;

function configure() {
  try {
    return loadConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigProblems)) throw error;
    console.error(`Snapshot Bot cannot start: ${error.message}`);
    process.exit(EXIT_CONFIGURATION);
  }
}

function stopOnSignals(bot: { stop(): Promise<void> }, logger: Logger): void {
  let isStopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (isStopping) return;
    isStopping = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => process.exit(EXIT_FAILED), GONE_WITHIN_MS);
    await bot.stop();
    logger.info('stopped; open lookups go on at the next start');
    process.exit(0);
  };
  // SIGHUP arrives when the terminal of the bot is closed.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
}

const { config, warnings } = configure();
const output = config.logFormat === 'pretty' ? forPeople() : undefined;
const logger = createLogger(config.logLevel, config.secrets, output);
for (const warning of warnings) logger.warn(warning);
try {
  const bot = await createApp({ config, logger });
  stopOnSignals(bot, logger);
  await bot.start();
  logger.info({ port: bot.port(), slack: config.slack.transport.kind }, 'Snapshot Bot is listening');
  bot.checkUpstreams().catch((err: unknown) => {
    if (!(err instanceof Stopping)) logger.error({ err }, 'the check of the service failed');
  });
} catch (error) {
  if (error instanceof CannotStart)
    console.error(
      `Snapshot Bot cannot start: ${error.message}.\nTo check everything at once: npm run doctor`,
    );
  else logger.fatal({ err: error }, 'Snapshot Bot could not start because of a bug in it');
  process.exit(error instanceof TokenRejected ? EXIT_CONFIGURATION : EXIT_FAILED);
}

setTimeout(flushCompileCache, WRITE_CACHE_AFTER_MS).unref();
