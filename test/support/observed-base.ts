import { pino } from 'pino';
import { Precedence } from '../../src/core/precedence.ts';
import type { Job } from '../../src/lookups/queue.ts';
import { logContext } from '../../src/ops/log-context.ts';
import { Metrics } from '../../src/ops/metrics.ts';
import { RecentEvents } from '../../src/ops/recent-events.ts';
import { UpstreamHealth } from '../../src/ops/upstream-health.ts';
import { DEFAULT_TIMING } from '../../src/timing.ts';
import type { Base } from '../../src/wiring/base.ts';
import { MemoryStore } from './memory-store.ts';
import { configOf } from './other-settings.ts';

/** What all parts need, with what they report to operators. */
export function basing(settings: Readonly<Record<string, string>> = {}, changes: Partial<Base> = {}) {
  const log: Record<string, unknown>[] = [];
  const audited: unknown[] = [];
  const traced: unknown[][] = [];
  const clock = { now: Date.now() };
  const now = () => clock.now;
  const observation = {
    events: new RecentEvents(),
    upstreams: new UpstreamHealth(now),
    metrics: new Metrics({
      ...{ version: '1.0.0', now, readiness: async () => ({ ready: true, reasons: [] }) },
      ...{
        openLookups: async () => 0,
        oldestAcceptedAt: async () => undefined,
        openReminders: async () => 0,
      },
    }),
  };
  const base = {
    ...{
      config: configOf(settings),
      store: new MemoryStore(),
      observation,
      now,
      precedence: new Precedence(),
    },
    logger: pino(
      { base: null, timestamp: false, mixin: logContext },
      { write: (line) => void log.push(JSON.parse(line)) },
    ),
    timing: { ...DEFAULT_TIMING, progressAfterMs: 60_000 },
    audit: (entry: unknown) => audited.push(entry),
    tracing: {
      step: (job: Job, work: () => Promise<unknown>) => {
        traced.push(['step', job.id]);
        return work();
      },
      ended: (job: Job, ...rest: unknown[]) => traced.push(['ended', job.id, ...rest]),
    },
    ...changes,
  } as unknown as Base;
  const metrics = async (name: RegExp) =>
    (await observation.metrics.text()).split('\n').filter((line) => name.test(line) && !line.startsWith('#'));
  return { base, log, audited, traced, clock, observation, metrics };
}
