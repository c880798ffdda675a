import type { DatabaseSync } from 'node:sqlite';

const EXPIRING = ['entries', 'leases', 'kept'] as const;

/** Deletes rows that expired before `now` (epoch ms). They are never read again: sweeping only frees their space. */
export function sweep(database: DatabaseSync, now: number): void {
  for (const table of EXPIRING) database.prepare(`DELETE FROM ${table} WHERE expires <= ?`).run(now);
}
