import { setTimeout as delay } from 'node:timers/promises';
import {
  type Job as BullJob,
  Worker as BullWorker,
  type ConnectionOptions,
  createNodeRedisClient,
  DelayedError,
  Queue,
} from 'bullmq';
import { orStorageFailed } from '../core/failure.ts';
import type { TextSealer } from '../core/store.ts';
import { heard } from './heard-connection.ts';
import { backOff, type Job, type LookupQueue, type Worker } from './queue.ts';

const NAME = 'lookups';
const PREFIX = 'snapshot-bot';
/** A replica that dies loses its locks after this, and another one goes on with its lookups. */
const LOCK_MS = 6_000;
const STALLED_CHECK_MS = 2_000;
const RETRY_MS = 1_000;
/** Steps are short, and most of a lookup's life is waiting: this bounds the requests of one replica, not its lookups. */
const CONCURRENCY = 100;
/** How soon a replica looks again at a job that it can't read, and how long one is kept for whoever can. */
const LEFT_FOR_MS = 5_000;
const LEFT_AT_MOST_MS = 25 * 3_600_000;

/** What a job carries, so that a replica of another version can tell that it is not its own. */
const STATE_VERSION = 1;

/** A job as Redis has it: sealed, because it holds the response URL, and how often its step has failed in a row. */
type Sealed = { readonly state: number; readonly sealed: string; readonly failures: number };

export type BullQueueOptions<Place> = {
  /** Its commands fail at once while Redis is away, so that users get an answer. */
  readonly connection: ConnectionOptions & { readonly isReady: boolean };
  /** Its commands wait until Redis is there again. */
  readonly patient: Parameters<typeof createNodeRedisClient>[0];
  readonly sealer: TextSealer;
  readonly now: () => number;
  readonly onError: (error: unknown, job: Job<Place> | undefined) => void;
};

/** The queue of many replicas: BullMQ keeps the jobs and their times, and gives a dead replica's jobs to another. */
export class BullQueue<Place> implements LookupQueue<Place> {
  readonly #options: BullQueueOptions<Place>;
  #queue: Queue<Sealed> | undefined;
  #worker: BullWorker<Sealed> | undefined;
  #isStopping = false;

  constructor(options: BullQueueOptions<Place>) {
    this.#options = options;
  }

  async add(job: Job<Place>): Promise<void> {
    const options = { jobId: job.id, removeOnComplete: true, removeOnFail: true };
    await orStorageFailed(async () => {
      const queue = await this.#opened();
      await queue.add(NAME, await this.#seal(job, 0), options);
    });
  }

  async wake(id: string): Promise<void> {
    const job = await orStorageFailed(async () => (await this.#opened()).getJob(id));
    // One that is not waiting takes its next step anyway.
    await job?.promote().catch(() => {});
  }

  /** Does not wait for Redis: one that is away at the start may come. */
  async start(worker: Worker<Place>): Promise<void> {
    this.#launch(worker).catch((error: unknown) => this.#options.onError(error, undefined));
  }

  /** BullMQ never recovers from a Redis that is lost while it sets itself up, and asks without a pause: begin anew. */
  async #launch(worker: Worker<Place>): Promise<void> {
    while (!this.#isStopping) {
      const made = this.#newWorker(worker);
      try {
        await made.waitUntilReady();
        this.#worker = made;
        if (!this.#isStopping) await made.run();
        return;
      } catch (error) {
        this.#options.onError(error, undefined);
        made.close(true).catch(() => {});
        await delay(RETRY_MS);
      }
    }
  }

  #newWorker(worker: Worker<Place>): BullWorker<Sealed> {
    const made = new BullWorker<Sealed>(NAME, (job, token) => this.#step(worker, job, token), {
      // One whose commands fail at once would have the worker ask again and again without a pause.
      connection: heard(createNodeRedisClient(this.#options.patient)),
      runRetryDelay: RETRY_MS,
      prefix: PREFIX,
      concurrency: CONCURRENCY,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
      // However often its replicas die: an accepted lookup is answered.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      autorun: false,
    });
    made.on('error', (error) => this.#options.onError(error, undefined));
    return made;
  }

  /** The queue, set up while Redis is there; one whose set-up failed is made anew. Throws at once without a Redis. */
  async #opened(): Promise<Queue<Sealed>> {
    const { connection } = this.#options;
    if (!connection.isReady) throw new Error('there is no connection to Redis');
    const queue = this.#queue ?? new Queue<Sealed>(NAME, { connection, prefix: PREFIX });
    if (this.#queue === undefined) queue.on('error', () => {});
    this.#queue = queue;
    try {
      await queue.waitUntilReady();
      return queue;
    } catch (error) {
      this.#queue = undefined;
      throw error;
    }
  }

  async stop(ms: number): Promise<void> {
    this.#isStopping = true;
    const worker = this.#worker;
    const close = async () => {
      await worker?.close();
      await this.#queue?.close();
    };
    const closed = close().catch(() => {});
    // BullMQ closes once: a second, forced close waits for the same steps as the first one.
    await Promise.race([closed, new Promise((done) => setTimeout(done, ms).unref())]);
  }

  async countOpen(): Promise<number> {
    return orStorageFailed(async () =>
      (await this.#opened()).getJobCountByTypes('active', 'delayed', 'waiting'),
    );
  }

  async #step(worker: Worker<Place>, bullJob: BullJob<Sealed>, token: string | undefined): Promise<void> {
    const { now, onError } = this.#options;
    let latest: Job<Place>;
    try {
      latest = await this.#open(bullJob.data);
    } catch (error) {
      return this.#leave(error, bullJob, token);
    }
    try {
      const step = await worker(latest, async (saved) => {
        latest = saved;
        await bullJob.updateData(await this.#seal(saved, 0));
      });
      if (step.done) return;
      await this.#later(bullJob, token, await this.#seal(step.job, 0), step.at);
    } catch (error) {
      if (error instanceof DelayedError) throw error;
      onError(error, latest);
      const failures = bullJob.data.failures + 1;
      const data = await this.#seal(latest, failures);
      await this.#later(bullJob, token, data, now() + backOff(failures)).catch(() => {});
      // One that could not be put off goes to whoever sees its lock run out. BullMQ would forget one that has failed.
      throw new DelayedError();
    }
  }

  async #open({ state, sealed }: Sealed): Promise<Job<Place>> {
    if (state !== STATE_VERSION)
      throw new Error(`a lookup has the state version ${state}, not ${STATE_VERSION}`);
    return JSON.parse(await this.#options.sealer.open(sealed));
  }

  /** In a deploy, a replica of another version or with a newer key has written it: it stays as it is, for that one. */
  async #leave(error: unknown, bullJob: BullJob<Sealed>, token: string | undefined): Promise<void> {
    const { now, onError } = this.#options;
    onError(error, undefined);
    // By now even the longest wait is over, and nobody came.
    if (now() - bullJob.timestamp > LEFT_AT_MOST_MS) return;
    await bullJob.moveToDelayed(now() + LEFT_FOR_MS, token).catch(() => {});
    throw new DelayedError();
  }

  async #later(
    bullJob: BullJob<Sealed>,
    token: string | undefined,
    data: Sealed,
    at: number,
  ): Promise<never> {
    await bullJob.updateData(data);
    await bullJob.moveToDelayed(at, token);
    throw new DelayedError();
  }

  async #seal(job: Job<Place>, failures: number): Promise<Sealed> {
    const sealed = await this.#options.sealer.seal(JSON.stringify(job));
    return { state: STATE_VERSION, sealed, failures };
  }
}
