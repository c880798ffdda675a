import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type Gauges, registerLookupGauges, registerReadiness, registerWaitingRequests } from './gauges.ts';

/** Seconds: from a quick acknowledgement to Slack's limit of three. */
const ACKNOWLEDGEMENT_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5];
/** Seconds: from a cached answer to the longest wait. */
const ANSWER_BUCKETS = [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 14_400];

/** The metrics of the bot in Prometheus' text format. No label takes a value that users can choose. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #answers = this.#counter(
    'snapshot_bot_service_answers_total',
    'Answers of the diagnostics service and its login servers, by status; "none" when there was no answer.',
    ['upstream', 'status'],
  );
  readonly #logins = this.#counter(
    'snapshot_bot_logins_total',
    'Logins that were tried, by outcome: succeeded, refused (the account), failed (no answer).',
    ['outcome'],
  );
  readonly #polls = this.#counter(
    'snapshot_bot_polls_total',
    'Questions asked of the service, by outcome: ready, processing, or the code of the fault.',
    ['outcome'],
  );
  readonly #slackAnswers = this.#counter(
    'snapshot_bot_slack_answers_total',
    'Answers of Slack to calls, by HTTP status; "none" when there was no answer.',
    ['status'],
  );
  readonly #lookups = this.#counter(
    'snapshot_bot_lookups_total',
    'Lookups that ended, by what they ended in.',
    ['outcome'],
  );
  readonly #deliveries = this.#counter(
    'snapshot_bot_deliveries_total',
    'Deliveries of Slack (commands, mentions, clicks …), by kind and outcome: served, refused, failed.',
    ['kind', 'outcome'],
  );
  readonly #reminders = this.#counter(
    'snapshot_bot_reminders_total',
    'Reminders, by what became of them: set, reminded, fulfilled (by a new result), cancelled, withheld, undeliverable.',
    ['outcome'],
  );
  readonly #retries = this.#counter(
    'snapshot_bot_retries_total',
    'Steps of lookups and reminders that failed and are repeated.',
  );
  readonly #undeliverable = this.#counter(
    'snapshot_bot_undeliverable_total',
    'Final answers that Slack would not take anywhere.',
  );
  readonly #bugs = this.#counter(
    'snapshot_bot_bugs_total',
    'Lookups that ended with a reference to the log because of a bug.',
  );
  readonly #dropped = this.#counter(
    'snapshot_bot_unreadable_state_total',
    'Stored values that could not be read: sealed with another key, damaged, or of another version.',
  );
  readonly #acknowledgement = new Histogram({
    name: 'snapshot_bot_acknowledgement_seconds',
    help: 'From a delivery of Slack to its acknowledgement, which Slack wants within three seconds.',
    labelNames: ['kind'],
    buckets: ACKNOWLEDGEMENT_BUCKETS,
    registers: [this.#registry],
  });
  readonly #answer = new Histogram({
    name: 'snapshot_bot_answer_seconds',
    help: 'From the acceptance of a lookup to its final message, the wait for the service included.',
    labelNames: ['waited'],
    buckets: ANSWER_BUCKETS,
    registers: [this.#registry],
  });

  readonly #lookAtReadiness: () => void;

  constructor(gauges: Gauges) {
    collectDefaultMetrics({ register: this.#registry });
    const info = new Gauge({
      name: 'snapshot_bot_info',
      help: 'Always 1; the label says which version runs.',
      labelNames: ['version'],
      registers: [this.#registry],
    });
    info.set({ version: gauges.version }, 1);
    registerLookupGauges(this.#registry, gauges);
    this.#lookAtReadiness = registerReadiness(this.#registry, gauges);
  }

  /** `waiting` is called each time the metrics are read. */
  watchWaitingRequests(waiting: () => number): void {
    registerWaitingRequests(this.#registry, waiting);
  }

  countAnswer(upstream: string, status: number | 'none'): void {
    this.#answers.inc({ upstream, status: String(status) });
  }

  countLogin(outcome: 'succeeded' | 'refused' | 'failed'): void {
    this.#logins.inc({ outcome });
  }

  countPoll(outcome: string): void {
    this.#polls.inc({ outcome });
  }

  countSlackAnswer(status: number | 'none'): void {
    this.#slackAnswers.inc({ status: String(status) });
  }

  /** Counts a lookup that ended. `ms`: from its acceptance to its end; `waited`: whether the service answered 202. */
  countLookup(outcome: string, ms: number, waited: boolean): void {
    this.#lookups.inc({ outcome });
    this.#answer.observe({ waited: String(waited) }, ms / 1_000);
  }

  countDelivery(kind: string, outcome: 'served' | 'refused' | 'failed'): void {
    this.#deliveries.inc({ kind, outcome });
  }

  countAcknowledgement(kind: string, ms: number): void {
    this.#acknowledgement.observe({ kind }, ms / 1_000);
  }

  countReminder(outcome: string): void {
    this.#reminders.inc({ outcome });
  }

  countRetry(): void {
    this.#retries.inc();
  }

  countUndeliverable(): void {
    this.#undeliverable.inc();
  }

  countBug(): void {
    this.#bugs.inc();
  }

  countUnreadable(): void {
    this.#dropped.inc();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    this.#lookAtReadiness();
    return this.#registry.metrics();
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[] = []): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }
}
