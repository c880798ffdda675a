import type { Logger } from 'pino';
import { type Config, VERSION } from '../config/config.ts';
import { errorCode, type Fault } from '../core/faults.ts';
import type { Audit, AuditEntry, Lookup } from '../core/lookup.ts';
import type { Exploited } from '../lookups/exploited.ts';
import type { LookupStatus } from '../lookups/lookup-status.ts';
import type { Job, Step } from '../lookups/queue.ts';
import type { SharedSession } from '../service/session.ts';
import type { StatusReport } from '../slack/report/help.ts';
import type { Storage } from '../storage/storage.ts';
import { createOpsServer, opsRoutes, readinessOf, recentEvents } from './health.ts';
import { inLookup } from './logging.ts';
import { createMetrics } from './metrics.ts';

/** The parts that health and metrics observe. They are created later, so they are passed as a function. */
type Observed = Pick<Storage, 'store' | 'queue' | 'follows' | 'unopened'> & {
  readonly session: Pick<SharedSession, 'health'>;
  readonly slack: { isListening(): boolean; tokenProblem(): string | undefined };
  readonly auditProblem: () => Promise<string | undefined>;
  readonly exploited: Pick<Exploited, 'problem'>;
};

/** Health and metrics for operators, and the ports that serve them. */
type Observation = ReturnType<typeof observe>;

/** Creates health and metrics; starts nothing. In Socket Mode PORT serves them unless OPS_PORT is set. */
export function observe(config: Config, observed: () => Observed, now: () => number) {
  const events = recentEvents(now);
  const readiness = () => readinessOf({ ...ownChecks(observed(), now), ...events.checks() });
  const metrics = createMetrics({
    openLookups: () => observed().queue.countOpen(),
    oldestAcceptedAt: () => observed().queue.oldestAcceptedAt(),
    openFollows: () => observed().follows.countOpen(),
    readiness,
    now,
  });
  const routes = opsRoutes(readiness, metrics);
  const isSocketMode = config.slack.transport.kind === 'socket';
  const port = config.opsPort ?? (isSocketMode ? config.port : undefined);
  return {
    metrics,
    events,
    /** The report of the `status` command. Does not throw; unreadable parts are undefined. */
    status: async (): Promise<StatusReport> => {
      const { session, queue } = observed();
      const orUnknown = <T>(work: Promise<T>) => work.catch(() => undefined);
      const health = await orUnknown(session.health());
      return {
        version: VERSION,
        reasons: (await readiness()).reasons,
        sessionUntil: health?.state === 'working' ? health.until : undefined,
        open: await orUnknown(queue.countOpen()),
        oldestAt: await orUnknown(queue.oldestAcceptedAt()),
        faults: events.faults(),
      };
    },
    /** The routes on Slack's port; empty if health and metrics have their own port. */
    slackPortRoutes: port === undefined ? routes : [],
    server: port === undefined ? undefined : createOpsServer(port, routes),
  };
}

function ownChecks(
  { store, queue, session, slack, auditProblem, unopened, exploited }: Observed,
  now: () => number,
) {
  return {
    // Checks both, because in Redis the store and the queue use separate connections.
    store: () => Promise.all([store.check(), queue.countOpen()]).then(() => undefined),
    slack: async () => (slack.isListening() ? undefined : 'Slack does not reach the bot'),
    'slack token': async () => slack.tokenProblem(),
    login: () => loginProblem(session),
    'state key': async () => unopened(),
    audit: auditProblem,
    'exploited vulnerabilities': async () => exploited.problem(now()),
  };
}

async function loginProblem(session: Observed['session']): Promise<string | undefined> {
  const health = await session.health();
  if (health.state === 'mismatched') return health.fault.message;
  if (health.state !== 'refused') return undefined;
  return `the service refuses the bot's account or its session; the next login is tried after ${new Date(health.until).toISOString()}`;
}

function auditedOf(lookup: Lookup): Omit<AuditEntry, 'event'> {
  const { id, askedBy, destination, question, before, others } = lookup;
  return {
    lookup: id,
    user: askedBy,
    channel: destination.channel,
    snapshot: question.snapshotId,
    ...(before !== undefined && { before: before.snapshotId }),
    ...(others !== undefined && { others: others.map(({ snapshotId }) => snapshotId) }),
  };
}

/** What the log says of a lookup. */
function namesOf({ id, question }: Job) {
  return { lookup: id, snapshot: question.snapshotId, set: question.set };
}

/** The fault that ended a lookup, or that kept it waiting until its end. */
function faultOf(status: LookupStatus): Fault | undefined {
  if (status.kind === 'failed') return status.fault;
  return status.kind === 'timed-out' ? status.trouble : undefined;
}

/** What the log says of a fault: its message, and only the code of its cause, whose message may quote the service. */
function whyOf(fault: Fault): string {
  return fault.cause === undefined ? fault.message : `${fault.message} (${errorCode(fault)})`;
}

type Observers = {
  readonly observation: Pick<Observation, 'metrics' | 'events'>;
  readonly logger: Logger;
  readonly audit: Audit;
  readonly now: () => number;
};

/** Records each lookup in the log, the metrics, the audit log and the status report. */
export function observeLookups({ observation: { metrics, events }, logger, audit, now }: Observers) {
  return {
    around: (job: Job, work: () => Promise<Step>) => inLookup(job.id, work),
    onAccept: (job: Job) => {
      logger.debug(namesOf(job), 'lookup accepted');
      if (job.destination.link === undefined) audit({ event: 'accepted', ...auditedOf(job) });
    },
    onBug: (error: unknown, reference: string, { id }: Job) => {
      metrics.bugs.inc();
      events.noteFault('bug', reference);
      logger.error({ err: error, reference, lookup: id }, 'a lookup failed because of a bug');
    },
    onEnd: (status: LookupStatus, job: Job) => {
      const outcome = status.kind === 'failed' ? status.fault.code : status.kind;
      const ms = now() - job.acceptedAt;
      const fault = faultOf(status);
      logger.info({ ...namesOf(job), outcome, ...(fault && { why: whyOf(fault) }), ms }, 'lookup ended');
      // A link preview does not count as a lookup, because nobody asked for it.
      if (job.destination.link !== undefined) return;
      metrics.lookups.inc({ outcome });
      metrics.answerSeconds.observe({ waited: String(job.units !== undefined) }, ms / 1_000);
      if (fault !== undefined) events.noteFault(fault.code, job.id.slice(0, 8));
      audit({ event: outcome === 'cancelled' ? 'cancelled' : 'answered', ...auditedOf(job), outcome });
    },
  };
}

/** Counts deliveries, follows, bugs and undelivered answers. */
export function observeSlack({ metrics, events }: Pick<Observation, 'metrics' | 'events'>) {
  return {
    countFollow: (outcome: string) => metrics.follows.inc({ outcome }),
    onDelivery: (kind: string, outcome: string) => metrics.deliveries.inc({ kind, outcome }),
    onBug: (reference: string) => events.noteFault('bug', reference),
    onUndeliverable: () => metrics.undeliverable.inc(),
  };
}
