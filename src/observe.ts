import type { Config } from './config.ts';
import { inTime, LATE } from './core/deadline.ts';
import type { Store } from './core/store.ts';
import type { LookupQueue } from './lookups/queue.ts';
import { type HealthCheck, readinessOf } from './ops/health.ts';
import { Metrics } from './ops/metrics.ts';
import { RecentEvents } from './ops/recent-events.ts';
import { opsRoutes, type Route } from './ops/routes.ts';
import { createOpsServer, type OpsServer } from './ops/server.ts';
import type { TracingSettings } from './ops/tracing.ts';
import { UpstreamHealth } from './ops/upstream-health.ts';
import type { Replicas } from './replicas.ts';
import type { Authentication } from './service/authentication.ts';
import type { StatusReport } from './slack/answer/status-message.ts';
import { statusReport } from './status-report.ts';
import { unopenedSentence } from './storage/sealing/state-key.ts';
import { VERSION } from './version.ts';

/** Where traces are sent, and the names of the hosts; undefined if tracing is off. */
export function tracingSettings({ otlpEndpoint, service, slack }: Config): TracingSettings | undefined {
  if (otlpEndpoint === undefined) return undefined;
  const upstreams = [
    { origin: new URL(service.baseUrl).origin, name: 'diagnostics service' },
    { origin: new URL(service.authUrl).origin, name: 'login servers' },
    { origin: new URL(slack.apiUrl).origin, name: 'Slack' },
  ];
  return { endpoint: otlpEndpoint, version: VERSION, upstreams };
}

/** Whoever reads the metrics waits no longer than this for the store. */
const METRICS_WITHIN_MS = 1_000;

async function soon<T>(work: Promise<T>): Promise<T> {
  const outcome = await inTime(METRICS_WITHIN_MS, work);
  if (outcome === LATE) throw new Error(`no answer within ${METRICS_WITHIN_MS} ms`);
  return outcome;
}

/** The observed parts. They are made after the observers, so they are passed as a function. */
type Observed = {
  readonly store: Store;
  readonly queue: LookupQueue;
  readonly reminders: Pick<LookupQueue, 'countOpen'>;
  readonly session: Authentication;
  readonly slack: { isListening(): boolean };
  readonly replicas: Replicas;
  readonly auditProblem: () => string | undefined;
  readonly unopened: number;
};

/** What operators see of the bot: health and metrics, and where they are served. */
export type Observation = {
  readonly metrics: Metrics;
  readonly upstreams: UpstreamHealth;
  readonly events: RecentEvents;
  /** The status report, for admins. */
  readonly status: () => Promise<StatusReport>;
  /** Routes for Slack's port; empty if health and metrics have a port of their own. */
  readonly slackPortRoutes: readonly Route[];
  readonly server: OpsServer | undefined;
};

/** Builds health and metrics; starts nothing. In Socket Mode they can use Slack's port, which is free. */
export function observe(config: Config, observed: () => Observed, now: () => number): Observation {
  const upstreams = new UpstreamHealth(now);
  const events = new RecentEvents();
  const startedAt = now();
  const checks = () => [...ownChecks(observed()), ...upstreams.checks()];
  const readiness = () => readinessOf(checks());
  const metrics = new Metrics({
    version: VERSION,
    openLookups: () => soon(observed().queue.countOpen()),
    oldestAcceptedAt: () => soon(observed().queue.oldestAcceptedAt()),
    openReminders: () => soon(observed().reminders.countOpen()),
    readiness: () =>
      readinessOf(checks().map((check) => ({ ...check, problem: () => soon(check.problem()) }))),
    now,
  });
  const routes = opsRoutes({ version: VERSION, readiness, metrics });
  const isSocketMode = config.slack.transport.kind === 'socket';
  const port = config.opsPort ?? (isSocketMode ? config.port : undefined);
  return {
    metrics,
    upstreams,
    events,
    status: () => statusReport({ ...observed(), checks: checks(), events, startedAt }),
    slackPortRoutes: port === undefined ? routes : [],
    server: port === undefined ? undefined : createOpsServer(port, routes),
  };
}

function ownChecks({ store, queue, session, slack, auditProblem, unopened }: Observed): HealthCheck[] {
  return [
    {
      part: 'store',
      isEssential: true,
      // On Redis they have connections of their own.
      problem: () => Promise.all([store.check(), queue.countOpen()]).then(() => undefined),
    },
    {
      part: 'slack',
      isEssential: true,
      problem: async () => (slack.isListening() ? undefined : 'Slack does not reach the bot'),
    },
    { part: 'login', isEssential: false, problem: () => loginProblem(session) },
    {
      part: 'state key',
      isEssential: false,
      problem: async () => (unopened === 0 ? undefined : unopenedSentence(unopened)),
    },
    { part: 'audit', isEssential: false, problem: async () => auditProblem() },
  ];
}

async function loginProblem(session: Authentication): Promise<string | undefined> {
  const health = await session.health();
  if (health.state === 'mismatched') return health.fault.message;
  if (health.state !== 'refused') return undefined;
  return `the service refuses the bot's account or its session; the next login is tried after ${new Date(health.until).toISOString()}`;
}
