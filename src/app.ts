import type { Logger } from 'pino';
import { openAudit } from './audit.ts';
import type { Config } from './config.ts';
import { Precedence } from './core/precedence.ts';
import { observe, tracingSettings } from './observe.ts';
import { openTracing } from './ops/open-tracing.ts';
import { Replicas } from './replicas.ts';
import { proxyAgent } from './service/transport.ts';
import { listen } from './slack/listen.ts';
import { openStorage } from './storage/open-storage.ts';
import { KEY_REPAIR, unopenedSentence } from './storage/sealing/state-key.ts';
import { DEFAULT_TIMING, type Timing } from './timing.ts';
import type { Base } from './wiring/base.ts';
import { type Lifecycle, lifecycle } from './wiring/lifecycle.ts';
import { createLookups } from './wiring/lookups.ts';
import { checkService, createService, createTransport } from './wiring/service.ts';
import { createConnection, createSlack } from './wiring/slack.ts';

type AppOptions = {
  readonly config: Config;
  readonly logger: Logger;
  readonly now?: () => number;
  /** For tests, which pass the same to the service's emulator; no configuration reaches it. */
  readonly timing?: Timing;
};

/** The bot as a whole. */
export type SnapshotBot = Lifecycle & {
  /** Tries the service's hosts and the login once; what fails is a warning in the log and in `/readyz`. */
  checkUpstreams(): Promise<void>;
};

/** Puts the parts together; starts nothing. Throws a `CannotStart` where a setting makes that impossible. */
export async function createApp({
  config,
  logger,
  now = Date.now,
  timing = DEFAULT_TIMING,
}: AppOptions): Promise<SnapshotBot> {
  const storage = await openStorage(config.storage, {
    logger,
    now,
    onRetry: () => observation.metrics.countRetry(),
    onUnreadable: () => observation.metrics.countUnreadable(),
  });
  const { store, queue, unopened } = storage;
  if (unopened > 0) logger.error({ setting: 'STATE_KEY', repair: KEY_REPAIR }, unopenedSentence(unopened));
  // The observed parts are made below; they are first read once the bot runs.
  const observation = observe(config, () => ({ ...storage, session, slack, replicas, auditProblem }), now);
  const tracing = await openTracing(tracingSettings(config));
  const { audit, problem: auditProblem } = openAudit(config, logger);
  const precedence = new Precedence();
  const base: Base = { config, logger, now, timing, store, observation, tracing, audit, precedence };
  const replicas = new Replicas(store);
  const dispatcher = proxyAgent(config.proxies, timing.http);
  const transport = createTransport(base);
  const slack = createConnection(base, dispatcher);
  const { delivery, features, listening } = createSlack(base, slack, storage, dispatcher);
  const { session, polls } = createService(base, transport);
  const lookups = createLookups(base, polls, queue, { delivery, history: listening.history });
  const { status, server } = observation;
  const loginHealth = () => session.health();
  listen(slack.app, precedence, features, {
    ...listening,
    lookups,
    loginHealth,
    status,
    admins: config.admins,
  });
  const parts = {
    ...{ config, slack, lookups, features, storage, transport, dispatcher },
    ...{ server, tracing, replicas },
  };
  return { ...lifecycle(parts), checkUpstreams: () => checkService(base, session) };
}
