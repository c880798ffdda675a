import { randomUUID } from 'node:crypto';
import type { SnapshotId } from '../core/diagnostics.ts';
import { type Lookup, type LookupRequest, type Question, questionKey, questionsOf } from '../core/lookup.ts';
import type { Namespace } from '../core/store.ts';
import { type Precedence, SingleFlight } from '../core/time.ts';
import { RETRY_POLICY } from '../service/retries.ts';
import { HTTP_TIMEOUTS } from '../service/transport.ts';
import type { Polls, Processing, Ready } from './polls.ts';
import type { Job, LookupQueue, Step } from './queue.ts';
import { type Cancellation, LookupStep, type StepOptions } from './step.ts';

/** All intervals, in milliseconds. The specification or the design fixes them, not the configuration. */
export const DEFAULT_TIMING = {
  /** The shortest time between a 202 and the next request for the same question (specification, 4.2). */
  intervalMs: 10_000,
  /** Added to the interval after a request whose answer is unknown, because it may have been a 202. */
  answerMs: 5_000,
  /** How long a request may take before the message says that the bot is waiting. */
  progressAfterMs: 1_000,
  /** After a wait this long, the answer is a new message, because edits notify nobody. */
  notifyAfterMs: 60_000,
  /** How long the bot waits after a refused login before it tries again. */
  coolDownMs: 5 * 60_000,
  /** How long commands are accepted after a signal to stop, until the load balancer notices it. */
  shutdownDelayMs: 1_000,
  /** The longest possible step: the slowest answer of the service, and the work around it. */
  longestStepMs: 150_000,
  /** How often the bot looks for a new catalogue of exploited vulnerabilities. */
  catalogueMs: 60_000,
  /** How long a day lasts for follows; tests make it shorter. */
  dayMs: 24 * 3_600_000,
  retry: RETRY_POLICY,
  http: HTTP_TIMEOUTS,
};
export type Timing = Readonly<typeof DEFAULT_TIMING>;

type LookupOptions = StepOptions & {
  readonly polls: Polls;
  readonly queue: LookupQueue;
  /** The users to mention when a lookup ends. The key is the lookup's id. */
  readonly subscriptions: Namespace<readonly string[]>;
  /** How long a lookup may wait for a result. Milliseconds. */
  readonly waitLimitMs: number;
  /** How many requests are queued for the service. */
  readonly waiting: () => number;
  readonly onAccept: (job: Job) => void;
  /** Wraps each step, for logs and metrics. */
  readonly around: (job: Job, work: () => Promise<Step>) => Promise<Step>;
};

/** While this many requests are queued, stored lookups wait: a running step needs more memory than a stored lookup. */
const MOST_WAITING = 200;

/** The most users that one reply mentions. */
const MOST_SUBSCRIBERS = 100;
/** How long subscriptions are stored: longer than any lookup waits. Milliseconds. */
const SUBSCRIBED_MS = 2 * 24 * 3_600_000;

/** Accepts lookups and works on them: each accepted request ends with exactly one final message. */
export class Lookups {
  readonly #options: LookupOptions;

  constructor(options: LookupOptions) {
    this.#options = options;
  }

  /**
   * Stores the request, and thereby promises an answer. False if its delivery was already accepted. Throws
   * `storage-failed` if the request could not be stored.
   */
  async accept(request: LookupRequest): Promise<boolean> {
    const { queue, waitLimitMs, now } = this.#options;
    const acceptedAt = now();
    const job = { ...request, id: randomUUID(), acceptedAt, deadline: acceptedAt + waitLimitMs };
    const isNew = await queue.add(job);
    if (isNew) this.#options.onAccept(job);
    return isNew;
  }

  /** Whether this delivery already started or joined a lookup. Throws `storage-failed`. */
  isRepeated(delivery: string): Promise<boolean> {
    return this.#options.queue.remembers(delivery);
  }

  /** Records that a delivery joined a lookup; false if that was recorded before. Throws `storage-failed`. */
  noteJoined(delivery: string): Promise<boolean> {
    return this.#options.queue.remember(delivery);
  }

  /** Starts the work on all accepted lookups, including those accepted before a restart. */
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

  /** A lookup in progress; undefined after its end. Throws `storage-failed`. */
  find(id: string): Promise<Lookup | undefined> {
    return this.#options.queue.find(id);
  }

  /** Adds a user to mention at the end; undefined after the end, false if the list is full. Throws `storage-failed`. */
  async join(id: string, user: string): Promise<boolean | undefined> {
    const add = (users: readonly string[] = []) => [...new Set([...users, user])].slice(0, MOST_SUBSCRIBERS);
    const [, users] = await this.#options.subscriptions.change(id, add, () => SUBSCRIBED_MS);
    // Checked last, because a lookup that ended meanwhile may not have seen the new user.
    return (await this.find(id)) && users?.includes(user);
  }

  /** Cancels a lookup in progress; does nothing after its end. Throws `storage-failed`. */
  async cancel(id: string, cancellation: Cancellation = {}): Promise<void> {
    const { cancellations, queue, waitLimitMs } = this.#options;
    await cancellations.set(id, cancellation, waitLimitMs);
    await queue.wake(id);
  }

  /** A new answer of the service, for a click. Throws every `Fault`. */
  ask(question: Question): Promise<Ready | Processing> {
    return this.#options.polls.ask(question, this.#options.now());
  }

  /** A result from the cache; undefined if it is not cached. Throws `storage-failed`. */
  cached(question: Question): Promise<Ready | undefined> {
    return this.#options.polls.results.cached(question);
  }
}

/** When the bot next requests a followed snapshot. The time depends on its id, which spreads requests over the day. */
export function dueAfter(after: number, snapshotId: SnapshotId, dayMs: number): number {
  // Multiplying by the golden ratio puts successive ids far apart.
  const share = (Number(snapshotId.slice(-9)) * 0.618_033_988_749_895) % 1;
  const today = Math.floor(after / dayMs) * dayMs + Math.floor(share * dayMs);
  return today > after ? today : today + dayMs;
}

type BackgroundOptions = {
  readonly polls: Pick<Polls, 'ask' | 'holdBack'>;
  readonly precedence: Precedence;
  /** The most simultaneous requests of a process to the service. */
  readonly concurrency: number;
  /** How many requests of people are queued. */
  readonly waiting: () => number;
};

export type BackgroundReads = ReturnType<typeof readsInBackground>;

/** Reads results with low priority: at most a tenth of all requests, and only while people's requests need not wait. */
export function readsInBackground({ polls, precedence, concurrency, waiting }: BackgroundOptions) {
  const most = Math.max(1, Math.floor(concurrency / 10));
  const reads = new SingleFlight<Ready | Processing>();
  return {
    /** The answer, read at `notBefore` or later; undefined if other requests go first. Throws every `Fault`. */
    async look(question: Question, notBefore: number): Promise<Ready | Processing | undefined> {
      const name = questionKey(question);
      // All followers of a snapshot are due at the same time, and share one answer.
      const same = reads.running(name);
      if (same === undefined && (reads.size >= most || waiting() > 0)) return undefined;
      return same ?? reads.do(name, () => precedence.turn().then(() => polls.ask(question, notBefore)));
    },
    /** See `Polls`. */
    holdBack: (question: Question) => polls.holdBack([question]),
  };
}
