import { setTimeout as delay } from 'node:timers/promises';
import { type Job as BullJob, DelayedError, type JobType, Queue } from 'bullmq';
import PQueue from 'p-queue';
import { REMEMBERED_MS } from '../../core/lookup.ts';
import { orStorageFailed } from '../../core/store.ts';
import { inTime } from '../../core/time.ts';
import {
  type AnyJob,
  JOB_KINDS,
  type JobKind,
  type JobQueue,
  type Processor,
  type StepRules,
} from '../../lookups/queue.ts';
import { type JobsContext, SealedJobs, UNREADABLE_MS } from '../backend/sealed-jobs.ts';
import { LOCK_MS, PromptWorker } from './prompt-worker.ts';
import { PREFIX, type SharedRedis } from './shared-redis.ts';

const OPEN: JobType[] = ['wait', 'active', 'delayed'];
/** A job is retried until its processor says that it is done. */
const WITHOUT_END = {
  removeOnComplete: true,
  attempts: Number.MAX_SAFE_INTEGER,
  backoff: { type: 'fixed', delay: 1_000 },
};
/** How soon a job that takes a step is woken again. Milliseconds. */
const WAKE_AGAIN_MS = 100;
const SWEEP_MS = 60_000;
/** BullMQ's score of a delayed job is its due time in milliseconds times this. */
const SCORES_A_MS = 0x1000;
/** What a stop leaves for other replicas is handed over within this. Milliseconds. */
const HAND_OVER_MS = 1_000;

/** What Redis holds of a job: sealed, and how often its present step has failed in a row. */
type StoredJob = {
  readonly sealed: string;
  readonly failures: number;
  /** How many steps have ended. BullMQ counts those that began; the difference is how often the process died in one. */
  readonly ended: number;
};

/** A job that BullMQ has handed to this replica. `deaths`: how often its step was cut off before. */
type Held = { readonly bullJob: BullJob<StoredJob>; readonly token: string; readonly deaths: number };

/** The jobs of one kind that replicas share, in a queue of BullMQ's. `now` is the clock that replicas share. */
export class BullQueue<J extends AnyJob> implements JobQueue<J> {
  readonly #kind: JobKind;
  readonly #options: JobsContext & { readonly redis: SharedRedis };
  readonly #jobs: SealedJobs<J>;
  readonly #queue: Queue<StoredJob>;
  readonly #held = new Set<Held>();
  /** Steps that were cut off are taken one at a time: if one of them kills the process, the others still end. */
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

  /** Does not wait for Redis, which may be away at the start and come later. */
  async start(processor: Processor<J>, { hasRoom = () => true }: StepRules<J> = {}): Promise<void> {
    const { redis, reports } = this.#options;
    const work = async (bullJob: BullJob<StoredJob>, token = '') => {
      const held = { bullJob, token, deaths: bullJob.attemptsStarted - 1 - bullJob.data.ended };
      this.#held.add(held);
      await this.#step(held, processor).finally(() => this.#held.delete(held));
    };
    this.#worker = new PromptWorker(this.#kind, work, { redis, onError: reports.queueError, hasRoom });
    // The next sweep makes up for a failure.
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

  /** Deletes the lock too, so that a running step stores nothing any more. */
  async remove(id: string): Promise<void> {
    const { client, ask } = this.#options.redis;
    await ask(async () => {
      await client.del(this.#queue.toKey(`${id}:lock`));
      await this.#queue.remove(id);
    });
  }

  /** Throws also while Redis refuses what this replica needs to take jobs. */
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

  /** Takes no more steps, and waits at most `ms` for the running ones; what is left then is handed to other replicas. */
  async stop(ms: number): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#sweeper);
    await inTime(ms, this.#worker?.close() ?? Promise.resolve());
    await inTime(HAND_OVER_MS, Promise.allSettled([...this.#held].map((held) => this.#handOver(held))));
  }

  /** A step that a stop cuts off counts as one death at least, and adds none to earlier ones. */
  async #handOver(held: Held): Promise<void> {
    await this.#write(held, Math.max(1, held.deaths));
    await held.bullJob.moveToDelayed(Date.now(), held.token);
  }

  /** A job that takes a step can be promoted only after it. */
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
    // The step has not begun: a death before it begins does not count.
    await this.#write(held, deaths);
    if (job === undefined) return this.#putOff(held, UNREADABLE_MS);
    await this.#alone.add(async () => {
      if (this.#isStopping) return this.#putOff(held, 0);
      await this.#write(held, deaths + 1);
      await this.#take(held, job, processor);
    });
  }

  /** Takes a step, and delays the job until its next one. */
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

  /** `begun`: how many steps have begun without an end. */
  async #write(
    held: Held,
    begun: number,
    { sealed, failures }: Pick<StoredJob, 'sealed' | 'failures'> = held.bullJob.data,
  ): Promise<void> {
    await this.#confirm(held);
    await held.bullJob.updateData({ sealed, failures, ended: held.bullJob.attemptsStarted - begun });
  }

  /** Throws if the lock ran out: another replica may have gone on with what was stored before. */
  async #confirm({ bullJob, token }: Held): Promise<void> {
    const isHeld = (await bullJob.extendLock(token, LOCK_MS)) === 1;
    if (!isHeld) throw new Error('another replica may have taken the job over');
  }

  async #putOff({ bullJob, token }: Held, pauseMs: number): Promise<never> {
    await bullJob.moveToDelayed(Date.now() + pauseMs, token);
    throw new DelayedError();
  }

  /** A clock that stepped may have made jobs due much too late. */
  async #makeDue(): Promise<void> {
    const { longestPauseMs } = JOB_KINDS[this.#kind];
    if (longestPauseMs === undefined) return;
    const after = (Date.now() + longestPauseMs) * SCORES_A_MS;
    const ids = await this.#options.redis.client.zrangebyscore(this.#queue.toKey('delayed'), after, '+inf');
    for (const id of ids) await (await this.#queue.getJob(id))?.promote();
  }
}
