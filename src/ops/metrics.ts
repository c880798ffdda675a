import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Readiness } from './health.ts';
import { VERSION } from './version.ts';

const PREFIX = 'snapshot_bot_';
/** Seconds: from a quick acknowledgement to Slack's limit of three. */
const ACKNOWLEDGEMENT_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5];
/** Seconds: from a cached answer to the longest wait. */
const ANSWER_BUCKETS = [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 14_400];

/**
 * The sources of the gauges, read each time the metrics are requested. A gauge whose source throws is left out of that
 * answer.
 */
export type Gauges = {
  readonly openLookups: () => Promise<number>;
  /** When the oldest open lookup was accepted, in epoch milliseconds; undefined when none is open. */
  readonly oldestAcceptedAt: () => Promise<number | undefined>;
  readonly openReminders: () => Promise<number>;
  readonly readiness: () => Promise<Readiness>;
  /** How many requests to the service are queued. */
  readonly waitingRequests: () => number;
  readonly now: () => number;
};

/** The metrics of the bot in Prometheus' text format. No label takes a value that users can choose. */
export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics(gauges: Gauges) {
  const registry = new Registry();
  const counted = { ...countersIn(registry), ...histogramsIn(registry) };
  collectDefaultMetrics({ register: registry });
  const lookAgain = addGauges(registry, gauges);
  return {
    ...counted,
    contentType: registry.contentType,
    text: () => {
      lookAgain();
      return registry.metrics();
    },
  };
}

function counterIn(registry: Registry) {
  return <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name: `${PREFIX}${name}_total`, help, labelNames, registers: [registry] });
}

function countersIn(registry: Registry) {
  const counter = counterIn(registry);
  return {
    serviceAnswers: counter(
      'service_answers',
      'Answers of the diagnostics service and its login servers, by status; "none" when there was no answer.',
      ['upstream', 'status'],
    ),
    logins: counter(
      'logins',
      'Logins that were tried, by outcome: succeeded, refused (the account), failed (no answer).',
      ['outcome'],
    ),
    polls: counter(
      'polls',
      'Questions asked of the service, by outcome: ready, processing, or the code of the fault.',
      ['outcome'],
    ),
    slackAnswers: counter(
      'slack_answers',
      'Answers of Slack to calls, by HTTP status; "none" when there was no answer.',
      ['status'],
    ),
    lookups: counter('lookups', 'Lookups that ended, by what they ended in.', ['outcome']),
    deliveries: counter(
      'deliveries',
      'Deliveries of Slack (commands, mentions, clicks …), by kind and outcome: served, refused, failed.',
      ['kind', 'outcome'],
    ),
    reminders: counter(
      'reminders',
      'Reminders, by what became of them: set, reminded, fulfilled (by a new result), cancelled, withheld, undeliverable.',
      ['outcome'],
    ),
    retries: counter('retries', 'Steps of lookups and reminders that failed and are repeated.'),
    undeliverable: counter('undeliverable', 'Final answers that Slack would not take anywhere.'),
    bugs: counter('bugs', 'Lookups that ended with a reference to the log because of a bug.'),
    unreadable: counter(
      'unreadable_state',
      'Stored values that could not be read: sealed with another key, damaged, or of another version.',
    ),
  };
}

function histogramsIn(registry: Registry) {
  return {
    acknowledgementSeconds: new Histogram({
      name: `${PREFIX}acknowledgement_seconds`,
      help: 'From a delivery of Slack to its acknowledgement, which Slack wants within three seconds.',
      labelNames: ['kind'],
      buckets: ACKNOWLEDGEMENT_BUCKETS,
      registers: [registry],
    }),
    answerSeconds: new Histogram({
      name: `${PREFIX}answer_seconds`,
      help: 'From the acceptance of a lookup to its final message, the wait for the service included.',
      labelNames: ['waited'],
      buckets: ANSWER_BUCKETS,
      registers: [registry],
    }),
  };
}

/** Adds the gauges; gives a function that looks at the readiness anew, to be called each time the metrics are read. */
function addGauges(registry: Registry, gauges: Gauges): () => void {
  const { openLookups, oldestAcceptedAt, openReminders, readiness, waitingRequests, now } = gauges;
  const help = 'Always 1; the label says which version runs.';
  new Gauge({ name: `${PREFIX}info`, help, labelNames: ['version'], registers: [registry] }).set(
    { version: VERSION },
    1,
  );
  addGauge(registry, 'open_lookups', 'Lookups that were accepted and have not ended yet.', openLookups);
  addGauge(
    registry,
    'oldest_lookup_age_seconds',
    'Age of the oldest open lookup; 0 when none is open.',
    async () => {
      const oldest = await oldestAcceptedAt();
      return oldest === undefined ? 0 : Math.max(0, now() - oldest) / 1_000;
    },
  );
  addGauge(registry, 'open_reminders', 'Reminders that are still to come.', openReminders);
  let looked = Promise.resolve<Readiness>({ ready: false, reasons: [] });
  const ready = async () => ((await looked).ready ? 1 : 0);
  addGauge(registry, 'ready', '1 when a command can be served now, else 0.', ready);
  addTrouble(registry, () => looked);
  addGauge(
    registry,
    'service_waiting_requests',
    'Requests to the diagnostics service and its login servers that wait for SERVICE_CONCURRENCY to let them go.',
    async () => waitingRequests(),
  );
  return () => {
    looked = readiness();
  };
}

/** A gauge that is left out while the store is away; the other metrics are answered all the same. */
function addGauge(registry: Registry, name: string, help: string, read: () => Promise<number>): void {
  new Gauge({
    name: `${PREFIX}${name}`,
    help,
    registers: [registry],
    async collect() {
      const value = await read().catch(() => undefined);
      if (value === undefined) this.remove();
      else this.set(value);
    },
  });
}

function addTrouble(registry: Registry, looked: () => Promise<Readiness>): void {
  new Gauge({
    name: `${PREFIX}trouble`,
    help: '1 for each part that is in trouble now, as /readyz says it.',
    labelNames: ['part'],
    registers: [registry],
    async collect() {
      const { reasons } = await looked();
      this.reset();
      for (const { part } of reasons) this.set({ part }, 1);
    },
  });
}
