import { existsSync, readFileSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import type { Logger } from 'pino';
import { createApp, type SnapshotBot } from './app.ts';
import { type Config, ConfigProblems, readConfig } from './config.ts';
import { createLogger } from './ops/logging.ts';

const ENV_FILE = '.env';
const EXIT_CONFIGURATION = 2;
/** What has not ended by then is written down, and goes on at the next start or in another replica. */
const GONE_WITHIN_MS = 9_500;

function configure(): Config {
  try {
    if (existsSync(ENV_FILE)) loadEnvFile(ENV_FILE);
    return readConfig(process.env, (path) => readFileSync(path, 'utf8'));
  } catch (error) {
    if (!(error instanceof ConfigProblems)) throw error;
    console.error(`Snapshot Bot can not start: ${error.message}\n`);
    console.error('Each is an environment variable, or a line of .env (start from .env.example).');
    console.error('To see the bot at work without any of them: npm run demo');
    process.exit(EXIT_CONFIGURATION);
  }
}

function stopOnSignals(bot: SnapshotBot, logger: Logger): void {
  let isStopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (isStopping) return;
    isStopping = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => process.exit(0), GONE_WITHIN_MS).unref();
    await bot.stop();
    logger.info('stopped; what is open goes on at the next start');
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

const config = configure();
const logger = createLogger(config.logLevel, config.secrets);
try {
  const bot = await createApp({ config, logger });
  stopOnSignals(bot, logger);
  await bot.start();
  logger.info({ port: bot.port(), slack: config.slack.entrance.kind }, 'Snapshot Bot is listening');
} catch (error) {
  logger.fatal({ err: error }, 'Snapshot Bot could not start');
  process.exit(1);
}
