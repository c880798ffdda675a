import type { DatabaseSync } from 'node:sqlite';

const EXPIRING = ['entries', 'leases', 'kept'] as const;

/** Notes the time, for a start after which the clock is behind it, and deletes rows that expired before `now` (epoch ms). They are never read again: sweeping only frees their space. */
export function sweep(database: DatabaseSync, now: number): void {
  database.prepare('INSERT OR REPLACE INTO clock (one, at) VALUES (1, ?)').run(now);
  for (const table of EXPIRING) database.prepare(`DELETE FROM ${table} WHERE expires <= ?`).run(now);
}
