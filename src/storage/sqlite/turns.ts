import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/** Under load, a commit follows the last one at the earliest after this: it costs as much as several writes. Milliseconds. */
const COMMITS_APART_MS = 2;

/** The statements of the embedded file, each prepared once. They throw what SQLite throws. */
function statementsOf(database: DatabaseSync) {
  const prepared = new Map<string, StatementSync>();
  const of = (sql: string) => {
    const statement = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
  return {
    get: (sql: string, ...values: SQLInputValue[]) => of(sql).get(...values),
    all: (sql: string, ...values: SQLInputValue[]) => of(sql).all(...values),
    /** Runs a statement inside `write`; gives how many rows it changed. */
    run: (sql: string, ...values: SQLInputValue[]) => Number(of(sql).run(...values).changes),
  };
}

/** The embedded file with one commit for all that is written in a turn of the event loop. */
export function turnsOn(database: DatabaseSync) {
  const statements = statementsOf(database);
  let turn: PromiseWithResolvers<void> | undefined;
  let committedAt = 0;
  const begin = (): PromiseWithResolvers<void> => {
    statements.run('BEGIN');
    const begun = Promise.withResolvers<void>();
    // Each writer hears of a failure.
    begun.promise.catch(() => {});
    const isUnderLoad = performance.now() - committedAt < COMMITS_APART_MS;
    if (isUnderLoad) setTimeout(commit, COMMITS_APART_MS, begun);
    else setImmediate(commit, begun);
    return begun;
  };
  const commit = (begun: PromiseWithResolvers<void>) => {
    if (turn !== begun) return;
    try {
      statements.run('COMMIT');
      committedAt = performance.now();
      turn = undefined;
      begun.resolve();
    } catch (error) {
      undo(error);
    }
  };
  const undo = (error: unknown) => {
    turn?.reject(error);
    turn = undefined;
    // On a full disk SQLite may have done it by itself.
    if (database.isTransaction) statements.run('ROLLBACK');
  };
  const write = async <T>(work: () => T): Promise<T> => {
    turn ??= begin();
    const { promise } = turn;
    try {
      const outcome = work();
      await promise;
      return outcome;
    } catch (error) {
      // Of `work`: the turn is still open.
      if (turn?.promise === promise) undo(error);
      throw error;
    }
  };
  return {
    ...statements,
    /**
     * Does some writes, and resolves with what `work` gives once they are committed. If one fails, nothing is stored that
     * was written in the same turn.
     */
    write,
  };
}
export type Turns = ReturnType<typeof turnsOn>;
