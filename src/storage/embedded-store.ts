import type { DatabaseSync } from 'node:sqlite';
import type { Kept, Store } from '../core/store.ts';
import { type OnLost, SealedKept } from './sealed-kept.ts';
import type { Sealer } from './sealing.ts';
import { SqliteAdapter } from './sqlite-adapter.ts';
import { SqliteClaims } from './sqlite-claims.ts';

const SWEEP_MS = 60_000;

/** The store without a Redis: one SQLite file, one process. */
export class EmbeddedStore implements Store {
  readonly claims: SqliteClaims;
  readonly #database: DatabaseSync;
  readonly #sealer: Sealer;
  readonly #onLost: OnLost;
  readonly #now: () => number;
  readonly #sweeper: NodeJS.Timeout;

  constructor(database: DatabaseSync, options: { sealer: Sealer; onLost: OnLost; now: () => number }) {
    this.#database = database;
    this.#sealer = options.sealer;
    this.#onLost = options.onLost;
    this.#now = options.now;
    this.claims = new SqliteClaims(database, options.now);
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_MS);
    this.#sweeper.unref();
  }

  kept<Value>(namespace: string): Kept<Value> {
    return new SealedKept<Value>(
      new SqliteAdapter(this.#database, namespace, this.#now),
      this.#sealer,
      this.#onLost,
    );
  }

  async check(): Promise<void> {
    await this.claims.hold('self-test', 1);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    this.#database.close();
  }

  /** Expired rows are never read again; sweeping only gives their space back, so a failure can wait. */
  #sweep(): void {
    try {
      this.#database.prepare('DELETE FROM kept WHERE expires <= ?').run(this.#now());
    } catch {}
  }
}
