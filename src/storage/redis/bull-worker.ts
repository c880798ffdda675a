import { setTimeout as delay } from 'node:timers/promises';
import { type Job as BullJob, createNodeRedisClient, DelayedError } from 'bullmq';
import PQueue from 'p-queue';
import { type AnyJob, backOff, type JobFormat, type Processor } from '../../lookups/queue.ts';
import type { Sealer } from '../sealing/sealer.ts';
import type { Durably } from './durable-write.ts';
import { withErrorListener } from './error-listener.ts';
import { RecoveringWorker } from './recovering-worker.ts';
import type { RedisConnection } from './redis-client.ts';
import { JobSeal, type SealedJob } from './sealed-job.ts';
import { untilSilent } from './silent-connection.ts';
import { unreadablePause } from './unreadable-pause.ts';
import { promoteIfWoken, wakeMark } from './wake-mark.ts';

/** The locks of a dead replica expire after this, and another replica takes over its lookups. */
const LOCK_MS = 6_000;
const STALLED_CHECK_MS = 2_000;
const RETRY_MS = 1_000;
/** How many steps this replica takes at once. Steps are short, so this does not limit the number of open lookups. */
const CONCURRENCY = 100;
export type BullWorkerOptions<J extends AnyJob> = {
  /** Names the BullMQ queue that it takes jobs from, too. */
  readonly format: JobFormat<J>;
  /** The options of a connection whose commands wait until Redis is back. */
  readonly waiting: RedisConnection;
  readonly durably: Durably;
  /** The prefix of every key of the queue. */
  readonly prefix: string;
  readonly sealer: Sealer;
  readonly now: () => number;
  /** Called with failed steps and with unreadable jobs (once each), and without an id for errors of the connection. */
  readonly onError: (error: unknown, jobId: string | undefined) => void;
};

/** A job that BullMQ has handed to this replica, and the connection that it is written on. */
type Taken = {
  readonly bullJob: BullJob<SealedJob>;
  readonly token: string | undefined;
  readonly client: RedisConnection;
};

/** Takes the steps of the jobs that BullMQ hands to this replica, and delays each job until its next step. */
export class BullWorker<J extends AnyJob> {
  readonly #options: BullWorkerOptions<J>;
  readonly #processor: Processor<J>;
  readonly #seal: JobSeal<J>;
  /** Runs the steps that the death of a replica interrupted, one at a time, because any of them may be its cause. */
  readonly #alone = new PQueue({ concurrency: 1 });
  #worker: RecoveringWorker | undefined;
  #client: RedisConnection;
  #isStopping = false;
  /** Jobs that were reported as unreadable. */
  readonly #unreadable = new Set<string>();

  constructor(options: BullWorkerOptions<J>, processor: Processor<J>) {
    this.#options = options;
    this.#seal = new JobSeal(options.format, options.sealer);
    this.#processor = processor;
    this.#client = options.waiting;
  }

  /**
   * Works until it is closed. If Redis is lost during the set-up, BullMQ never recovers and retries without a pause, and
   * over a network that loses everything a connection stays silent for many minutes: then a new worker is made.
   */
  async run(): Promise<void> {
    while (!this.#isStopping) {
      const client = this.#client;
      const made = this.#newWorker(client);
      const over = new AbortController();
      try {
        await made.waitUntilReady();
        this.#worker = made;
        if (this.#isStopping) await this.#end(made);
        else await Promise.race([made.run(), untilSilent(client, over.signal)]);
        return;
      } catch (error) {
        this.#options.onError(error, undefined);
        made.close(true).catch(() => {});
        this.#client = client.duplicate();
        // Commands that it still holds fail; their jobs go on once their locks have run out.
        if (client.isOpen) client.destroy();
        await delay(RETRY_MS);
      } finally {
        over.abort();
      }
    }
  }

  #newWorker(client: RedisConnection): RecoveringWorker {
    const step = (bullJob: BullJob<SealedJob>, token?: string) => this.#step({ bullJob, token, client });
    const made = new RecoveringWorker(this.#options.format.name, step, {
      // With a connection whose commands fail at once, BullMQ would retry without a pause.
      connection: withErrorListener(createNodeRedisClient(client)),
      runRetryDelay: RETRY_MS,
      prefix: this.#options.prefix,
      concurrency: CONCURRENCY,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
      // An accepted lookup is answered, however often the replicas that work on it die.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      autorun: false,
    });
    made.on('error', (error) => this.#options.onError(error, undefined));
    return made;
  }

  /** Takes no more jobs, and resolves once the running steps have ended. */
  async close(): Promise<void> {
    this.#isStopping = true;
    if (this.#worker !== undefined) await this.#end(this.#worker);
  }

  async #end(worker: RecoveringWorker): Promise<void> {
    await worker.close();
    if (this.#client.isOpen) this.#client.destroy();
  }

  /**
   * Takes a step. Steps that the death of a replica interrupted are taken one at a time, and each of their beginnings
   * is counted.
   */
  async #step(taken: Taken): Promise<void> {
    const { bullJob } = taken;
    const { stalledCounter, data } = bullJob;
    if (stalledCounter <= (data.stalls ?? stalledCounter)) return this.#take(taken, 0);
    return this.#alone.add(async () => {
      const begun = (data.begun ?? 0) + 1;
      // If Redis cannot store the count, the step runs uncounted, because BullMQ would delete a job whose step throws
      // here.
      await bullJob.updateData({ ...data, begun }).catch(() => {});
      await this.#take(taken, begun);
    });
  }

  async #take(taken: Taken, begun: number): Promise<void> {
    const { now, onError, durably } = this.#options;
    const { bullJob, client } = taken;
    const began = now();
    const { stalledCounter, data: stored } = bullJob;
    const ended = { failures: 0, stalls: stalledCounter, begun: 0 };
    let latest: J;
    try {
      latest = this.#seal.open(bullJob.id ?? '', stored);
    } catch (error) {
      return this.#leave(error, taken);
    }
    const save = async (saved: J) => {
      latest = saved;
      const counts = { failures: 0, stalls: stored.stalls ?? stalledCounter, begun };
      const sealed = this.#seal.seal(saved, counts);
      // After a failover the next step must know what this one has saved before it posted.
      await durably(client, () => bullJob.updateData(sealed));
    };
    try {
      const step = await this.#processor(latest, save, begun);
      if (step.done) return;
      await this.#later(taken, this.#seal.seal(step.job, ended), step.at - Math.max(began, now()));
    } catch (error) {
      if (error instanceof DelayedError) throw error;
      onError(error, bullJob.id);
      const failures = (stored.failures ?? 0) + 1;
      const data = this.#seal.seal(latest, { ...ended, failures });
      await this.#later(taken, data, backOff(failures)).catch(() => {});
      // If the delay could not be stored, another replica takes the job when its lock expires. BullMQ would delete a
      // failed job.
      throw new DelayedError();
    }
  }

  /** A newer release or another key has written the job: it is left for a replica that can read it. */
  async #leave(error: unknown, { bullJob, token }: Taken): Promise<never> {
    const { now, onError } = this.#options;
    const id = bullJob.id ?? '';
    if (!this.#unreadable.has(id)) onError(error, id);
    this.#unreadable.add(id);
    const pauseMs = unreadablePause(now() - bullJob.timestamp);
    await bullJob.moveToDelayed(Date.now() + pauseMs, token).catch(() => {});
    throw new DelayedError();
  }

  async #later(taken: Taken, data: SealedJob, pauseMs: number): Promise<never> {
    const { bullJob, token, client } = taken;
    await bullJob.updateData(data);
    await bullJob.moveToDelayed(Date.now() + Math.max(0, pauseMs), token);
    const mark = wakeMark(this.#options.prefix, this.#options.format.name, bullJob.id ?? '');
    // If this fails, the job comes at its time.
    await promoteIfWoken(bullJob, client, mark).catch(() => {});
    throw new DelayedError();
  }
}
