import { type Job as BullJob, createNodeRedisClient, type IRedisClient, Queue } from 'bullmq';
import { inTime } from '../../core/deadline.ts';
import { orStorageFailed } from '../../core/or-storage-failed.ts';
import { whenClockGoesBack } from '../../core/steady-clock.ts';
import type { AnyJob, JobQueue, Processor } from '../../lookups/queue.ts';
import { BullWorker, type BullWorkerOptions } from './bull-worker.ts';
import { withErrorListener } from './error-listener.ts';
import type { RedisConnection } from './redis-client.ts';
import { JobSeal, type SealedJob } from './sealed-job.ts';
import { WAKE_MARK_LASTS, wakeMark } from './wake-mark.ts';

const OPEN = ['active', 'delayed', 'waiting'] as const;
const MOST_LOOKED_AT = 1_000;
/** By how much the clocks of replicas may differ. Milliseconds. */
const CLOCKS_DIFFER_MS = 60_000;

type BullQueueOptions<J extends AnyJob> = BullWorkerOptions<J> & {
  /** A connection whose commands fail at once while Redis is away, so that users get an answer. */
  readonly connection: RedisConnection;
};

/**
 * The queue of many replicas: BullMQ stores the jobs and when they are due, and gives a dead replica's jobs to another.
 */
export class BullQueue<J extends AnyJob> implements JobQueue<J> {
  readonly #options: BullQueueOptions<J>;
  readonly #seal: JobSeal<J>;
  #client: IRedisClient | undefined;
  #queue: Queue<SealedJob> | undefined;
  #worker: BullWorker<J> | undefined;
  #stopWatching = () => {};

  constructor(options: BullQueueOptions<J>) {
    this.#options = options;
    this.#seal = new JobSeal(options.format, options.sealer);
  }

  /** The person is told that a refused job was not accepted, so it must not run later. */
  async add(job: J): Promise<void> {
    const attempt = { isRefused: false };
    try {
      await orStorageFailed(() => this.#add(job, attempt));
    } catch (error) {
      attempt.isRefused = true;
      // A command that was not answered in time may still run. On the same connection Redis does this right after it,
      // before anybody can take the job; nobody waits for it here.
      this.#queue?.remove(job.id).catch(() => {});
      throw error;
    }
  }

  async #add(job: J, attempt: { readonly isRefused: boolean }): Promise<void> {
    const { connection, durably } = this.#options;
    const options = { jobId: job.id, removeOnComplete: true, removeOnFail: true };
    const queue = await this.#opened();
    if (attempt.isRefused) return;
    const sealed = this.#seal.seal(job, { failures: 0, stalls: 0, begun: 0 });
    try {
      await durably(connection, () => queue.add(queue.name, sealed, options));
    } catch (error) {
      await queue.remove(job.id).catch(() => {});
      throw error;
    }
  }

  async find(id: string): Promise<J | undefined> {
    return orStorageFailed(async () => {
      const found = await (await this.#opened()).getJob(id);
      return found === undefined ? undefined : this.#seal.open(id, found.data);
    });
  }

  async wake(id: string): Promise<void> {
    const { connection, prefix, format } = this.#options;
    const mark = wakeMark(prefix, format.name, id);
    const job = await orStorageFailed(async () => {
      const found = await (await this.#opened()).getJob(id);
      // Before the job is looked at: a step that ends afterwards finds the mark.
      if (found !== undefined) await connection.set(mark, '1', WAKE_MARK_LASTS);
      return found;
    });
    // A job that takes a step can't be promoted: its replica does that at the end of the step.
    await job?.promote().then(
      () => connection.del(mark),
      () => {},
    );
  }

  /** Does not wait for Redis, which may be away at the start and come later. */
  async start(processor: Processor<J>): Promise<void> {
    this.#worker = new BullWorker(this.#options, processor);
    this.#worker.run().catch((error: unknown) => this.#options.onError(error, undefined));
    this.#stopWatching = whenClockGoesBack(() => this.#takeDelayed());
    this.#takeDelayedByAnotherClock().catch(() => {});
  }

  /** BullMQ stores when a job is due in the time of this machine's clock: after that went back, nobody would take it. */
  #takeDelayed(): void {
    this.#opened()
      .then((queue) => queue.promoteJobs())
      .catch((error: unknown) => this.#options.onError(error, undefined));
  }

  /** The clock may also have gone back before the start. The latest jobs are the ones to see it by. */
  async #takeDelayedByAnotherClock(): Promise<void> {
    const latest = await (await this.#opened()).getJobs(['delayed'], 0, MOST_LOOKED_AT - 1);
    const isAhead = ({ processedOn = 0 }: BullJob) => processedOn > Date.now() + CLOCKS_DIFFER_MS;
    if (latest.some(isAhead)) this.#takeDelayed();
  }

  /** The queue; it is made again if its set-up failed. Throws at once while Redis is away. */
  async #opened(): Promise<Queue<SealedJob>> {
    const { connection, format, prefix } = this.#options;
    if (!connection.isReady) throw new Error('there is no connection to Redis');
    this.#client ??= withErrorListener(createNodeRedisClient(connection));
    const queue = this.#queue ?? new Queue<SealedJob>(format.name, { connection: this.#client, prefix });
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
    this.#stopWatching();
    const close = async () => {
      await this.#worker?.close();
      await this.#queue?.close();
    };
    const closed = close().catch(() => {});
    // BullMQ cannot be forced: a second call of `close` waits for the same steps as the first.
    await inTime(ms, closed);
  }

  async *entries(): AsyncGenerator<J> {
    const jobs = await orStorageFailed(async () => (await this.#opened()).getJobs([...OPEN]));
    for (const job of jobs) {
      const opened = this.#readable(job);
      if (opened !== undefined) yield opened;
    }
  }

  #readable(bullJob: BullJob<SealedJob>): J | undefined {
    try {
      return this.#seal.open(bullJob.id ?? '', bullJob.data);
    } catch (error) {
      this.#options.onError(error, bullJob.id);
      return undefined;
    }
  }

  async remove(id: string): Promise<void> {
    await orStorageFailed(async () => (await this.#opened()).remove(id));
  }

  /** Looks at the first thousand jobs only, because metrics are read every few seconds. */
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
}
