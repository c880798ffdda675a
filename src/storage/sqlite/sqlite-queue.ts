import type { SQLInputValue } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
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
import { type JobsContext, SealedJobs, UNREADABLE_MS } from '../backend/sealed-jobs.ts';
import { namesIn, type SqliteParts } from './sqlite-store.ts';

/** How often a queue looks for what is due. Milliseconds. */
const LOOK_EVERY_MS = 50;
/** How many steps begin in one turn of the event loop, so that other work gets its turn. */
const AT_ONCE = 20;
/** How many steps run at once, those that wait for Slack included. */
const MOST_RUNNING = 1_000;
/** How soon what a full disk refused is tried again. Milliseconds. */
const TRY_AGAIN_MS = 1_000;
const UNTIL_STORED = { retries: Number.POSITIVE_INFINITY, minTimeout: TRY_AGAIN_MS, factor: 1 };

/** A job as it is stored. `attempts`: how often its step was begun without an end, which is how often the process died in it. */
type Row = Readonly<Record<'id' | 'value', string> & Record<'failures' | 'attempts', number>>;

const ROWS = 'SELECT id, value, failures, attempts FROM jobs WHERE kind = ?';
/** Also what seems due later than it can be: it was put off before the clock stepped. Each half has its index. */
const DUE = `${ROWS} AND due <= ? UNION ALL ${ROWS} AND due > ? LIMIT ?`;
const ADD = 'INSERT INTO jobs (kind, id, accepted, value, due, attempts) VALUES (?, ?, ?, ?, ?, ?)';
const BEGIN = 'UPDATE jobs SET due = NULL, attempts = attempts + 1 WHERE kind = ? AND id = ?';
const PUT_OFF = 'UPDATE jobs SET due = ? WHERE kind = ? AND id = ?';
const END = 'value = ?, due = ?, failures = ?, attempts = 0';
/** The step that a stop cuts off keeps the count that it had. */
const CUT_OFF = 'attempts = max(1, attempts - 1)';

/**
 * The jobs of one kind in the embedded file. They stay there until they are due: memory holds only those that take a step,
 * and these have no due time.
 */
export class SqliteQueue<J extends AnyJob> implements JobQueue<J> {
  readonly #kind: JobKind;
  readonly #parts: SqliteParts & JobsContext;
  readonly #jobs: SealedJobs<J>;
  readonly #deliveries: ReturnType<typeof namesIn>;
  readonly #running = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  /** Set while steps are taken. */
  #processor: Processor<J> | undefined;

  constructor(kind: JobKind, parts: SqliteParts & JobsContext) {
    this.#kind = kind;
    this.#parts = parts;
    this.#jobs = new SealedJobs(kind, parts);
    this.#deliveries = namesIn('deliveries', parts);
  }

  async add(job: J): Promise<boolean> {
    const { id, delivery, acceptedAt } = job;
    const value = this.#jobs.seal(job);
    // A new job does not queue behind those that wait.
    const isBegun = this.#processor !== undefined;
    const [due, attempts] = isBegun ? [null, 1] : [this.#parts.now(), 0];
    const isAdded = await this.#write((run) => {
      if (delivery !== undefined && !this.#deliveries.take(delivery, REMEMBERED_MS)) return false;
      return run(ADD, this.#kind, id, acceptedAt, value, due, attempts) > 0;
    });
    if (isAdded && isBegun) this.#take({ id, value, failures: 0, attempts: 0 }, job);
    return isAdded;
  }

  remember(delivery: string): Promise<boolean> {
    return this.#write(() => this.#deliveries.take(delivery, REMEMBERED_MS));
  }

  remembers(delivery: string): Promise<boolean> {
    return orStorageFailed(() => this.#deliveries.left(delivery) > 0);
  }

  async find(id: string): Promise<J | undefined> {
    const [row] = await this.#rows(`${ROWS} AND id = ?`, id);
    return orStorageFailed(() => row && this.#jobs.open(id, row.value));
  }

  async wake(id: string): Promise<void> {
    const running = this.#running.get(id);
    if (running === undefined) return this.#update('due = iif(due IS NULL, NULL, ?)', id, this.#parts.now());
    void running.then(() => this.wake(id)).catch(this.#parts.reports.queueError);
  }

  async start(processor: Processor<J>, { hasRoom, onCutOff }: StepRules<J> = {}): Promise<void> {
    const cutOff = await this.#rows(`${ROWS} AND due IS NULL ORDER BY attempts`);
    for (const { id, value } of cutOff) {
      const job = this.#jobs.read(id, value);
      if (job !== undefined) onCutOff?.(job);
    }
    this.#processor = processor;
    void this.#takeInTurn(cutOff);
    void this.#takeWhatIsDue(hasRoom);
  }

  async *entries(): AsyncGenerator<J> {
    for (const { id, value } of await this.#rows(ROWS)) {
      const job = this.#jobs.read(id, value);
      if (job !== undefined) yield job;
    }
  }

  async remove(id: string): Promise<void> {
    await this.#write((run) => run('DELETE FROM jobs WHERE kind = ? AND id = ?', this.#kind, id));
  }

  async countOpen(): Promise<number> {
    return Number(await this.#figure('count(*)'));
  }

  async oldestAcceptedAt(): Promise<number | undefined> {
    return (await this.#figure('min(accepted)')) ?? undefined;
  }

  /** Takes no more steps, and waits at most `ms` for the running ones. */
  async stop(ms: number): Promise<void> {
    this.#processor = undefined;
    this.#stopping.abort();
    await inTime(ms, Promise.allSettled(this.#running.values()));
    for (const id of this.#running.keys())
      await this.#update(CUT_OFF, id).catch(this.#parts.reports.queueError);
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

  #figure(what: string): Promise<number | null> {
    const sql = `SELECT ${what} AS figure FROM jobs WHERE kind = ?`;
    return orStorageFailed(() => this.#parts.statements.get(sql, this.#kind)?.figure as number | null);
  }

  async #takeWhatIsDue(hasRoom: StepRules<J>['hasRoom']): Promise<void> {
    while (this.#processor !== undefined) {
      let pauseMs = LOOK_EVERY_MS;
      try {
        await this.#beginAllDue(hasRoom);
      } catch (error) {
        this.#parts.reports.queueError(error);
        pauseMs = TRY_AGAIN_MS;
      }
      await delay(pauseMs, undefined, { ref: false });
    }
  }

  /** Begins what is due, some of it in each turn of the event loop. */
  async #beginAllDue(hasRoom: StepRules<J>['hasRoom'] = () => true): Promise<void> {
    const { longestPauseMs = Number.POSITIVE_INFINITY } = JOB_KINDS[this.#kind];
    const { all } = this.#parts.statements;
    while (this.#processor !== undefined && hasRoom()) {
      const now = this.#parts.now();
      const most = Math.max(0, Math.min(AT_ONCE, MOST_RUNNING - this.#running.size));
      const due = all(DUE, this.#kind, now, this.#kind, now + longestPauseMs, most) as Row[];
      if (due.length === 0) return;
      await this.#begin(due);
    }
  }

  /** Takes steps that a death has cut off one after another: if one of them is the cause, the others still end. */
  async #takeInTurn(cutOff: readonly Row[]): Promise<void> {
    for (const row of cutOff) {
      await this.#begin([row]).catch(this.#parts.reports.queueError);
      await this.#running.get(row.id);
    }
  }

  /**
   * Stores that the steps of some jobs begin, and begins them; one that can't be read is put off, and counts no attempt.
   * Throws `storage-failed`, and then the jobs stay due.
   */
  async #begin(rows: readonly Row[]): Promise<void> {
    if (this.#processor === undefined) return;
    const readable = rows.map((row) => [row, this.#jobs.read(row.id, row.value)] as const);
    await this.#write((run) => {
      for (const [{ id }, job] of readable) {
        if (job === undefined) run(PUT_OFF, this.#parts.now() + UNREADABLE_MS, this.#kind, id);
        else run(BEGIN, this.#kind, id);
      }
    });
    for (const [row, job] of readable) if (job !== undefined) this.#take(row, job);
  }

  #take(row: Row, job: J): void {
    // After a stop, the next start takes it as one that was cut off.
    if (this.#processor === undefined) return;
    const running = this.#step(row, job, this.#processor).finally(() => this.#running.delete(row.id));
    this.#running.set(row.id, running);
  }

  /** Takes a step and stores how it ended. Never throws. */
  async #step({ id, failures, attempts: deaths }: Row, job: J, processor: Processor<J>): Promise<void> {
    const { now, reports } = this.#parts;
    const save = (sealed: string) => this.#update('value = ?', id, sealed);
    // No other process can have taken it.
    const confirm = async () => {};
    const next = await this.#jobs.take(job, { processor, failures, deaths, save, confirm });
    const end = () =>
      next === undefined
        ? this.remove(id)
        : this.#update(END, id, next.sealed, now() + next.pauseMs, next.failures);
    // While a full disk refuses how the step ended, that waits in memory.
    const insist = (error: unknown) => {
      reports.queueError(error, id);
      return pRetry(end, { ...UNTIL_STORED, signal: this.#stopping.signal });
    };
    await end()
      .catch(insist)
      .catch(() => {});
  }
}
