import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createApp, type SnapshotBot } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/ops/logging.ts';
import { DEFAULT_TIMING, type Timing } from '../../src/timing.ts';
import { makeCertificates } from '../stand-ins/certificates.ts';
import {
  DEFAULT_USER_ID,
  DEFAULT_USER_SECRET,
  DEFAULT_VENDOR,
  type DiagnosticsService,
  startDiagnosticsService,
} from '../stand-ins/diagnostics-service/service.ts';
import { demoShelf } from '../stand-ins/diagnostics-service/shelf.ts';
import type { DiagnosticsServiceOptions } from '../stand-ins/diagnostics-service/types.ts';
import { startSlack } from '../stand-ins/slack/slack.ts';
import type { Slack } from '../stand-ins/slack/slack-interface.ts';

/** The bot with both its neighbours, on real sockets; only the two far ends are stand-ins. */
export type Workplace = {
  readonly slack: Slack;
  readonly service: DiagnosticsService;
  /** Every line of the bot's log so far. */
  readonly log: string[];
  readonly address: () => string;
  /** Stops the bot and starts a new one on the same data. */
  restart(): Promise<void>;
  stopBot(): Promise<void>;
  close(): Promise<void>;
};

export type WorkplaceOptions = {
  readonly mode?: 'http' | 'socket';
  readonly variables?: Readonly<Record<string, string>>;
  readonly timing?: Partial<Timing>;
  readonly service?: Partial<DiagnosticsServiceOptions>;
};

/** The shipped configuration waits ten seconds; here bot and stand-in are given the same shorter time. */
export const SHORT_INTERVAL_MS = 250;
const FAST: Timing = {
  ...DEFAULT_TIMING,
  intervalMs: SHORT_INTERVAL_MS,
  retry: { ...DEFAULT_TIMING.retry, firstDelayMs: 5, longestDelayMs: 20 },
};

export async function openWorkplace(options: WorkplaceOptions = {}): Promise<Workplace> {
  const certificates = await makeCertificates();
  setDefaultCACertificates([...getCACertificates('default'), certificates.caPem]);
  const service = await startDiagnosticsService({
    certificates,
    waitMs: SHORT_INTERVAL_MS,
    ...options.service,
  });
  for (const [id, entry] of Object.entries(demoShelf())) service.shelve(id, entry);
  const mode = options.mode ?? 'http';
  const slack = await startSlack({ mode });
  const dataDir = mkdtempSync(join(tmpdir(), 'snapshot-bot-'));
  const variables = { ...environmentFor(slack, service, mode), DATA_DIR: dataDir, ...options.variables };
  const log: string[] = [];
  const timing = { ...FAST, ...options.timing };
  const start = async (): Promise<SnapshotBot> => {
    const config = readConfig(variables, () => '');
    const logger = createLogger(config.logLevel, config.secrets, { write: (line) => log.push(line) });
    const bot = await createApp({ config, logger, timing });
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
    restart: async () => {
      await stopBot();
      bot = await start();
    },
    stopBot,
    close: async () => {
      await stopBot();
      await Promise.all([slack.close(), service.close()]);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The variables that point a bot at the stand-ins. */
export function environmentFor(
  slack: Slack,
  service: DiagnosticsService,
  mode: 'http' | 'socket',
): Record<string, string> {
  return {
    SLACK_BOT_TOKEN: slack.botToken,
    ...(mode === 'http'
      ? { SLACK_SIGNING_SECRET: slack.signingSecret }
      : { SLACK_APP_TOKEN: slack.appToken }),
    SLACK_API_URL: slack.apiUrl,
    PORT: '0',
    DIAGNOSTICS_BASE_URL: service.baseUrl,
    DIAGNOSTICS_AUTH_URL: service.authUrl,
    DIAGNOSTICS_LOGIN_URL: service.loginUrl,
    DIAGNOSTICS_VENDOR: DEFAULT_VENDOR,
    DIAGNOSTICS_USER_ID: DEFAULT_USER_ID,
    DIAGNOSTICS_USER_SECRET: DEFAULT_USER_SECRET,
    LOG_LEVEL: 'debug',
  };
}
