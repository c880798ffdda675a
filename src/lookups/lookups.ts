import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { DiagnosticsResult } from '../core/diagnostics.ts';
import { type Fault, isFault, RateLimited } from '../core/faults.ts';
import type { Lookup, LookupRequest, Question } from '../core/lookup.ts';
import type { Polls, Processing, Ready } from './polls.ts';
import type { Job, LookupQueue, Step } from './queue.ts';

/** What can be told of a lookup. All but `waiting` are final. Times are epoch milliseconds. */
export type News =
  | { readonly kind: 'waiting'; readonly since: number; readonly reason: string; readonly trouble?: Fault }
  | { readonly kind: 'ready'; readonly result: DiagnosticsResult; readonly readAt: number }
  | { readonly kind: 'timed-out'; readonly reason: string; readonly trouble?: Fault }
  | { readonly kind: 'failed'; readonly fault: Fault }
  | { readonly kind: 'broken'; readonly reference: string };

/** Shows news in the place of a lookup, and says where that is shown now: a first post makes a message to edit. */
export interface Delivery<Place> {
  deliver(lookup: Lookup<Place>, news: News): Promise<Place>;
}

/** Milliseconds. */
export type LookupTiming = {
  /** How long an answer may take before the message says that it is awaited. */
  readonly patienceMs: number;
  /** How long after a fault in the middle of a wait to ask again. */
  readonly intervalMs: number;
  readonly waitLimitMs: number;
};

export type LookupOptions<Place> = {
  readonly polls: Polls;
  readonly queue: LookupQueue<Place>;
  readonly delivery: Delivery<Place>;
  readonly timing: LookupTiming;
  readonly now: () => number;
  /** Hears of what is no fault but a bug, with the reference that the user was given. */
  readonly onBug: (error: unknown, reference: string) => void;
  readonly onEnd?: (news: News, lookup: Lookup<Place>) => void;
};

/** The use case: an accepted request ends in exactly one final message. */
export class Lookups<Place> {
  readonly #options: LookupOptions<Place>;

  constructor(options: LookupOptions<Place>) {
    this.#options = options;
  }

  /** Writes the request down; from here on it will be answered. Throws `StorageFailed`, and then it was not accepted. */
  async accept(request: LookupRequest<Place>): Promise<void> {
    const { queue, timing, now } = this.#options;
    const acceptedAt = now();
    await queue.add({ ...request, id: randomUUID(), acceptedAt, deadline: acceptedAt + timing.waitLimitMs });
  }

  /** Works on what was accepted, also before a restart. */
  start(): Promise<void> {
    return this.#options.queue.start((job, save) => this.#step(job, save));
  }

  /** A result for a click: as it was read last, or else read now. Throws every `Fault`. */
  async read(question: Question): Promise<Ready | Processing> {
    return (await this.kept(question)) ?? this.#options.polls.look(question, this.#options.now());
  }

  /** A result as it was read last, if it is still kept. Throws `StorageFailed`. */
  kept(question: Question): Promise<Ready | undefined> {
    return this.#options.polls.kept(question);
  }

  async #step(job: Job<Place>, save: (job: Job<Place>) => Promise<void>): Promise<Step<Place>> {
    const looking = this.#options.polls.look(job.question, job.acceptedAt);
    // It is awaited below; until then a failure of it must not count as unhandled.
    looking.catch(() => {});
    const waiting = await this.#showIfSlow(job, looking, save);
    try {
      const answer = await looking;
      return answer.kind === 'ready'
        ? await this.#end(waiting, { kind: 'ready', result: answer.result, readAt: answer.at })
        : await this.#goOn(waiting, answer, save);
    } catch (error) {
      if (error instanceof StepInterrupted) throw error;
      return this.#fail(waiting, error, save);
    }
  }

  /** Whoever waits longer than a moment is told so; a quick answer stays one message. */
  async #showIfSlow(
    job: Job<Place>,
    looking: Promise<unknown>,
    save: (job: Job<Place>) => Promise<void>,
  ): Promise<Job<Place>> {
    if (job.shown !== undefined) return job;
    const answered = new AbortController();
    const slow = delay(this.#options.timing.patienceMs, true, { signal: answered.signal }).catch(() => false);
    const isSlow = await Promise.race([
      slow,
      looking.then(
        () => false,
        () => false,
      ),
    ]);
    answered.abort();
    return isSlow ? this.#show(job, { kind: 'waiting', since: job.acceptedAt, reason: '' }, save) : job;
  }

  async #goOn(
    job: Job<Place>,
    { reason, since, lookAgainAt }: Processing,
    save: (job: Job<Place>) => Promise<void>,
  ): Promise<Step<Place>> {
    if (this.#options.now() >= job.deadline) return this.#end(job, { kind: 'timed-out', reason });
    const waiting = await this.#show(
      { ...job, waitingSince: since },
      { kind: 'waiting', since, reason },
      save,
    );
    return { done: false, job: waiting, at: Math.min(lookAgainAt, job.deadline) };
  }

  /** A fault that may pass does not end a wait that has begun; every other one is the answer. */
  async #fail(
    job: Job<Place>,
    error: unknown,
    save: (job: Job<Place>) => Promise<void>,
  ): Promise<Step<Place>> {
    if (!isFault(error)) {
      const reference = randomUUID().slice(0, 8);
      this.#options.onBug(error, reference);
      return this.#end(job, { kind: 'broken', reference });
    }
    if (!error.isTransient || job.waitingSince === undefined) {
      return this.#end(job, { kind: 'failed', fault: error });
    }
    const { now, timing } = this.#options;
    if (now() >= job.deadline) return this.#end(job, { kind: 'timed-out', reason: '', trouble: error });
    const waiting = await this.#show(
      job,
      { kind: 'waiting', since: job.waitingSince, reason: '', trouble: error },
      save,
    );
    const again = Math.max(now() + timing.intervalMs, error instanceof RateLimited ? error.retryAt : 0);
    return { done: false, job: waiting, at: Math.min(again, job.deadline) };
  }

  /** Shows progress, but only when the message would say something that it does not say yet. */
  async #show(
    job: Job<Place>,
    news: News & { kind: 'waiting' },
    save: (job: Job<Place>) => Promise<void>,
  ): Promise<Job<Place>> {
    const shown = `${news.trouble?.code ?? ''}:${news.reason}`;
    if (job.shown === shown) return job;
    return interruptible(async () => {
      const place = await this.#options.delivery.deliver(job, news);
      const shownJob = { ...job, place, shown };
      await save(shownJob);
      return shownJob;
    });
  }

  async #end(job: Job<Place>, news: News): Promise<Step<Place>> {
    await interruptible(() => this.#options.delivery.deliver(job, news));
    this.#options.onEnd?.(news, job);
    return { done: true };
  }
}

/**
 * A message that could not be delivered, or not be written down as delivered: the step is repeated. Kept apart from
 * an answer that could not be had, which is itself something to tell.
 */
class StepInterrupted extends Error {
  constructor(cause: unknown) {
    super('a step of a lookup was interrupted', { cause });
  }
}

async function interruptible<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new StepInterrupted(error);
  }
}
