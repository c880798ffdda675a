import { randomUUID } from 'node:crypto';
import type { LookupRequest, Question } from '../core/lookup.ts';
import type { Cancellation } from './cancellations.ts';
import type { HitSummary } from './hit-summaries.ts';
import type { Polls, Processing, Ready } from './polls.ts';
import type { Job, LookupQueue, Step } from './queue.ts';
import { LookupStep, type StepOptions } from './step.ts';

type LookupOptions = StepOptions & {
  readonly polls: Polls;
  readonly queue: LookupQueue;
  /** How long a lookup may wait. Milliseconds. */
  readonly waitLimitMs: number;
  /** Hears of each lookup that was written down. */
  readonly onAccept?: (job: Job) => void;
  /** Does each step inside something of the caller's, a trace for example. */
  readonly around?: (job: Job, work: () => Promise<Step>) => Promise<Step>;
};

/** The use case: an accepted request ends in exactly one final message. */
export class Lookups {
  readonly #options: LookupOptions;

  constructor(options: LookupOptions) {
    this.#options = options;
  }

  /** Writes the request down; from here on it will be answered. Throws `StorageFailed`, and then it was not accepted. */
  async accept(request: LookupRequest): Promise<void> {
    const { queue, waitLimitMs, now } = this.#options;
    const acceptedAt = now();
    const job = { ...request, id: randomUUID(), acceptedAt, deadline: acceptedAt + waitLimitMs };
    await queue.add(job);
    this.#options.onAccept?.(job);
  }

  /** Works on what was accepted, also before a restart. */
  start(): Promise<void> {
    const { queue, around = (_job, work) => work() } = this.#options;
    return queue.start((job, save) => around(job, () => new LookupStep(this.#options, save).take(job)));
  }

  /** Ends a wait with a message that says so; one that has just ended otherwise stays as it ended. Throws `StorageFailed`. */
  async cancel(id: string, cancellation: Cancellation = {}): Promise<void> {
    const { cancellations, queue, waitLimitMs } = this.#options;
    await cancellations.add(id, cancellation, waitLimitMs);
    await queue.wake(id);
  }

  /** A result for a click: as it was read last, or else read now. Throws every `Fault`. */
  async read(question: Question): Promise<Ready | Processing> {
    return (await this.cached(question)) ?? this.readAnew(question);
  }

  /** A result as the service gives it now. Throws every `Fault`. */
  readAnew(question: Question): Promise<Ready | Processing> {
    return this.#options.polls.look(question, this.#options.now());
  }

  /** A result as it was read last, if it is still kept. Throws `StorageFailed`. */
  cached(question: Question): Promise<Ready | undefined> {
    return this.#options.polls.cached(question);
  }
  /** What the result that was read at that time (epoch ms) held, if that is still known. Throws `StorageFailed`. */
  hitSummary(question: Question, readAt: number): Promise<HitSummary | undefined> {
    return this.#options.polls.hitSummary(question, readAt);
  }
}
