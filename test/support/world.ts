import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp, type SnapshotBot } from '../../src/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { DEFAULT_TIMING, type Timing } from '../../src/lookups/lookups.ts';
import { createLogger } from '../../src/ops/logging.ts';
import type { DiagnosticsService } from '../emulators/diagnostics-service/service.ts';
import type { Slack } from '../emulators/slack/slack.ts';
import { environmentFor } from './bot-environment.ts';
import { startUpstreams, type UpstreamsOptions } from './upstreams.ts';

/** A bot in the process of the test, with emulators of Slack and of the service on real sockets. */
export type World = {
  readonly slack: Slack;
  readonly service: DiagnosticsService;
  /** The lines of the bot's log so far. */
  readonly log: string[];
  readonly address: () => string;
  /** How many milliseconds the bot's clock is ahead of the other clocks. */
  readonly clock: { ahead: number };
  /** The bot's `DATA_DIR`, which is deleted with the world. */
  readonly dataDir: string;
  /** Stops the bot, and starts a new one with the same data and optional changes of its variables. */
  restart(changes?: Variables): Promise<void>;
  stopBot(): Promise<void>;
  close(): Promise<void>;
};

type Variables = Readonly<Record<string, string>>;

export type WorldOptions = UpstreamsOptions & {
  readonly mode?: 'http' | 'socket';
  /** Additional or replaced variables of the bot. */
  readonly variables?: Variables | ((service: DiagnosticsService) => Variables);
  readonly timing?: Partial<Timing>;
  /** The bot's clock, in epoch milliseconds. */
  readonly now?: () => number;
};

/** A shorter polling interval for bot and emulator; the shipped interval is ten seconds. Milliseconds. */
const SHORT_INTERVAL_MS = 250;
const FAST: Timing = {
  ...DEFAULT_TIMING,
  intervalMs: SHORT_INTERVAL_MS,
  // On a busy machine a first answer can take more than a second. Tests of slow answers set this time.
  progressAfterMs: 10_000,
  shutdownDelayMs: 0,
  retry: { ...DEFAULT_TIMING.retry, firstDelayMs: 5, longestDelayMs: 20 },
};

/** Starts the emulators and a bot that listens. If the bot fails to start, closes everything and throws its error. */
export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const upstreams = await startUpstreams({
    ...options,
    service: { waitMs: SHORT_INTERVAL_MS, ...options.service },
    slack: { mode: options.mode ?? 'http', ...options.slack },
  });
  const { slack, service } = upstreams;
  const dataDir = mkdtempSync(join(tmpdir(), 'snapshot-bot-'));
  const log: string[] = [];
  const clock = { ahead: 0 };
  const start = botStarter(options, { slack, service, dataDir, log, clock });
  let bot: SnapshotBot | undefined;
  const stopBot = async () => {
    await bot?.stop();
    bot = undefined;
  };
  const close = async () => {
    await stopBot();
    await upstreams.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    bot = await start();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    slack,
    service,
    log,
    dataDir,
    clock,
    address: () => `http://127.0.0.1:${bot?.port() ?? 0}`,
    restart: async (changes) => {
      await stopBot();
      bot = await start(changes);
    },
    stopBot,
    close,
  };
}

/**
 * Returns a function that starts a bot with these data and optional changes of its variables, and that stops a bot
 * whose start failed.
 */
function botStarter(
  options: WorldOptions,
  { slack, service, dataDir, log, clock }: Pick<World, 'slack' | 'service' | 'dataDir' | 'log' | 'clock'>,
): (changes?: Variables) => Promise<SnapshotBot> {
  const mode = options.mode ?? 'http';
  const given = typeof options.variables === 'function' ? options.variables(service) : options.variables;
  const variables = { ...environmentFor(slack, service, mode), DATA_DIR: dataDir, ...given };
  const timing = { ...FAST, ...options.timing };
  const now = options.now ?? (() => Date.now() + clock.ahead);
  return async (changes = {}) => {
    const config = readConfig({ ...variables, ...changes }, () => '');
    const logger = createLogger(config.logLevel, config.secrets, { write: (line) => log.push(line) });
    const bot = await createApp({ config, logger, timing, now });
    try {
      await bot.start();
    } catch (error) {
      await bot.stop();
      throw error;
    }
    if (mode === 'http') slack.deliverTo(`http://127.0.0.1:${bot.port()}/slack/events`);
    return bot;
  };
}
