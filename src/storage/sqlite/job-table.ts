import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { orStorageFailed } from '../../core/or-storage-failed.ts';
import type { AnyJob, JobFormat } from '../../lookups/queue.ts';
import type { Sealer } from '../sealing/sealer.ts';
import type { GroupCommit } from './group-commit.ts';

type JobTableOptions<J extends AnyJob> = {
  readonly format: JobFormat<J>;
  readonly sealer: Sealer;
  readonly commits: GroupCommit;
  readonly now: () => number;
};

/** A stored job. `job` throws if it cannot be decrypted, or if a newer release stored it. */
export type DueJob<J extends AnyJob> = {
  readonly id: string;
  readonly failures: number;
  /** How many times its step was begun without ending, which is how often the process died in it. */
  readonly begun: number;
  readonly job: () => J;
};

/**
 * The open jobs of one kind in the embedded file, sealed, each with the time (epoch ms) of its next step. One that can't be read
 * is parked: it stays without a time until the next start, which may have its key.
 */
export class JobTable<J extends AnyJob> {
  readonly #options: JobTableOptions<J>;
  readonly #add: StatementSync;
  readonly #putOff: StatementSync;
  readonly #save: StatementSync;
  readonly #begin: StatementSync;
  readonly #leaveOff: StatementSync;
  readonly #cutOff: StatementSync;
  readonly #delete: StatementSync;
  readonly #get: StatementSync;
  readonly #all: StatementSync;
  readonly #due: StatementSync;
  readonly #next: StatementSync;
  readonly #park: StatementSync;
  readonly #unpark: StatementSync;
  readonly #count: StatementSync;
  readonly #oldest: StatementSync;

  constructor(database: DatabaseSync, options: JobTableOptions<J>) {
    this.#options = options;
    const { name: table } = options.format;
    this.#add = database.prepare(
      `INSERT INTO ${table} (id, accepted, value, due, failures, begun) VALUES (?, ?, ?, ?, 0, ?)`,
    );
    this.#putOff = database.prepare(
      `UPDATE ${table} SET value = ?, due = ?, failures = ?, begun = 0 WHERE id = ?`,
    );
    this.#begin = database.prepare(`UPDATE ${table} SET begun = begun + 1 WHERE id = ?`);
    this.#leaveOff = database.prepare(`UPDATE ${table} SET begun = max(0, begun - 1) WHERE id = ?`);
    this.#cutOff = database.prepare(
      `SELECT id, value, failures, begun FROM ${table} WHERE begun > 0 AND due IS NOT NULL ORDER BY begun`,
    );
    this.#save = database.prepare(`UPDATE ${table} SET value = ? WHERE id = ?`);
    this.#delete = database.prepare(`DELETE FROM ${table} WHERE id = ?`);
    this.#get = database.prepare(`SELECT value, failures, begun FROM ${table} WHERE id = ?`);
    this.#all = database.prepare(`SELECT id, value FROM ${table}`);
    this.#due = database.prepare(
      `SELECT id, value, failures, begun FROM ${table} WHERE due <= ? AND begun = 0 ORDER BY due LIMIT ?`,
    );
    this.#next = database.prepare(`SELECT min(due) AS due FROM ${table} WHERE due > ?`);
    this.#park = database.prepare(`UPDATE ${table} SET due = NULL WHERE id = ?`);
    this.#unpark = database.prepare(`UPDATE ${table} SET due = ? WHERE due IS NULL`);
    this.#count = database.prepare(`SELECT count(*) AS open FROM ${table} WHERE due IS NOT NULL`);
    this.#oldest = database.prepare(`SELECT min(accepted) AS at FROM ${table} WHERE due IS NOT NULL`);
  }

  /** Stores a new job with the time when its first step is due. `begun` is 1 if that step begins at once. */
  async add(job: J, due: number, begun: 0 | 1 = 0): Promise<void> {
    await this.#write(() => this.#add.run(job.id, job.acceptedAt, this.#sealed(job), due, begun));
  }

  /**
   * Stores a job at the end of a step, with the time when its next one is due. False if it is not stored any more: what
   * was erased during the step stays erased.
   */
  async putOff(job: J, due: number, failures: number): Promise<boolean> {
    const { changes } = await this.#write(() => this.#putOff.run(this.#sealed(job), due, failures, job.id));
    return Number(changes) > 0;
  }

  /** Stores that a step begins; `putOff` and `delete` store its end. */
  async begin(id: string): Promise<void> {
    await this.#write(() => this.#begin.run(id));
  }

  /** Stores that the steps of these jobs did not end because their queue was stopped: nothing died. */
  async leaveOff(ids: Iterable<string>): Promise<void> {
    await this.#write(() => {
      for (const id of ids) this.#leaveOff.run(id);
    });
  }

  /** The jobs whose step began and did not end, those with the fewest deaths first. */
  cutOff(): Promise<DueJob<J>[]> {
    return orStorageFailed(() => this.#cutOff.all().map((row) => this.#taken(row)));
  }

  /** Stores a job in the middle of a step, without changing when it is due. */
  async save(job: J): Promise<void> {
    await this.#write(() => this.#save.run(this.#sealed(job), job.id));
  }

  async delete(id: string): Promise<void> {
    await this.#write(() => this.#delete.run(id));
  }

  async park(id: string): Promise<void> {
    await this.#write(() => this.#park.run(id));
  }

  async unparkAll(): Promise<void> {
    await this.#write(() => this.#unpark.run(this.#options.now()));
  }

  get(id: string): Promise<DueJob<J> | undefined> {
    return orStorageFailed(() => {
      const row = this.#get.get(id);
      return row === undefined ? undefined : this.#taken({ ...row, id });
    });
  }

  /** The jobs that are due at `moment` (epoch ms) and take no step, the longest overdue first, at most so many. */
  due(moment: number, most: number): Promise<DueJob<J>[]> {
    return orStorageFailed(() => this.#due.all(moment, most).map((row) => this.#taken(row)));
  }

  /** When the first job that is not yet due at `moment` becomes due; undefined if there is none. */
  async nextDue(moment: number): Promise<number | undefined> {
    const row = await orStorageFailed(() => this.#next.get(moment));
    return typeof row?.due === 'number' ? row.due : undefined;
  }

  async countOpen(): Promise<number> {
    const row = await orStorageFailed(() => this.#count.get());
    return Number(row?.open ?? 0);
  }

  /** When the oldest job was accepted, in epoch milliseconds; undefined if there is none. */
  async oldestAcceptedAt(): Promise<number | undefined> {
    const row = await orStorageFailed(() => this.#oldest.get());
    return typeof row?.at === 'number' ? row.at : undefined;
  }

  /** All jobs, due or not. */
  all(): Promise<DueJob<J>[]> {
    return orStorageFailed(() => this.#all.all().map((row) => this.#taken(row)));
  }

  #write<T>(statements: () => T): Promise<T> {
    return orStorageFailed(() => this.#options.commits.write(statements));
  }

  #sealed(job: J): string {
    const { format, sealer } = this.#options;
    return sealer.seal(JSON.stringify({ version: format.version, job }), this.#storedNameOf(job.id));
  }

  #taken({ id, value, failures, begun }: Record<string, unknown>): DueJob<J> {
    const name = String(id);
    return {
      id: name,
      failures: Number(failures ?? 0),
      begun: Number(begun ?? 0),
      job: () => {
        const { version, job } = JSON.parse(
          this.#options.sealer.open(String(value), this.#storedNameOf(name)),
        );
        return this.#options.format.read(version, job);
      },
    };
  }

  #storedNameOf(id: string): string {
    return `${this.#options.format.name}\0${id}`;
  }
}
