import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** What an operator wants on a board, in Prometheus' text format. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #answers = new Counter({
    name: 'snapshot_bot_service_answers_total',
    help: 'Answers of the diagnostics service and its login servers, by status; "none" when there was no answer.',
    labelNames: ['neighbour', 'status'],
    registers: [this.#registry],
  });
  readonly #lookups = new Counter({
    name: 'snapshot_bot_lookups_total',
    help: 'Lookups that ended, by what they ended in.',
    labelNames: ['outcome'],
    registers: [this.#registry],
  });

  /** `openLookups` is read when the metrics are. */
  constructor(openLookups: () => Promise<number>) {
    collectDefaultMetrics({ register: this.#registry });
    new Gauge({
      name: 'snapshot_bot_open_lookups',
      help: 'Lookups that were accepted and have not ended yet.',
      registers: [this.#registry],
      async collect() {
        this.set(await openLookups());
      },
    });
  }

  countAnswer(neighbour: string, status: number | 'none'): void {
    this.#answers.inc({ neighbour, status: String(status) });
  }

  countLookup(outcome: string): void {
    this.#lookups.inc({ outcome });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
