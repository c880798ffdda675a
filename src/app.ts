import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Audit } from './core/lookup.ts';
import { Precedence } from './core/scheduling.ts';
import { lifecycle } from './lifecycle.ts';
import { erase } from './lookups/erasure.ts';
import {
  type BackgroundReads,
  DEFAULT_TIMING,
  Lookups,
  readsInBackground,
  type Timing,
} from './lookups/lookups.ts';
import { Polls } from './lookups/polls.ts';
import { type Observation, observe, observeLookups, observeSlack, openTracing } from './observe.ts';
import { boltLogger } from './ops/logging.ts';
import type { Tracing } from './ops/otel-tracing.ts';
import { openAudit } from './ops/output.ts';
import { replicasIn, USER_AGENT } from './ops/replicas.ts';
import { DiagnosticsClient } from './service/client.ts';
import { SharedSession } from './service/session.ts';
import { SharedState } from './service/shared-state.ts';
import { proxyAgent, Transport } from './service/transport.ts';
import { inert } from './slack/block-kit/limits.ts';
import { createSlackSide } from './slack/create-slack.ts';
import { createSlackApp } from './slack/front/slack-app.ts';
import type { Storage } from './storage/backend/storage.ts';
import { openStorage } from './storage/open-storage.ts';

type AppOptions = {
  readonly config: Config;
  readonly logger: Logger;
  readonly now?: () => number;
  /** For tests, which pass the same to the service's emulator; no configuration reaches it. */
  readonly timing?: Timing;
};

/** The bot as a whole. */
export type SnapshotBot = Awaited<ReturnType<typeof createApp>>;

/** What all parts are made with. */
type Base = Required<AppOptions> & {
  readonly storage: Storage;
  readonly observation: Observation;
  readonly tracing: Tracing;
  readonly audit: Audit;
  readonly dispatcher: ReturnType<typeof proxyAgent>;
  readonly precedence: Precedence;
};

/** Puts the parts together; starts nothing. Throws a `CannotStart` where a setting makes that impossible. */
export async function createApp({ config, logger, now = Date.now, timing = DEFAULT_TIMING }: AppOptions) {
  // The observed parts are made below; they are first read once the bot runs.
  const observed = () => ({ ...storage, transport, session, slack, replicas, auditProblem });
  const observation = observe(config, observed, now);
  const { metrics, events } = observation;
  const storage = await openStorage(config.storage, {
    logger,
    now,
    onRetry: () => metrics.retries.inc(),
    onUnreadable: () => metrics.unreadable.inc(),
  });
  const { store } = storage;
  const tracing = await openTracing(config);
  const { audit, problem: auditProblem } = openAudit(config.auditFile, logger);
  const { commandsPerMinute, access } = config;
  audit({ event: 'started', configuration: { ...access, commandsPerMinute } });
  const dispatcher = proxyAgent(config.proxies, timing.http);
  const precedence = new Precedence();
  const base = { config, logger, now, timing, storage, observation, tracing, audit, dispatcher, precedence };
  const replicas = replicasIn(store);
  const { transport, session, polls, backgroundReads } = connectService(base);
  const { slack, delivery, history, features, listen } = connectSlack({ ...base, backgroundReads });
  const lookups = new Lookups({
    ...observeLookups(base),
    polls,
    queue: storage.queue,
    delivery,
    history,
    cancellations: store.namespace('cancelled'),
    timing,
    precedence,
    waitLimitMs: config.waitLimitMs,
    now,
  });
  const loginHealth = () => session.health();
  listen({ lookups, loginHealth, status: observation.status });
  return {
    ...lifecycle({ ...base, slack, lookups, features, transport, replicas }),
    /** Tries the store, the service's hosts and the login once; what fails is a warning in the log and in `/readyz`. */
    checkUpstreams: async () => {
      // Loaded now: the bot listens already.
      const { examineAtStart } = await import('./doctor/examine.ts');
      const onUnreachable = () => events.noteAnswer('diagnostics service', 'none');
      await examineAtStart(config, session, { logger, now, onUnreachable });
    },
  };
}

/** The connections to the diagnostics service and its login servers, the session that all share, and the polls. */
function connectService({
  config,
  storage: { store },
  timing,
  observation: { metrics, events },
  precedence,
  now,
}: Base) {
  const { retry, coolDownMs } = timing;
  const { retention } = config;
  const settings = { ...config.service, userAgent: USER_AGENT };
  const transport = new Transport({
    proxies: config.proxies,
    timeouts: timing.http,
    concurrency: config.serviceConcurrency,
    onAnswer: (upstream, status) => {
      metrics.serviceAnswers.inc({ upstream, status });
      events.noteAnswer(upstream, status);
    },
  });
  const state = new SharedState(store.namespace('service'), store.mutex, now);
  const parts = { transport, settings, store, state, retry, coolDownMs, now };
  const session = new SharedSession(parts, (outcome) => {
    metrics.logins.inc({ outcome });
    events.noteLogin(outcome);
  });
  const source = new DiagnosticsClient(parts, session);
  const onOutcome = (outcome: string) => metrics.polls.inc({ outcome });
  const polls = new Polls({ source, store, timing, retention, now, onOutcome });
  const { serviceConcurrency: concurrency } = config;
  const waiting = () => transport.waiting;
  const backgroundReads = readsInBackground({ polls, precedence, concurrency, waiting });
  return { transport, session, polls, backgroundReads };
}

/** The connection to Slack, the delivery to it, and what its listeners need. */
function connectSlack(base: Base & { readonly backgroundReads: BackgroundReads }) {
  const { config, storage, timing, observation, backgroundReads } = base;
  const { dispatcher, precedence, audit, logger, now } = base;
  const { metrics, slackPortRoutes } = observation;
  const slack = createSlackApp({
    slack: config.slack,
    port: config.port,
    shutdownDelayMs: timing.shutdownDelayMs,
    routes: slackPortRoutes,
    logger: boltLogger(logger),
    dispatcher,
    onAnswer: (status) => metrics.slackAnswers.inc({ status }),
  });
  const { access, admins, commandsPerMinute, retention, unfurl, contact, service } = config;
  const { dayMs, notifyAfterMs } = timing;
  const given = {
    ...observeSlack(observation),
    slack,
    dispatcher,
    backgroundReads,
    precedence,
    audit,
    logger,
    now,
    store: storage.store,
    reminderQueue: storage.reminders,
    watchQueue: storage.watches,
    operator: { contact: inert(contact), loginUrl: service.loginUrl },
    rules: access,
    admins,
    commandsPerMinute,
    retention,
    unfurl,
    dayMs,
    notifyAfterMs,
    erasure: erasureIn(storage, config, timing),
  };
  const side = createSlackSide(given, config.slack.botToken);
  return { slack, ...side };
}

function erasureIn(storage: Storage, { retention }: Config, { longestStepMs }: Timing) {
  return {
    ofUser: async (id: string) => void (await erase({ kind: 'user', id }, storage, retention)),
    ofEverything: async () => {
      await storage.store.clear();
      // A step that ran during the deletion may have stored its result since.
      setTimeout(() => storage.store.clear().catch(() => {}), longestStepMs).unref();
    },
  };
}
