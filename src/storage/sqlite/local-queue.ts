import { setTimeout as delay } from 'node:timers/promises';
import { inTime } from '../../core/deadline.ts';
import { orStorageFailed } from '../../core/or-storage-failed.ts';
import { type AnyJob, backOff, type JobQueue, type Processor } from '../../lookups/queue.ts';
import { Alarm } from './alarm.ts';
import type { DueJob, JobTable } from './job-table.ts';

type LocalQueueOptions<J extends AnyJob> = {
  readonly jobs: JobTable<J>;
  /** The clock in whose time steps name when the next one is due. */
  readonly now: () => number;
  /** The clock of the store, in whose time jobs are stored. */
  readonly steady: () => number;
  /** Called with failed steps, which are retried with a growing pause, and with unreadable jobs. */
  readonly onError: (error: unknown, jobId: string | undefined) => void;
};

/** How many waiting jobs take a step at once: steps are short, and most of a job's life is waiting. */
const CONCURRENCY = 100;
/** How many steps begin in one turn of the event loop, so that other work gets its turn. */
const AT_ONCE = 20;
const TRY_AGAIN_MS = 1_000;

/** How often a job's step has failed in a row, and how often the process died in it. */
type Before = Pick<DueJob<AnyJob>, 'failures' | 'begun'>;

/** The queue of one process. Jobs stay in its file until they are due: memory holds only those that take a step. */
export class LocalQueue<J extends AnyJob> implements JobQueue<J> {
  readonly #options: LocalQueueOptions<J>;
  /** Jobs that take a step, or are being stored before their first one. */
  readonly #running = new Map<string, Promise<unknown>>();
  /** Jobs in whose step the process died, which wait for their turn. */
  readonly #cutOff = new Set<string>();
  /** Jobs whose next step begins right after the present one. */
  readonly #woken = new Set<string>();
  readonly #stopping = new AbortController();
  readonly #alarm: Alarm;
  #processor: Processor<J> | undefined;
  #isTaking = false;
  /** Whether more jobs were due than could begin. */
  #isBehind = false;

  constructor(options: LocalQueueOptions<J>) {
    this.#options = options;
    this.#alarm = new Alarm(options.steady, () => void this.#takeDue());
  }

  countOpen(): Promise<number> {
    return this.#options.jobs.countOpen();
  }

  oldestAcceptedAt(): Promise<number | undefined> {
    return this.#options.jobs.oldestAcceptedAt();
  }

  async add(job: J): Promise<void> {
    const isStarted = this.#processor !== undefined;
    const written = this.#options.jobs.add(job, this.#options.steady(), isStarted ? 1 : 0);
    this.#running.set(job.id, written);
    await written.finally(() => this.#running.delete(job.id));
    // A new lookup does not queue behind those that wait.
    if (isStarted) this.#begin(job, { failures: 0, begun: 0 });
  }

  async find(id: string): Promise<J | undefined> {
    const found = await this.#options.jobs.get(id);
    return orStorageFailed(() => found?.job());
  }

  async wake(id: string): Promise<void> {
    if (this.#running.has(id) || this.#cutOff.has(id)) {
      this.#woken.add(id);
      return;
    }
    const found = await this.#options.jobs.get(id);
    if (found !== undefined) await this.#take(found);
  }

  async start(processor: Processor<J>): Promise<void> {
    this.#processor = processor;
    await this.#options.jobs.unparkAll();
    const cutOff = await this.#options.jobs.cutOff();
    for (const { id } of cutOff) this.#cutOff.add(id);
    this.#takeInTurn(cutOff).catch((error: unknown) => this.#options.onError(error, undefined));
    this.#alarm.setFor(this.#options.steady());
  }

  async *entries(): AsyncGenerator<J> {
    for (const stored of await this.#options.jobs.all()) {
      const job = this.#read(stored);
      if (job !== undefined) yield job;
    }
  }

  remove(id: string): Promise<void> {
    return this.#options.jobs.delete(id);
  }

  async stop(ms: number): Promise<void> {
    this.#stopping.abort();
    this.#alarm.stop();
    await inTime(ms, Promise.allSettled(this.#running.values()));
    const { jobs, onError } = this.#options;
    await jobs.leaveOff(this.#running.keys()).catch((error: unknown) => onError(error, undefined));
  }

  async #takeDue(): Promise<void> {
    if (this.#isTaking) return;
    this.#isTaking = true;
    try {
      await this.#takeSome();
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      this.#options.onError(error, undefined);
      this.#alarm.setFor(this.#options.steady() + TRY_AGAIN_MS);
    } finally {
      this.#isTaking = false;
    }
  }

  async #takeSome(): Promise<void> {
    const { jobs, steady } = this.#options;
    const room = Math.min(CONCURRENCY - this.#running.size, AT_ONCE);
    this.#isBehind = room <= 0;
    if (this.#isBehind) return;
    // Where the store failed, a job that takes a step may still be listed as due.
    // Both queries use the same time: a job that became due between them would be in neither result.
    const moment = steady();
    const due = await jobs.due(moment, this.#running.size + this.#cutOff.size + room);
    const idle = due.filter(({ id }) => !this.#running.has(id) && !this.#cutOff.has(id)).slice(0, room);
    for (const found of idle) await this.#take(found);
    const next = idle.length === room ? moment : await jobs.nextDue(moment);
    if (next !== undefined) this.#alarm.setFor(next);
  }

  async #takeInTurn(cutOff: readonly DueJob<J>[]): Promise<void> {
    for (const found of cutOff) {
      this.#cutOff.delete(found.id);
      await this.#take(found);
      await this.#running.get(found.id);
    }
  }

  async #take(found: DueJob<J>): Promise<void> {
    const { jobs, onError } = this.#options;
    const job = this.#read(found);
    if (job === undefined) return jobs.park(found.id);
    // A step that the stop keeps from beginning is not one in which the process died.
    if (this.#running.has(found.id) || this.#stopping.signal.aborted) return;
    jobs.begin(found.id).catch((error: unknown) => onError(error, found.id));
    this.#begin(job, found);
  }

  #read(found: DueJob<J>): J | undefined {
    try {
      return found.job();
    } catch (error) {
      this.#options.onError(error, found.id);
      return undefined;
    }
  }

  #begin(job: J, before: Before): void {
    if (this.#stopping.signal.aborted || this.#running.has(job.id)) return;
    const running = this.#step(job, before).then((due) => {
      this.#running.delete(job.id);
      const isWoken = this.#woken.delete(job.id);
      if (isWoken || this.#isBehind) this.#alarm.setFor(this.#options.steady());
      if (isWoken) this.wake(job.id).catch((error: unknown) => this.#options.onError(error, job.id));
      if (due !== undefined) this.#alarm.setFor(due);
    });
    this.#running.set(job.id, running);
  }

  /** When the job's next step is due; undefined if this was its last one. */
  async #step(job: J, { failures, begun }: Before): Promise<number | undefined> {
    const { jobs, now, steady, onError } = this.#options;
    let latest = job;
    // Taken before the step: the clock may go back during it.
    const aheadMs = steady() - now();
    const save = async (saved: J) => {
      latest = saved;
      await jobs.save(saved);
    };
    try {
      if (this.#processor === undefined) throw new Error('a job was begun before the queue was started');
      const step = await this.#processor(job, save, begun);
      if (!step.done) {
        const due = step.at + aheadMs;
        return (await jobs.putOff(step.job, due, 0)) ? due : undefined;
      }
      await jobs.delete(job.id);
      return undefined;
    } catch (error) {
      onError(error, job.id);
      return this.#putOff(latest, failures + 1);
    }
  }

  /** Delays a failed step. If even the delay cannot be stored, the job waits in memory. */
  async #putOff(job: J, failures: number): Promise<number | undefined> {
    const { jobs, steady, onError } = this.#options;
    const pauseMs = backOff(failures);
    const due = steady() + pauseMs;
    try {
      return (await jobs.putOff(job, due, failures)) ? due : undefined;
    } catch (error) {
      onError(error, job.id);
    }
    const isOver = await delay(pauseMs, false, { signal: this.#stopping.signal }).catch(() => true);
    return isOver ? undefined : this.#step(job, { failures, begun: 0 });
  }
}
