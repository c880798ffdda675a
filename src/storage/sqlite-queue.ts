import type { SQLInputValue } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
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
import { type JobsContext, SealedJobs, UNREADABLE_MS } from './sealed-jobs.ts';
import type { SqliteParts } from './sqlite-store.ts';

/** How often a queue looks for due jobs. Milliseconds. */
const LOOK_EVERY_MS = 50;
/** How many steps start in one turn of the event loop, so that other work also gets turns. */
const AT_ONCE = 20;
/** How many steps run at the same time, including those that wait for Slack. */
const MOST_RUNNING = 1_000;
/** How soon to try again after a full disk or another error. Milliseconds. */
const TRY_AGAIN_MS = 1_000;

/** A stored job. `attempts`: how often its step began without an end. `due`: 0 while its step runs. */
type Row = Readonly<Record<'id' | 'value', string> & Record<'failures' | 'attempts' | 'due', number>>;

const ROWS = 'SELECT id, value, failures, attempts, due FROM jobs WHERE kind = ?';
/** Selects due jobs. A job due beyond the longest pause counts, too: the clock jumped. Both halves use an index. */
const DUE = `${ROWS} AND due BETWEEN 1 AND ? UNION ALL ${ROWS} AND due > ? LIMIT ?`;
const ADD = 'INSERT INTO jobs (kind, id, accepted, value, due, attempts) VALUES (?, ?, ?, ?, ?, ?)';
/** BEGIN and PUT_OFF require an unchanged due time, because the job may have been woken or removed meanwhile. */
const IF_UNCHANGED = 'WHERE kind = ? AND id = ? AND due = ?';
const BEGIN = `UPDATE jobs SET due = 0, attempts = attempts + 1 ${IF_UNCHANGED}`;
const PUT_OFF = `UPDATE jobs SET due = ? ${IF_UNCHANGED}`;
const END = 'value = ?, due = ?, failures = ?, attempts = 0';
/** Does not change a job whose step is about to run, because that step comes after the wake. */
const WAKE = 'UPDATE jobs SET due = ? WHERE kind = ? AND id = ? AND due > 0';
/** Runs at the start, before any step: makes all interrupted jobs due, those with the fewest deaths first. */
const TAKE_CUT_OFF = 'UPDATE jobs SET due = ? + attempts WHERE kind = ? AND attempts > 0';
/** Counts a shutdown as a death of the process only if it is the first death during this step. */
const CUT_OFF = 'UPDATE jobs SET attempts = max(1, attempts - 1) WHERE kind = ? AND due = 0';

/** Stores a delivery, as an entry without a value, unless it is already stored and has not expired. */
const REMEMBER = `
  INSERT INTO entries (namespace, name, value, expires) VALUES ('deliveries', ?, '', ?)
  ON CONFLICT DO UPDATE SET expires = excluded.expires WHERE entries.expires <= ?`;
const REMEMBERED = "SELECT 1 FROM entries WHERE namespace = 'deliveries' AND name = ? AND expires > ?";

/** The jobs of one kind in the SQLite file. Only jobs with a running step are in memory. */
export class SqliteQueue<J extends AnyJob> implements JobQueue<J> {
  readonly #kind: JobKind;
  readonly #parts: SqliteParts & JobsContext;
  readonly #jobs: SealedJobs<J>;
  readonly #running = new Map<string, { readonly row: Row; readonly ended: Promise<void> }>();
  /** Undefined while no steps may start. */
  #processor: Processor<J> | undefined;

  constructor(kind: JobKind, parts: SqliteParts & JobsContext) {
    this.#kind = kind;
    this.#parts = parts;
    this.#jobs = new SealedJobs(kind, parts);
  }

  async add(job: J): Promise<boolean> {
    const { id, delivery, acceptedAt } = job;
    const value = this.#jobs.seal(job);
    // If steps may start, a new job starts before the stored jobs.
    const isBegun = this.#processor !== undefined;
    const due = isBegun ? 0 : this.#parts.now();
    const isAdded = await this.#write((run) => {
      if (delivery !== undefined && !this.#remember(delivery)) return false;
      return run(ADD, this.#kind, id, acceptedAt, value, due, Number(isBegun)) > 0;
    });
    if (isAdded && isBegun) this.#take({ id, value, failures: 0, attempts: 0, due }, job);
    return isAdded;
  }

  remember(delivery: string): Promise<boolean> {
    return this.#write(() => this.#remember(delivery));
  }

  remembers(delivery: string): Promise<boolean> {
    const { statements, now } = this.#parts;
    return orStorageFailed(() => statements.get(REMEMBERED, delivery, now()) !== undefined);
  }

  async find(id: string): Promise<J | undefined> {
    const [row] = await this.#rows(`${ROWS} AND id = ?`, id);
    return orStorageFailed(() => row && this.#jobs.open(id, row.value));
  }

  async wake(id: string): Promise<void> {
    const running = this.#running.get(id);
    if (running === undefined) return this.#write((run) => void run(WAKE, this.#parts.now(), this.#kind, id));
    void running.ended.then(() => this.wake(id)).catch(this.#parts.reports.queueError);
  }

  async start(processor: Processor<J>, { hasRoom, onCutOff }: StepRules<J> = {}): Promise<void> {
    for (const job of this.#readable(await this.#rows(`${ROWS} AND attempts > 0`))) onCutOff?.(job);
    await this.#write((run) => run(TAKE_CUT_OFF, this.#parts.now(), this.#kind));
    this.#processor = processor;
    void this.#takeWhatIsDue(hasRoom);
  }

  async *entries(): AsyncGenerator<J> {
    yield* this.#readable(await this.#rows(ROWS));
  }

  async remove(id: string): Promise<void> {
    await this.#write((run) => run('DELETE FROM jobs WHERE kind = ? AND id = ?', this.#kind, id));
  }

  async countOpen(): Promise<number> {
    return (await this.#figure('count(*)')) ?? 0;
  }

  oldestAcceptedAt(): Promise<number | undefined> {
    return this.#figure('min(accepted)');
  }

  /** Starts no more steps, and waits up to `ms` for the running ones. */
  async stop(ms: number): Promise<void> {
    this.#processor = undefined;
    await inTime(ms, Promise.all([...this.#running.values()].map(({ ended }) => ended)));
    await this.#write((run) => run(CUT_OFF, this.#kind)).catch(this.#parts.reports.queueError);
  }

  /** Stores a delivery, inside `write`; false if it is already stored. */
  #remember(delivery: string, at = this.#parts.now()): boolean {
    return this.#parts.statements.run(REMEMBER, delivery, at + REMEMBERED_MS, at) > 0;
  }

  #write<T>(work: (run: SqliteParts['statements']['run']) => T): Promise<T> {
    const { run, write } = this.#parts.statements;
    return orStorageFailed(() => write(() => work(run)));
  }

  async #update(what: string, id: string, ...values: SQLInputValue[]): Promise<void> {
    const sql = `UPDATE jobs SET ${what} WHERE kind = ? AND id = ?`;
    await this.#write((run) => run(sql, ...values, this.#kind, id));
  }

  #rows(sql: string, ...values: SQLInputValue[]): Promise<Row[]> {
    return orStorageFailed(() => this.#parts.statements.all(sql, this.#kind, ...values) as Row[]);
  }

  #figure(what: string): Promise<number | undefined> {
    const sql = `SELECT ${what} AS figure FROM jobs WHERE kind = ?`;
    return orStorageFailed(() => Number(this.#parts.statements.get(sql, this.#kind)?.figure) || undefined);
  }

  #readable(rows: readonly Row[]): J[] {
    return rows.flatMap(({ id, value }) => this.#jobs.read(id, value) ?? []);
  }

  /** Starts due jobs, a few in each turn of the event loop. */
  async #takeWhatIsDue(hasRoom: StepRules<J>['hasRoom'] = () => true): Promise<void> {
    const { statements, now, reports } = this.#parts;
    const { longestPauseMs = Number.POSITIVE_INFINITY } = JOB_KINDS[this.#kind];
    while (this.#processor !== undefined) {
      try {
        const most = hasRoom() && this.#running.size < MOST_RUNNING ? AT_ONCE : 0;
        const at = now();
        const due = statements.all(DUE, this.#kind, at, this.#kind, at + longestPauseMs, most) as Row[];
        if (due.length > 0) await this.#begin(due);
        else await delay(LOOK_EVERY_MS, undefined, { ref: false });
      } catch (error) {
        reports.queueError(error);
        await delay(TRY_AGAIN_MS, undefined, { ref: false });
      }
    }
  }

  /** Stores that steps begin, and starts them; delays other jobs. If it throws `storage-failed`, all jobs stay due. */
  async #begin(rows: readonly Row[]): Promise<void> {
    const begun: { readonly row: Row; readonly job: J }[] = [];
    const isRepeating = () => [...this.#running.values(), ...begun].some(({ row }) => row.attempts > 0);
    await this.#write((run) => {
      for (const row of rows) {
        const job = this.#judge(row, isRepeating);
        const unchanged = [this.#kind, row.id, row.due];
        if (typeof job === 'number') run(PUT_OFF, this.#parts.now() + job, ...unchanged);
        else if (run(BEGIN, ...unchanged) > 0) begun.push({ row, job });
      }
    });
    for (const { row, job } of begun) this.#take(row, job);
  }

  /** Returns the job if its step may start, else the delay in milliseconds. An unreadable job gets a delay. */
  #judge(row: Row, isRepeating: () => boolean): J | number {
    // Interrupted steps are repeated one at a time: if a step kills the process again, other jobs still end.
    if (row.attempts > 0 && isRepeating()) return LOOK_EVERY_MS;
    return this.#jobs.read(row.id, row.value) ?? UNREADABLE_MS;
  }

  #take(row: Row, job: J): void {
    // After a stop the job stays stored, and the next start treats its step as interrupted.
    if (this.#processor === undefined) return;
    const ended = this.#step(row, job, this.#processor)
      .catch((error) => this.#parts.reports.queueError(error, row.id))
      .finally(() => this.#running.delete(row.id));
    this.#running.set(row.id, { row, ended });
  }

  /** Does a step, and stores its outcome. */
  async #step({ id, failures, attempts: deaths }: Row, job: J, processor: Processor<J>): Promise<void> {
    const save = (sealed: string) => this.#update('value = ?', id, sealed);
    // No other process shares the file, so this process always holds the job.
    const confirm = async () => {};
    const next = await this.#jobs.take(job, { processor, failures, deaths, save, confirm });
    const due = this.#parts.now() + (next?.pauseMs ?? 0);
    await this.#untilStored(id, () =>
      next === undefined ? this.remove(id) : this.#update(END, id, next.sealed, due, next.failures),
    );
  }

  /** Repeats a write until it succeeds, for example after a full disk. Throws during a stop. */
  async #untilStored(id: string, write: () => Promise<void>): Promise<void> {
    for (let failures = 0; ; failures += 1) {
      try {
        return await write();
      } catch (error) {
        if (this.#processor === undefined) throw error;
        if (failures === 0) this.#parts.reports.queueError(error, id);
        await delay(TRY_AGAIN_MS, undefined, { ref: false });
      }
    }
  }
}
