import pRetry from 'p-retry';
import { orStorageFailed } from '../../core/store.ts';
import { inTime } from '../../core/time.ts';
import type { AnyJob, JobKind, JobQueue, Processor, StepRules } from '../../lookups/queue.ts';
import { type JobsContext, SealedJobs, UNREADABLE_MS } from '../backend/sealed-jobs.ts';
import { jobTable, type Row } from './job-table.ts';
import type { SqliteParts } from './sqlite-store.ts';

/** How many steps begin in one turn of the event loop, so that other work gets its turn. */
const AT_ONCE = 20;
/** How many steps run at once, those that wait for Slack included. */
const MOST_RUNNING = 1_000;
/** How soon what a full disk refused is tried again, and how often is looked where there was no room. Milliseconds. */
const TRY_AGAIN_MS = 1_000;
const UNTIL_STORED = { retries: Number.POSITIVE_INFINITY, minTimeout: TRY_AGAIN_MS, factor: 1 };
/** A clock that differs by more from what it was has stepped. Milliseconds. */
const STEPPED_MS = 1_000;
/** A clock that stepped is noticed within this. Milliseconds. */
const LONGEST_SLEEP_MS = 60_000;

/**
 * The jobs of one kind in the embedded file. They stay there until they are due: memory holds only those that take a step.
 */
export class SqliteQueue<J extends AnyJob> implements JobQueue<J> {
  readonly #reports: JobsContext['reports'];
  readonly #jobs: SealedJobs<J>;
  readonly #table: ReturnType<typeof jobTable>;
  readonly #now: () => number;
  readonly #running = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  /** Set while steps are taken. */
  #processor: Processor<J> | undefined;
  #hasRoom: StepRules['hasRoom'];
  #timer: NodeJS.Timeout | undefined;
  /** When the timer is due, in monotonic milliseconds. */
  #lookAt = Number.POSITIVE_INFINITY;
  /** By how much the wall clock was ahead of the monotonic one. Milliseconds. */
  #aheadMs = Number.NaN;
  /** Whether as many steps run as may: then the end of one is the time to look. */
  #isFull = false;

  constructor(kind: JobKind, options: SqliteParts & JobsContext) {
    this.#reports = options.reports;
    this.#now = options.now;
    this.#jobs = new SealedJobs(kind, options);
    this.#table = jobTable(kind, options);
  }

  async add(job: J): Promise<boolean> {
    const isStarted = this.#processor !== undefined;
    const { id } = job;
    const value = this.#jobs.seal(job);
    const isAdded = await this.#table.add(job, value, isStarted);
    // A new lookup does not queue behind those that wait.
    if (isAdded && isStarted) this.#take({ id, value, failures: 0, attempts: 0 }, job);
    return isAdded;
  }

  remember(delivery: string): Promise<boolean> {
    return this.#table.remember(delivery);
  }

  remembers(delivery: string): Promise<boolean> {
    return this.#table.remembers(delivery);
  }

  async find(id: string): Promise<J | undefined> {
    const row = await this.#table.find(id);
    return orStorageFailed(() => row && this.#jobs.open(id, row.value));
  }

  async wake(id: string): Promise<void> {
    const running = this.#running.get(id);
    if (running !== undefined) {
      void running.then(() => this.wake(id)).catch(this.#reports.queueError);
      return;
    }
    await this.#table.makeDue(id);
    this.#lookIn(0);
  }

  async start(processor: Processor<J>, { hasRoom, onCutOff }: StepRules<J> = {}): Promise<void> {
    const cutOff = await this.#table.cutOff();
    for (const row of cutOff) {
      const job = this.#jobs.read(row.id, row.value);
      if (job !== undefined) onCutOff?.(job);
    }
    this.#processor = processor;
    this.#hasRoom = hasRoom;
    void this.#takeInTurn(cutOff);
    this.#lookIn(0);
  }

  async *entries(): AsyncGenerator<J> {
    for (const { id, value } of await this.#table.all()) {
      const job = this.#jobs.read(id, value);
      if (job !== undefined) yield job;
    }
  }

  async remove(id: string): Promise<void> {
    await this.#table.end(id);
  }

  countOpen(): Promise<number> {
    return this.#table.count();
  }

  oldestAcceptedAt(): Promise<number | undefined> {
    return this.#table.oldestAcceptedAt();
  }

  /** Takes no more steps, and waits at most `ms` for the running ones. Those that it cuts off keep the count that they had. */
  async stop(ms: number): Promise<void> {
    this.#processor = undefined;
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await inTime(ms, Promise.allSettled(this.#running.values()));
    for (const id of this.#running.keys()) await this.#table.giveBack(id).catch(this.#reports.queueError);
  }

  #lookIn(ms: number): void {
    const sleepMs = Math.min(Math.max(0, Math.ceil(ms)), LONGEST_SLEEP_MS);
    const lookAt = performance.now() + sleepMs;
    // Under load the next look must not be put off again and again.
    if (this.#processor === undefined || this.#lookAt <= lookAt) return;
    clearTimeout(this.#timer);
    this.#lookAt = lookAt;
    this.#timer = setTimeout(() => void this.#look(), sleepMs);
  }

  /** Begins what is due, some of it in each turn. */
  async #look(): Promise<void> {
    this.#lookAt = Number.POSITIVE_INFINITY;
    const most = Math.min(AT_ONCE, MOST_RUNNING - this.#running.size);
    this.#isFull = most <= 0;
    if (this.#isFull || this.#hasRoom?.() === false) return this.#lookIn(TRY_AGAIN_MS);
    try {
      const aheadMs = this.#now() - performance.now();
      const hasStepped = !(Math.abs(aheadMs - this.#aheadMs) < STEPPED_MS);
      if (hasStepped) await this.#table.makeDueInTime();
      this.#aheadMs = aheadMs;
      const due = await this.#table.due(most);
      await Promise.all(due.map((row) => this.#begin(row)));
      const next = await this.#table.nextDueAt();
      this.#lookIn((next ?? Number.POSITIVE_INFINITY) - this.#now());
    } catch (error) {
      this.#reports.queueError(error);
      this.#lookIn(TRY_AGAIN_MS);
    }
  }

  /** Takes steps that a death has cut off one after another: if one of them is the cause, the others still end. */
  async #takeInTurn(cutOff: readonly Row[]): Promise<void> {
    for (const row of cutOff) {
      await this.#begin(row).catch(this.#reports.queueError);
      await this.#running.get(row.id);
    }
  }

  /**
   * Stores that a step begins, and begins it; one that can't be read is put off, and counts no attempt. Throws
   * `storage-failed`, and then the job stays due.
   */
  async #begin(row: Row): Promise<void> {
    if (this.#processor === undefined) return;
    const { id } = row;
    const job = this.#jobs.read(id, row.value);
    await (job === undefined ? this.#table.delay(id, UNREADABLE_MS) : this.#table.begin(id));
    if (job !== undefined) this.#take(row, job);
  }

  #take(row: Row, job: J): void {
    // After a stop, the next start takes it as one that was cut off.
    if (this.#processor === undefined) return;
    const running = this.#step(row, job, this.#processor).finally(() => {
      this.#running.delete(row.id);
      if (this.#isFull) this.#lookIn(0);
    });
    this.#running.set(row.id, running);
  }

  /** Takes a step and stores how it ended. Never throws. */
  async #step({ id, failures, attempts: deaths }: Row, job: J, processor: Processor<J>): Promise<void> {
    const next = await this.#jobs.take(job, {
      processor,
      failures,
      deaths,
      save: async (sealed) => void (await this.#table.save(id, sealed)),
      // No other process can have taken it.
      confirm: async () => {},
    });
    const end = async () => {
      if (next === undefined) return this.#table.end(id);
      const { sealed, pauseMs } = next;
      this.#lookIn(pauseMs);
      return this.#table.putOff(id, sealed, pauseMs, next.failures);
    };
    // While a full disk refuses how the step ended, that waits in memory.
    const insist = (error: unknown) => {
      this.#reports.queueError(error, id);
      return pRetry(end, { ...UNTIL_STORED, signal: this.#stopping.signal });
    };
    await end()
      .catch(insist)
      .catch(() => {});
  }
}
