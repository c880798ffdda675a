import { setTimeout as delay } from 'node:timers/promises';
import { type Job as BullJob, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { inTime } from '../../core/deadline.ts';
import { orStorageFailed } from '../../core/or-storage-failed.ts';
import { whenClockGoesBack } from '../../core/steady-clock.ts';
import type { AnyJob, JobQueue, Processor } from '../../lookups/queue.ts';
import { BullWorker, type BullWorkerOptions, WAKE_MARK_LASTS_MS, wakeMark } from './bull-worker.ts';
import type { Durably } from './durable-write.ts';
import { addingConnection, CONNECT_TIMEOUT_MS, durablyOnBull, PREFIX } from './redis-connection.ts';
import { JobSeal, type SealedJob } from './sealed-job.ts';

const OPEN = ['active', 'delayed', 'waiting'] as const;
const MOST_LOOKED_AT = 1_000;
/** How long a job that nobody has confirmed waits: longer than an answer of Redis is waited for. Milliseconds. */
const UNCONFIRMED_MS = 15_000;
const TELL_AGAIN_MS = 500;
/** By how much the clocks of replicas may differ. Milliseconds. */
const CLOCKS_DIFFER_MS = 60_000;

/**
 * The queue of many replicas: BullMQ stores the jobs and when they are due, and gives a dead replica's jobs to another.
 */
export class BullQueue<J extends AnyJob> implements JobQueue<J> {
  readonly #options: BullWorkerOptions<J>;
  readonly #seal: JobSeal<J>;
  readonly #client: Redis;
  readonly #queue: Queue<SealedJob>;
  readonly #durably: Durably;
  #worker: BullWorker<J> | undefined;
  #stopWatching = () => {};
  #isStopped = false;

  constructor(options: BullWorkerOptions<J>) {
    this.#options = options;
    this.#seal = new JobSeal(options.format, options.sealer);
    this.#client = addingConnection(options.url);
    this.#durably = durablyOnBull(this.#client);
    this.#queue = new Queue(options.format.name, { connection: this.#client, prefix: PREFIX });
    this.#queue.on('error', () => {});
  }

  /** Waits for Redis, but no longer than a connection takes: it may be away at the start and come later. */
  async open(): Promise<this> {
    const ready = this.#queue.waitUntilReady().catch(() => {});
    await inTime(CONNECT_TIMEOUT_MS, ready);
    return this;
  }

  /**
   * The person is told that a refused job was not accepted, so it must not run. Redis may have taken it all the same, and
   * its word came too late: nobody takes it before this process has heard that word.
   */
  async add(job: J): Promise<void> {
    const jobId = job.id;
    const sealed = this.#seal.seal(job, { failures: 0, stalls: 0, begun: 0 });
    const options = { jobId, delay: UNCONFIRMED_MS, removeOnComplete: true, removeOnFail: true };
    try {
      const added = await this.#ask((queue) => this.#durably(() => queue.add(queue.name, sealed, options)));
      // If the process dies before the replicas know, one of them takes the job at the end of its delay.
      void this.#insist(() => added.promote());
    } catch (error) {
      // On the same connection Redis does this after what it has not answered in time.
      void this.#insist(() => this.#queue.remove(jobId));
      throw error;
    }
  }

  /** Tells Redis what follows on an added job, again and again while it is away; nobody waits for it. */
  async #insist(tell: () => Promise<unknown>): Promise<void> {
    for (;;) {
      const isDone = await tell().then(
        () => true,
        // With a connection, Redis has answered: somebody has taken the job.
        () => this.#client.status === 'ready',
      );
      if (isDone || this.#isStopped) return;
      await delay(TELL_AGAIN_MS, undefined, { ref: false });
    }
  }

  find(id: string): Promise<J | undefined> {
    return this.#ask(async (queue) => {
      const found = await queue.getJob(id);
      return found === undefined ? undefined : this.#seal.open(id, found.data);
    });
  }

  async wake(id: string): Promise<void> {
    const mark = wakeMark(this.#options.format, id);
    const job = await this.#ask(async (queue) => {
      const found = await queue.getJob(id);
      // Before the job is looked at: a step that ends afterwards finds the mark.
      if (found !== undefined) await this.#client.set(mark, '1', 'PX', WAKE_MARK_LASTS_MS);
      return found;
    });
    // A job that takes a step can't be promoted: its replica does that at the end of the step.
    await job?.promote().then(
      () => this.#client.del(mark),
      () => {},
    );
  }

  /** Does not wait for Redis, which may be away at the start and come later. */
  async start(processor: Processor<J>): Promise<void> {
    this.#worker = new BullWorker(this.#options, processor);
    this.#stopWatching = whenClockGoesBack(() => this.#takeDelayed());
    this.#takeDelayedByAnotherClock().catch(() => {});
  }

  /** BullMQ stores when a job is due in the time of this machine's clock: after that went back, nobody would take it. */
  #takeDelayed(): void {
    this.#ask((queue) => queue.promoteJobs()).catch((error: unknown) =>
      this.#options.onError(error, undefined),
    );
  }

  /** The clock may also have gone back before the start. The latest jobs are the ones to see it by. */
  async #takeDelayedByAnotherClock(): Promise<void> {
    await this.#queue.waitUntilReady();
    const latest = await this.#queue.getJobs(['delayed'], 0, MOST_LOOKED_AT - 1);
    const isAhead = ({ processedOn = 0 }: BullJob) => processedOn > Date.now() + CLOCKS_DIFFER_MS;
    if (latest.some(isAhead)) this.#takeDelayed();
  }

  /** Throws `StorageFailed`, at once while Redis is away. */
  #ask<T>(work: (queue: Queue<SealedJob>) => Promise<T>): Promise<T> {
    return orStorageFailed(() => {
      if (this.#client.status !== 'ready') throw new Error('there is no connection to Redis');
      return work(this.#queue);
    });
  }

  async stop(ms: number): Promise<void> {
    this.#stopWatching();
    this.#isStopped = true;
    const close = async () => {
      await this.#worker?.close();
      await this.#queue.close();
    };
    // BullMQ cannot be forced: a second call of `close` waits for the same steps as the first.
    await inTime(
      ms,
      close().catch(() => {}),
    );
    this.#worker?.disconnect();
    this.#client.disconnect();
  }

  async *entries(): AsyncGenerator<J> {
    for (const job of await this.#ask((queue) => queue.getJobs([...OPEN]))) {
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
    await this.#ask((queue) => queue.remove(id));
  }

  /** Looks at the first thousand jobs only, because metrics are read every few seconds. */
  async oldestAcceptedAt(): Promise<number | undefined> {
    const jobs = await this.#ask((queue) => queue.getJobs([...OPEN], 0, MOST_LOOKED_AT - 1, true));
    const times = jobs.map(({ timestamp }) => timestamp);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  countOpen(): Promise<number> {
    return this.#ask((queue) => queue.getJobCountByTypes(...OPEN));
  }
}
