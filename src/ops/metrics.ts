import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { VERSION } from '../config/config.ts';
import type { Readiness } from './health.ts';

const PREFIX = 'snapshot_bot_';
/** In seconds, from a quick acknowledgement to Slack's limit of three seconds and beyond. */
const ACKNOWLEDGEMENT_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5];
/** In seconds, from a cached answer to the longest wait. */
const ANSWER_BUCKETS = [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 14_400];

/** The sources of the gauges, read at each request for metrics. A gauge is left out if its source throws. */
export type Gauges = {
  readonly openLookups: () => Promise<number>;
  /** When the oldest lookup in progress was accepted, in epoch milliseconds; undefined if there is none. */
  readonly oldestAcceptedAt: () => Promise<number | undefined>;
  readonly openFollows: () => Promise<number>;
  readonly readiness: () => Promise<Readiness>;
  readonly now: () => number;
};

/** The name, help and labels of each counter. Users can't choose label values, so the number of series is limited. */
const COUNTERS = {
  serviceAnswers: [
    'service_answers',
    'Answers of the diagnostics service and its login servers, by status; "none" when there was no answer.',
    ...['upstream', 'status'],
  ],
  logins: [
    'logins',
    'Logins that were tried, by outcome: succeeded, refused (the account), failed (no answer).',
    'outcome',
  ],
  polls: [
    'polls',
    'Questions asked of the service, by outcome: ready, processing, or the code of the fault.',
    'outcome',
  ],
  slackAnswers: [
    'slack_answers',
    'Answers of Slack to calls, by HTTP status; "refused" when it refuses the token, "none" when there was no answer.',
    'status',
  ],
  lookups: [
    'lookups',
    'Finished lookups, by outcome: ready, timed-out, cancelled, or the code of the fault.',
    'outcome',
  ],
  deliveries: [
    'deliveries',
    'Deliveries of Slack (commands, mentions, clicks …), by kind and outcome: served, refused, failed.',
    ...['kind', 'outcome'],
  ],
  follows: [
    'follows',
    'Follows, by outcome: started, stopped, told, deleted, over, no-access, undeliverable; and their daily readings: told, quiet, unanswered.',
    'outcome',
  ],
  retries: ['retries', 'Failed steps of lookups and follows; each is retried.'],
  undeliverable: ['undeliverable', 'Final answers that Slack refused everywhere.'],
  bugs: ['bugs', 'Lookups that ended with a reference to the log because of a bug.'],
  unreadable: [
    'unreadable_state',
    'Stored values that could not be read: sealed with another key, damaged, or of another version.',
  ],
} satisfies Record<string, [name: string, help: string, ...labels: string[]]>;

/** The bot's metrics in the text format of Prometheus. */
export function createMetrics(gauges: Gauges) {
  const registry = new Registry();
  const registers = [registry];
  const counters = Object.entries(COUNTERS).map(([key, [name, help, ...labelNames]]) => {
    const counter = new Counter({ name: `${PREFIX}${name}_total`, help, labelNames, registers });
    return [key, counter] as const;
  });
  const acknowledgementSeconds = new Histogram({
    name: `${PREFIX}acknowledgement_seconds`,
    help: 'From a delivery of Slack to its acknowledgement, which Slack wants within three seconds.',
    labelNames: ['kind'],
    buckets: ACKNOWLEDGEMENT_BUCKETS,
    registers,
  });
  const answerSeconds = new Histogram({
    name: `${PREFIX}answer_seconds`,
    help: 'From the acceptance of a lookup to its final message, the wait for the service included.',
    labelNames: ['waited'],
    buckets: ANSWER_BUCKETS,
    registers,
  });
  collectDefaultMetrics({ register: registry });
  addGauges(registry, gauges);
  return {
    ...(Object.fromEntries(counters) as Record<keyof typeof COUNTERS, Counter>),
    ...{ acknowledgementSeconds, answerSeconds },
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}

function addGauges(registry: Registry, gauges: Gauges): void {
  /** Adds a gauge. `read` sets its value at each request for metrics. */
  const add = (name: string, help: string, read: (gauge: Gauge) => unknown, ...labelNames: string[]) =>
    new Gauge({
      name: `${PREFIX}${name}`,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        this.reset();
        // The gauge is omitted while its source fails; the other metrics are still reported.
        await Promise.try(read, this).catch(() => this.remove());
      },
    });
  const addNumber = (name: string, help: string, read: () => number | Promise<number>) =>
    add(name, help, async (gauge) => gauge.set(await read()));
  const version = (info: Gauge) => info.set({ version: VERSION }, 1);
  add('info', 'Always 1; the label says which version runs.', version, 'version');
  const { openLookups, openFollows } = gauges;
  addNumber('open_lookups', 'Lookups that were accepted and have not ended yet.', openLookups);
  addNumber('oldest_lookup_age_seconds', 'Age of the oldest open lookup; 0 when none is open.', async () => {
    const present = gauges.now();
    return Math.max(0, present - ((await gauges.oldestAcceptedAt()) ?? present)) / 1_000;
  });
  addNumber('open_follows', 'Snapshots that somebody follows, once for each person.', openFollows);
  addNumber('ready', '1 when a command can be served now, else 0.', async () =>
    Number((await gauges.readiness()).ready),
  );
  const trouble = async (gauge: Gauge) => {
    for (const { part } of (await gauges.readiness()).reasons) gauge.set({ part }, 1);
  };
  add('trouble', '1 for each part that is in trouble now, as /readyz says it.', trouble, 'part');
}
