import type { Job as BullJob } from 'bullmq';
import { REMEMBERED_MS } from '../../core/lookup.ts';
import { type AnyJob, backOff, type JobKind, type JobQueue, type Processor } from '../../lookups/queue.ts';
import { type JobSeal, jobSeal } from '../backend/sealed-values.ts';
import { FIRST, firstLease, type Held, type StoredJob, wakeMark } from './bull-connection.ts';
import { type BullQueue, SAFETY_NET_MS } from './bull-queue.ts';
import { PREFIX } from './redis-connection.ts';
import { claim, refuse } from './refused-jobs.ts';

/** Longer than a step takes. A job that ended with that step leaves its mark behind for as long. Milliseconds. */
const WAKE_MARK_LASTS_MS = 10 * 60_000;
/** A job that is listed as open for so long was stored, too. Milliseconds. */
const STORED_WITHIN_MS = 60_000;

/** The jobs of one kind among those that replicas share. */
export class BullJobs<J extends AnyJob> implements JobQueue<J> {
  readonly #kind: string;
  readonly #seal: JobSeal<J>;
  readonly #all: BullQueue;
  /** The set of open jobs, by when they were accepted: BullMQ counts those of all kinds together. */
  readonly #open: string;
  /** Jobs that were reported as unreadable. */
  readonly #unreadable = new Set<string>();
  #processor: Processor<J> | undefined;

  constructor(kind: JobKind, all: BullQueue) {
    this.#kind = kind;
    this.#seal = jobSeal(kind, all.options.sealer);
    this.#all = all;
    this.#open = `${PREFIX}:open:${kind}`;
  }

  /**
   * The person is told that a refused job was not accepted, so it must not run. Redis may have taken it all the same, and
   * its word came too late: for a while nobody takes it before this process has heard that word.
   */
  async add(job: J): Promise<boolean> {
    const { client, insist, ask } = this.#all;
    const jobId = this.#idOf(job.id);
    const worker = this.#processor === undefined ? undefined : this.#all.worker;
    const stored = { sealed: this.#seal.seal(job), failures: 0, begun: 0, stalls: worker ? FIRST : 0 };
    const kept = { jobId, delay: SAFETY_NET_MS, removeOnComplete: true, removeOnFail: true };
    const { delivery = '' } = job;
    const name = delivery === '' ? '' : await ask(() => this.#nameOf(delivery));
    // BullMQ stores it in the same script.
    const deduplication = name !== '' && { deduplication: { id: name, ttl: REMEMBERED_MS } };
    let bullJob: BullJob<StoredJob>;
    try {
      bullJob = await this.#all.askDurably(async (queue) => {
        const [added] = await Promise.all([
          queue.add(this.#kind, stored, { ...kept, ...deduplication }),
          client.zadd(this.#open, job.acceptedAt, jobId),
          worker && this.#all.leaseFirstStep(jobId),
        ]);
        return added;
      });
    } catch (error) {
      // On the same connection Redis does this after what it has not answered in time.
      void insist(() => refuse(this.#all, { jobId, name, open: this.#open }));
      throw error;
    }
    if (bullJob.id !== jobId) {
      const deleted = insist(() => this.#delete(jobId));
      if (await ask(() => claim(this.#all, { jobId: bullJob.id ?? '', name }))) return false;
      await ask(() => deleted);
      return this.add(job);
    }
    if (worker === undefined) void insist(() => bullJob.promote());
    else {
      const step = (held: Held) => this.#step(job, held, stored);
      this.#all.takeFirstStep(worker, bullJob, this.#open, step);
    }
    return true;
  }

  remember(delivery: string): Promise<boolean> {
    return this.#all.askDurably(async (queue) => {
      const key = queue.toKey(`de:${await this.#nameOf(delivery)}`);
      return (await this.#all.client.set(key, '', 'PX', REMEMBERED_MS, 'NX')) === 'OK';
    });
  }

  remembers(delivery: string): Promise<boolean> {
    return this.#all.ask(async (queue) => {
      const name = await this.#nameOf(delivery);
      const jobId = await queue.getDeduplicationJobId(name);
      return jobId !== null && claim(this.#all, { jobId, name });
    });
  }

  async #nameOf(delivery: string): Promise<string> {
    return (await this.#all.options.names())[0]('deliveries', delivery);
  }

  find(id: string): Promise<J | undefined> {
    return this.#all.ask(async (queue) => {
      const found = await queue.getJob(this.#idOf(id));
      return found === undefined ? undefined : this.#seal.open(id, found.data.sealed);
    });
  }

  async wake(id: string): Promise<void> {
    const { client } = this.#all;
    const jobId = this.#idOf(id);
    const mark = wakeMark(jobId);
    const job = await this.#all.ask(async (queue) => {
      const found = await queue.getJob(jobId);
      // Before the job is looked at: a step that ends afterwards finds the mark.
      if (found !== undefined) await client.set(mark, '1', 'PX', WAKE_MARK_LASTS_MS);
      // A job that takes a step is woken by its replica at the end of the step.
      return (await client.exists(firstLease(jobId))) === 1 ? undefined : found;
    });
    await job?.promote().then(
      () => client.del(mark),
      () => {},
    );
  }

  /** Does not wait for Redis, which may be away at the start and come later. */
  async start(processor: Processor<J>): Promise<void> {
    this.#processor = processor;
    this.#all.start(this.#kind, (jobId, stored) => {
      const job = this.#read(jobId, stored);
      if (job === undefined) return undefined;
      return async (held, begun) => {
        const outcome = await this.#step(job, held, { ...stored, begun });
        if (outcome === 'done') void this.#all.insist(() => this.#all.client.zrem(this.#open, jobId));
        return outcome;
      };
    });
  }

  async *entries(): AsyncGenerator<J> {
    const { client } = this.#all;
    for (const jobId of await this.#all.ask(() => client.zrange(this.#open, '0', '-1'))) {
      const found = await this.#all.ask((queue) => queue.getJob(jobId));
      const job = found && this.#read(jobId, found.data);
      if (job !== undefined) yield job;
    }
  }

  /** Reports a job that it cannot read, once. */
  #read(jobId: string, { sealed }: StoredJob): J | undefined {
    const id = jobId.slice(this.#kind.length + 1);
    try {
      return this.#seal.open(id, sealed);
    } catch (error) {
      if (!this.#unreadable.has(id)) this.#all.options.onError(error, id);
      this.#unreadable.add(id);
      return undefined;
    }
  }

  async remove(id: string): Promise<void> {
    await this.#all.ask(() => this.#delete(this.#idOf(id)));
  }

  countOpen(): Promise<number> {
    return this.#all.ask(() => this.#all.client.zcard(this.#open));
  }

  oldestAcceptedAt(): Promise<number | undefined> {
    const { client } = this.#all;
    return this.#all.ask(async (queue) => {
      for (;;) {
        const [jobId, at] = await client.zrange(this.#open, '0', '0', 'WITHSCORES');
        if (jobId === undefined) return undefined;
        const isOver = Number(at) < this.#all.options.now() - STORED_WITHIN_MS;
        if (!isOver || (await client.exists(queue.toKey(jobId))) === 1) return Number(at);
        // Its replica died between the end of the job and this.
        await client.zrem(this.#open, jobId);
      }
    });
  }

  /** A step that is running may still finish, but stores nothing any more. */
  async #delete(jobId: string): Promise<void> {
    const { client, queue } = this.#all;
    await Promise.all([client.del(firstLease(jobId)), client.zrem(this.#open, jobId), queue.remove(jobId)]);
  }

  /** Takes a step. Never throws: a failed step is put off, or, where even that fails, left to whoever finds the job. */
  async #step(job: J, held: Held, { failures, stalls, begun }: StoredJob): Promise<'done' | 'later'> {
    const { now, onError } = this.#all.options;
    const began = now();
    let latest = job;
    const save = async (saved: J) => {
      latest = saved;
      await held.write({ sealed: this.#seal.seal(saved), failures: 0, stalls, begun });
    };
    const putOff = (saved: J, failed: number, pauseMs: number) =>
      held.later(
        { sealed: this.#seal.seal(saved), failures: failed, stalls: held.stalls, begun: 0 },
        pauseMs,
      );
    try {
      if (this.#processor === undefined) throw new Error('a job was begun before its kind was started');
      const step = await this.#processor(job, save, begun);
      if (step.done) return 'done';
      await putOff(step.job, 0, step.at - Math.max(began, now()));
    } catch (error) {
      onError(error, job.id);
      await putOff(latest, failures + 1, backOff(failures + 1)).catch(() => {});
    }
    return 'later';
  }

  #idOf(id: string): string {
    return `${this.#kind}-${id}`;
  }
}
