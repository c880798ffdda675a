import type { LookupQueue } from './lookups/queue.ts';
import { type HealthCheck, readinessOf } from './ops/health.ts';
import type { RecentEvents } from './ops/recent-events.ts';
import type { Replicas } from './replicas.ts';
import type { Authentication } from './service/authentication.ts';
import type { StatusReport } from './slack/answer/status-message.ts';
import { VERSION } from './version.ts';

/** The sources of a report. */
type ReportSources = {
  readonly checks: readonly HealthCheck[];
  readonly session: Authentication;
  readonly queue: LookupQueue;
  readonly replicas: Replicas;
  readonly events: RecentEvents;
  readonly startedAt: number;
};

/** The present state of the bot. Does not throw: parts that cannot be read are left out. */
export async function statusReport(sources: ReportSources): Promise<StatusReport> {
  const { checks, session, queue, replicas, events, startedAt } = sources;
  const orUnknown = <T>(work: Promise<T>) => work.catch(() => undefined);
  const [{ reasons }, health, versions, open, oldestAt] = await Promise.all([
    readinessOf(checks),
    orUnknown(session.health()),
    orUnknown(replicas.versions()),
    orUnknown(queue.countOpen()),
    orUnknown(queue.oldestAcceptedAt()),
  ]);
  return {
    version: VERSION,
    startedAt,
    replicas: versions,
    reasons,
    sessionUntil: health?.state === 'working' ? health.until : undefined,
    lastLoginAt: events.lastLogin('succeeded'),
    lastRefusalAt: events.lastLogin('refused'),
    open,
    oldestAt,
    faults: events.faults,
  };
}
