import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { NOTE_TIME } from './sqlite-file.ts';

/** How much later it has to be until the time is noted again. Milliseconds. */
const NOTED_EVERY_MS = 1_000;

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
  const run = (sql: string, ...values: SQLInputValue[]): number => {
    const present = now();
    if (present - noted >= NOTED_EVERY_MS) {
      of(NOTE_TIME).run(present);
      noted = present;
    }
    return Number(of(sql).run(...values).changes);
  };
  const turns = turnsOf(database, of);
  const together = (work: () => number): number => {
    of('SAVEPOINT together').run();
    try {
      return work();
    } catch (error) {
      // On a full disk SQLite may have undone the whole turn.
      if (database.isTransaction) of('ROLLBACK TO together').run();
      throw error;
    } finally {
      if (database.isTransaction) of('RELEASE together').run();
    }
  };
  return {
    now,
    get: (sql: string, ...values: SQLInputValue[]) => of(sql).get(...values),
    iterate: (sql: string, ...values: SQLInputValue[]) => of(sql).iterate(...values),
    all: (sql: string, ...values: SQLInputValue[]) => of(sql).all(...values),
    /** Writes at once, or with the turn that is open, and gives how many rows that changed. */
    run,
    /** The same, with one commit for all that is written in a turn of the event loop. Resolves when that has been made. */
    write: (sql: string, ...values: SQLInputValue[]) => turns.join(() => run(sql, ...values)),
    /** The same for several writes of `work`, which are all made or none; resolves with what it gives. */
    writeTogether: (work: () => number) => turns.join(() => together(work)),
    settled: turns.settled,
  };
}
export type Statements = ReturnType<typeof statementsOf>;

/**
 * One commit for all that is written in a turn of the event loop. On a full disk SQLite may undo the whole transaction:
 * then all of that fails, and what comes after it begins anew.
 */
function turnsOf(database: DatabaseSync, prepared: (sql: string) => StatementSync) {
  let turn: PromiseWithResolvers<void> | undefined;
  const settle = (settled: PromiseWithResolvers<void>) => {
    if (turn !== settled) return settled.reject(new Error('SQLite has undone what was written in this turn'));
    turn = undefined;
    try {
      prepared('COMMIT').run();
      settled.resolve();
    } catch (error) {
      if (database.isTransaction) prepared('ROLLBACK').run();
      settled.reject(error);
    }
  };
  const begin = (): PromiseWithResolvers<void> => {
    prepared('BEGIN').run();
    const begun = Promise.withResolvers<void>();
    // Each writer hears of a failure; a turn whose only write failed has none.
    begun.promise.catch(() => {});
    setImmediate(settle, begun);
    return begun;
  };
  return {
    /** Writes with the present turn; resolves when that is committed. */
    join: async (write: () => number): Promise<number> => {
      if (turn === undefined || !database.isTransaction) turn = begin();
      const { promise } = turn;
      const changes = write();
      await promise;
      return changes;
    },
    /** Resolves when nothing waits for a commit. */
    settled: () => turn?.promise.catch(() => {}),
  };
}
