import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/** How much later it has to be until the time is noted again. Milliseconds. */
const NOTED_EVERY_MS = 1_000;
const NOTE = 'INSERT OR REPLACE INTO clock (one, at) VALUES (1, ?)';

/**
 * The statements of the embedded file, each prepared once. They throw what SQLite throws. `now` is epoch milliseconds, of
 * a clock that never goes back.
 *
 * The time is noted with what is written: if the process dies, and the clock is behind that time at the next start, the
 * times in the file are not believed to be further ahead than they were.
 */
export function statementsOf(database: DatabaseSync, now: () => number) {
  const prepared = new Map<string, StatementSync>();
  let noted = 0;
  const of = (sql: string) => {
    const statement = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
  return {
    now,
    get: (sql: string, ...values: SQLInputValue[]) => of(sql).get(...values),
    iterate: (sql: string, ...values: SQLInputValue[]) => of(sql).iterate(...values),
    all: (sql: string, ...values: SQLInputValue[]) => of(sql).all(...values),
    /** Writes, and gives how many rows that changed. */
    run: (sql: string, ...values: SQLInputValue[]): number => {
      const present = now();
      if (present - noted >= NOTED_EVERY_MS) {
        of(NOTE).run(present);
        noted = present;
      }
      return Number(of(sql).run(...values).changes);
    },
  };
}
export type Statements = ReturnType<typeof statementsOf>;
