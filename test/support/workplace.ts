import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp, type SnapshotBot } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/ops/logging.ts';
import { DEFAULT_TIMING, type Timing } from '../../src/timing.ts';
import {
  type DiagnosticsService,
  startDiagnosticsService,
} from '../emulators/diagnostics-service/service.ts';
import { demoShelf } from '../emulators/diagnostics-service/shelf.ts';
import type { DiagnosticsServiceOptions } from '../emulators/diagnostics-service/types.ts';
import { type SlackOptions, startSlack } from '../emulators/slack/slack.ts';
import type { Slack } from '../emulators/slack/slack-interface.ts';
import { environmentFor } from './bot-environment.ts';
import { trustedCertificates } from './trusted-certificates.ts';

/** The bot with both its neighbours, on real sockets; only the two far ends are emulators. */
export type World = {
  readonly slack: Slack;
  readonly service: DiagnosticsService;
  /** Every line of the bot's log so far. */
  readonly log: string[];
  readonly address: () => string;
  /** The bot's `DATA_DIR`; whatever lies in it is removed with the world. */
  readonly dataDir: string;
  /** Stops the bot and starts a new one on the same data, with some variables changed if given. */
  restart(changes?: Variables): Promise<void>;
  stopBot(): Promise<void>;
  close(): Promise<void>;
};

type Variables = Readonly<Record<string, string>>;

export type WorldOptions = {
  readonly mode?: 'http' | 'socket';
  /** Variables of the bot besides, or in place of, those that point it at the emulators. */
  readonly variables?: Variables | ((service: DiagnosticsService) => Variables);
  /** Names besides the loopback ones that the service's certificate is good for. */
  readonly hostnames?: string[];
  readonly timing?: Partial<Timing>;
  readonly service?: Partial<DiagnosticsServiceOptions>;
  readonly slack?: SlackOptions;
  /** The bot's clock, in epoch milliseconds. */
  readonly now?: () => number;
};

/** The shipped configuration waits ten seconds; here bot and emulator are given the same shorter time. */
export const SHORT_INTERVAL_MS = 250;
const FAST: Timing = {
  ...DEFAULT_TIMING,
  intervalMs: SHORT_INTERVAL_MS,
  // A first answer can take more than the shipped second on a busy machine: tests of slowness pass their own.
  progressAfterMs: 10_000,
  shutdownDelayMs: 0,
  retry: { ...DEFAULT_TIMING.retry, firstDelayMs: 5, longestDelayMs: 20 },
};

/** Opens a workplace with a bot that listens. Throws what the bot's start throws, and leaves nothing behind then. */
export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const { slack, service } = await startUpstreams(options);
  const dataDir = mkdtempSync(join(tmpdir(), 'snapshot-bot-'));
  const log: string[] = [];
  const start = botStarter(options, { slack, service, dataDir, log });
  let bot: SnapshotBot | undefined;
  const stopBot = async () => {
    await bot?.stop();
    bot = undefined;
  };
  const close = async () => {
    await stopBot();
    await Promise.all([slack.close(), service.close()]);
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
    address: () => `http://127.0.0.1:${bot?.port() ?? 0}`,
    restart: async (changes) => {
      await stopBot();
      bot = await start(changes);
    },
    stopBot,
    close,
  };
}

async function startUpstreams(options: WorldOptions): Promise<Pick<World, 'slack' | 'service'>> {
  const certificates = await trustedCertificates(options.hostnames);
  const service = await startDiagnosticsService({
    certificates,
    waitMs: SHORT_INTERVAL_MS,
    ...options.service,
  });
  for (const [id, entry] of Object.entries(demoShelf())) service.shelve(id, entry);
  return { service, slack: await startSlack({ mode: options.mode ?? 'http', ...options.slack }) };
}

/** Starts a bot on this data, with some variables changed if given; one that does not start is stopped. */
function botStarter(
  options: WorldOptions,
  { slack, service, dataDir, log }: Pick<World, 'slack' | 'service' | 'dataDir' | 'log'>,
): (changes?: Variables) => Promise<SnapshotBot> {
  const mode = options.mode ?? 'http';
  const given = typeof options.variables === 'function' ? options.variables(service) : options.variables;
  const variables = { ...environmentFor(slack, service, mode), DATA_DIR: dataDir, ...given };
  const timing = { ...FAST, ...options.timing };
  return async (changes = {}) => {
    const config = readConfig({ ...variables, ...changes }, () => '');
    const logger = createLogger(config.logLevel, config.secrets, { write: (line) => log.push(line) });
    const bot = await createApp({ config, logger, timing, ...(options.now && { now: options.now }) });
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
