import {
  type Job as BullJob,
  Worker as BullWorker,
  type ConnectionOptions,
  DelayedError,
  Queue,
} from 'bullmq';
import { orStorageFailed } from '../core/failure.ts';
import type { TextSealer } from '../core/store.ts';
import { backOff, type Job, type LookupQueue, type Worker } from './queue.ts';

const NAME = 'lookups';
const PREFIX = 'snapshot-bot';
/** A replica that dies loses its locks after this, and another one goes on with its lookups. */
const LOCK_MS = 6_000;
const STALLED_CHECK_MS = 2_000;
/** Steps are short, and most of a lookup's life is waiting: this bounds the requests of one replica, not its lookups. */
const CONCURRENCY = 100;

/** A job as Redis has it: sealed, because it holds the response URL, and how often its step has failed in a row. */
type Sealed = { readonly sealed: string; readonly failures: number };

export type BullQueueOptions<Place> = {
  /** Its commands fail at once while Redis is away, so that users get an answer. */
  readonly connection: ConnectionOptions;
  readonly sealer: TextSealer;
  readonly now: () => number;
  readonly onError: (error: unknown, job: Job<Place> | undefined) => void;
};

/** The queue of many replicas: BullMQ keeps the jobs and their times, and gives a dead replica's jobs to another. */
export class BullQueue<Place> implements LookupQueue<Place> {
  readonly #options: BullQueueOptions<Place>;
  readonly #queue: Queue<Sealed>;
  #worker: BullWorker<Sealed> | undefined;

  constructor(options: BullQueueOptions<Place>) {
    this.#options = options;
    this.#queue = new Queue(NAME, { connection: options.connection, prefix: PREFIX });
    this.#queue.on('error', () => {});
  }

  async add(job: Job<Place>): Promise<void> {
    const options = { jobId: job.id, removeOnComplete: true, removeOnFail: true };
    await orStorageFailed(async () => {
      await this.#queue.add(NAME, await this.#seal(job, 0), options);
    });
  }

  async wake(id: string): Promise<void> {
    const job = await orStorageFailed(() => this.#queue.getJob(id));
    // One that is not waiting takes its next step anyway.
    await job?.promote().catch(() => {});
  }

  async start(worker: Worker<Place>): Promise<void> {
    this.#worker = new BullWorker<Sealed>(NAME, (job, token) => this.#step(worker, job, token), {
      connection: this.#options.connection,
      prefix: PREFIX,
      concurrency: CONCURRENCY,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
      // However often its replicas die: an accepted lookup is answered.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
    });
    this.#worker.on('error', (error) => this.#options.onError(error, undefined));
  }

  async stop(ms: number): Promise<void> {
    const worker = this.#worker;
    if (worker !== undefined) {
      const closed = worker.close().catch(() => {});
      await Promise.race([closed, new Promise((done) => setTimeout(done, ms).unref())]);
      await worker.close(true).catch(() => {});
    }
    await this.#queue.close().catch(() => {});
  }

  async countOpen(): Promise<number> {
    return orStorageFailed(() => this.#queue.getJobCountByTypes('active', 'delayed', 'waiting'));
  }

  async #step(worker: Worker<Place>, bullJob: BullJob<Sealed>, token: string | undefined): Promise<void> {
    const { sealer, now, onError } = this.#options;
    let latest: Job<Place> = JSON.parse(await sealer.open(bullJob.data.sealed));
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
      await this.#later(bullJob, token, await this.#seal(latest, failures), now() + backOff(failures));
    }
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
    return { sealed: await this.#options.sealer.seal(JSON.stringify(job)), failures };
  }
}
