import { REMEMBERED_MS } from '../../core/lookup.ts';
import { orStorageFailed } from '../../core/store.ts';
import {
  type AnyJob,
  backOff,
  type JobKind,
  type JobQueue,
  type Jobs,
  type Processor,
} from '../../lookups/queue.ts';
import { type JobSeal, jobSeal } from '../backend/sealed-values.ts';
import type { AllNames, Sealer } from '../backend/sealer.ts';
import { Scheduler, type StoredJob } from './scheduler.ts';
import type { Statements } from './statements.ts';

type LocalJobsOptions = {
  readonly statements: Statements;
  readonly scheduler: Scheduler;
  readonly sealer: Sealer;
  readonly names: AllNames;
  /** The clock in whose time steps name when the next one is due; jobs are stored in the time of the statements. */
  readonly now: () => number;
  /** Called with failed steps, which are retried with a growing pause, and with unreadable jobs. */
  readonly onError: (error: unknown, jobId: string | undefined) => void;
};

const THIS = 'WHERE kind = ? AND id = ?';
const OPEN = 'FROM jobs WHERE kind = ? AND due IS NOT NULL';
const ADD = 'INSERT INTO jobs (kind, id, accepted, value, due, failures, begun) VALUES (?, ?, ?, ?, ?, 0, ?)';
const REMEMBER = `
  INSERT INTO deliveries (name, expires) VALUES (?, ?)
  ON CONFLICT DO UPDATE SET expires = excluded.expires WHERE deliveries.expires <= ?`;
const SAVE = `UPDATE jobs SET value = ? ${THIS}`;
const PUT_OFF = `UPDATE jobs SET value = ?, due = ?, failures = ?, begun = 0 ${THIS}`;

/**
 * The jobs of one kind in the embedded file. One that can't be read is parked: it stays without a time until the next
 * start, which may have its key. What is removed during a step stays removed.
 */
class LocalJobs<J extends AnyJob> implements JobQueue<J> {
  readonly #options: LocalJobsOptions;
  readonly #kind: JobKind;
  readonly #seal: JobSeal<J>;
  #processor: Processor<J> | undefined;

  constructor(kind: JobKind, options: LocalJobsOptions) {
    this.#options = options;
    this.#kind = kind;
    this.#seal = jobSeal(kind, options.sealer);
  }

  async add(job: J): Promise<boolean> {
    const { scheduler, statements } = this.#options;
    const begun = this.#processor === undefined ? 0 : 1;
    const row = [this.#kind, job.id, job.acceptedAt, this.#seal.seal(job), statements.now(), begun] as const;
    const { delivery } = job;
    const isNew = () => delivery === undefined || statements.run(REMEMBER, ...this.#remembered(delivery)) > 0;
    const added = await orStorageFailed(() =>
      statements.writeTogether(() => (isNew() ? statements.run(ADD, ...row) : 0)),
    );
    if (added > 0 && begun === 1) {
      if (scheduler.signal.aborted) scheduler.leaveOff({ kind: this.#kind, id: job.id });
      // A new lookup does not queue behind those that wait.
      else this.#begin(job, { failures: 0, begun: 0 });
    }
    return added > 0;
  }

  async remember(delivery: string): Promise<boolean> {
    return (await this.#run(REMEMBER, ...this.#remembered(delivery))) > 0;
  }

  async remembers(delivery: string): Promise<boolean> {
    const [name, , now] = this.#remembered(delivery);
    const KNOWN = 'SELECT 1 AS one FROM deliveries WHERE name = ? AND expires > ?';
    return (await this.#get(KNOWN, name, now)) !== undefined;
  }

  #remembered(delivery: string): readonly [name: string, expires: number, now: number] {
    const { names, statements } = this.#options;
    const now = statements.now();
    return [names[0]('deliveries', delivery), now + REMEMBERED_MS, now];
  }

  async find(id: string): Promise<J | undefined> {
    const row = await this.#get(`SELECT value FROM jobs ${THIS}`, this.#kind, id);
    return orStorageFailed(() => row && this.#seal.open(id, String(row.value)));
  }

  async wake(id: string): Promise<void> {
    this.#options.scheduler.wake({ kind: this.#kind, id });
  }

  async start(processor: Processor<J>): Promise<void> {
    this.#processor = processor;
    await orStorageFailed(() => this.#options.scheduler.start(this.#kind, (stored) => this.#take(stored)));
  }

  async *entries(): AsyncGenerator<J> {
    const { statements } = this.#options;
    const ALL = 'SELECT id, value FROM jobs WHERE kind = ?';
    for (const { id, value } of await orStorageFailed(() => statements.all(ALL, this.#kind))) {
      const job = this.#read(String(id), String(value));
      if (job !== undefined) yield job;
    }
  }

  async remove(id: string): Promise<void> {
    await this.#run(`DELETE FROM jobs ${THIS}`, this.#kind, id);
  }

  async countOpen(): Promise<number> {
    return Number((await this.#get(`SELECT count(*) AS open ${OPEN}`, this.#kind))?.open);
  }

  async oldestAcceptedAt(): Promise<number | undefined> {
    const row = await this.#get(`SELECT min(accepted) AS at ${OPEN}`, this.#kind);
    return typeof row?.at === 'number' ? row.at : undefined;
  }

  #run(...given: Parameters<Statements['write']>): Promise<number> {
    return orStorageFailed(() => this.#options.statements.write(...given));
  }

  #get(...given: Parameters<Statements['get']>) {
    return orStorageFailed(() => this.#options.statements.get(...given));
  }

  #read(id: string, sealed: string): J | undefined {
    try {
      return this.#seal.open(id, sealed);
    } catch (error) {
      this.#options.onError(error, id);
      return undefined;
    }
  }

  #take(stored: StoredJob): void {
    const { statements, onError } = this.#options;
    const { kind, id } = stored;
    const job = this.#read(id, stored.value);
    if (job === undefined) return void statements.run(`UPDATE jobs SET due = NULL ${THIS}`, kind, id);
    this.#begin(job, stored, () => {
      try {
        statements.run(`UPDATE jobs SET begun = begun + 1 ${THIS}`, kind, id);
      } catch (error) {
        onError(error, id);
      }
    });
  }

  #begin(job: J, before: Pick<StoredJob, 'failures' | 'begun'>, note = () => {}): void {
    this.#options.scheduler.begin({ kind: this.#kind, id: job.id }, () => {
      note();
      return this.#step(job, before);
    });
  }

  async #step(job: J, { failures, begun }: Pick<StoredJob, 'failures' | 'begun'>): Promise<void> {
    const { statements, now, onError } = this.#options;
    let latest = job;
    // Taken before the step: the clock may go back during it.
    const aheadMs = statements.now() - now();
    const save = async (saved: J) => {
      latest = saved;
      await this.#run(SAVE, this.#seal.seal(saved), this.#kind, job.id);
    };
    try {
      if (this.#processor === undefined) throw new Error('a job was begun before its kind was started');
      const step = await this.#processor(job, save, begun);
      await (step.done ? this.remove(job.id) : this.#putOff(step.job, step.at + aheadMs, 0));
    } catch (error) {
      onError(error, job.id);
      await this.#retry(latest, failures + 1);
    }
  }

  async #putOff(job: J, due: number, failures: number): Promise<void> {
    await this.#run(PUT_OFF, this.#seal.seal(job), due, failures, this.#kind, job.id);
  }

  /** Delays a failed step. While even the delay cannot be stored, the job waits in memory, and goes on once it can. */
  async #retry(job: J, failures: number): Promise<void> {
    const { statements, scheduler, onError } = this.#options;
    try {
      return await this.#putOff(job, statements.now() + backOff(failures), failures);
    } catch (error) {
      onError(error, job.id);
    }
    while (await scheduler.tryAgain()) {
      const isStored = this.#putOff(job, statements.now(), failures).then(() => true);
      if (await isStored.catch(() => false)) return;
    }
  }
}

/** The queue of one process. */
export function localQueue(
  statements: Statements,
  options: Pick<LocalJobsOptions, 'sealer' | 'names' | 'now' | 'onError'>,
): Jobs {
  const scheduler = new Scheduler(statements, options.onError);
  return {
    of: (kind) => new LocalJobs(kind, { ...options, statements, scheduler }),
    stop: (ms) => scheduler.stop(ms),
  };
}
