import { type Job as BullJob, DelayedError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import PQueue from 'p-queue';
import { type AnyJob, backOff, type JobFormat, type Processor } from '../../lookups/queue.ts';
import type { Sealer } from '../sealing/sealer.ts';
import type { Durably } from './durable-write.ts';
import { durablyOnBull, PREFIX, workingConnection } from './redis-connection.ts';
import { JobSeal, type SealedJob } from './sealed-job.ts';

/** The locks of a dead replica expire after this, and another replica takes over its lookups. */
const LOCK_MS = 6_000;
const STALLED_CHECK_MS = 2_000;
const RETRY_MS = 1_000;
/** How many steps this replica takes at once. Steps are short, so this does not limit the number of open lookups. */
const CONCURRENCY = 100;
/** The longest that a worker waits for a word of Redis: a word that is lost with its connection costs so long. */
const LONGEST_BLOCK_S = 2;

/** Longer than a step takes. A job that ended with that step leaves its mark behind for as long. */
export const WAKE_MARK_LASTS_MS = 10 * 60_000;

/** The key that marks a job to be woken at the end of the step that it takes now. */
export function wakeMark({ name }: JobFormat<AnyJob>, id: string): string {
  return `${PREFIX}:woken:${name}:${id}`;
}

const UNREADABLE_SHARE_OF_AGE = 0.1;
const LEAST_UNREADABLE_MS = 2_000;
const MOST_UNREADABLE_MS = 600_000;

/**
 * How soon a replica tries again to read a job that it cannot read: after a share of the job's age, within bounds. A
 * replica that can read it takes it as soon as it sees it. Milliseconds.
 */
function unreadablePause(ageMs: number): number {
  return Math.max(LEAST_UNREADABLE_MS, Math.min(ageMs * UNREADABLE_SHARE_OF_AGE, MOST_UNREADABLE_MS));
}

export type BullWorkerOptions<J extends AnyJob> = {
  readonly url: string;
  /** Names the BullMQ queue that it takes jobs from, too. */
  readonly format: JobFormat<J>;
  readonly sealer: Sealer;
  readonly now: () => number;
  /** Called with failed steps and with unreadable jobs (once each), and without an id for errors of the connection. */
  readonly onError: (error: unknown, jobId: string | undefined) => void;
};

/**
 * Stores what a job holds, unless its next step was begun elsewhere: `ats` is how often BullMQ has handed it out. Then, or
 * if it was removed, the answer is 0. A lock that ran out while Redis or this replica stood still does no harm as long
 * as nobody has taken the job.
 */
const WRITE = `
  if redis.call('HGET', KEYS[1], 'ats') ~= ARGV[1] then return 0 end
  redis.call('HSET', KEYS[1], 'data', ARGV[2])
  return 1`;

/** A job that BullMQ has handed to this replica. */
type Taken = { readonly bullJob: BullJob<SealedJob>; readonly token: string | undefined };

/** BullMQ's own bound, ten seconds, is no option of it. */
class PromptWorker extends Worker<SealedJob> {
  override get maximumBlockTimeout(): number {
    return LONGEST_BLOCK_S;
  }
}

/** Takes the steps of the jobs that BullMQ hands to this replica, and delays each job until its next step. */
export class BullWorker<J extends AnyJob> {
  readonly #options: BullWorkerOptions<J>;
  readonly #processor: Processor<J>;
  readonly #seal: JobSeal<J>;
  /** Runs the steps that the death of a replica interrupted, one at a time, because any of them may be its cause. */
  readonly #alone = new PQueue({ concurrency: 1 });
  readonly #client: Redis;
  readonly #durably: Durably;
  readonly #worker: PromptWorker;
  /** Jobs that were reported as unreadable. */
  readonly #unreadable = new Set<string>();

  constructor(options: BullWorkerOptions<J>, processor: Processor<J>) {
    this.#options = options;
    this.#seal = new JobSeal(options.format, options.sealer);
    this.#processor = processor;
    this.#client = workingConnection(options.url);
    this.#durably = durablyOnBull(this.#client);
    const step = (bullJob: BullJob<SealedJob>, token?: string) => this.#step({ bullJob, token });
    this.#worker = new PromptWorker(options.format.name, step, {
      connection: this.#client,
      runRetryDelay: RETRY_MS,
      prefix: PREFIX,
      concurrency: CONCURRENCY,
      drainDelay: LONGEST_BLOCK_S,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
      // An accepted lookup is answered, however often the replicas that work on it die.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
    });
    this.#worker.on('error', (error) => options.onError(error, undefined));
  }

  /** Takes no more jobs, and resolves once the running steps have ended. */
  async close(): Promise<void> {
    await this.#worker.close();
  }

  /** Ends the connection; what it still has to say fails. */
  disconnect(): void {
    this.#client.disconnect();
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
      // here. If another replica has the job by now, the first thing that the step saves fails.
      await this.#write(taken, { ...data, begun }).catch(() => {});
      await this.#take(taken, begun);
    });
  }

  async #take(taken: Taken, begun: number): Promise<void> {
    const { now, onError } = this.#options;
    const { bullJob } = taken;
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
      await this.#durably(() => this.#write(taken, sealed));
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

  /**
   * Writes what a job holds. A replica that stood still may have lost it to another one, which has gone on with it, and a
   * command that Redis did not answer may be sent once more later: then nothing is written, and this throws.
   */
  async #write({ bullJob }: Taken, data: SealedJob): Promise<void> {
    const key = this.#worker.toKey(bullJob.id ?? '');
    const given = [String(bullJob.attemptsStarted), JSON.stringify(data)];
    const written = await this.#client.eval(WRITE, 1, key, ...given);
    if (written !== 1) throw new Error('another replica has taken the job over');
  }

  async #later(taken: Taken, data: SealedJob, pauseMs: number): Promise<never> {
    const { bullJob, token } = taken;
    await this.#write(taken, data);
    await bullJob.moveToDelayed(Date.now() + Math.max(0, pauseMs), token);
    // It could not be promoted during the step, because it was not delayed yet. If this fails, it comes at its time.
    const mark = wakeMark(this.#options.format, bullJob.id ?? '');
    await this.#client
      .del(mark)
      .then((found) => (found > 0 ? bullJob.promote() : undefined))
      .catch(() => {});
    throw new DelayedError();
  }
}
