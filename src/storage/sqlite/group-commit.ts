import type { DatabaseSync, StatementSync } from 'node:sqlite';

type Group = {
  readonly committed: Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
  /** How many writes share its transaction. */
  writes: number;
};

/** Milliseconds. */
const PAUSE_MS = 2;
/** How much later it has to be until the time is noted again. Milliseconds. */
const NOTED_EVERY_MS = 1_000;

/**
 * Writes of one turn of the event loop share a transaction, because a commit costs far more than a row; under load, the
 * writes of two milliseconds share one. Later statements see each write at once; its promise settles when the
 * transaction is committed. If one write fails, all of them fail and none is stored.
 *
 * The time is noted with what is written: if the process dies, and the clock is behind that time at the next start, the
 * times in the file are not believed to be further ahead than they were.
 */
export class GroupCommit {
  readonly #database: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #note: StatementSync;
  readonly #now: () => number;
  #noted = 0;
  readonly #pauseMs: number;
  #group: Group | undefined;
  /** The last commit: when it was (milliseconds of `performance.now()`), and how many writes it held. */
  #last = { at: 0, writes: 0 };

  /**
   * `now` gives epoch milliseconds, of a clock that never goes back. `pauseMs`: the least time between two commits under
   * load; 0 where time stands still.
   */
  constructor(database: DatabaseSync, now: () => number, pauseMs = PAUSE_MS) {
    this.#database = database;
    this.#now = now;
    this.#note = database.prepare('INSERT OR REPLACE INTO clock (one, at) VALUES (1, ?)');
    this.#pauseMs = pauseMs;
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
  }

  /** Runs statements that write; resolves with their result when it is committed. Throws what SQLite throws. */
  async write<T>(statements: () => T): Promise<T> {
    const group = this.#group ?? this.#open();
    group.writes += 1;
    const value = this.#attempt(group, statements);
    await group.committed;
    return value;
  }

  /** Commits the open transaction, if any, at once. */
  flush(): void {
    const group = this.#group;
    if (group === undefined) return;
    this.#group = undefined;
    this.#last = { at: performance.now(), writes: group.writes };
    try {
      this.#noteTime();
      this.#commit.run();
      group.resolve();
    } catch (error) {
      this.#rollBack(group, error);
    }
  }

  #noteTime(): void {
    const now = this.#now();
    if (now - this.#noted < NOTED_EVERY_MS) return;
    this.#note.run(now);
    this.#noted = now;
  }

  #open(): Group {
    this.#begin.run();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // Each writer gets the error from its own promise; this one may have no handler.
    promise.catch(() => {});
    const group = { committed: promise, resolve, reject, writes: 0 };
    this.#group = group;
    const flush = () => {
      if (this.#group === group) this.flush();
    };
    if (this.#isUnderLoad()) setTimeout(flush, this.#pauseMs);
    else setImmediate(flush);
    return group;
  }

  /** Whether several writers shared the last commit, a moment ago. One who writes alone does not wait for others. */
  #isUnderLoad(): boolean {
    return this.#last.writes > 1 && performance.now() - this.#last.at < this.#pauseMs;
  }

  #attempt<T>(group: Group, statements: () => T): T {
    try {
      return statements();
    } catch (error) {
      this.#rollBack(group, error);
      throw error;
    }
  }

  #rollBack(group: Group, error: unknown): void {
    this.#group = undefined;
    // After severe errors such as a full disk, SQLite has rolled back already.
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
    group.reject(error);
  }
}
