import { type Job as BullJob, DelayedError, Worker } from 'bullmq';
import { type Redis, ReplyError } from 'ioredis';
import PQueue from 'p-queue';
import {
  type BullOptions,
  bullConnection,
  FIRST,
  firstLease,
  type Held,
  type Prepare,
  type StoredJob,
  wakeMark,
} from './bull-connection.ts';
import { type Durably, PREFIX, QUEUE } from './redis-connection.ts';

/**
 * The locks of a dead replica expire after this, and another replica takes over its jobs: later than the longest post, which
 * nobody can look for, has ended.
 */
const LOCK_MS = 12_000;
const RENEWED_EVERY_MS = 2_000;
const STALLED_CHECK_MS = 2_000;
const RETRY_MS = 1_000;
/** How many steps this replica takes at once: also those that wait for Slack hold their place, and renew their lock. */
const CONCURRENCY = 1_000;
/** The longest that a worker waits for a word of Redis: a word that is lost with its connection costs so long. */
const LONGEST_BLOCK_S = 2;

const UNREADABLE_SHARE_OF_AGE = 0.1;
const LEAST_UNREADABLE_MS = 2_000;
const MOST_UNREADABLE_MS = 600_000;

/**
 * Stores what a job holds, and makes its lock a whole one for what is done next, unless its next step was begun elsewhere:
 * `ats` is how often BullMQ has handed it out. Then, or if it was removed, the answer is 0. A lock that ran out while Redis
 * or this replica stood still does no harm as long as nobody has taken the job, and a command that is sent once more later
 * does none after that.
 */
const WRITE = `
  if redis.call('HGET', KEYS[1], 'ats') ~= ARGV[1] then return 0 end
  redis.call('HSET', KEYS[1], 'data', ARGV[2])
  redis.call('SET', KEYS[2], ARGV[3], 'PX', ARGV[4])
  redis.call('SREM', KEYS[3], ARGV[5])
  return 1`;

/**
 * How soon a replica tries again to read a job that it cannot read, because a newer release or another key has written
 * it: after a share of the job's age, within bounds. A replica that can read it takes it as soon as it sees it.
 * Milliseconds.
 */
function unreadablePause(ageMs: number): number {
  return Math.max(LEAST_UNREADABLE_MS, Math.min(ageMs * UNREADABLE_SHARE_OF_AGE, MOST_UNREADABLE_MS));
}

class PromptWorker extends Worker<StoredJob> {
  /** What Redis refuses since it last let jobs be taken: it is full, or does not let this user. */
  refusal: string | undefined;

  /** BullMQ's own bound, ten seconds, is no option of it. */
  override get maximumBlockTimeout(): number {
    return LONGEST_BLOCK_S;
  }

  /** BullMQ pauses where the connection is lost, but would ask again at once where Redis refuses. */
  protected override async moveToActive(token: string, name?: string): ReturnType<Worker['moveToActive']> {
    try {
      const job = await super.moveToActive(token, name);
      this.refusal = undefined;
      return job;
    } catch (error) {
      if (this.closing === undefined) await this.delay(RETRY_MS);
      throw error;
    }
  }
}

/** A job that BullMQ has handed to this replica. */
type Taken = { readonly bullJob: BullJob<StoredJob>; readonly id: string; readonly token: string };

/** Takes the steps of the jobs that BullMQ hands to this replica, and delays each job until its next step. */
export class BullWorker {
  /** Its commands wait until Redis is back. */
  readonly client: Redis;
  readonly durably: Durably;
  readonly #now: () => number;
  readonly #kinds: ReadonlyMap<string, Prepare>;
  /** Runs the steps that the death of a replica interrupted, one at a time, because any of them may be its cause. */
  readonly #alone = new PQueue({ concurrency: 1 });
  readonly #worker: PromptWorker;

  /** `kinds` that are not there yet when a job of theirs is due are tried again soon. */
  constructor({ url, now, onError }: BullOptions, kinds: ReadonlyMap<string, Prepare>) {
    this.#now = now;
    this.#kinds = kinds;
    ({ client: this.client, durably: this.durably } = bullConnection(url, 'wait'));
    const step = (bullJob: BullJob<StoredJob>, token = '') => {
      // A renewal that fails is made up for by the next.
      const renew = () => void bullJob.extendLock(token, LOCK_MS).catch(() => {});
      const renewal = setInterval(renew, RENEWED_EVERY_MS);
      return this.#step({ bullJob, id: bullJob.id ?? '', token }).finally(() => clearInterval(renewal));
    };
    this.#worker = new PromptWorker(QUEUE, step, {
      connection: this.client,
      skipVersionCheck: true,
      runRetryDelay: RETRY_MS,
      prefix: PREFIX,
      concurrency: CONCURRENCY,
      drainDelay: LONGEST_BLOCK_S,
      lockDuration: LOCK_MS,
      // BullMQ goes by the machine's clock: after that went back an hour it would renew no lock for an hour.
      skipLockRenewal: true,
      stalledInterval: STALLED_CHECK_MS,
      // An accepted lookup is answered, however often the replicas that work on it die.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
    });
    this.#worker.on('error', (error) => {
      if (!(error instanceof ReplyError)) return onError(error, undefined);
      const { message } = error;
      // Said once, and without the command: that holds a whole script.
      if (this.#worker.refusal !== message) onError(new Error(message), undefined);
      this.#worker.refusal = message;
    });
  }

  /** Throws if Redis refuses what this replica needs to take jobs. */
  check(): void {
    const { refusal } = this.#worker;
    if (refusal !== undefined) throw new Error(refusal);
  }

  /** Takes no more jobs, and resolves once the running steps have ended. */
  async close(): Promise<void> {
    await this.#worker.close();
  }

  /**
   * Takes a step. Steps that the death of a replica interrupted are taken one at a time, and each of their beginnings
   * is counted.
   */
  async #step(taken: Taken): Promise<void> {
    const { bullJob, id } = taken;
    const { stalledCounter, data } = bullJob;
    const leaseMs = data.stalls === FIRST ? await this.client.pttl(firstLease(id)) : 0;
    // The replica that accepted it works on it: it is due here because this replica's clock is ahead.
    if (leaseMs > 0) return this.#back(taken, leaseMs);
    const prepare = this.#kinds.get(bullJob.name);
    // Of a newer release, or it is started in a moment.
    if (prepare === undefined) return this.#back(taken, LEAST_UNREADABLE_MS);
    const step = prepare(id, data);
    // Who can't read a job begins nothing, so that no death is counted for it.
    if (step === undefined) return this.#back(taken, unreadablePause(this.#now() - bullJob.timestamp));
    if (stalledCounter <= (data.stalls ?? stalledCounter)) return this.#take(taken, step, 0);
    return this.#alone.add(async () => {
      const begun = data.begun + 1;
      // If Redis cannot store the count, the step runs uncounted, because BullMQ would delete a job whose step throws
      // here. If another replica has the job by now, the first thing that the step saves fails.
      await this.#write(taken, { ...data, begun }).catch(() => {});
      await this.#take(taken, step, begun);
    });
  }

  async #take(taken: Taken, step: NonNullable<ReturnType<Prepare>>, deaths: number): Promise<void> {
    const { bullJob } = taken;
    const held: Held = {
      stalls: bullJob.stalledCounter,
      // After a failover the next step must know what this one has saved before it posted.
      write: (stored) => this.durably(() => this.#write(taken, stored)),
      later: (stored, pauseMs) => this.#later(taken, stored, pauseMs),
    };
    // If the delay could not be stored, another replica takes the job when its lock expires. BullMQ would delete a
    // failed job.
    if ((await step(held, deaths)) === 'later') throw new DelayedError();
  }

  /** Puts a job back without a step. */
  async #back({ bullJob, token }: Taken, pauseMs: number): Promise<never> {
    await bullJob.moveToDelayed(Date.now() + pauseMs, token).catch(() => {});
    throw new DelayedError();
  }

  async #write({ bullJob, id, token }: Taken, stored: StoredJob): Promise<void> {
    const keys = [id, `${id}:lock`, 'stalled'].map((key) => this.#worker.toKey(key));
    const given = [bullJob.attemptsStarted, JSON.stringify(stored), token, LOCK_MS, id];
    const written = await this.client.eval(WRITE, keys.length, ...keys, ...given);
    if (written !== 1) throw new Error('another replica has taken the job over');
  }

  async #later(taken: Taken, stored: StoredJob, pauseMs: number): Promise<void> {
    const { bullJob, id, token } = taken;
    await this.#write(taken, stored);
    await bullJob.moveToDelayed(Date.now() + Math.max(0, pauseMs), token);
    // It could not be promoted during the step, because it was not delayed yet. If this fails, it comes at its time.
    const wake = async () => (await this.client.del(wakeMark(id))) > 0 && (await bullJob.promote());
    await wake().catch(() => {});
  }
}
