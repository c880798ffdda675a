import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { KeyvOptions } from 'keyv';
import { leasesInMemory } from '../core/lease.ts';
import { orStorageFailed, type Store } from '../core/store.ts';
import { namespacesOn, type ValuesContext } from './sealed-values.ts';

/** The shortest time between two commits, because a commit costs as much as several writes. Milliseconds. */
const COMMITS_APART_MS = 2;

/** Prepares each statement once, and joins writes that arrive at about the same time into one commit. */
export function statementsOn(database: DatabaseSync) {
  const prepared = new Map<string, StatementSync>();
  const statement = (sql: string) => {
    const known = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, known);
    return known;
  };
  type Write = { readonly make: () => () => void; readonly reject: (error: unknown) => void };
  const waiting: Write[] = [];
  let committedAt = 0;
  const commit = () => {
    const writes = waiting.splice(0);
    try {
      statement('BEGIN').run();
      const made = writes.map(({ make }) => make());
      statement('COMMIT').run();
      committedAt = performance.now();
      for (const resolve of made) resolve();
    } catch (error) {
      // On a full disk, SQLite may already have rolled back.
      if (database.isOpen && database.isTransaction) statement('ROLLBACK').run();
      for (const { reject } of writes) reject(error);
    }
  };
  return {
    get: (sql: string, ...values: SQLInputValue[]) => statement(sql).get(...values),
    all: (sql: string, ...values: SQLInputValue[]) => statement(sql).all(...values),
    /** Runs a statement inside `write`; returns how many rows it changed. */
    run: (sql: string, ...values: SQLInputValue[]) => Number(statement(sql).run(...values).changes),
    /**
     * Runs `work` in the next commit, and resolves with its outcome after the commit. If one write fails, the whole
     * commit is rolled back, and every caller gets the error.
     */
    write: <T>(work: () => T): Promise<T> => {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const isSoon = performance.now() - committedAt < COMMITS_APART_MS;
      if (waiting.length === 0) isSoon ? setTimeout(commit, COMMITS_APART_MS) : setImmediate(commit);
      const make = () => {
        const outcome = work();
        return () => resolve(outcome);
      };
      waiting.push({ make, reject });
      return promise;
    },
  };
}
type Statements = ReturnType<typeof statementsOn>;

const SWEEP_MS = 60_000;
const EVERYTHING = ['DELETE FROM entries', 'DELETE FROM jobs'];

/** `now`: returns the current time in epoch milliseconds. */
export type SqliteParts = { readonly statements: Statements; readonly now: () => number };

/** The store without Redis: one SQLite file for one process. */
export function sqliteStore(database: DatabaseSync, parts: SqliteParts & Omit<ValuesContext, 'ask'>): Store {
  const { write, run } = parts.statements;
  const sweep = () =>
    write(() => run('DELETE FROM entries WHERE expires <= ?', parts.now()))
      // A failure, for example because of a full disk, is left to the next sweep.
      .catch(() => {});
  const sweeper = setInterval(sweep, SWEEP_MS).unref();
  const tryWrite = () => {
    run(SET, 'self-test', '', '', 0);
    run(DELETE, 'self-test', '');
  };
  return {
    leases: leasesInMemory(),
    isShared: false,
    namespace: namespacesOn({ ...parts, ask: orStorageFailed }, (name) => keyvStore(name, parts)),
    check: () => orStorageFailed(() => write(tryWrite)),
    clear: () => orStorageFailed(() => write(() => void EVERYTHING.map((sql) => run(sql)))),
    close: async () => {
      clearInterval(sweeper);
      await sweep();
      database.close();
    },
  };
}

const SET = 'INSERT OR REPLACE INTO entries (namespace, name, value, expires) VALUES (?, ?, ?, ?)';
const DELETE = 'DELETE FROM entries WHERE namespace = ? AND name = ?';
const IS_LIVE = '(expires IS NULL OR expires > ?)';
const GET = `SELECT value FROM entries WHERE namespace = ? AND name = ? AND ${IS_LIVE}`;
const ALL = `SELECT name, value FROM entries WHERE namespace = ? AND ${IS_LIVE}`;

/** One kind of values in the SQLite file, as a store for Keyv. */
function keyvStore(
  namespace: string,
  { statements: { run, get, all, write }, now }: SqliteParts,
): KeyvOptions {
  const store = {
    /** Keyv only uses the iterator of stores with a known dialect. */
    opts: { dialect: 'sqlite' },
    namespace,
    get: async (key: string) => get(GET, namespace, key, now())?.value,
    set: (key: string, text: string, ttlMs?: number) =>
      write(() => run(SET, namespace, key, text, ttlMs === undefined ? null : now() + ttlMs) > 0),
    delete: (key: string) => write(() => run(DELETE, namespace, key) > 0),
    clear: () => write(() => run('DELETE FROM entries WHERE namespace = ?', namespace)),
    iterator: async function* () {
      for (const { name, value } of all(ALL, namespace, now())) yield [name, value];
    },
  };
  return { store, namespace };
}
