import { randomUUID } from 'node:crypto';
import type { Lookup, LookupRequest, Question } from '../core/lookup.ts';
import type { Polls, Processing, Ready } from './polls.ts';
import type { Job, LookupQueue, Step } from './queue.ts';
import { type Cancellation, LookupStep, type StepOptions } from './step.ts';

type LookupOptions = StepOptions & {
  readonly polls: Polls;
  readonly queue: LookupQueue;
  /** How long a lookup may wait. Milliseconds. */
  readonly waitLimitMs: number;
  /** Called with each lookup that was accepted. */
  readonly onAccept?: (job: Job) => void;
  /** Wraps each step, for example in a trace. */
  readonly around?: (job: Job, work: () => Promise<Step>) => Promise<Step>;
};

/** The use case: an accepted request ends in exactly one final message. */
export class Lookups {
  readonly #options: LookupOptions;

  constructor(options: LookupOptions) {
    this.#options = options;
  }

  /** Stores the request; from then on it will be answered. Throws `StorageFailed` if it was not accepted. */
  async accept(request: LookupRequest): Promise<void> {
    const { queue, waitLimitMs, now } = this.#options;
    const acceptedAt = now();
    const job = { ...request, id: randomUUID(), acceptedAt, deadline: acceptedAt + waitLimitMs };
    await queue.add(job);
    this.#options.onAccept?.(job);
  }

  /** Starts work on every accepted lookup, those from before a restart included. */
  start(): Promise<void> {
    const { queue, around = (_job, work) => work() } = this.#options;
    return queue.start((job, save, deaths) =>
      around(job, () => new LookupStep(this.#options, save).take(job, deaths)),
    );
  }

  /** An open lookup; undefined if it has ended. Throws `StorageFailed`. */
  find(id: string): Promise<Lookup | undefined> {
    return this.#options.queue.find(id);
  }

  /** Cancels a lookup that waits; one that has ended already stays as it is. Throws `StorageFailed`. */
  async cancel(id: string, cancellation: Cancellation = {}): Promise<void> {
    const { cancellations, queue, waitLimitMs } = this.#options;
    await cancellations.set(id, cancellation, waitLimitMs);
    await queue.wake(id);
  }

  /** A result for a click: from the cache, or else, after `asking`, read from the service. Throws every `Fault`. */
  async read(question: Question, asking?: () => void): Promise<Ready | Processing> {
    const cached = await this.cached(question);
    if (cached !== undefined) return cached;
    asking?.();
    return this.readAnew(question);
  }

  /** A result read from the service now. Throws every `Fault`. */
  readAnew(question: Question): Promise<Ready | Processing> {
    return this.#options.polls.look(question, this.#options.now());
  }

  /** A result from the cache; undefined if it is not there. Throws `StorageFailed`. */
  cached(question: Question): Promise<Ready | undefined> {
    return this.#options.polls.cached(question);
  }
}
