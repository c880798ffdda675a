import { setTimeout as delay } from 'node:timers/promises';
import {
  type Job as BullJob,
  Worker as BullWorker,
  type ConnectionOptions,
  createNodeRedisClient,
  DelayedError,
  Queue,
} from 'bullmq';
import { inTime } from '../../core/deadline.ts';
import { orStorageFailed } from '../../core/or-storage-failed.ts';
import { backOff, type Job, type LookupQueue, type Processor } from '../../lookups/queue.ts';
import type { Sealer } from '../sealing/sealer.ts';
import { withErrorListener } from './heard-connection.ts';
import { PREFIX } from './prefix.ts';
import { openJob, type SealedJob, sealJob } from './sealed-job.ts';

const NAME = 'lookups';
const OPEN = ['active', 'delayed', 'waiting'] as const;
/** A replica that dies loses its locks after this, and another one goes on with its lookups. */
const LOCK_MS = 6_000;
const STALLED_CHECK_MS = 2_000;
const RETRY_MS = 1_000;
/** Steps are short, and most of a lookup's life is waiting: this bounds the requests of one replica, not its lookups. */
const CONCURRENCY = 100;
const MOST_LOOKED_AT = 1_000;
/**
 * How soon a replica looks again at a job that it can't read: as often as this share of the job's age, within bounds.
 * Whoever has its key, or is of its version, takes it as soon as it is there.
 */
const UNREADABLE = { shareOfAge: 0.1, leastMs: 2_000, mostMs: 600_000 };

export type BullQueueOptions = {
  /** Its commands fail at once while Redis is away, so that users get an answer. */
  readonly connection: ConnectionOptions & { readonly isReady: boolean };
  /** Its commands wait until Redis is there again. */
  readonly patient: Parameters<typeof createNodeRedisClient>[0];
  readonly sealer: Sealer;
  readonly now: () => number;
  /** Hears of steps that threw, of jobs that can't be read (once each), and without an id of the connection's trouble. */
  readonly onError: (error: unknown, lookupId: string | undefined) => void;
};

/** The queue of many replicas: BullMQ keeps the jobs and their times, and gives a dead replica's jobs to another. */
export class BullQueue implements LookupQueue {
  readonly #options: BullQueueOptions;
  #queue: Queue<SealedJob> | undefined;
  #worker: BullWorker<SealedJob> | undefined;
  #isStopping = false;
  /** Jobs that were reported as unreadable. */
  readonly #unreadable = new Set<string>();

  constructor(options: BullQueueOptions) {
    this.#options = options;
  }

  async add(job: Job): Promise<void> {
    const options = { jobId: job.id, removeOnComplete: true, removeOnFail: true };
    await orStorageFailed(async () => {
      const queue = await this.#opened();
      await queue.add(NAME, sealJob(this.#options.sealer, job, 0), options);
    });
  }

  async wake(id: string): Promise<void> {
    const job = await orStorageFailed(async () => (await this.#opened()).getJob(id));
    // One that is not waiting takes its next step anyway.
    await job?.promote().catch(() => {});
  }

  /** Does not wait for Redis: one that is away at the start may come. */
  async start(processor: Processor): Promise<void> {
    this.#launch(processor).catch((error: unknown) => this.#options.onError(error, undefined));
  }

  /** BullMQ never recovers from a Redis that is lost while it sets itself up, and asks without a pause: begin anew. */
  async #launch(processor: Processor): Promise<void> {
    while (!this.#isStopping) {
      const made = this.#newWorker(processor);
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

  #newWorker(processor: Processor): BullWorker<SealedJob> {
    const made = new BullWorker<SealedJob>(NAME, (job, token) => this.#step(processor, job, token), {
      // One whose commands fail at once would have the worker ask again and again without a pause.
      connection: withErrorListener(createNodeRedisClient(this.#options.patient)),
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
  async #opened(): Promise<Queue<SealedJob>> {
    const { connection } = this.#options;
    if (!connection.isReady) throw new Error('there is no connection to Redis');
    const queue = this.#queue ?? new Queue<SealedJob>(NAME, { connection, prefix: PREFIX });
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
    const processor = this.#worker;
    const close = async () => {
      await processor?.close();
      await this.#queue?.close();
    };
    const closed = close().catch(() => {});
    // BullMQ closes once: a second, forced close waits for the same steps as the first one.
    await inTime(ms, closed);
  }

  async *entries(): AsyncGenerator<Job> {
    const jobs = await orStorageFailed(async () => (await this.#opened()).getJobs([...OPEN]));
    for (const job of jobs) {
      const opened = this.#readable(job);
      if (opened !== undefined) yield opened;
    }
  }

  #readable(bullJob: BullJob<SealedJob>): Job | undefined {
    try {
      return openJob(this.#options.sealer, bullJob.id ?? '', bullJob.data);
    } catch (error) {
      this.#options.onError(error, bullJob.id);
      return undefined;
    }
  }

  async remove(id: string): Promise<void> {
    await orStorageFailed(async () => (await this.#opened()).remove(id));
  }

  /** Of many, the first thousand are looked at: the metrics are read every few seconds. */
  async oldestAcceptedAt(): Promise<number | undefined> {
    const jobs = await orStorageFailed(async () =>
      (await this.#opened()).getJobs([...OPEN], 0, MOST_LOOKED_AT - 1, true),
    );
    const times = jobs.map(({ timestamp }) => timestamp);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  async countOpen(): Promise<number> {
    return orStorageFailed(async () => (await this.#opened()).getJobCountByTypes(...OPEN));
  }

  async #step(processor: Processor, bullJob: BullJob<SealedJob>, token: string | undefined): Promise<void> {
    const { now, onError, sealer } = this.#options;
    let latest: Job;
    try {
      latest = openJob(sealer, bullJob.id ?? '', bullJob.data);
    } catch (error) {
      return this.#leave(error, bullJob, token);
    }
    try {
      const step = await processor(latest, async (saved) => {
        latest = saved;
        await bullJob.updateData(sealJob(sealer, saved, 0));
      });
      if (step.done) return;
      await this.#later(bullJob, token, sealJob(sealer, step.job, 0), step.at);
    } catch (error) {
      if (error instanceof DelayedError) throw error;
      onError(error, bullJob.id);
      const failures = bullJob.data.failures + 1;
      const data = sealJob(sealer, latest, failures);
      await this.#later(bullJob, token, data, now() + backOff(failures)).catch(() => {});
      // One that could not be put off goes to whoever sees its lock run out. BullMQ would forget one that has failed.
      throw new DelayedError();
    }
  }

  /** A replica of a newer release or with another key has written it: it stays as it is, for that one. */
  async #leave(error: unknown, bullJob: BullJob<SealedJob>, token: string | undefined): Promise<never> {
    const { now, onError } = this.#options;
    const id = bullJob.id ?? '';
    if (!this.#unreadable.has(id)) onError(error, id);
    this.#unreadable.add(id);
    const { shareOfAge, leastMs, mostMs } = UNREADABLE;
    const pauseMs = Math.max(leastMs, Math.min((now() - bullJob.timestamp) * shareOfAge, mostMs));
    await bullJob.moveToDelayed(this.#bullTime(now() + pauseMs), token).catch(() => {});
    throw new DelayedError();
  }

  async #later(
    bullJob: BullJob<SealedJob>,
    token: string | undefined,
    data: SealedJob,
    at: number,
  ): Promise<never> {
    await bullJob.updateData(data);
    await bullJob.moveToDelayed(this.#bullTime(at), token);
    throw new DelayedError();
  }

  /** BullMQ goes by the clock of the machine, and the bot by the one that it was given. */
  #bullTime(at: number): number {
    return Date.now() + Math.max(0, at - this.#options.now());
  }
}
