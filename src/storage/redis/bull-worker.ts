import { setTimeout as delay } from 'node:timers/promises';
import { type Job as BullJob, createNodeRedisClient, DelayedError } from 'bullmq';
import { type AnyJob, backOff, type JobFormat, type Processor } from '../../lookups/queue.ts';
import type { Sealer } from '../sealing/sealer.ts';
import { withErrorListener } from './heard-connection.ts';
import { PREFIX } from './prefix.ts';
import { RecoveringWorker } from './recovering-worker.ts';
import { JobSeal, type SealedJob } from './sealed-job.ts';

/** A replica that dies loses its locks after this, and another one goes on with its jobs. */
const LOCK_MS = 6_000;
const STALLED_CHECK_MS = 2_000;
const RETRY_MS = 1_000;
/** Steps are short, and most of a job's life is waiting: this bounds the requests of one replica, not its jobs. */
const CONCURRENCY = 100;
/**
 * How soon a replica looks again at a job that it can't read: as often as this share of the job's age, within bounds.
 * Whoever has its key, or is of its version, takes it as soon as it is there.
 */
const UNREADABLE = { shareOfAge: 0.1, leastMs: 2_000, mostMs: 600_000 };

export type BullWorkerOptions<J extends AnyJob> = {
  /** Names the BullMQ queue that it takes jobs from, too. */
  readonly format: JobFormat<J>;
  /** Its commands wait until Redis is there again. */
  readonly patient: Parameters<typeof createNodeRedisClient>[0];
  readonly sealer: Sealer;
  readonly now: () => number;
  /** Hears of steps that threw, of jobs that can't be read (once each), and without an id of the connection's trouble. */
  readonly onError: (error: unknown, jobId: string | undefined) => void;
};

/** Takes the steps of the jobs that BullMQ hands to this replica, and puts each off until its next one. */
export class BullWorker<J extends AnyJob> {
  readonly #options: BullWorkerOptions<J>;
  readonly #processor: Processor<J>;
  readonly #seal: JobSeal<J>;
  #worker: RecoveringWorker | undefined;
  #isStopping = false;
  /** Jobs that were reported as unreadable. */
  readonly #unreadable = new Set<string>();

  constructor(options: BullWorkerOptions<J>, processor: Processor<J>) {
    this.#options = options;
    this.#seal = new JobSeal(options.format, options.sealer);
    this.#processor = processor;
  }

  /**
   * Works until it is closed. BullMQ never recovers from a Redis that is lost while it sets itself up, and asks without a
   * pause: then it is set up anew.
   */
  async run(): Promise<void> {
    while (!this.#isStopping) {
      const made = this.#newWorker();
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

  #newWorker(): RecoveringWorker {
    const made = new RecoveringWorker(this.#options.format.name, (job, token) => this.#step(job, token), {
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

  /** Takes no more jobs, and resolves once the running steps have ended. */
  async close(): Promise<void> {
    this.#isStopping = true;
    await this.#worker?.close();
  }

  async #step(bullJob: BullJob<SealedJob>, token: string | undefined): Promise<void> {
    const { now, onError } = this.#options;
    let latest: J;
    try {
      latest = this.#seal.open(bullJob.id ?? '', bullJob.data);
    } catch (error) {
      return this.#leave(error, bullJob, token);
    }
    try {
      const step = await this.#processor(latest, async (saved) => {
        latest = saved;
        await bullJob.updateData(this.#seal.seal(saved, 0));
      });
      if (step.done) return;
      await this.#later(bullJob, token, this.#seal.seal(step.job, 0), step.at);
    } catch (error) {
      if (error instanceof DelayedError) throw error;
      onError(error, bullJob.id);
      const failures = bullJob.data.failures + 1;
      const data = this.#seal.seal(latest, failures);
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
