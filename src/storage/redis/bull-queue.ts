import { setTimeout as delay } from 'node:timers/promises';
import { type Job as BullJob, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { orStorageFailed } from '../../core/store.ts';
import { inTime, whenClockGoesBack } from '../../core/time.ts';
import {
  type BullOptions,
  bullConnection,
  firstLease,
  type Held,
  type Prepare,
  type StoredJob,
  wakeMark,
} from './bull-connection.ts';
import { BullWorker } from './bull-worker.ts';
import { CONNECT_TIMEOUT_MS, type Durably, PREFIX, QUEUE } from './redis-connection.ts';

const MOST_LOOKED_AT = 1_000;
const TRY_AGAIN_MS = 500;
/** By how much the clocks of replicas may differ. Milliseconds. */
const CLOCKS_DIFFER_MS = 60_000;

/**
 * How long a job that was accepted waits for the replica that accepted it: longer than an answer of Redis is waited for,
 * and than it takes that replica to find Redis again. Milliseconds.
 */
export const SAFETY_NET_MS = 12_000;
const EXTENDED_EVERY_MS = 4_000;

/** Both run only under the lease, which lasts for its whole time again: without it another replica may have the job. */
const WRITE = `
  if redis.call('PEXPIRE', KEYS[2], ARGV[2]) == 0 then return 0 end
  redis.call('HSET', KEYS[1], 'data', ARGV[1])
  return 1`;
/** The last command takes away what a replica whose clock is ahead has just taken to look at. */
const END = `
  if redis.call('DEL', KEYS[2]) == 0 then return 0 end
  redis.call('DEL', KEYS[1])
  redis.call('ZREM', KEYS[4], ARGV[1])
  if redis.call('ZREM', KEYS[3], ARGV[1]) == 0 then redis.call('LREM', KEYS[5], 1, ARGV[1]) end
  return 1`;

/**
 * The queue of many replicas: BullMQ stores the jobs and when they are due, and gives a dead replica's jobs to another.
 */
export class BullQueue {
  readonly options: BullOptions;
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

  constructor(options: BullOptions) {
    this.options = options;
    ({ client: this.client, durably: this.#durably } = bullConnection(options.url, 'fail'));
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
  readonly ask = <T>(work: (queue: Queue<StoredJob>) => Promise<T>): Promise<T> =>
    orStorageFailed(() => {
      if (this.client.status !== 'ready') throw new Error('there is no connection to Redis');
      return work(this.queue);
    });

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

  /** Takes the lease for the first step, together with the job. */
  leaseFirstStep(jobId: string): Promise<unknown> {
    return this.client.set(firstLease(jobId), '1', 'PX', SAFETY_NET_MS);
  }

  /**
   * Takes the first step of a job that this replica accepted; a stop waits for it. What is stored is a safety net: a
   * delayed job that workers take once the lease has run out, because this replica died or stood still. `open` is the key
   * of the set of all open jobs of the kind.
   */
  takeFirstStep(
    { client, durably }: BullWorker,
    bullJob: BullJob<StoredJob>,
    open: string,
    step: (held: Held) => Promise<'done' | 'later'>,
  ): void {
    const { queue, insist } = this;
    const id = bullJob.id ?? '';
    const [job, lease] = [queue.toKey(id), firstLease(id)];
    const write = async (stored: StoredJob) => {
      const written = await client.eval(WRITE, 2, job, lease, JSON.stringify(stored), SAFETY_NET_MS);
      if (written !== 1) throw new Error('another replica may have taken the job over');
    };
    const later = async (stored: StoredJob, pauseMs: number) => {
      await write(stored);
      await insist(() => bullJob.changeDelay(Math.max(0, pauseMs)));
      await client.del(lease);
      if ((await client.del(wakeMark(id))) > 0) await bullJob.promote();
    };
    const extend = async () => {
      if ((await client.pexpire(lease, SAFETY_NET_MS)) === 1) await bullJob.changeDelay(SAFETY_NET_MS);
    };
    // An extension that fails is made up for by the next.
    const timer = setInterval(() => void extend().catch(() => {}), EXTENDED_EVERY_MS);
    const take = async () => {
      const outcome = await step({ stalls: 0, later, write: (stored) => durably(() => write(stored)) });
      if (outcome === 'later') return;
      await client.eval(END, 5, job, lease, queue.toKey('delayed'), open, queue.toKey('active'), id);
    };
    const running = take()
      .catch((error: unknown) => this.options.onError(error, undefined))
      .finally(() => clearInterval(timer));
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
