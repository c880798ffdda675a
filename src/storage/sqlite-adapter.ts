import { EventEmitter } from 'node:events';
import type { DatabaseSync } from 'node:sqlite';
import type { KeyvStoreAdapter, StoredData } from 'keyv';

/** Keyv's store interface on `node:sqlite`: one namespace of the embedded file. Values are text. */
export class SqliteAdapter extends EventEmitter implements KeyvStoreAdapter {
  readonly opts = { dialect: 'sqlite' };
  readonly namespace: string;
  readonly #database: DatabaseSync;
  readonly #now: () => number;

  constructor(database: DatabaseSync, namespace: string, now: () => number) {
    super();
    this.#database = database;
    this.namespace = namespace;
    this.#now = now;
  }

  async get<Value>(key: string): Promise<StoredData<Value> | undefined> {
    const row = this.#database
      .prepare('SELECT value FROM kept WHERE namespace = ? AND key = ? AND (expires IS NULL OR expires > ?)')
      .get(this.namespace, key, this.#now());
    // Keyv deserializes whatever text a store gives it; its type speaks of the value after that.
    return row?.value as StoredData<Value> | undefined;
  }

  async set(key: string, value: string, ttl?: number): Promise<void> {
    this.#database
      .prepare('INSERT OR REPLACE INTO kept (namespace, key, value, expires) VALUES (?, ?, ?, ?)')
      .run(this.namespace, key, value, ttl === undefined ? null : this.#now() + ttl);
  }

  async delete(key: string): Promise<boolean> {
    const { changes } = this.#database
      .prepare('DELETE FROM kept WHERE namespace = ? AND key = ?')
      .run(this.namespace, key);
    return changes > 0;
  }

  async clear(): Promise<void> {
    this.#database.prepare('DELETE FROM kept WHERE namespace = ?').run(this.namespace);
  }

  async *iterator<Value>(): AsyncGenerator<[string, Awaited<Value> | undefined], void> {
    const rows = this.#database
      .prepare('SELECT key, value FROM kept WHERE namespace = ? AND (expires IS NULL OR expires > ?)')
      .all(this.namespace, this.#now());
    for (const row of rows) yield [String(row.key), row.value as Awaited<Value>];
  }
}
