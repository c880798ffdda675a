import { setTimeout as delay } from 'node:timers/promises';
import type { Kept } from '../core/store.ts';
import { backOff, type Job, type LookupQueue, type Step, type Worker } from './queue.ts';

export type LocalQueueOptions<Place> = {
  readonly jobs: Kept<Job<Place>>;
  readonly now: () => number;
  /** Hears of steps that threw; they are repeated with a growing pause. */
  readonly onError: (error: unknown, job: Job<Place>) => void;
};

/** The queue of one process: jobs are kept in its store, their timers in its memory. */
export class LocalQueue<Place> implements LookupQueue<Place> {
  readonly #options: LocalQueueOptions<Place>;
  readonly #timers = new Map<string, { timer: NodeJS.Timeout; job: Job<Place> }>();
  readonly #running = new Map<string, Promise<void>>();
  #worker: Worker<Place> | undefined;
  #isStopping = false;

  constructor(options: LocalQueueOptions<Place>) {
    this.#options = options;
  }

  async countOpen(): Promise<number> {
    return new Set([...this.#timers.keys(), ...this.#running.keys()]).size;
  }

  async add(job: Job<Place>): Promise<void> {
    await this.#options.jobs.set(job.id, job);
    this.#schedule(job, 0, 0);
  }

  async wake(id: string): Promise<void> {
    const waiting = this.#timers.get(id);
    if (waiting === undefined) return;
    clearTimeout(waiting.timer);
    this.#schedule(waiting.job, 0, 0);
  }

  async start(worker: Worker<Place>): Promise<void> {
    this.#worker = worker;
    for await (const [, job] of this.#options.jobs.entries()) {
      if (!this.#timers.has(job.id) && !this.#running.has(job.id)) this.#schedule(job, 0, 0);
    }
  }

  async stop(ms: number): Promise<void> {
    this.#isStopping = true;
    for (const { timer } of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    const waited = new AbortController();
    const settled = Promise.allSettled(this.#running.values()).finally(() => waited.abort());
    await Promise.race([settled, delay(ms, undefined, { signal: waited.signal }).catch(() => {})]);
  }

  #schedule(job: Job<Place>, inMs: number, failures: number): void {
    if (this.#isStopping) return;
    const timer = setTimeout(() => {
      this.#timers.delete(job.id);
      const running = this.#step(job, failures).finally(() => this.#running.delete(job.id));
      this.#running.set(job.id, running);
    }, inMs);
    this.#timers.set(job.id, { timer, job });
  }

  async #step(job: Job<Place>, failures: number): Promise<void> {
    let latest = job;
    try {
      const step = await this.#work(job, async (saved) => {
        latest = saved;
        await this.#options.jobs.set(saved.id, saved);
      });
      if (step.done) await this.#options.jobs.delete(job.id);
      else await this.#options.jobs.set(step.job.id, step.job);
      if (!step.done) this.#schedule(step.job, Math.max(0, step.at - this.#options.now()), 0);
    } catch (error) {
      this.#options.onError(error, latest);
      this.#schedule(latest, backOff(failures + 1), failures + 1);
    }
  }

  #work(job: Job<Place>, save: (job: Job<Place>) => Promise<void>): Promise<Step<Place>> {
    if (this.#worker === undefined) throw new Error('a job was added before the queue was started');
    return this.#worker(job, save);
  }
}
