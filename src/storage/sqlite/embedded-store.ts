import type { DatabaseSync } from 'node:sqlite';
import { Mutex } from '../../core/mutex.ts';
import type { NamespaceName } from '../../core/namespaces.ts';
import { orStorageFailed } from '../../core/or-storage-failed.ts';
import type { Namespace, Store } from '../../core/store.ts';
import { type SealedContext, SealedValues } from '../backend/sealed-values.ts';
import type { StoredNames } from '../sealing/stored-names.ts';
import type { GroupCommit } from './group-commit.ts';
import { EntryStatements, SqliteAdapter, type SqliteAdapterOptions } from './sqlite-adapter.ts';
import { SqliteLeases } from './sqlite-leases.ts';

const SWEEP_MS = 60_000;
const CLEAR = 'DELETE FROM entries; DELETE FROM leases; DELETE FROM lookups; DELETE FROM reminders;';

type EmbeddedStoreOptions = Omit<SealedContext, 'names'> & {
  readonly names: StoredNames;
  readonly commits: GroupCommit;
  /** Epoch milliseconds, of a clock that never goes back. */
  readonly now: () => number;
};

/** The store without a Redis: one SQLite file, one process. */
export class EmbeddedStore implements Store {
  readonly leases: SqliteLeases;
  readonly mutex = new Mutex();
  readonly #database: DatabaseSync;
  readonly #options: EmbeddedStoreOptions;
  readonly #adapting: SqliteAdapterOptions;
  readonly #sweeper: NodeJS.Timeout;

  constructor(database: DatabaseSync, options: EmbeddedStoreOptions) {
    const { commits, now } = options;
    this.#database = database;
    this.#options = options;
    this.leases = new SqliteLeases(database, options);
    this.#adapting = { statements: new EntryStatements(database), commits, now };
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_MS);
    this.#sweeper.unref();
  }

  namespace<Value>(name: NamespaceName): Namespace<Value> {
    const { sealer, names, onUnreadable } = this.#options;
    const context = { sealer, names: async () => names, onUnreadable };
    return new SealedValues<Value>(
      name,
      { store: new SqliteAdapter(name, this.#adapting), namespace: name },
      context,
    );
  }

  async check(): Promise<void> {
    await this.leases.hold('self-test', 1);
  }

  async clear(): Promise<void> {
    await orStorageFailed(() => this.#options.commits.write(() => this.#database.exec(CLEAR)));
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    this.#options.commits.flush();
    this.#sweep();
    this.#database.close();
  }

  /** A sweep that fails, for example on a full disk, is made up for by the next. */
  #sweep(): void {
    try {
      sweep(this.#database, this.#options.now());
    } catch {}
  }
}

const EXPIRING = ['entries', 'leases'] as const;

/**
 * Notes the time, for a start after which the clock is behind it, and deletes rows that expired before `now` (epoch ms).
 * They are never read again: sweeping only frees their space.
 */
export function sweep(database: DatabaseSync, now: number): void {
  database.prepare('INSERT OR REPLACE INTO clock (one, at) VALUES (1, ?)').run(now);
  for (const table of EXPIRING) database.prepare(`DELETE FROM ${table} WHERE expires <= ?`).run(now);
}
