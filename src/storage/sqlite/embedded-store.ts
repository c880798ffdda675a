import { EventEmitter } from 'node:events';
import type { DatabaseSync } from 'node:sqlite';
import type { KeyvStoreAdapter, StoredData } from 'keyv';
import type { Leases } from '../../core/lease.ts';
import { Mutex } from '../../core/mutex.ts';
import type { NamespaceName } from '../../core/namespaces.ts';
import type { Namespace, Store } from '../../core/store.ts';
import { orStorageFailed } from '../../core/store.ts';
import { type SealedContext, SealedValues } from '../backend/sealed-values.ts';
import type { StoredNames } from '../sealing/stored-names.ts';
import type { Statements } from './statements.ts';

const SWEEP_MS = 60_000;
const CLEAR = 'BEGIN; DELETE FROM entries; DELETE FROM leases; DELETE FROM jobs; COMMIT;';
const EXPIRING = ['entries', 'leases'] as const;

type EmbeddedStoreOptions = Omit<SealedContext, 'names'> & {
  readonly names: StoredNames;
  readonly statements: Statements;
};

/** The store without a Redis: one SQLite file, one process. */
export class EmbeddedStore implements Store {
  readonly leases: Leases;
  readonly mutex = new Mutex();
  readonly #database: DatabaseSync;
  readonly #options: EmbeddedStoreOptions;
  readonly #sweeper: NodeJS.Timeout;

  constructor(database: DatabaseSync, options: EmbeddedStoreOptions) {
    this.#database = database;
    this.#options = options;
    this.leases = leasesIn(options);
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_MS);
    this.#sweeper.unref();
  }

  namespace<Value>(name: NamespaceName): Namespace<Value> {
    const { statements, sealer, names, onUnreadable } = this.#options;
    const context = { sealer, names: async () => names, onUnreadable };
    const store = new SqliteAdapter(name, statements);
    return new SealedValues<Value>(name, { store, namespace: name }, context);
  }

  async check(): Promise<void> {
    await this.leases.hold('self-test', 1);
  }

  async clear(): Promise<void> {
    await orStorageFailed(() => {
      try {
        this.#database.exec(CLEAR);
      } finally {
        if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      }
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    this.#sweep();
    this.#database.close();
  }

  /** A sweep that fails, for example on a full disk, is made up for by the next. */
  #sweep(): void {
    try {
      sweep(this.#database, this.#options.statements.now());
    } catch {}
  }
}

/**
 * Notes the time, for a start after which the clock is behind it, and deletes rows that expired before `now` (epoch ms).
 * They are never read again: sweeping only frees their space.
 */
export function sweep(database: DatabaseSync, now: number): void {
  database.prepare('INSERT OR REPLACE INTO clock (one, at) VALUES (1, ?)').run(now);
  for (const table of EXPIRING) database.prepare(`DELETE FROM ${table} WHERE expires <= ?`).run(now);
}

/** Leases in the embedded file: they survive a restart, as the ten seconds after a 202 must. All are this process's. */
function leasesIn({ names, statements }: EmbeddedStoreOptions): Leases {
  const { now } = statements;
  const stored = (name: string) => names.of('leases', name);
  const run = (...given: Parameters<Statements['run']>) => orStorageFailed(() => statements.run(...given));
  const ACQUIRE = `
    INSERT INTO leases (name, expires) VALUES (?, ?)
    ON CONFLICT DO UPDATE SET expires = excluded.expires WHERE leases.expires <= ?`;
  return {
    acquire: async (name, ms) => (await run(ACQUIRE, stored(name), now() + ms, now())) > 0,
    hold: async (name, ms) =>
      void (await run(
        'INSERT OR REPLACE INTO leases (name, expires) VALUES (?, ?)',
        stored(name),
        now() + ms,
      )),
    renew: async (name, ms) => {
      const renewed = 'UPDATE leases SET expires = ? WHERE name = ? AND expires > ?';
      return (await run(renewed, now() + ms, stored(name), now())) > 0;
    },
    release: async (name) => void (await run('DELETE FROM leases WHERE name = ?', stored(name))),
    ttl: (name) =>
      orStorageFailed(() => {
        const row = statements.get('SELECT expires FROM leases WHERE name = ?', stored(name));
        return Math.max(0, Number(row?.expires ?? 0) - now());
      }),
  };
}

const LIVE = '(expires IS NULL OR expires > ?)';

/** Keyv's store interface on `node:sqlite`, for one namespace of the embedded file. Values are text. */
export class SqliteAdapter extends EventEmitter implements KeyvStoreAdapter {
  readonly opts = { dialect: 'sqlite' };
  /** Keyv sets it, too. */
  namespace: string;
  readonly #statements: Statements;

  constructor(namespace: string, statements: Statements) {
    super();
    this.namespace = namespace;
    this.#statements = statements;
  }

  async get<Value>(name: string): Promise<StoredData<Value> | undefined> {
    const GET = `SELECT value FROM entries WHERE namespace = ? AND name = ? AND ${LIVE}`;
    const row = this.#statements.get(GET, this.namespace, name, this.#statements.now());
    // The text that was set; Keyv's type parameter is the type of the value in it.
    return row?.value as StoredData<Value> | undefined;
  }

  async set(name: string, value: string, ttl?: number): Promise<void> {
    const SET = 'INSERT OR REPLACE INTO entries (namespace, name, value, expires) VALUES (?, ?, ?, ?)';
    const expires = ttl === undefined ? null : this.#statements.now() + ttl;
    this.#statements.run(SET, this.namespace, name, value, expires);
  }

  async delete(name: string): Promise<boolean> {
    return (
      this.#statements.run('DELETE FROM entries WHERE namespace = ? AND name = ?', this.namespace, name) > 0
    );
  }

  async clear(): Promise<void> {
    this.#statements.run('DELETE FROM entries WHERE namespace = ?', this.namespace);
  }

  async *iterator<Value>(): AsyncGenerator<[string, Awaited<Value> | undefined], void> {
    const ALL = `SELECT name, value FROM entries WHERE namespace = ? AND ${LIVE}`;
    const rows = this.#statements.all(ALL, this.namespace, this.#statements.now());
    for (const row of rows) yield [String(row.name), row.value as Awaited<Value>];
  }
}
