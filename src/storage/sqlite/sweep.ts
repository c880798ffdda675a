import type { DatabaseSync } from 'node:sqlite';

const EXPIRING = ['entries', 'leases', 'kept'] as const;

/** Deletes what expired before `now` (epoch ms). It is never read again: sweeping only gives its space back. */
export function sweep(database: DatabaseSync, now: number): void {
  for (const table of EXPIRING) database.prepare(`DELETE FROM ${table} WHERE expires <= ?`).run(now);
}
