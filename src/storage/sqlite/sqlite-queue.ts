import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import pRetry from 'p-retry';
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
import { type JobsContext, SealedJobs } from '../backend/sealed-jobs.ts';
import { namesIn, type SqliteParts } from './sqlite-store.ts';

/** A job as it is stored. `attempts`: how often its step was begun without an end, which is how often the process died in it. */
type Row = {
  readonly id: string;
  readonly value: string;
  readonly failures: number;
  readonly attempts: number;
};

/** How many steps begin in one turn of the event loop, so that other work gets its turn. */
const AT_ONCE = 20;
/** How many steps run at once, those that wait for Slack included. */
const MOST_RUNNING = 1_000;
/** How soon what a full disk refused is tried again, and how often is looked where there was no room. Milliseconds. */
const TRY_AGAIN_MS = 1_000;
const UNTIL_STORED = { retries: Number.POSITIVE_INFINITY, minTimeout: TRY_AGAIN_MS, factor: 1 };
/** A clock that stepped is noticed within this. Milliseconds. */
const LONGEST_SLEEP_MS = 60_000;

const THIS = 'WHERE kind = ? AND id = ?';
const ROW = 'SELECT id, value, failures, attempts FROM jobs';
const DUE = `${ROW} WHERE kind = ? AND (due <= ? OR due > ?) ORDER BY due LIMIT ?`;
const CUT_OFF = `${ROW} WHERE kind = ? AND due IS NULL AND attempts > 0 ORDER BY attempts`;
const ADD = 'INSERT INTO jobs (kind, id, accepted, value, due, attempts) VALUES (?, ?, ?, ?, ?, ?)';
const BEGIN = `UPDATE jobs SET due = NULL, attempts = attempts + 1 ${THIS}`;
const PARK = `UPDATE jobs SET due = NULL ${THIS}`;
const UNPARK = 'UPDATE jobs SET due = ? WHERE kind = ? AND due IS NULL AND attempts = 0';
const SAVE = `UPDATE jobs SET value = ? ${THIS}`;
const MAKE_DUE = `UPDATE jobs SET due = ? ${THIS} AND due IS NOT NULL`;
const PUT_OFF = `UPDATE jobs SET value = ?, due = ?, failures = ?, attempts = 0 ${THIS}`;
const GIVE_BACK = `UPDATE jobs SET attempts = max(1, attempts - 1) ${THIS}`;
const END = `DELETE FROM jobs ${THIS}`;

/**
 * The jobs of one kind in the embedded file. They stay there until they are due: memory holds only those that take a step.
 * One that can't be read is parked until the next start, which may have its key.
 */
export class SqliteQueue<J extends AnyJob> implements JobQueue<J> {
  readonly #options: SqliteParts & JobsContext;
  readonly #kind: JobKind;
  readonly #jobs: SealedJobs<J>;
  readonly #deliveries: ReturnType<typeof namesIn>;
  readonly #running = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  /** Set while steps are taken. */
  #processor: Processor<J> | undefined;
  #hasRoom: StepRules['hasRoom'];
  #timer: NodeJS.Timeout | undefined;
  /** When the timer is due, in monotonic milliseconds. */
  #lookAt = Number.POSITIVE_INFINITY;

  constructor(kind: JobKind, options: SqliteParts & JobsContext) {
    this.#options = options;
    this.#kind = kind;
    this.#jobs = new SealedJobs(kind, options);
    this.#deliveries = namesIn('deliveries', options);
  }

  async add(job: J): Promise<boolean> {
    const { turns, now } = this.#options;
    const isStarted = this.#processor !== undefined;
    const [due, attempts] = isStarted ? [null, 1] : [now(), 0];
    const value = this.#jobs.seal(job);
    const { id, delivery, acceptedAt } = job;
    const isAdded = await this.#write(() => {
      if (delivery !== undefined && !this.#deliveries.take(delivery, REMEMBERED_MS)) return false;
      return turns.run(ADD, this.#kind, id, acceptedAt, value, due, attempts) > 0;
    });
    // A new lookup does not queue behind those that wait.
    if (isAdded && isStarted) this.#take({ id, value, failures: 0, attempts: 0 }, job);
    return isAdded;
  }

  remember(delivery: string): Promise<boolean> {
    return this.#write(() => this.#deliveries.take(delivery, REMEMBERED_MS));
  }

  remembers(delivery: string): Promise<boolean> {
    return orStorageFailed(() => this.#deliveries.left(delivery) > 0);
  }

  async find(id: string): Promise<J | undefined> {
    const [row] = await this.#rows(`${ROW} ${THIS}`, this.#kind, id);
    return orStorageFailed(() => row && this.#jobs.open(id, row.value));
  }

  async wake(id: string): Promise<void> {
    const running = this.#running.get(id);
    if (running !== undefined) {
      void running.then(() => this.wake(id)).catch(this.#options.reports.queueError);
      return;
    }
    await this.#change(MAKE_DUE, id, this.#options.now());
    this.#lookIn(0);
  }

  async start(processor: Processor<J>, { hasRoom, onCutOff }: StepRules<J> = {}): Promise<void> {
    const { turns, now } = this.#options;
    const cutOff = await this.#rows(CUT_OFF, this.#kind);
    await this.#write(() => turns.run(UNPARK, now(), this.#kind));
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
    for (const { id, value } of await this.#rows(`${ROW} WHERE kind = ?`, this.#kind)) {
      const job = this.#jobs.read(id, value);
      if (job !== undefined) yield job;
    }
  }

  async remove(id: string): Promise<void> {
    await this.#change(END, id);
  }

  countOpen(): Promise<number> {
    return orStorageFailed(() => this.#figure('count(*)') ?? 0);
  }

  oldestAcceptedAt(): Promise<number | undefined> {
    return orStorageFailed(() => this.#figure('min(accepted)'));
  }

  /** Takes no more steps, and waits at most `ms` for the running ones. Those that it cuts off keep the count that they had. */
  async stop(ms: number): Promise<void> {
    this.#processor = undefined;
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await inTime(ms, Promise.allSettled(this.#running.values()));
    for (const id of this.#running.keys())
      await this.#change(GIVE_BACK, id).catch(this.#options.reports.queueError);
  }

  #write<T>(work: () => T): Promise<T> {
    return orStorageFailed(() => this.#options.turns.write(work));
  }

  /** Runs a statement that ends with the kind and the id of a job. */
  #change(sql: string, id: string, ...values: SQLInputValue[]): Promise<number> {
    return this.#write(() => this.#options.turns.run(sql, ...values, this.#kind, id));
  }

  #rows(sql: string, ...values: SQLInputValue[]): Promise<Row[]> {
    return orStorageFailed(() => this.#options.turns.all(sql, ...values).map(rowOf));
  }

  /** A figure of all jobs; undefined where there is none. */
  #figure(what: string): number | undefined {
    const sql = `SELECT ${what} AS figure FROM jobs WHERE kind = ?`;
    const figure = this.#options.turns.get(sql, this.#kind)?.figure;
    return typeof figure === 'number' ? figure : undefined;
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

  /** Begins what is due, some of it in each turn. The end of each step looks again. */
  async #look(): Promise<void> {
    const { turns, now, reports } = this.#options;
    this.#lookAt = Number.POSITIVE_INFINITY;
    const most = Math.min(AT_ONCE, MOST_RUNNING - this.#running.size);
    if (most <= 0 || this.#hasRoom?.() === false) return this.#lookIn(TRY_AGAIN_MS);
    try {
      const at = now();
      // What is due later was put off before the clock stepped: it is due now.
      const latest = at + (JOB_KINDS[this.#kind].longestPauseMs ?? Number.MAX_SAFE_INTEGER - at);
      const due = turns.all(DUE, this.#kind, at, latest, most).map(rowOf);
      await Promise.all(due.map((row) => this.#begin(row)));
      const next = this.#figure('min(due)');
      this.#lookIn((next ?? Number.POSITIVE_INFINITY) - now());
    } catch (error) {
      reports.queueError(error);
      this.#lookIn(TRY_AGAIN_MS);
    }
  }

  /** Takes steps that a death has cut off one after another: if one of them is the cause, the others still end. */
  async #takeInTurn(cutOff: readonly Row[]): Promise<void> {
    for (const row of cutOff) {
      await this.#begin(row).catch(this.#options.reports.queueError);
      await this.#running.get(row.id);
    }
  }

  /** Stores that a step begins, and begins it. Throws `storage-failed`, and then the job stays due. */
  async #begin(row: Row): Promise<void> {
    if (this.#processor === undefined) return;
    const job = this.#jobs.read(row.id, row.value);
    await this.#change(job === undefined ? PARK : BEGIN, row.id);
    if (job !== undefined) this.#take(row, job);
  }

  #take(row: Row, job: J): void {
    // After a stop, the next start takes it as one that was cut off.
    if (this.#processor === undefined) return;
    const { id } = row;
    const running = this.#step(row, job, this.#processor).finally(() => {
      this.#running.delete(id);
      this.#lookIn(0);
    });
    this.#running.set(id, running);
  }

  /** Takes a step and stores how it ended. Never throws. */
  async #step({ id, failures, attempts: deaths }: Row, job: J, processor: Processor<J>): Promise<void> {
    const next = await this.#jobs.take(job, {
      processor,
      failures,
      deaths,
      save: async (sealed) => void (await this.#change(SAVE, id, sealed)),
      // No other process can have taken it.
      confirm: async () => {},
    });
    const end = () =>
      next === undefined
        ? this.#change(END, id)
        : this.#change(PUT_OFF, id, next.sealed, this.#options.now() + next.pauseMs, next.failures);
    // While a full disk refuses how the step ended, that waits in memory.
    const insist = (error: unknown) => {
      this.#options.reports.queueError(error, id);
      return pRetry(end, { ...UNTIL_STORED, signal: this.#stopping.signal });
    };
    await end()
      .catch(insist)
      .catch(() => {});
  }
}

function rowOf({ id, value, failures, attempts }: Record<string, SQLOutputValue>): Row {
  return { id: String(id), value: String(value), failures: Number(failures), attempts: Number(attempts) };
}
