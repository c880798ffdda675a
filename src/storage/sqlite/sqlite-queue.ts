import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { REMEMBERED_MS } from '../../core/lookup.ts';
import { orStorageFailed } from '../../core/store.ts';
import { inTime } from '../../core/time.ts';
import { type AnyJob, JOB_KINDS, type JobKind, type JobQueue, type Processor } from '../../lookups/queue.ts';
import { type JobsContext, SealedJobs } from '../backend/sealed-jobs.ts';
import { leaseRows, type SqliteParts } from './sqlite-store.ts';

type Options = SqliteParts & JobsContext;

/** A job as it is stored. `attempts`: how often its step was begun without an end, which is how often the process died in it. */
type Row = {
  readonly id: string;
  readonly value: string;
  readonly failures: number;
  readonly attempts: number;
};

/** How many steps begin in one turn of the event loop, so that other work gets its turn. */
const AT_ONCE = 20;
/** How many steps run at once, those that wait for Slack or the service included. */
const MOST_RUNNING = 1_000;
/** How soon what a full disk refused is tried again. Milliseconds. */
const TRY_AGAIN_MS = 1_000;
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
const PUT_OFF = `UPDATE jobs SET value = ?, due = ?, failures = ?, attempts = 0 ${THIS}`;
const GIVE_BACK = `UPDATE jobs SET attempts = max(1, attempts - 1) ${THIS}`;
const END = `DELETE FROM jobs ${THIS}`;

/**
 * The jobs of one kind in the embedded file. They stay there until they are due: memory holds only those that take a step.
 * One that can't be read is parked until the next start, which may have its key.
 */
export class SqliteQueue<J extends AnyJob> implements JobQueue<J> {
  readonly #options: Options;
  readonly #kind: JobKind;
  readonly #jobs: SealedJobs<J>;
  readonly #deliveries: ReturnType<typeof leaseRows>;
  readonly #running = new Map<string, Promise<void>>();
  /** Jobs whose next step begins right after the present one. */
  readonly #woken = new Set<string>();
  readonly #stopping = new AbortController();
  #processor: Processor<J> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(kind: JobKind, options: Options) {
    this.#options = options;
    this.#kind = kind;
    this.#jobs = new SealedJobs(kind, options);
    this.#deliveries = leaseRows(options);
  }

  async add(job: J): Promise<boolean> {
    const { turns, now } = this.#options;
    const isStarted = this.#processor !== undefined && !this.#stopping.signal.aborted;
    const [due, attempts] = isStarted ? [null, 1] : [now(), 0];
    const value = this.#jobs.seal(job);
    const isAdded = await this.#write(() => {
      if (job.delivery !== undefined && !this.#remember(job.delivery)) return false;
      return turns.run(ADD, this.#kind, job.id, job.acceptedAt, value, due, attempts) > 0;
    });
    // A new lookup does not queue behind those that wait.
    if (isAdded && isStarted) this.#take({ id: job.id, value, failures: 0, attempts: 0 }, job);
    return isAdded;
  }

  remember(delivery: string): Promise<boolean> {
    return this.#write(() => this.#remember(delivery));
  }

  #remember(delivery: string): boolean {
    return this.#deliveries.take(`delivery:${delivery}`, REMEMBERED_MS);
  }

  remembers(delivery: string): Promise<boolean> {
    return orStorageFailed(() => this.#deliveries.left(`delivery:${delivery}`) > 0);
  }

  async find(id: string): Promise<J | undefined> {
    const row = await this.#get(`${ROW} ${THIS}`, this.#kind, id);
    return orStorageFailed(() => row && this.#jobs.open(id, String(row.value)));
  }

  async wake(id: string): Promise<void> {
    if (this.#running.has(id)) return void this.#woken.add(id);
    const { turns, now } = this.#options;
    const NOW_DUE = `UPDATE jobs SET due = ? ${THIS} AND due IS NOT NULL`;
    await this.#write(() => turns.run(NOW_DUE, now(), this.#kind, id));
    this.#lookIn(0);
  }

  async start(processor: Processor<J>): Promise<void> {
    this.#processor = processor;
    const { turns, now } = this.#options;
    const cutOff = await orStorageFailed(() => turns.all(CUT_OFF, this.#kind).map(rowOf));
    await this.#write(() => turns.run(UNPARK, now(), this.#kind));
    void this.#takeInTurn(cutOff);
    this.#lookIn(0);
  }

  async *entries(): AsyncGenerator<J> {
    const { turns } = this.#options;
    const rows = await orStorageFailed(() => turns.all(`${ROW} WHERE kind = ?`, this.#kind).map(rowOf));
    for (const row of rows) {
      const job = this.#jobs.read(row.id, row.value);
      if (job !== undefined) yield job;
    }
  }

  async remove(id: string): Promise<void> {
    await this.#write(() => this.#options.turns.run(END, this.#kind, id));
  }

  async countOpen(): Promise<number> {
    return Number((await this.#get('SELECT count(*) AS open FROM jobs WHERE kind = ?', this.#kind))?.open);
  }

  async oldestAcceptedAt(): Promise<number | undefined> {
    const row = await this.#get('SELECT min(accepted) AS at FROM jobs WHERE kind = ?', this.#kind);
    return typeof row?.at === 'number' ? row.at : undefined;
  }

  /** Takes no more steps, and waits at most `ms` for the running ones. Those that it cuts off keep the count that they had. */
  async stop(ms: number): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await inTime(ms, Promise.allSettled(this.#running.values()));
    const { turns, reports } = this.#options;
    for (const id of this.#running.keys()) {
      await this.#write(() => turns.run(GIVE_BACK, this.#kind, id)).catch(reports.queueError);
    }
  }

  #write<T>(work: () => T): Promise<T> {
    return orStorageFailed(() => this.#options.turns.write(work));
  }

  #get(sql: string, ...values: SQLInputValue[]) {
    return orStorageFailed(() => this.#options.turns.get(sql, ...values));
  }

  #lookIn(ms: number): void {
    if (this.#processor === undefined || this.#stopping.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), Math.min(Math.max(0, Math.ceil(ms)), LONGEST_SLEEP_MS));
  }

  /** Begins what is due, some of it in each turn. */
  async #look(): Promise<void> {
    const { turns, now, reports } = this.#options;
    try {
      const at = now();
      const most = Math.min(AT_ONCE, MOST_RUNNING - this.#running.size);
      // What is due later was put off before the clock stepped: it is due now.
      const latest = at + (JOB_KINDS[this.#kind].longestPauseMs ?? Number.MAX_SAFE_INTEGER - at);
      const due = turns.all(DUE, this.#kind, at, latest, Math.max(0, most)).map(rowOf);
      await Promise.all(due.map((row) => this.#begin(row)));
      // Where all places are taken, the end of a step looks again.
      if (due.length < most) return this.#lookIn(this.#msToNext(at));
      if (due.length > 0) this.#lookIn(0);
    } catch (error) {
      reports.queueError(error);
      this.#lookIn(TRY_AGAIN_MS);
    }
  }

  /** Milliseconds until the next job is due that was not at `moment`. */
  #msToNext(moment: number): number {
    const NEXT = 'SELECT min(due) AS due FROM jobs WHERE kind = ? AND due > ?';
    const due = this.#options.turns.get(NEXT, this.#kind, moment)?.due;
    const ms = typeof due === 'number' ? due - this.#options.now() : LONGEST_SLEEP_MS;
    return ms > (JOB_KINDS[this.#kind].longestPauseMs ?? ms) ? 0 : ms;
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
    if (this.#stopping.signal.aborted) return;
    const job = this.#jobs.read(row.id, row.value);
    const { turns } = this.#options;
    await this.#write(() => turns.run(job === undefined ? PARK : BEGIN, this.#kind, row.id));
    if (job !== undefined) this.#take(row, job);
  }

  #take(row: Row, job: J): void {
    // After a stop, the next start takes it as one that was cut off.
    if (this.#processor === undefined || this.#stopping.signal.aborted) return;
    const { id } = row;
    const running = this.#step(row, job, this.#processor).finally(() => {
      this.#running.delete(id);
      if (this.#woken.delete(id)) void this.wake(id).catch(this.#options.reports.queueError);
      this.#lookIn(0);
    });
    this.#running.set(id, running);
  }

  /** Takes a step and stores how it ended. Never throws. */
  async #step({ id, failures, attempts: deaths }: Row, job: J, processor: Processor<J>): Promise<void> {
    const { turns, now } = this.#options;
    const SAVE = `UPDATE jobs SET value = ? ${THIS}`;
    const save = async (sealed: string) =>
      void (await this.#write(() => turns.run(SAVE, sealed, this.#kind, id)));
    // No other process can have taken it.
    const confirm = async () => {};
    const next = await this.#jobs.take(job, { processor, failures, deaths, save, confirm });
    if (next === undefined) return this.#insist(() => turns.run(END, this.#kind, id), id);
    const due = now() + next.pauseMs;
    await this.#insist(() => turns.run(PUT_OFF, next.sealed, due, next.failures, this.#kind, id), id);
  }

  /** While a full disk refuses how a step ended, that waits in memory. */
  async #insist(end: () => number, id: string): Promise<void> {
    const { signal } = this.#stopping;
    for (;;) {
      try {
        return void (await this.#write(end));
      } catch (error) {
        this.#options.reports.queueError(error, id);
      }
      if (signal.aborted) return;
      await delay(TRY_AGAIN_MS, undefined, { signal }).catch(() => {});
    }
  }
}

function rowOf({ id, value, failures, attempts }: Record<string, SQLOutputValue>): Row {
  return { id: String(id), value: String(value), failures: Number(failures), attempts: Number(attempts) };
}
