import { flushCompileCache } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import { ConfigProblems, explain, explainConfig, loadConfig } from './config/load-config.ts';
import { CannotStart } from './core/errors.ts';
import { createLogger } from './ops/logging.ts';
import { TokenRejected } from './slack/front/slack-client.ts';

/** Starting again may help: a network or a disk comes back. */
const EXIT_FAILED = 1;
/** Starting again is of no use before a setting is changed; the systemd unit relies on this code. */
const EXIT_CONFIGURATION = 2;
/** The longest that a stop takes. Work that has not ended by then goes on at the next start or in another replica. */
const GONE_WITHIN_MS = 8_000;
/** Ends the process from a thread of its own, so that a loop that is held does not keep it. */
const END = `setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${GONE_WITHIN_MS})`;

/** What Node does in threads of native code: files, and the names of hosts. */
const IN_THREAD = /^(?:FSReq|GetAddrInfo)/;
const LOOK_AGAIN_MS = 20;

/**
 * When compiled code is written to the cache again: by then the first login and mostly the first answers have happened.
 * A regular stop writes the rest.
 */
const WRITE_AGAIN_MS = 60_000;

function configure() {
  try {
    return loadConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigProblems)) throw error;
    console.error(explainConfig(error));
    process.exit(EXIT_CONFIGURATION);
  }
}

/** The threads that run, such as one that reads a document. */
const threads = new Set<Worker>();
process.on('worker', (thread) => {
  threads.add(thread);
  thread.once('exit', () => threads.delete(thread));
});

function stopOnSignals(bot: { stop(): Promise<void> }, logger: Logger): void {
  let isStopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (isStopping) return;
    isStopping = true;
    // Before the log line: a reader that stands still could hold it up.
    const end = new Worker(END, { eval: true });
    end.unref();
    logger.info({ signal }, 'stopping');
    await bot.stop();
    // `process.exit` ends `end` too, and then waits for other threads and the disk, for as long as that takes.
    await Promise.all([...threads].map((thread) => thread === end || thread.terminate()));
    flushCompileCache();
    while (process.getActiveResourcesInfo().some((kind) => IN_THREAD.test(kind))) await delay(LOOK_AGAIN_MS);
    logger.info('stopped; open lookups go on at the next start');
    process.exit(0);
  };
  // SIGHUP comes when the terminal of the bot is closed.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
}

const { config, whereIs, warnings } = configure();
const logger = createLogger(config.logLevel, config.secrets, undefined, config.logFormat);
for (const warning of warnings) logger.warn(warning);
try {
  const bot = await createApp({ config, logger });
  stopOnSignals(bot, logger);
  await bot.start();
  logger.info({ port: bot.port(), slack: config.slack.transport.kind }, 'Snapshot Bot is listening');
  bot
    .checkUpstreams()
    .catch((error: unknown) => logger.error({ err: error }, 'the check of the service failed'));
} catch (error) {
  if (error instanceof CannotStart) console.error(explain(error, whereIs));
  else logger.fatal({ err: error }, 'Snapshot Bot could not start because of a bug in it');
  process.exit(error instanceof TokenRejected ? EXIT_CONFIGURATION : EXIT_FAILED);
}

flushCompileCache();
setTimeout(flushCompileCache, WRITE_AGAIN_MS).unref();
