import type { SQLOutputValue } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { inTime } from '../../core/time.ts';
import type { Statements } from './statements.ts';

/** A job as it is stored, sealed. */
export type StoredJob = {
  readonly kind: string;
  readonly id: string;
  readonly value: string;
  /** How often its step has failed in a row. */
  readonly failures: number;
  /** How many times its step was begun without ending, which is how often the process died in it. */
  readonly begun: number;
};

/**
 * How many steps begin in one turn of the event loop, so that other work gets its turn. How many run is not bounded: a
 * step that waits for Slack would keep others from asking the service, which has a bound of its own.
 */
const AT_ONCE = 20;
/** How soon what a full disk refused is tried again. Milliseconds. */
const TRY_AGAIN_MS = 1_000;
/** The longest that a timer of Node runs; one that is set for longer goes off at once. Milliseconds. */
const LONGEST_MS = 2 ** 31 - 1;

const JOB = 'SELECT kind, id, value, failures, begun FROM jobs';
const CUT_OFF = `${JOB} WHERE kind = ? AND begun > 0 ORDER BY begun`;
const UNPARK = 'UPDATE jobs SET due = ? WHERE kind = ? AND due IS NULL';
const LEAVE_OFF = 'UPDATE jobs SET begun = max(0, begun - 1) WHERE kind = ? AND id = ?';

function nameOf({ kind, id }: Pick<StoredJob, 'kind' | 'id'>): string {
  return `${kind} ${id}`;
}

function storedIn(row: Record<string, SQLOutputValue>): StoredJob {
  const { kind, id, value, failures, begun } = row;
  return {
    kind: String(kind),
    id: String(id),
    value: String(value),
    failures: Number(failures),
    begun: Number(begun),
  };
}

/**
 * Begins the steps of stored jobs when they are due. Jobs stay in the file until then: memory holds only those that take
 * a step.
 */
export class Scheduler {
  readonly #statements: Statements;
  readonly #onError: (error: unknown, jobId: string | undefined) => void;
  /** What begins a step, by the kind of job; a kind that was not started has none. */
  readonly #kinds = new Map<string, (stored: StoredJob) => void>();
  readonly #running = new Map<string, Promise<void>>();
  /** Jobs in whose step the process died, which wait for their turn. */
  readonly #cutOff = new Set<string>();
  /** Jobs whose next step begins right after the present one. */
  readonly #woken = new Set<string>();
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(statements: Statements, onError: (error: unknown, jobId: string | undefined) => void) {
    this.#statements = statements;
    this.#onError = onError;
  }

  /** Aborts at the stop. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Waits until what a full disk refused may be tried again; false at the stop. */
  tryAgain(): Promise<boolean> {
    return delay(TRY_AGAIN_MS, true, { signal: this.signal }).catch(() => false);
  }

  /** From now on `take` begins the steps of this kind, those that a death has cut off one after another. */
  start(kind: string, take: (stored: StoredJob) => void): void {
    this.#kinds.set(kind, take);
    this.#statements.run(UNPARK, this.#statements.now(), kind);
    const cutOff = this.#statements.all(CUT_OFF, kind).map(storedIn);
    for (const stored of cutOff) this.#cutOff.add(nameOf(stored));
    void this.#takeInTurn(cutOff);
    this.#lookIn(0);
  }

  /** Begins a step, unless the job takes one already or the queue was stopped. `work` does not throw. */
  begin(job: Pick<StoredJob, 'kind' | 'id'>, work: () => Promise<void>): void {
    const name = nameOf(job);
    // A step that the stop keeps from beginning is not one in which the process died.
    if (this.signal.aborted || this.#running.has(name)) return;
    const running = work().then(() => {
      this.#running.delete(name);
      if (this.#woken.delete(name)) this.wake(job);
      this.#lookIn(0);
    });
    this.#running.set(name, running);
  }

  /** Begins a job's next step now, or right after the present one. */
  wake(job: Pick<StoredJob, 'kind' | 'id'>): void {
    const name = nameOf(job);
    if (this.#running.has(name) || this.#cutOff.has(name)) this.#woken.add(name);
    else this.#attempt(() => this.#takeNow(job));
  }

  async stop(ms: number): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await inTime(ms, Promise.allSettled(this.#running.values()));
    for (const name of this.#running.keys()) {
      const [kind = '', id = ''] = name.split(' ');
      this.leaveOff({ kind, id });
    }
  }

  /** Takes back that a step was begun: the stop, and no death, keeps it from ending. */
  leaveOff({ kind, id }: Pick<StoredJob, 'kind' | 'id'>): void {
    this.#attempt(() => this.#statements.run(LEAVE_OFF, kind, id));
  }

  #takeNow({ kind, id }: Pick<StoredJob, 'kind' | 'id'>): void {
    const row = this.#statements.get(`${JOB} WHERE kind = ? AND id = ?`, kind, id);
    if (row !== undefined) this.#kinds.get(kind)?.(storedIn(row));
  }

  #attempt(work: () => unknown): void {
    try {
      work();
    } catch (error) {
      this.#onError(error, undefined);
    }
  }

  async #takeInTurn(cutOff: readonly StoredJob[]): Promise<void> {
    for (const stored of cutOff) {
      const name = nameOf(stored);
      this.#cutOff.delete(name);
      this.#attempt(() => this.#kinds.get(stored.kind)?.(stored));
      await this.#running.get(name);
    }
  }

  #lookIn(ms: number): void {
    if (this.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), Math.min(Math.max(0, ms), LONGEST_MS));
  }

  /** Begins what is due, some of it in each turn. */
  #look(): void {
    try {
      const moment = this.#statements.now();
      const due = this.#due(moment);
      for (const stored of due) this.#kinds.get(stored.kind)?.(stored);
      // The same time as before: a job that became due since would be in neither result.
      const next = due.length === AT_ONCE ? moment : this.#nextDue(moment);
      if (next !== undefined) this.#lookIn(next - this.#statements.now());
    } catch (error) {
      this.#onError(error, undefined);
      this.#lookIn(TRY_AGAIN_MS);
    }
  }

  /** Jobs that are due and idle, the longest overdue first. */
  #due(moment: number): StoredJob[] {
    const DUE = `${JOB} WHERE due <= ? AND begun = 0 AND ${this.#isStarted()} ORDER BY due`;
    const due = this.#statements.iterate(DUE, moment).map(storedIn);
    // Where the store failed, a job that takes a step may still be listed as due.
    const isIdle = (name: string) => !this.#running.has(name) && !this.#cutOff.has(name);
    return due
      .filter((stored) => isIdle(nameOf(stored)))
      .take(AT_ONCE)
      .toArray();
  }

  /** When the first job that is not yet due at `moment` becomes due; undefined if there is none. */
  #nextDue(moment: number): number | undefined {
    const NEXT = `SELECT min(due) AS due FROM jobs WHERE due > ? AND begun = 0 AND ${this.#isStarted()}`;
    const due = this.#statements.get(NEXT, moment)?.due;
    return typeof due === 'number' ? due : undefined;
  }

  #isStarted(): string {
    return `kind IN (${[...this.#kinds.keys()].map((kind) => `'${kind}'`).join(', ')})`;
  }
}
