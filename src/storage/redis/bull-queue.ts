import { setTimeout as delay } from 'node:timers/promises';
import { type Job as BullJob, DelayedError, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
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
import { answered, PREFIX } from './redis-connection.ts';

const OPEN = ['wait', 'active', 'delayed'] as const;
const RETRY_MS = 1_000;
/** A job without an end is never given up: its kind says when it ends. */
const WITHOUT_END = {
  removeOnComplete: true,
  attempts: Number.MAX_SAFE_INTEGER,
  backoff: { type: 'fixed', delay: RETRY_MS },
};
/** How soon a job that takes a step is woken again. Milliseconds. */
const WAKE_AGAIN_MS = 100;
const SWEEP_MS = 60_000;
/** BullMQ orders delayed jobs by their due time times this. */
const SCORES_A_MS = 0x1000;
/** What a stop leaves for other replicas is handed over within this. Milliseconds. */
const HAND_OVER_MS = 1_000;
/** How many stalls are known of a step that a stop cut off: fewer than there are. */
const CUT_OFF = -1;

/** What Redis holds of a job: sealed, and what is known of the step that it takes next. */
type StoredJob = {
  readonly sealed: string;
  /** How often it has failed in a row. */
  readonly failures: number;
  /** How often BullMQ had found the job without a living replica when the step before ended, or `CUT_OFF`. */
  readonly stalls: number;
  /** How often the step was begun since it was cut off for the first time. */
  readonly begun: number;
};

/** A job that BullMQ has handed to this replica. `deaths`: how often its step was cut off before; absent until it begins. */
type Held = { readonly bullJob: BullJob<StoredJob>; readonly token: string; deaths?: number };

/** `now` is the clock that replicas share; the connections are those of `bullConnection`. */
type BullOptions = JobsContext & { readonly adding: Redis; readonly working: () => Redis };

/** The jobs of one kind that replicas share, in a queue of BullMQ's. */
export class BullQueue<J extends AnyJob> implements JobQueue<J> {
  readonly #kind: JobKind;
  readonly #options: BullOptions;
  readonly #jobs: SealedJobs<J>;
  readonly #queue: Queue<StoredJob>;
  readonly #held = new Set<Held>();
  /** Steps that were cut off are taken one at a time: if one of them is the cause, the others still end. */
  readonly #alone = new PQueue({ concurrency: 1 });
  #worker: PromptWorker<StoredJob> | undefined;
  #sweeper: NodeJS.Timeout | undefined;
  #isStopping = false;

  constructor(kind: JobKind, options: BullOptions) {
    this.#kind = kind;
    this.#options = options;
    this.#jobs = new SealedJobs(kind, options);
    this.#queue = new Queue(kind, { connection: options.adding, skipVersionCheck: true, prefix: PREFIX });
    this.#queue.on('error', () => {});
  }

  /** Throws if Redis refuses what this replica needs to take jobs. */
  check(): void {
    const refusal = this.#worker?.refusal;
    if (refusal !== undefined) throw new Error(refusal);
  }

  async add(job: J): Promise<boolean> {
    const stored = { sealed: this.#jobs.seal(job), failures: 0, stalls: 0, begun: 0 };
    const jobId = this.#idOf(job.id);
    const { delivery, acceptedAt: timestamp } = job;
    const deduplication = delivery && { deduplication: { id: delivery, ttl: REMEMBERED_MS } };
    const options = { ...WITHOUT_END, jobId, timestamp, ...deduplication };
    const added = await this.#ask(() => this.#queue.add(this.#kind, stored, options));
    return added.id === jobId;
  }

  remember(delivery: string): Promise<boolean> {
    const { adding } = this.#options;
    const key = this.#queue.toKey(`de:${delivery}`);
    return this.#ask(async () => (await adding.set(key, '', 'PX', REMEMBERED_MS, 'NX')) === 'OK');
  }

  remembers(delivery: string): Promise<boolean> {
    return this.#ask(async () => (await this.#queue.getDeduplicationJobId(delivery)) !== null);
  }

  async find(id: string): Promise<J | undefined> {
    const found = await this.#ask(() => this.#queue.getJob(this.#idOf(id)));
    return orStorageFailed(() => found && this.#jobs.open(id, found.data.sealed));
  }

  async wake(id: string): Promise<void> {
    const job = await this.#ask(() => this.#queue.getJob(this.#idOf(id)));
    if (job !== undefined) void this.#promote(job).catch(this.#options.reports.queueError);
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

  /** Does not wait for Redis, which may be away at the start and come later. */
  async start(processor: Processor<J>, { hasRoom }: StepRules<J> = {}): Promise<void> {
    const { working, reports } = this.#options;
    const work = async (bullJob: BullJob<StoredJob>, token = '') => {
      const held = { bullJob, token };
      this.#held.add(held);
      await this.#step(held, processor).finally(() => this.#held.delete(held));
    };
    this.#worker = new PromptWorker(this.#kind, work, {
      connection: working(),
      onError: reports.queueError,
      ...(hasRoom && { hasRoom }),
    });
    const sweep = () => void this.#makeDue().catch(reports.queueError);
    this.#sweeper = setInterval(sweep, SWEEP_MS).unref();
    this.#queue.waitUntilReady().then(sweep, () => {});
  }

  async *entries(): AsyncGenerator<J> {
    for (const id of await this.#ask(() => this.#openIds())) {
      const found = await this.#ask(() => this.#queue.getJob(id));
      const job = found && this.#read(found);
      if (job !== undefined) yield job;
    }
  }

  /** Without its lock, a step that is running stores nothing any more. */
  async remove(id: string): Promise<void> {
    const jobId = this.#idOf(id);
    await this.#ask(async () => {
      await this.#options.adding.del(this.#queue.toKey(`${jobId}:lock`));
      await this.#queue.remove(jobId);
    });
  }

  countOpen(): Promise<number> {
    return this.#ask(() => this.#queue.getJobCountByTypes(...OPEN));
  }

  oldestAcceptedAt(): Promise<number | undefined> {
    return this.#ask(async () => {
      const ids = await this.#openIds();
      const commands = ids.map((id) => ['hget', this.#queue.toKey(id), 'timestamp']);
      const answers = await this.#options.adding.pipeline(commands).exec();
      const times = answers?.map(([, at]) => Number(at)).filter((at) => at > 0) ?? [];
      return times.length === 0 ? undefined : times.reduce((one, other) => Math.min(one, other));
    });
  }

  /** Takes no more steps, and waits at most `ms` for the running ones; what is left then is handed to other replicas. */
  async stop(ms: number): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#sweeper);
    await inTime(ms, this.#worker?.close() ?? Promise.resolve());
    await inTime(HAND_OVER_MS, Promise.allSettled([...this.#held].map((held) => this.#handOver(held))));
  }

  /** The step was cut off, as by a death, but it counts no further. */
  async #handOver(held: Held): Promise<void> {
    const { bullJob, token, deaths } = held;
    if (deaths !== undefined)
      await this.#write(held, { ...bullJob.data, stalls: CUT_OFF, begun: Math.max(0, deaths - 1) });
    await bullJob.moveToDelayed(Date.now(), token);
  }

  /** Throws `storage-failed`, at once while Redis is away. */
  #ask<T>(work: () => Promise<T>): Promise<T> {
    return orStorageFailed(() => {
      if (this.#options.adding.status !== 'ready') throw new Error('there is no connection to Redis');
      return answered(work);
    });
  }

  #openIds(): Promise<string[]> {
    return this.#queue.getRanges([...OPEN], 0, -1);
  }

  /** BullMQ takes no numbers for ids. */
  #idOf(id: string): string {
    return `${this.#kind}-${id}`;
  }

  #read({ id = '', data: { sealed } }: BullJob<StoredJob>): J | undefined {
    return this.#jobs.read(id.slice(this.#kind.length + 1), sealed);
  }

  async #step(held: Held, processor: Processor<J>): Promise<void> {
    const { data, stalledCounter } = held.bullJob;
    const job = this.#read(held.bullJob);
    // Nothing is begun, so that no death is counted for it.
    if (job === undefined) return this.#putOff(held, UNREADABLE_MS);
    if (data.begun === 0 && stalledCounter <= data.stalls) return this.#take(held, job, 0, processor);
    await this.#alone.add(() =>
      this.#isStopping ? this.#putOff(held, 0) : this.#take(held, job, data.begun + 1, processor),
    );
  }

  /** Takes a step, and delays the job until its next one. */
  async #take(held: Held, job: J, deaths: number, processor: Processor<J>): Promise<void> {
    const { bullJob } = held;
    const { failures } = bullJob.data;
    held.deaths = deaths;
    if (deaths > 0) await this.#write(held, { ...bullJob.data, begun: deaths });
    const save = (sealed: string) => this.#write(held, { ...bullJob.data, sealed });
    const confirm = () => this.#confirm(held);
    const next = await this.#jobs.take(job, { processor, failures, deaths, save, confirm });
    if (next === undefined) return;
    const { pauseMs, ...stored } = next;
    await this.#write(held, { ...stored, stalls: bullJob.stalledCounter, begun: 0 });
    await this.#putOff(held, pauseMs);
  }

  async #write(held: Held, stored: StoredJob): Promise<void> {
    await this.#confirm(held);
    await held.bullJob.updateData(stored);
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
    const ids = await this.#options.adding.zrangebyscore(this.#queue.toKey('delayed'), after, '+inf');
    for (const id of ids) await (await this.#queue.getJob(id))?.promote();
  }
}
