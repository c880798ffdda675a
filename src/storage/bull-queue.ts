import { setTimeout as delay } from 'node:timers/promises';
import { type Job as BullJob, DelayedError, type JobType, Queue } from 'bullmq';
import PQueue from 'p-queue';
import { REMEMBERED_MS } from '../core/lookup.ts';
import { orStorageFailed } from '../core/store.ts';
import { inTime } from '../core/time.ts';
import {
  type AnyJob,
  JOB_KINDS,
  type JobKind,
  type JobQueue,
  type Processor,
  type StepRules,
} from '../lookups/queue.ts';
import { LOCK_MS, PromptWorker } from './prompt-worker.ts';
import { PREFIX, type SharedRedis } from './redis-store.ts';
import { type JobsContext, SealedJobs, UNREADABLE_MS } from './sealed-jobs.ts';

const OPEN: JobType[] = ['wait', 'active', 'delayed'];
/** A job is retried until its processor says that it is done. */
const WITHOUT_END = {
  removeOnComplete: true,
  attempts: Number.MAX_SAFE_INTEGER,
  backoff: { type: 'fixed', delay: 1_000 },
};
/** How soon to try again to wake a job whose step is running. Milliseconds. */
const WAKE_AGAIN_MS = 100;
const SWEEP_MS = 60_000;
/** BullMQ sorts delayed jobs by their due time in milliseconds, multiplied by this factor. */
const SCORES_A_MS = 0x1000;
/** How long a stop may take to hand unfinished jobs to other replicas. Milliseconds. */
const HAND_OVER_MS = 1_000;

/** A job in Redis: its encrypted state, and how often its current step failed in a row. */
type StoredJob = {
  readonly sealed: string;
  readonly failures: number;
  /** How many attempts ended. BullMQ counts those that began; the difference is how often the process died. */
  readonly ended: number;
};

/** A job that this replica is working on. `deaths`: how often its current step was interrupted before. */
type Held = { readonly bullJob: BullJob<StoredJob>; readonly token: string; readonly deaths: number };

/** The jobs of one kind that replicas share, as a BullMQ queue. `now` is the clock that replicas share. */
export class BullQueue<J extends AnyJob> implements JobQueue<J> {
  readonly #kind: JobKind;
  readonly #options: JobsContext & { readonly redis: SharedRedis };
  readonly #jobs: SealedJobs<J>;
  readonly #queue: Queue<StoredJob>;
  readonly #held = new Set<Held>();
  /** Repeats interrupted steps one at a time: if a step kills the process again, the other jobs still end. */
  readonly #alone = new PQueue({ concurrency: 1 });
  #worker: PromptWorker<StoredJob> | undefined;
  #sweeper: NodeJS.Timeout | undefined;
  #isStopping = false;

  constructor(kind: JobKind, options: JobsContext & { readonly redis: SharedRedis }) {
    this.#kind = kind;
    this.#options = options;
    this.#jobs = new SealedJobs(kind, options);
    const connection = options.redis.client;
    this.#queue = new Queue(kind, { connection, skipVersionCheck: true, prefix: PREFIX });
    this.#queue.on('error', () => {});
  }

  async add(job: J): Promise<boolean> {
    const stored = { sealed: this.#jobs.seal(job), failures: 0, ended: 0 };
    const { id: jobId, delivery, acceptedAt: timestamp } = job;
    const deduplication = delivery && { deduplication: { id: delivery, ttl: REMEMBERED_MS } };
    const options = { ...WITHOUT_END, jobId, timestamp, ...deduplication };
    const added = await this.#options.redis.ask(() => this.#queue.add(this.#kind, stored, options));
    return added.id === jobId;
  }

  remember(delivery: string): Promise<boolean> {
    const { client, ask } = this.#options.redis;
    const key = this.#queue.toKey(`de:${delivery}`);
    return ask(async () => (await client.set(key, '', 'PX', REMEMBERED_MS, 'NX')) === 'OK');
  }

  remembers(delivery: string): Promise<boolean> {
    return this.#options.redis.ask(async () => (await this.#queue.getDeduplicationJobId(delivery)) !== null);
  }

  async find(id: string): Promise<J | undefined> {
    const found = await this.#bullJob(id);
    return orStorageFailed(() => found && this.#jobs.open(id, found.data.sealed));
  }

  async wake(id: string): Promise<void> {
    const job = await this.#bullJob(id);
    if (job !== undefined) void this.#promote(job).catch(this.#options.reports.queueError);
  }

  /** Does not wait for Redis, which may be unavailable at the start. */
  async start(processor: Processor<J>, { hasRoom = () => true }: StepRules<J> = {}): Promise<void> {
    const { redis, reports } = this.#options;
    const work = async (bullJob: BullJob<StoredJob>, token = '') => {
      const held = { bullJob, token, deaths: bullJob.attemptsStarted - 1 - bullJob.data.ended };
      this.#held.add(held);
      await this.#step(held, processor).finally(() => this.#held.delete(held));
    };
    this.#worker = new PromptWorker(this.#kind, work, { redis, onError: reports.queueError, hasRoom });
    // If a sweep fails, the next one catches up.
    const sweep = () => void this.#makeDue().catch(() => {});
    this.#sweeper = setInterval(sweep, SWEEP_MS).unref();
    sweep();
  }

  async *entries(): AsyncGenerator<J> {
    for (const id of await this.#options.redis.ask(() => this.#queue.getRanges(OPEN, 0, -1))) {
      const found = await this.#bullJob(id);
      const job = found && this.#jobs.read(id, found.data.sealed);
      if (job !== undefined) yield job;
    }
  }

  /** Deletes the job and its lock, so that a running step can store nothing more. */
  async remove(id: string): Promise<void> {
    const { client, ask } = this.#options.redis;
    await ask(async () => {
      await client.del(this.#queue.toKey(`${id}:lock`));
      await this.#queue.remove(id);
    });
  }

  /** Also a health check: throws while Redis refuses a command that the worker needs. */
  countOpen(): Promise<number> {
    return this.#options.redis.ask(async () => {
      this.#worker?.check();
      return this.#queue.getJobCountByTypes(...OPEN);
    });
  }

  oldestAcceptedAt(): Promise<number | undefined> {
    const { client, ask } = this.#options.redis;
    return ask(async () => {
      const ids = await this.#queue.getRanges(OPEN, 0, -1);
      const commands = ids.map((id) => ['hget', this.#queue.toKey(id), 'timestamp']);
      const times = (await client.pipeline(commands).exec())?.map(([, at]) => Number(at)) ?? [];
      return times.filter((at) => at > 0).sort((one, other) => one - other)[0];
    });
  }

  /** Starts no more steps, and waits up to `ms` for the running ones. Then hands unfinished jobs to other replicas. */
  async stop(ms: number): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#sweeper);
    await inTime(ms, this.#worker?.close() ?? Promise.resolve());
    await inTime(HAND_OVER_MS, Promise.allSettled([...this.#held].map((held) => this.#handOver(held))));
  }

  /** Counts a shutdown as a death of the process only if it is the first death during this step. */
  async #handOver(held: Held): Promise<void> {
    await this.#write(held, Math.max(1, held.deaths));
    await held.bullJob.moveToDelayed(Date.now(), held.token);
  }

  /** Makes a job due now. A job whose step is running can only be promoted after the step. */
  async #promote(job: BullJob<StoredJob>): Promise<void> {
    for (;;) {
      const state = await job.getState();
      if (state === 'delayed') return job.promote();
      if (state !== 'active' || this.#isStopping) return;
      await delay(WAKE_AGAIN_MS, undefined, { ref: false });
    }
  }

  #bullJob(id: string): Promise<BullJob<StoredJob> | undefined> {
    return this.#options.redis.ask(() => this.#queue.getJob(id));
  }

  async #step(held: Held, processor: Processor<J>): Promise<void> {
    const { bullJob, deaths } = held;
    const job = this.#jobs.read(bullJob.id ?? '', bullJob.data.sealed);
    if (job !== undefined && deaths === 0) return this.#take(held, job, processor);
    // A death of the process before the step begins must not count as a death of this step.
    await this.#write(held, deaths);
    if (job === undefined) return this.#putOff(held, UNREADABLE_MS);
    await this.#alone.add(async () => {
      if (this.#isStopping) return this.#putOff(held, 0);
      await this.#write(held, deaths + 1);
      await this.#take(held, job, processor);
    });
  }

  /** Does a step, then delays the job until its next step is due. */
  async #take(held: Held, job: J, processor: Processor<J>): Promise<void> {
    const { bullJob, deaths } = held;
    const { failures } = bullJob.data;
    const save = (sealed: string) => this.#write(held, deaths + 1, { sealed, failures });
    const confirm = () => this.#confirm(held);
    const next = await this.#jobs.take(job, { processor, failures, deaths, save, confirm });
    if (next === undefined) return;
    await this.#write(held, 0, next);
    await this.#putOff(held, next.pauseMs);
  }

  /** Stores the state of a job. `begun`: how many attempts of its step began without an end. */
  async #write(
    held: Held,
    begun: number,
    { sealed, failures }: Pick<StoredJob, 'sealed' | 'failures'> = held.bullJob.data,
  ): Promise<void> {
    await this.#confirm(held);
    await held.bullJob.updateData({ sealed, failures, ended: held.bullJob.attemptsStarted - begun });
  }

  /** Renews the lock. Throws if it had expired, because another replica may have taken over the job. */
  async #confirm({ bullJob, token }: Held): Promise<void> {
    const isHeld = (await bullJob.extendLock(token, LOCK_MS)) === 1;
    if (!isHeld) throw new Error('another replica may have taken the job over');
  }

  async #putOff({ bullJob, token }: Held, pauseMs: number): Promise<never> {
    await bullJob.moveToDelayed(Date.now() + pauseMs, token);
    throw new DelayedError();
  }

  /** Promotes jobs that are delayed for too long because the clock jumped. */
  async #makeDue(): Promise<void> {
    const { longestPauseMs } = JOB_KINDS[this.#kind];
    if (longestPauseMs === undefined) return;
    const after = (Date.now() + longestPauseMs) * SCORES_A_MS;
    const ids = await this.#options.redis.client.zrangebyscore(this.#queue.toKey('delayed'), after, '+inf');
    for (const id of ids) await (await this.#queue.getJob(id))?.promote();
  }
}
