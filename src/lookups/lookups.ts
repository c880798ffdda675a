import { randomUUID } from 'node:crypto';
import type { LookupRequest, Question } from '../core/lookup.ts';
import type { Kept } from '../core/store.ts';
import type { Digest } from './digests.ts';
import type { Polls, Processing, Ready } from './polls.ts';
import type { LookupQueue } from './queue.ts';
import { LookupStep, type StepOptions } from './step.ts';

export type LookupOptions<Place> = Omit<StepOptions<Place>, 'isCancelled'> & {
  readonly polls: Polls;
  readonly queue: LookupQueue<Place>;
  /** The ids of lookups that nobody wants any more. */
  readonly cancelled: Kept<true>;
  /** How long a lookup may wait. Milliseconds. */
  readonly waitLimitMs: number;
};

/** The use case: an accepted request ends in exactly one final message. */
export class Lookups<Place> {
  readonly #options: LookupOptions<Place>;

  constructor(options: LookupOptions<Place>) {
    this.#options = options;
  }

  /** Writes the request down; from here on it will be answered. Throws `StorageFailed`, and then it was not accepted. */
  async accept(request: LookupRequest<Place>): Promise<void> {
    const { queue, waitLimitMs, now } = this.#options;
    const acceptedAt = now();
    await queue.add({ ...request, id: randomUUID(), acceptedAt, deadline: acceptedAt + waitLimitMs });
  }

  /** Works on what was accepted, also before a restart. */
  start(): Promise<void> {
    const { cancelled } = this.#options;
    const isCancelled = async (id: string) => (await cancelled.get(id)) === true;
    return this.#options.queue.start((job, save) =>
      new LookupStep({ ...this.#options, isCancelled }, save).take(job),
    );
  }

  /** Ends a wait with a message that says so; one that has just ended otherwise stays as it ended. Throws `StorageFailed`. */
  async cancel(id: string): Promise<void> {
    const { cancelled, queue, waitLimitMs } = this.#options;
    await cancelled.set(id, true, waitLimitMs);
    await queue.wake(id);
  }

  /** A result for a click: as it was read last, or else read now. Throws every `Fault`. */
  async read(question: Question): Promise<Ready | Processing> {
    return (await this.kept(question)) ?? this.readAnew(question);
  }

  /** A result as the service gives it now. Throws every `Fault`. */
  readAnew(question: Question): Promise<Ready | Processing> {
    return this.#options.polls.look(question, this.#options.now());
  }

  /** A result as it was read last, if it is still kept. Throws `StorageFailed`. */
  kept(question: Question): Promise<Ready | undefined> {
    return this.#options.polls.kept(question);
  }
  /** What the result that was read at that time (epoch ms) held, if that is still known. Throws `StorageFailed`. */
  digest(question: Question, readAt: number): Promise<Digest | undefined> {
    return this.#options.polls.digest(question, readAt);
  }
}
