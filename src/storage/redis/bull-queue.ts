import { setTimeout as delay } from 'node:timers/promises';
import { type Job as BullJob, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { orStorageFailed } from '../../core/store.ts';
import { inTime, whenClockGoesBack } from '../../core/time.ts';
import type { Sealer } from '../sealing/sealer.ts';
import { BullWorker } from './bull-worker.ts';
import {
  bullConnection,
  CONNECT_TIMEOUT_MS,
  type Durably,
  durablyOnBull,
  PREFIX,
  QUEUE,
} from './redis-connection.ts';
import type { Prepare, StoredJob } from './stored-job.ts';

const MOST_LOOKED_AT = 1_000;
const TRY_AGAIN_MS = 500;
/** By how much the clocks of replicas may differ. Milliseconds. */
const CLOCKS_DIFFER_MS = 60_000;

type BullQueueOptions = {
  readonly url: string;
  readonly sealer: Sealer;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Called with failed steps and with unreadable jobs (once each), and without an id for errors of the connection. */
  readonly onError: (error: unknown, jobId: string | undefined) => void;
};

/**
 * The queue of many replicas: BullMQ stores the jobs and when they are due, and gives a dead replica's jobs to another.
 */
export class BullQueue {
  readonly options: BullQueueOptions;
  /** Its commands fail at once while Redis is away, and a command that was refused does not run later. */
  readonly client: Redis;
  readonly queue: Queue<StoredJob>;
  /** There is none before the first kind was started. */
  worker: BullWorker | undefined;
  readonly #durably: Durably;
  readonly #kinds = new Map<string, Prepare>();
  /** First steps, which this replica takes of what it accepted. */
  readonly #running = new Set<Promise<void>>();
  #stopWatching = () => {};
  #isStopped = false;

  constructor(options: BullQueueOptions) {
    this.options = options;
    this.client = bullConnection(options.url, 'fail');
    this.#durably = durablyOnBull(this.client);
    this.queue = new Queue(QUEUE, { connection: this.client, skipVersionCheck: true, prefix: PREFIX });
    this.queue.on('error', () => {});
  }

  /** Waits for Redis, but no longer than a connection takes: it may be away at the start and come later. */
  async open(): Promise<this> {
    const ready = this.queue.waitUntilReady().catch(() => {});
    await inTime(CONNECT_TIMEOUT_MS, ready);
    return this;
  }

  /** Throws `StorageFailed`, at once while Redis is away. */
  ask<T>(work: (queue: Queue<StoredJob>) => Promise<T>): Promise<T> {
    return orStorageFailed(() => {
      if (this.client.status !== 'ready') throw new Error('there is no connection to Redis');
      return work(this.queue);
    });
  }

  askDurably<T>(work: (queue: Queue<StoredJob>) => Promise<T>): Promise<T> {
    return this.ask((queue) => this.#durably(() => work(queue)));
  }

  /** Tells Redis what follows on an added job, again and again while it is away. */
  readonly insist = async (tell: () => Promise<unknown>): Promise<void> => {
    for (;;) {
      const isDone = await tell().then(
        () => true,
        // With a connection, Redis has answered: somebody has taken the job.
        () => this.client.status === 'ready',
      );
      if (isDone || this.#isStopped) return;
      await delay(TRY_AGAIN_MS, undefined, { ref: false });
    }
  };

  /** From now on this replica takes steps of this kind. */
  start(kind: string, prepare: Prepare): void {
    this.#kinds.set(kind, prepare);
    if (this.worker !== undefined) return;
    this.worker = new BullWorker(this.options, this.#kinds);
    this.#stopWatching = whenClockGoesBack(() => this.#takeDelayed());
    this.#takeDelayedByAnotherClock().catch(() => {});
  }

  /** A first step, for which a stop waits. */
  track(step: Promise<void>): void {
    const running = step.catch((error: unknown) => this.options.onError(error, undefined));
    this.#running.add(running);
    void running.then(() => this.#running.delete(running));
  }

  /** BullMQ stores when a job is due in the time of this machine's clock: after that went back, nobody would take it. */
  #takeDelayed(): void {
    this.ask((queue) => queue.promoteJobs()).catch((error: unknown) =>
      this.options.onError(error, undefined),
    );
  }

  /** The clock may also have gone back before the start. The latest jobs are the ones to see it by. */
  async #takeDelayedByAnotherClock(): Promise<void> {
    await this.queue.waitUntilReady();
    const latest = await this.queue.getJobs(['delayed'], 0, MOST_LOOKED_AT - 1);
    const isAhead = ({ processedOn = 0, timestamp }: BullJob) =>
      Math.max(processedOn, timestamp) > Date.now() + CLOCKS_DIFFER_MS;
    if (latest.some(isAhead)) this.#takeDelayed();
  }

  /** Takes no more steps, and waits at most `ms` for the running ones. */
  async stop(ms: number): Promise<void> {
    this.#stopWatching();
    this.#isStopped = true;
    const close = async () => {
      await Promise.all([this.worker?.close(), ...this.#running]);
      await this.queue.close();
    };
    // BullMQ cannot be forced: a second call of `close` waits for the same steps as the first.
    await inTime(
      ms,
      close().catch(() => {}),
    );
    this.worker?.client.disconnect();
    this.client.disconnect();
  }
}
