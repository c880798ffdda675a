import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createApp, type SnapshotBot } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/ops/logging.ts';
import { DEFAULT_TIMING, type Timing } from '../../src/timing.ts';
import { type Certificates, makeCertificates } from '../stand-ins/certificates.ts';
import {
  type DiagnosticsService,
  startDiagnosticsService,
} from '../stand-ins/diagnostics-service/service.ts';
import { demoShelf } from '../stand-ins/diagnostics-service/shelf.ts';
import type { DiagnosticsServiceOptions } from '../stand-ins/diagnostics-service/types.ts';
import { type SlackOptions, startSlack } from '../stand-ins/slack/slack.ts';
import type { Slack } from '../stand-ins/slack/slack-interface.ts';
import { environmentFor } from './bot-environment.ts';

/** The bot with both its neighbours, on real sockets; only the two far ends are stand-ins. */
export type Workplace = {
  readonly slack: Slack;
  readonly service: DiagnosticsService;
  /** Every line of the bot's log so far. */
  readonly log: string[];
  readonly address: () => string;
  /** Stops the bot and starts a new one on the same data, with some variables changed if given. */
  restart(changes?: Variables): Promise<void>;
  stopBot(): Promise<void>;
  close(): Promise<void>;
};

type Variables = Readonly<Record<string, string>>;

export type WorkplaceOptions = {
  readonly mode?: 'http' | 'socket';
  /** Variables of the bot besides, or in place of, those that point it at the stand-ins. */
  readonly variables?: Variables | ((service: DiagnosticsService) => Variables);
  /** Names besides the loopback ones that the service's certificate is good for. */
  readonly hostnames?: string[];
  readonly timing?: Partial<Timing>;
  readonly service?: Partial<DiagnosticsServiceOptions>;
  readonly slack?: SlackOptions;
  /** The bot's clock, in epoch milliseconds. */
  readonly now?: () => number;
};

/** The shipped configuration waits ten seconds; here bot and stand-in are given the same shorter time. */
export const SHORT_INTERVAL_MS = 250;
const FAST: Timing = {
  ...DEFAULT_TIMING,
  intervalMs: SHORT_INTERVAL_MS,
  farewellMs: 0,
  retry: { ...DEFAULT_TIMING.retry, firstDelayMs: 5, longestDelayMs: 20 },
};

const made = new Map<string, Promise<Certificates>>();

/** Certificates that this process trusts, made once for the same names. */
function trustedCertificates(hostnames: string[]): Promise<Certificates> {
  const key = hostnames.join();
  const making =
    made.get(key) ??
    makeCertificates(hostnames).then((certificates) => {
      setDefaultCACertificates([...getCACertificates('default'), certificates.caPem]);
      return certificates;
    });
  made.set(key, making);
  return making;
}

export async function openWorkplace(options: WorkplaceOptions = {}): Promise<Workplace> {
  const certificates = await trustedCertificates(options.hostnames ?? []);
  const service = await startDiagnosticsService({
    certificates,
    waitMs: SHORT_INTERVAL_MS,
    ...options.service,
  });
  for (const [id, entry] of Object.entries(demoShelf())) service.shelve(id, entry);
  const mode = options.mode ?? 'http';
  const slack = await startSlack({ mode, ...options.slack });
  const dataDir = mkdtempSync(join(tmpdir(), 'snapshot-bot-'));
  const given = typeof options.variables === 'function' ? options.variables(service) : options.variables;
  const variables = { ...environmentFor(slack, service, mode), DATA_DIR: dataDir, ...given };
  const log: string[] = [];
  const timing = { ...FAST, ...options.timing };
  const start = async (changes: Variables = {}): Promise<SnapshotBot> => {
    const config = readConfig({ ...variables, ...changes }, () => '');
    const logger = createLogger(config.logLevel, config.secrets, { write: (line) => log.push(line) });
    const bot = await createApp({ config, logger, timing, ...(options.now && { now: options.now }) });
    await bot.start();
    if (mode === 'http') slack.deliverTo(`http://127.0.0.1:${bot.port()}/slack/events`);
    return bot;
  };
  let bot: SnapshotBot | undefined = await start();
  const stopBot = async () => {
    await bot?.stop();
    bot = undefined;
  };
  return {
    slack,
    service,
    log,
    address: () => `http://127.0.0.1:${bot?.port() ?? 0}`,
    restart: async (changes) => {
      await stopBot();
      bot = await start(changes);
    },
    stopBot,
    close: async () => {
      await stopBot();
      await Promise.all([slack.close(), service.close()]);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
