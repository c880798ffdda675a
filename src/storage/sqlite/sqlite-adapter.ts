import { EventEmitter } from 'node:events';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { KeyvStoreAdapter, StoredData } from 'keyv';
import type { GroupCommit } from './group-commit.ts';

/** The statements on stored values, prepared once for all namespaces. */
export class EntryStatements {
  readonly get: StatementSync;
  readonly set: StatementSync;
  readonly delete: StatementSync;
  readonly clear: StatementSync;
  readonly all: StatementSync;

  constructor(database: DatabaseSync) {
    const live = '(expires IS NULL OR expires > ?)';
    this.get = database.prepare(`SELECT value FROM entries WHERE namespace = ? AND name = ? AND ${live}`);
    this.set = database.prepare(
      'INSERT OR REPLACE INTO entries (namespace, name, value, expires) VALUES (?, ?, ?, ?)',
    );
    this.delete = database.prepare('DELETE FROM entries WHERE namespace = ? AND name = ?');
    this.clear = database.prepare('DELETE FROM entries WHERE namespace = ?');
    this.all = database.prepare(`SELECT name, value FROM entries WHERE namespace = ? AND ${live}`);
  }
}

export type SqliteAdapterOptions = {
  readonly statements: EntryStatements;
  readonly commits: GroupCommit;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** Keyv's store interface on `node:sqlite`, for one namespace of the embedded file. Values are text. */
export class SqliteAdapter extends EventEmitter implements KeyvStoreAdapter {
  readonly opts = { dialect: 'sqlite' };
  /** Keyv sets it, too. */
  namespace: string;
  readonly #options: SqliteAdapterOptions;

  constructor(namespace: string, options: SqliteAdapterOptions) {
    super();
    this.namespace = namespace;
    this.#options = options;
  }

  async get<Value>(name: string): Promise<StoredData<Value> | undefined> {
    const { statements, now } = this.#options;
    const row = statements.get.get(this.namespace, name, now());
    // The text that was set; Keyv's type parameter is the type of the value in it.
    return row?.value as StoredData<Value> | undefined;
  }

  async set(name: string, value: string, ttl?: number): Promise<void> {
    const { statements, commits, now } = this.#options;
    const expires = ttl === undefined ? null : now() + ttl;
    await commits.write(() => statements.set.run(this.namespace, name, value, expires));
  }

  async delete(name: string): Promise<boolean> {
    const { statements, commits } = this.#options;
    const { changes } = await commits.write(() => statements.delete.run(this.namespace, name));
    return Number(changes) > 0;
  }

  async clear(): Promise<void> {
    const { statements, commits } = this.#options;
    await commits.write(() => statements.clear.run(this.namespace));
  }

  async *iterator<Value>(): AsyncGenerator<[string, Awaited<Value> | undefined], void> {
    const { statements, now } = this.#options;
    const rows = statements.all.all(this.namespace, now());
    for (const row of rows) yield [String(row.name), row.value as Awaited<Value>];
  }
}
