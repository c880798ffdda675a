import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Store } from './core/store.ts';
import { BullQueue } from './lookups/bull-queue.ts';
import { LocalQueue } from './lookups/local-queue.ts';
import { Lookups } from './lookups/lookups.ts';
import { Polls } from './lookups/polls.ts';
import type { Job, LookupQueue } from './lookups/queue.ts';
import { boltLogger } from './ops/logging.ts';
import { Metrics } from './ops/metrics.ts';
import { opsRoutes } from './ops/routes.ts';
import type { Authentication } from './service/authentication.ts';
import { DiagnosticsClient } from './service/client.ts';
import { SharedSession } from './service/session.ts';
import { proxyAgent, Transport } from './service/transport.ts';
import { createSlackApp, type SlackApp } from './slack/bolt-app.ts';
import { listen } from './slack/listen.ts';
import type { Place } from './slack/place.ts';
import { createSlackSide } from './slack/slack-side.ts';
import { type OpenedStorage, openStorage } from './storage/open-storage.ts';
import { DEFAULT_TIMING, type Timing } from './timing.ts';

const USER_AGENT = 'snapshot-bot/0.1 (Slack bot for snapshot diagnostics)';
/** Within this the running steps end, or are written down for the next start. */
const DRAIN_MS = 6_000;

export type AppOptions = {
  readonly config: Config;
  readonly logger: Logger;
  readonly now?: () => number;
  /** For tests, which pass the same to the service's stand-in; no configuration reaches it. */
  readonly timing?: Timing;
};

/** The bot as a whole. */
export type SnapshotBot = {
  /** Resumes what was open, then listens. Throws when Slack refuses the token or the port is taken. */
  start(): Promise<void>;
  /** Takes no more work, writes down what is open, and lets go of everything. */
  stop(): Promise<void>;
  port(): number;
};

/** Puts the parts together; starts nothing. Throws `DataDirInUse` when another process has the embedded store. */
export async function createApp({
  config,
  logger,
  now = Date.now,
  timing = DEFAULT_TIMING,
}: AppOptions): Promise<SnapshotBot> {
  const storage = await openStorage(config.storage, logger, now);
  const { store } = storage;
  const dispatcher = proxyAgent(config.proxies, timing.http);
  const queue = createQueue(storage, logger, now);
  const metrics = new Metrics(() => queue.countOpen());
  const transport = new Transport({
    proxies: config.proxies,
    timeouts: timing.http,
    onAnswer: (neighbour, status) => metrics.countAnswer(neighbour, status),
  });
  const slack: SlackApp = createSlackApp({
    slack: config.slack,
    port: config.port,
    farewellMs: timing.farewellMs,
    routes: opsRoutes(() => checkReady(store, slack), metrics),
    logger: boltLogger(logger),
    dispatcher,
  });
  const { loginUrl } = config.service;
  const { delivery, listening } = createSlackSide({
    slack,
    store,
    dispatcher,
    rules: config.access,
    tellAfterMs: timing.tellAfterMs,
    loginUrl,
    logger,
    now,
  });
  const session = createSession(config, store, transport, timing, now);
  const lookups = new Lookups<Place>({
    polls: createPolls(config, store, transport, session, timing, now),
    queue,
    delivery,
    cancelled: store.kept<true>('cancelled'),
    timing,
    waitLimitMs: config.waitLimitMs,
    now,
    onBug: (error, reference) => logger.error({ err: error, reference }, 'a lookup failed by a bug'),
    onEnd: (news) => metrics.countLookup(news.kind === 'failed' ? news.fault.code : news.kind),
  });
  listen(slack.app, { ...listening, lookups, loginHealth: () => session.health() });
  return lifecycle({ slack, lookups, queue, transport, store, dispatcher });
}

/** One process has its own queue; replicas that share a Redis share one there. */
function createQueue(
  { store, shared }: OpenedStorage,
  logger: Logger,
  now: () => number,
): LookupQueue<Place> {
  const onError = (error: unknown, job: Job<Place> | undefined) =>
    logger.warn({ err: error, lookup: job?.id }, 'a step of a lookup is repeated');
  if (shared !== undefined) return new BullQueue<Place>({ ...shared, now, onError });
  return new LocalQueue<Place>({ jobs: store.kept<Job<Place>>('lookups'), now, onError });
}

function createSession(
  config: Config,
  store: Store,
  transport: Transport,
  { retry, coolDownMs }: Timing,
  now: () => number,
): Authentication {
  const settings = { ...config.service, userAgent: USER_AGENT };
  return new SharedSession({ transport, settings, store, retry, coolDownMs, now });
}

function createPolls(
  config: Config,
  store: Store,
  transport: Transport,
  authentication: Authentication,
  { retry, intervalMs }: Timing,
  now: () => number,
): Polls {
  const settings = { ...config.service, userAgent: USER_AGENT };
  const source = new DiagnosticsClient({ transport, authentication, settings, retry, now });
  return new Polls({ source, store, intervalMs, now });
}

async function checkReady(store: Store, slack: SlackApp): Promise<void> {
  if (!slack.isListening()) throw new Error('Slack does not reach the bot');
  await store.check();
}

type Parts = {
  readonly slack: SlackApp;
  readonly lookups: Lookups<Place>;
  readonly queue: LookupQueue<Place>;
  readonly transport: Transport;
  readonly store: Store;
  readonly dispatcher: ReturnType<typeof proxyAgent>;
};

function lifecycle({ slack, lookups, queue, transport, store, dispatcher }: Parts): SnapshotBot {
  return {
    start: async () => {
      await lookups.start();
      await slack.start();
    },
    stop: async () => {
      await slack.stop();
      await queue.stop(DRAIN_MS);
      await Promise.all([transport.close(), dispatcher.destroy()]);
      await store.close();
    },
    port: () => slack.port(),
  };
}
