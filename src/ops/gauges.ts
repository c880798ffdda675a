import { Gauge, type Registry } from 'prom-client';
import type { Readiness } from './health.ts';

/**
 * The sources of the gauges, read each time the metrics are requested. A gauge whose source throws is left out of that
 * answer.
 */
export type Gauges = {
  readonly version: string;
  /** How many lookups are open. */
  readonly openLookups: () => Promise<number>;
  /** When the oldest open lookup was accepted, in epoch milliseconds; undefined when none is open. */
  readonly oldestAcceptedAt: () => Promise<number | undefined>;
  /** How many reminders are still to come. */
  readonly openReminders: () => Promise<number>;
  readonly readiness: () => Promise<Readiness>;
  readonly now: () => number;
};

/** Registers the gauges of open lookups and reminders. */
export function registerLookupGauges(registry: Registry, gauges: Gauges): void {
  gauge(
    registry,
    'snapshot_bot_open_lookups',
    'Lookups that were accepted and have not ended yet.',
    gauges.openLookups,
  );
  gauge(
    registry,
    'snapshot_bot_oldest_lookup_age_seconds',
    'Age of the oldest open lookup; 0 when none is open.',
    async () => {
      const oldest = await gauges.oldestAcceptedAt();
      return oldest === undefined ? 0 : Math.max(0, gauges.now() - oldest) / 1_000;
    },
  );
  gauge(registry, 'snapshot_bot_open_reminders', 'Reminders that are still to come.', gauges.openReminders);
}

/** Registers the gauges of readiness; gives a function that looks anew, to be called each time the metrics are read. */
export function registerReadiness(registry: Registry, { readiness }: Gauges): () => void {
  let looked = Promise.resolve<Readiness>({ ready: false, reasons: [] });
  new Gauge({
    name: 'snapshot_bot_ready',
    help: '1 when a command can be served now, else 0.',
    registers: [registry],
    async collect() {
      this.set((await looked).ready ? 1 : 0);
    },
  });
  new Gauge({
    name: 'snapshot_bot_trouble',
    help: '1 for each part that is in trouble now, as /readyz says it.',
    labelNames: ['part'],
    registers: [registry],
    async collect() {
      const { reasons } = await looked;
      this.reset();
      for (const { part } of reasons) this.set({ part }, 1);
    },
  });
  return () => {
    looked = readiness();
  };
}

/** Registers the gauge of queued requests; `waiting` is called each time the metrics are read. */
export function registerWaitingRequests(registry: Registry, waiting: () => number): void {
  new Gauge({
    name: 'snapshot_bot_service_waiting_requests',
    help: 'Requests to the diagnostics service and its login servers that wait for SERVICE_CONCURRENCY to let them go.',
    registers: [registry],
    collect() {
      this.set(waiting());
    },
  });
}

/** A gauge that is left out while the store is away; the other metrics are answered all the same. */
function gauge(registry: Registry, name: string, help: string, read: () => Promise<number>): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      const value = await read().catch(() => undefined);
      if (value === undefined) this.remove();
      else this.set(value);
    },
  });
}
