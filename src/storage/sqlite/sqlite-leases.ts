import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Leases } from '../../core/lease.ts';
import { orStorageFailed } from '../../core/or-storage-failed.ts';
import type { StoredNames } from '../sealing/stored-names.ts';
import type { GroupCommit } from './group-commit.ts';

const ACQUIRE = `
  INSERT INTO leases (name, expires) VALUES (?, ?)
  ON CONFLICT DO UPDATE SET expires = excluded.expires WHERE leases.expires <= ?`;

type SqliteLeasesOptions = {
  readonly commits: GroupCommit;
  readonly names: StoredNames;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** Leases in the embedded file: they survive a restart, as the ten seconds after a 202 must. */
export class SqliteLeases implements Leases {
  readonly #options: SqliteLeasesOptions;
  readonly #acquire: StatementSync;
  readonly #hold: StatementSync;
  readonly #renew: StatementSync;
  readonly #release: StatementSync;
  readonly #expires: StatementSync;

  constructor(database: DatabaseSync, options: SqliteLeasesOptions) {
    this.#options = options;
    this.#acquire = database.prepare(ACQUIRE);
    this.#hold = database.prepare('INSERT OR REPLACE INTO leases (name, expires) VALUES (?, ?)');
    this.#renew = database.prepare('UPDATE leases SET expires = ? WHERE name = ? AND expires > ?');
    this.#release = database.prepare('DELETE FROM leases WHERE name = ?');
    this.#expires = database.prepare('SELECT expires FROM leases WHERE name = ?');
  }

  async acquire(name: string, ms: number): Promise<boolean> {
    const now = this.#options.now();
    const { changes } = await this.#write(() => this.#acquire.run(this.#stored(name), now + ms, now));
    return Number(changes) > 0;
  }

  async hold(name: string, ms: number): Promise<void> {
    await this.#write(() => this.#hold.run(this.#stored(name), this.#options.now() + ms));
  }

  /** Every lease in the file is one of this process. */
  async renew(name: string, ms: number): Promise<boolean> {
    const now = this.#options.now();
    const { changes } = await this.#write(() => this.#renew.run(now + ms, this.#stored(name), now));
    return Number(changes) > 0;
  }

  async release(name: string): Promise<void> {
    await this.#write(() => this.#release.run(this.#stored(name)));
  }

  async ttl(name: string): Promise<number> {
    const row = await orStorageFailed(() => this.#expires.get(this.#stored(name)));
    return Math.max(0, Number(row?.expires ?? 0) - this.#options.now());
  }

  #write<T>(statements: () => T): Promise<T> {
    return orStorageFailed(() => this.#options.commits.write(statements));
  }

  #stored(name: string): string {
    return this.#options.names.of('leases', name);
  }
}
