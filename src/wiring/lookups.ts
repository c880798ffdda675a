import { auditedOf } from '../audit.ts';
import { Cancellations } from '../lookups/cancellations.ts';
import type { DeviceHistory } from '../lookups/device-history.ts';
import type { Delivery } from '../lookups/lookup-status.ts';
import { Lookups } from '../lookups/lookups.ts';
import type { Polls } from '../lookups/polls.ts';
import type { LookupQueue } from '../lookups/queue.ts';
import { inLookup } from '../ops/log-context.ts';
import type { Base } from './base.ts';

/** Makes the lookups, and counts, logs, traces and audits them. */
export function createLookups(
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
      logger.error({ err: error, reference, lookup: id }, 'a lookup failed because of a bug');
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
