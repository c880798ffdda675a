import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';

type Row = Record<string, SQLOutputValue>;

/** How much later it has to be until the time is noted again. Milliseconds. */
const NOTED_EVERY_MS = 1_000;
const NOTE = 'INSERT OR REPLACE INTO clock (one, at) VALUES (1, ?)';

/**
 * The statements of the embedded file, each prepared once. They throw what SQLite throws.
 *
 * The time is noted with what is written: if the process dies, and the clock is behind that time at the next start, the
 * times in the file are not believed to be further ahead than they were.
 */
export class Statements {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();
  #noted = 0;
  /** Epoch milliseconds, of a clock that never goes back. */
  readonly now: () => number;

  constructor(database: DatabaseSync, now: () => number) {
    this.#database = database;
    this.now = now;
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#of(sql).get(...values);
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#of(sql).all(...values);
  }

  /** Writes, and gives how many rows that changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    const now = this.now();
    if (now - this.#noted >= NOTED_EVERY_MS) {
      this.#of(NOTE).run(now);
      this.#noted = now;
    }
    return Number(this.#of(sql).run(...values).changes);
  }

  #of(sql: string): StatementSync {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#prepared.set(sql, statement);
    return statement;
  }
}
