import type { DatabaseSync } from 'node:sqlite';
import { orStorageFailed } from '../core/failure.ts';
import type { Claims } from '../core/store.ts';

const NAMESPACE = 'claims';
const TAKE = `
  INSERT INTO kept (namespace, key, value, expires) VALUES (?, ?, '', ?)
  ON CONFLICT DO UPDATE SET expires = excluded.expires WHERE kept.expires <= ?`;
const HOLD = `INSERT OR REPLACE INTO kept (namespace, key, value, expires) VALUES (?, ?, '', ?)`;
const RELEASE = 'DELETE FROM kept WHERE namespace = ? AND key = ?';
const EXPIRES = 'SELECT expires FROM kept WHERE namespace = ? AND key = ?';

/** Claims in the embedded file: they hold through a restart, as the ten seconds after a 202 must. */
export class SqliteClaims implements Claims {
  readonly #database: DatabaseSync;
  readonly #now: () => number;

  constructor(database: DatabaseSync, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  take(name: string, ms: number): Promise<boolean> {
    const now = this.#now();
    return orStorageFailed(
      () => this.#database.prepare(TAKE).run(NAMESPACE, name, now + ms, now).changes > 0,
    );
  }

  async hold(name: string, ms: number): Promise<void> {
    await orStorageFailed(() => this.#database.prepare(HOLD).run(NAMESPACE, name, this.#now() + ms));
  }

  async release(name: string): Promise<void> {
    await orStorageFailed(() => this.#database.prepare(RELEASE).run(NAMESPACE, name));
  }

  async remaining(name: string): Promise<number> {
    const row = await orStorageFailed(() => this.#database.prepare(EXPIRES).get(NAMESPACE, name));
    return Math.max(0, Number(row?.expires ?? 0) - this.#now());
  }
}
