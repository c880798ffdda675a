import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import { portUnusable } from './core/faults.ts';
import { Precedence } from './core/time.ts';
import { erasureIn } from './lookups/erasure.ts';
import { Exploited } from './lookups/exploited.ts';
import { DEFAULT_TIMING, Lookups, readsInBackground, type Timing } from './lookups/lookups.ts';
import { Polls } from './lookups/polls.ts';
import { boltLogger, openAudit } from './ops/logging.ts';
import { observe, observeLookups, observeSlack } from './ops/observe.ts';
import { diagnosticsClient } from './service/client.ts';
import { type LoginOutcome, SharedSession, type State } from './service/session.ts';
import { proxyAgent, Transport } from './service/transport.ts';
import { inert } from './slack/blocks/limits.ts';
import { createSlackSide } from './slack/create-slack.ts';
import { createSlackApp } from './slack/front/slack-app.ts';
import { openStorage } from './storage/storage.ts';

type AppOptions = {
  readonly config: Config;
  readonly logger: Logger;
  readonly now?: () => number;
  /** Set only by tests, which give the service's emulator the same times. */
  readonly timing?: Timing;
};

export type SnapshotBot = Awaited<ReturnType<typeof createApp>>;

/** Creates all parts of the bot; starts nothing. Throws `CannotStart` if a setting prevents this. */
export async function createApp({ now = Date.now, timing = DEFAULT_TIMING, ...given }: AppOptions) {
  // A function, because these parts are created below; it is called once the bot runs.
  const observed = () => ({ ...base, ...base.storage, ...service, slack });
  const base = await openBase({ ...given, now, timing }, observed);
  const { config, logger, storage, observation, precedence } = base;
  const service = connectService(base);
  const { session, polls, backgroundReads, transport } = service;
  const slackSide = connectSlack({ ...base, backgroundReads });
  const { slack, delivery, devices, listen } = slackSide;
  const lookups = new Lookups({
    ...observeLookups(base),
    polls,
    queue: storage.queue,
    delivery,
    devices,
    cancellations: storage.store.namespace('cancelled'),
    subscriptions: storage.store.namespace('subscriptions'),
    timing,
    precedence,
    waitLimitMs: config.waitLimitMs,
    waiting: () => transport.waiting,
    now: base.now,
  });
  listen({ lookups, loginHealth: () => session.health(), status: observation.status });
  return {
    ...lifecycle({ ...base, ...service, ...slackSide, lookups }),
    /** Checks the login and Redis, and logs every problem as a warning. */
    checkUpstreams: async () => {
      // Loaded here, so that the start need not wait.
      const { examineAtStart } = await import('./doctor/checks.ts');
      for (const { area, level, what, repair } of await examineAtStart(config, session))
        logger[level === 'ok' ? 'info' : 'warn']({ check: area, repair }, what);
    },
  };
}

type Base = Awaited<ReturnType<typeof openBase>>;

async function openBase(options: Required<AppOptions>, observed: Parameters<typeof observe>[1]) {
  const { config, logger, timing } = options;
  const observation = observe(config, observed, options.now);
  const storage = await openStorage(config.storage, {
    logger,
    now: options.now,
    onRetry: () => observation.metrics.retries.inc(),
    onUnreadable: () => observation.metrics.unreadable.inc(),
  });
  const { audit, problem: auditProblem } = openAudit(config.auditFile, logger);
  const { commandsPerMinute, access } = config;
  audit({ event: 'started', configuration: { ...access, commandsPerMinute } });
  const dispatcher = proxyAgent(config.proxies, timing.http);
  const precedence = new Precedence();
  const exploited = new Exploited();
  const { kevFile } = config;
  if (kevFile !== undefined) await exploited.watch(kevFile, timing.catalogueMs, options.now, logger);
  // The clock of the storage, which replicas share for their deadlines.
  const { now } = storage;
  return { ...options, now, storage, observation, audit, auditProblem, dispatcher, precedence, exploited };
}

/** Creates the connections to the service and its login servers, with the session and the polls that all requests share. */
function connectService({ config, storage, timing, observation, precedence, exploited, now }: Base) {
  const { store } = storage;
  const { metrics, events } = observation;
  const { retry, coolDownMs } = timing;
  const { retention, serviceConcurrency: concurrency } = config;
  const transport = new Transport({
    proxies: config.proxies,
    timeouts: timing.http,
    concurrency,
    onAnswer: (upstream, status) => {
      metrics.serviceAnswers.inc({ upstream, status });
      events.noteAnswer(upstream, status);
    },
  });
  const parts = { transport, settings: config.service, retry, now };
  const values = store.namespace<State>('service');
  const onLogin = (outcome: LoginOutcome) => metrics.logins.inc({ outcome });
  const session = new SharedSession({ ...parts, values, store, coolDownMs, onLogin });
  const source = diagnosticsClient(parts, session);
  const onOutcome = (outcome: string) => metrics.polls.inc({ outcome });
  const polls = new Polls({ source, store, timing, retention, exploited, now, onOutcome });
  const waiting = () => transport.waiting;
  const backgroundReads = readsInBackground({ polls, precedence, concurrency, waiting });
  return { transport, session, polls, backgroundReads };
}

/** Creates the connection to Slack, the delivery of answers, and what listeners need. */
function connectSlack(base: Base & Pick<ReturnType<typeof connectService>, 'backgroundReads'>) {
  const { config, storage, timing, observation, ...others } = base;
  const slack = createSlackApp({
    slack: config.slack,
    port: config.port,
    shutdownDelayMs: timing.shutdownDelayMs,
    routes: observation.slackPortRoutes,
    logger: boltLogger(base.logger),
    dispatcher: base.dispatcher,
    precedence: base.precedence,
    onAcknowledged: (kind, ms) => observation.metrics.acknowledgementSeconds.observe({ kind }, ms / 1_000),
    onAnswer: (status) => observation.metrics.slackAnswers.inc({ status }),
  });
  const { access: rules, admins, commandsPerMinute, retention, unfurl, contact, service, ticketUrl } = config;
  const { dayMs, notifyAfterMs } = timing;
  const given = {
    ...others,
    ...observeSlack(observation),
    slack,
    rules,
    admins,
    commandsPerMinute,
    retention,
    unfurl,
    serviceHosts: [...new Set([service.baseUrl, service.loginUrl].map((url) => new URL(url).hostname))],
    dayMs,
    notifyAfterMs,
    store: storage.store,
    followQueue: storage.follows,
    operator: { contact: inert(contact), loginUrl: service.loginUrl, ticketUrl },
    erasure: erasureIn(storage, retention, timing.longestStepMs),
  };
  const side = createSlackSide(given);
  return { slack, ...side };
}

/** How long running steps may take during a stop; unfinished steps continue after the next start. Milliseconds. */
const DRAIN_MS = 6_000;

type Parts = Base &
  ReturnType<typeof connectService> &
  ReturnType<typeof connectSlack> & { readonly lookups: Lookups };

/** Starts the parts in the order of their dependencies, and stops them in reverse. */
function lifecycle(parts: Parts) {
  const { slack, lookups, features, storage, transport, dispatcher } = parts;
  const { server } = parts.observation;
  const { opsPort, port } = parts.config;
  return {
    /** Resumes open lookups and follows, then listens. Throws if Slack refuses the token or the port can't be used. */
    start: async (): Promise<void> => {
      await server?.start().catch((error: unknown) => {
        throw portUnusable(opsPort === undefined ? 'PORT' : 'OPS_PORT', opsPort ?? port, error);
      });
      await lookups.start();
      for (const feature of features) await feature.start?.();
      await slack.start();
    },
    stop: async (): Promise<void> => {
      parts.exploited.stop();
      await slack.stop();
      const drained = storage.jobs.stop(DRAIN_MS);
      // Ends retries and queued requests, because running steps should end soon.
      transport.stop();
      await drained;
      await Promise.all([transport.close(), dispatcher.destroy()]);
      await storage.store.close();
      await server?.stop();
    },
    port: () => slack.port(),
    /** The port of `/healthz`, `/readyz` and `/metrics`. */
    opsPort: () => server?.port() ?? slack.port(),
  };
}
