import type { Logger } from 'pino';
import { auditedOf, openAudit } from './audit.ts';
import { checkUpstreams } from './check-upstreams.ts';
import type { Config } from './config.ts';
import type { Audit } from './core/audit.ts';
import { portUnusable } from './core/cannot-start.ts';
import { Precedence } from './core/precedence.ts';
import type { Store } from './core/store.ts';
import { Cancellations } from './lookups/cancellations.ts';
import type { DeviceHistory } from './lookups/device-history.ts';
import { erase } from './lookups/erasure.ts';
import type { Delivery } from './lookups/lookup-status.ts';
import { Lookups } from './lookups/lookups.ts';
import { Polls } from './lookups/polls.ts';
import type { LookupQueue } from './lookups/queue.ts';
import { type Observation, observe, tracingSettings } from './observe.ts';
import { inLookup } from './ops/log-context.ts';
import { boltLogger } from './ops/logging.ts';
import type { OpsServer } from './ops/server.ts';
import { openTracing, type Tracing } from './ops/tracing.ts';
import { Replicas } from './replicas.ts';
import type { Authentication } from './service/authentication.ts';
import { DiagnosticsClient } from './service/client.ts';
import { type OnLogin, SharedSession } from './service/session.ts';
import { proxyAgent, Transport } from './service/transport.ts';
import { inert } from './slack/block-kit/inert-text.ts';
import { createSlackApp, type SlackApp } from './slack/connection/bolt-app.ts';
import { createSlackSide, type SlackSide } from './slack/create-slack.ts';
import { listen } from './slack/listen.ts';
import type { Erasure } from './slack/listeners/app-life.ts';
import type { Storage } from './storage/backend/storage.ts';
import { openStorage } from './storage/open-storage.ts';
import { DEFAULT_TIMING, type Timing } from './timing.ts';
import { USER_AGENT } from './version.ts';

/** Within this the running steps end, or are written down for the next start. */
const DRAIN_MS = 6_000;
const STEPS_END_WITHIN_MS = 150_000;

export type AppOptions = {
  readonly config: Config;
  readonly logger: Logger;
  readonly now?: () => number;
  /** For tests, which pass the same to the service's emulator; no configuration reaches it. */
  readonly timing?: Timing;
};

/** The bot as a whole. */
export type SnapshotBot = {
  /** Resumes what was open, then listens. Throws when Slack refuses the token or the port is taken. */
  start(): Promise<void>;
  /** Tries the service's hosts and the login once; what fails is a warning in the log and in `/readyz`. */
  checkUpstreams(): Promise<void>;
  /** Takes no more work, writes down what is open, and lets go of everything. */
  stop(): Promise<void>;
  port(): number;
  /** Where `/healthz`, `/readyz` and `/metrics` are. */
  opsPort(): number;
};

/** What the parts share. */
type Base = {
  readonly config: Config;
  readonly logger: Logger;
  readonly now: () => number;
  readonly timing: Timing;
  readonly store: Store;
  readonly observation: Observation;
  readonly tracing: Tracing;
  readonly audit: Audit;
  readonly precedence: Precedence;
};

/** Puts the parts together; starts nothing. Throws `DataDirInUse` when another process has the embedded store. */
export async function createApp({
  config,
  logger,
  now = Date.now,
  timing = DEFAULT_TIMING,
}: AppOptions): Promise<SnapshotBot> {
  const { store, queue } = await openStorage(config.storage, {
    logger,
    now,
    onRetry: () => observation.metrics.countRetry(),
    onUnreadable: () => observation.metrics.countUnreadable(),
  });
  // What is observed is made below, and first looked at once the bot runs.
  const observation = observe(config, () => ({ store, queue, session, slack, replicas }), now);
  const tracing = await openTracing(tracingSettings(config));
  const audit = openAudit(config, logger);
  const precedence = new Precedence();
  const base: Base = { config, logger, now, timing, store, observation, tracing, audit, precedence };
  const replicas = new Replicas(store);
  const dispatcher = proxyAgent(config.proxies, timing.http);
  const transport = createTransport(base);
  const slack = createConnection(base, dispatcher);
  const { delivery, listening } = createSlack(base, slack, queue, dispatcher);
  const session = createSession(base, transport);
  const lookups = createLookups(base, createPolls(base, transport, session), queue, {
    delivery,
    history: listening.history,
  });
  const { status, server } = observation;
  const loginHealth = () => session.health();
  listen(slack.app, precedence, { ...listening, lookups, loginHealth, status, admins: config.admins });
  const parts = { config, slack, lookups, queue, transport, store, dispatcher, server, tracing, replicas };
  return { ...lifecycle(parts), checkUpstreams: () => checkService(base, session) };
}

function erasureIn(kept: Storage, { retention }: Config): Erasure {
  return {
    ofUser: async (id) => void (await erase({ kind: 'user', id }, kept, retention)),
    ofEverything: async () => {
      await kept.store.clear();
      // A step that was being taken may have written its lookup down once more.
      setTimeout(() => kept.store.clear().catch(() => {}), STEPS_END_WITHIN_MS).unref();
    },
  };
}

function checkService(
  { config, logger, timing, observation, now }: Base,
  session: Authentication,
): Promise<void> {
  const onUnreachable = () => observation.upstreams.heard('diagnostics service', 'none');
  return checkUpstreams({ config, timeouts: timing.http, session, logger, now, onUnreachable });
}

function createTransport({ config, timing, observation }: Base): Transport {
  const { metrics, upstreams } = observation;
  const transport = new Transport({
    proxies: config.proxies,
    timeouts: timing.http,
    concurrency: config.serviceConcurrency,
    onAnswer: (upstream, status) => {
      metrics.countAnswer(upstream, status);
      upstreams.heard(upstream, status);
    },
  });
  metrics.watchWaitingRequests(() => transport.waiting);
  return transport;
}

function createConnection(
  { config, logger, timing, observation }: Base,
  dispatcher: ReturnType<typeof proxyAgent>,
): SlackApp {
  const { metrics, slackPortRoutes } = observation;
  return createSlackApp({
    slack: config.slack,
    port: config.port,
    shutdownDelayMs: timing.shutdownDelayMs,
    routes: slackPortRoutes,
    logger: boltLogger(logger),
    dispatcher,
    onAnswer: (status) => metrics.countSlackAnswer(status),
    onAcknowledged: (kind, ms) => metrics.countAcknowledgement(kind, ms),
  });
}

function createSlack(
  { config, store, timing, observation, logger, now, audit }: Base,
  slack: SlackApp,
  queue: LookupQueue,
  dispatcher: ReturnType<typeof proxyAgent>,
): SlackSide {
  return createSlackSide({
    audit,
    commandsPerMinute: config.commandsPerMinute,
    slack,
    store,
    dispatcher,
    rules: config.access,
    notifyAfterMs: timing.notifyAfterMs,
    retention: config.retention,
    erasure: erasureIn({ store, queue }, config),
    operator: { contact: inert(config.contact), loginUrl: config.service.loginUrl },
    logger,
    now,
    onDelivery: (kind, outcome) => observation.metrics.countDelivery(kind, outcome),
    onUndeliverable: () => observation.metrics.countUndeliverable(),
  });
}

function createSession(
  { config, store, timing, observation, now }: Base,
  transport: Transport,
): Authentication {
  const settings = { ...config.service, userAgent: USER_AGENT };
  const { retry, coolDownMs } = timing;
  const onLogin: OnLogin = (outcome) => {
    observation.metrics.countLogin(outcome);
    observation.events.noteLogin(outcome, now());
  };
  return new SharedSession({ transport, settings, store, retry, coolDownMs, now, onLogin });
}

function createPolls(
  { config, store, timing, observation, now }: Base,
  transport: Transport,
  authentication: Authentication,
): Polls {
  const settings = { ...config.service, userAgent: USER_AGENT };
  const { retry, intervalMs, coolDownMs } = timing;
  const source = new DiagnosticsClient({
    ...{ transport, authentication, leases: store.leases, settings },
    ...{ retry, coolDownMs, now },
  });
  const onOutcome = (outcome: string) => observation.metrics.countPoll(outcome);
  return new Polls({ source, store, intervalMs, retention: config.retention, now, onOutcome });
}

function createLookups(
  { config, logger, store, timing, observation, tracing, now, audit, precedence }: Base,
  polls: Polls,
  queue: LookupQueue,
  answering: { readonly delivery: Delivery; readonly history: DeviceHistory },
): Lookups {
  const { metrics } = observation;
  return new Lookups({
    polls,
    queue,
    ...answering,
    cancellations: new Cancellations(store.namespace('cancelled')),
    timing,
    precedence,
    waitLimitMs: config.waitLimitMs,
    now,
    around: (job, work) => inLookup(job.id, () => tracing.step(job, work)),
    onAccept: (job) => {
      const { id, question } = job;
      logger.info({ lookup: id, snapshot: question.snapshotId, set: question.set }, 'lookup accepted');
      audit({ event: 'accepted', ...auditedOf(job) });
    },
    onBug: (error, reference, { id }) => {
      metrics.countBug();
      observation.events.noteFault({ at: now(), code: 'bug', reference });
      logger.error({ err: error, reference, lookup: id }, 'a lookup failed by a bug');
    },
    onEnd: (status, job) => {
      const { id, acceptedAt, waitingSince } = job;
      const outcome = status.kind === 'failed' ? status.fault.code : status.kind;
      const ms = now() - acceptedAt;
      metrics.countLookup(outcome, ms, waitingSince !== undefined);
      tracing.ended(job, outcome, now());
      if (status.kind === 'failed') {
        observation.events.noteFault({ at: now(), code: outcome, reference: id.slice(0, 8) });
      }
      logger.info({ lookup: id, outcome, ms }, 'lookup ended');
      const event = outcome === 'cancelled' ? 'cancelled' : 'answered';
      audit({ event, ...auditedOf(job), outcome });
    },
  });
}

type Parts = {
  readonly config: Config;
  readonly slack: SlackApp;
  readonly lookups: Lookups;
  readonly queue: LookupQueue;
  readonly transport: Transport;
  readonly store: Store;
  readonly dispatcher: ReturnType<typeof proxyAgent>;
  readonly server: OpsServer | undefined;
  readonly tracing: Tracing;
  readonly replicas: Replicas;
};

async function startServer({ opsPort, port }: Config, server: OpsServer | undefined): Promise<void> {
  try {
    await server?.start();
  } catch (error) {
    throw opsPort === undefined
      ? portUnusable('PORT', port, error)
      : portUnusable('OPS_PORT', opsPort, error);
  }
}

function lifecycle({
  config,
  slack,
  lookups,
  queue,
  transport,
  store,
  dispatcher,
  server,
  tracing,
  replicas,
}: Parts): Omit<SnapshotBot, 'checkUpstreams'> {
  return {
    start: async () => {
      await startServer(config, server);
      replicas.start();
      await lookups.start();
      await slack.start();
    },
    stop: async () => {
      await slack.stop();
      await queue.stop(DRAIN_MS);
      await tracing.stop();
      await replicas.stop();
      await Promise.all([transport.close(), dispatcher.destroy()]);
      await store.close();
      await server?.stop();
    },
    port: () => slack.port(),
    opsPort: () => server?.port() ?? slack.port(),
  };
}
