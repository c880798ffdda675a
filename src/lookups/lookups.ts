import { randomUUID } from 'node:crypto';
import type { SnapshotId } from '../core/diagnostics.ts';
import type { Precedence } from '../core/event-loop.ts';
import { type Lookup, type LookupRequest, type Question, questionKey, questionsOf } from '../core/lookup.ts';
import type { Namespace } from '../core/store.ts';
import { SingleFlight } from '../core/time.ts';
import { RETRY_POLICY } from '../service/retries.ts';
import { HTTP_TIMEOUTS } from '../service/transport.ts';
import type { Polls, Processing } from './polls.ts';
import type { Job, LookupQueue, Step } from './queue.ts';
import type { Ready } from './results.ts';
import { type Cancellation, LookupStep, type StepOptions } from './step.ts';

/** How long things take, in milliseconds. Fixed by the specification or by design, not by the configuration. */
export const DEFAULT_TIMING = {
  /** The least time between a 202 and the next request for the same question (specification, 4.2). */
  intervalMs: 10_000,
  /**
   * After a request whose answer is unknown, the next one waits for this time and the interval: the answer may have been
   * a 202.
   */
  answerMs: 5_000,
  /** How long a request may take before the message says that the bot is waiting. */
  progressAfterMs: 1_000,
  /** After a wait of this length its end gets a message of its own, because an edit sends no notification. */
  notifyAfterMs: 60_000,
  /** After a refused login, no other one is tried for this long. */
  coolDownMs: 5 * 60_000,
  /** How long commands are still taken after a signal to stop, because a load balancer learns of it a little later. */
  shutdownDelayMs: 1_000,
  /** The longest that a step can take: the service's slowest answer, and the work around it. */
  longestStepMs: 150_000,
  /** How often the catalogue of what is exploited is looked at. */
  catalogueMs: 60_000,
  /** The length of a day for follows; tests make it shorter. */
  dayMs: 24 * 3_600_000,
  retry: RETRY_POLICY,
  http: HTTP_TIMEOUTS,
};
export type Timing = Readonly<typeof DEFAULT_TIMING>;

type LookupOptions = StepOptions & {
  readonly polls: Polls;
  readonly queue: LookupQueue;
  /** Who is mentioned when a lookup ends, by lookup. */
  readonly subscriptions: Namespace<readonly string[]>;
  /** How long a lookup may wait. Milliseconds. */
  readonly waitLimitMs: number;
  /** How many requests wait for their turn to be sent to the service. */
  readonly waiting: () => number;
  readonly onAccept: (job: Job) => void;
  /** Wraps each step. */
  readonly around: (job: Job, work: () => Promise<Step>) => Promise<Step>;
};

/** While this many requests are queued, no stored lookup begins a step: in a step it takes more memory. */
const MOST_WAITING = 200;

/** The most people that one reply mentions. */
const MOST_SUBSCRIBERS = 100;
/** How long subscriptions are stored: longer than any wait. */
const SUBSCRIBED_MS = 2 * 24 * 3_600_000;

/** The use case: an accepted request ends in exactly one final message. */
export class Lookups {
  readonly #options: LookupOptions;

  constructor(options: LookupOptions) {
    this.#options = options;
  }

  /**
   * Stores the request; from then on it will be answered. False if its delivery was answered before. Throws `storage-failed`
   * if it was not accepted.
   */
  async accept(request: LookupRequest): Promise<boolean> {
    const { queue, waitLimitMs, now } = this.#options;
    const acceptedAt = now();
    const job = { ...request, id: randomUUID(), acceptedAt, deadline: acceptedAt + waitLimitMs };
    const isNew = await queue.add(job);
    if (isNew) this.#options.onAccept(job);
    return isNew;
  }

  /** Whether a delivery has led to a lookup, or joined one. Throws `storage-failed`. */
  isRepeated(delivery: string): Promise<boolean> {
    return this.#options.queue.remembers(delivery);
  }

  /** Notes that a delivery has joined a lookup; false if that was noted before. Throws `storage-failed`. */
  noteJoined(delivery: string): Promise<boolean> {
    return this.#options.queue.remember(delivery);
  }

  /** Starts work on every accepted lookup, those from before a restart included. */
  async start(): Promise<void> {
    const { queue, polls, waiting, around } = this.#options;
    await polls.resume();
    await queue.start(
      (job, attempt) => around(job, () => new LookupStep(this.#options, attempt, job).take()),
      {
        hasRoom: () => waiting() < MOST_WAITING,
        onCutOff: (job) => polls.holdBack(questionsOf(job)),
      },
    );
  }

  /** An open lookup; undefined if it has ended. Throws `storage-failed`. */
  find(id: string): Promise<Lookup | undefined> {
    return this.#options.queue.find(id);
  }

  /** Mentions a person when a lookup ends: undefined if it has ended, false if the list is full. Throws `storage-failed`. */
  async join(id: string, user: string): Promise<boolean | undefined> {
    const add = (users: readonly string[] = []) => [...new Set([...users, user])].slice(0, MOST_SUBSCRIBERS);
    const [, users] = await this.#options.subscriptions.change(id, add, () => SUBSCRIBED_MS);
    // Asked after joining: a lookup that ended meanwhile may have read its list before.
    return (await this.find(id)) && users?.includes(user);
  }

  /** Cancels a lookup that waits; one that has ended already stays as it is. Throws `storage-failed`. */
  async cancel(id: string, cancellation: Cancellation = {}): Promise<void> {
    const { cancellations, queue, waitLimitMs } = this.#options;
    await cancellations.set(id, cancellation, waitLimitMs);
    await queue.wake(id);
  }

  /** A result for a click: from the cache unless `isAnew`, else from the service, after `asking`. Throws every `Fault`. */
  async read(question: Question, isAnew: boolean, asking: () => void): Promise<Ready | Processing> {
    const cached = isAnew ? undefined : await this.cached(question);
    if (cached !== undefined) return cached;
    asking();
    return this.#options.polls.look(question, this.#options.now());
  }

  /** A result from the cache; undefined if it is not there. Throws `storage-failed`. */
  cached(question: Question): Promise<Ready | undefined> {
    return this.#options.polls.results.cached(question);
  }
}

/** The next time of day, later than `after`, at which a snapshot is read: the snapshots are spread over the day. */
export function dueAfter(after: number, snapshotId: SnapshotId, dayMs: number): number {
  // The golden ratio puts ids that follow each other far apart.
  const share = (Number(snapshotId.slice(-9)) * 0.618_033_988_749_895) % 1;
  const today = Math.floor(after / dayMs) * dayMs + Math.floor(share * dayMs);
  return today > after ? today : today + dayMs;
}

type BackgroundOptions = {
  readonly polls: Pick<Polls, 'look'>;
  readonly precedence: Precedence;
  /** The most requests of a process to the service at once, for people and all else. */
  readonly concurrency: number;
  /** How many requests of people wait for their turn. */
  readonly waiting: () => number;
};

export type BackgroundReads = ReturnType<typeof readsInBackground>;

/** Reads without a waiting person: a tenth of the requests at most, and none while a person's request waits for its turn. */
export function readsInBackground({ polls, precedence, concurrency, waiting }: BackgroundOptions) {
  const most = Math.max(1, Math.floor(concurrency / 10));
  const reads = new SingleFlight<Ready | Processing>();
  return {
    /** The answer, read at `notBefore` or later; undefined while there is no room for it. Throws every `Fault`. */
    async look(question: Question, notBefore: number): Promise<Ready | Processing | undefined> {
      const name = questionKey(question);
      // Those who follow one snapshot are due at the same time, and share its answer.
      const same = reads.running(name);
      if (same === undefined && (reads.size >= most || waiting() > 0)) return undefined;
      return same ?? reads.do(name, () => precedence.turn().then(() => polls.look(question, notBefore)));
    },
  };
}
