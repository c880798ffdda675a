import type { DatabaseSync } from 'node:sqlite';
import { JOB_VERSION, jobFrom } from '../../lookups/stored-job.ts';
import {
  EARLIER_LEASES,
  EARLIER_LOOKUPS,
  EARLIER_NAMES,
  EARLIER_VERSION,
} from '../backend/earlier-release.ts';
import { SealBroken, type Sealer } from '../sealing/sealer.ts';
import type { StoredNames } from '../sealing/stored-names.ts';

type Row = {
  readonly namespace: string;
  readonly key: string;
  readonly value: string;
  readonly expires: number | null;
};
type Moving = { readonly database: DatabaseSync; readonly sealer: Sealer; readonly names: StoredNames };

/**
 * Moves the rows of version 0.1 into the present tables, in one transaction. Rows that no present key decrypts stay
 * where they are, for a start with their key; caches are dropped.
 */
export function moveEarlierRows(moving: Moving): void {
  const { database } = moving;
  const remove = database.prepare('DELETE FROM kept WHERE namespace = ? AND key = ?');
  database.exec('BEGIN IMMEDIATE');
  try {
    for (const row of database.prepare('SELECT namespace, key, value, expires FROM kept').all()) {
      const { namespace, key } = row as Row;
      if (isMoved(moving, row as Row)) remove.run(namespace, key);
    }
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

function isMoved(moving: Moving, row: Row): boolean {
  const { database, names } = moving;
  if (row.namespace === EARLIER_LEASES) {
    database
      .prepare('INSERT OR IGNORE INTO leases (name, expires) VALUES (?, ?)')
      .run(names.of('leases', row.key), row.expires);
    return true;
  }
  try {
    const { value } = JSON.parse(moving.sealer.openEarlier(row.value));
    if (row.namespace === EARLIER_LOOKUPS) moveLookup(moving, row.key, value);
    else moveValue(moving, row, value);
    return true;
  } catch (error) {
    if (error instanceof SealBroken) return false;
    throw error;
  }
}

function moveLookup({ database, sealer }: Moving, id: string, value: unknown): void {
  const job = jobFrom(EARLIER_VERSION, value);
  const sealed = sealer.seal(JSON.stringify({ version: JOB_VERSION, job }), `lookups\0${id}`);
  database
    .prepare('INSERT OR IGNORE INTO lookups (id, accepted, value, due, failures) VALUES (?, ?, ?, 0, 0)')
    .run(id, job.acceptedAt, sealed);
}

function moveValue(
  { database, sealer, names }: Moving,
  { namespace, key, expires }: Row,
  value: unknown,
): void {
  for (const [name, earlierName] of Object.entries(EARLIER_NAMES)) {
    if (earlierName !== namespace) continue;
    const stored = names.of(name, key);
    const envelope = { key, version: EARLIER_VERSION, value };
    database
      .prepare('INSERT OR IGNORE INTO entries (namespace, name, value, expires) VALUES (?, ?, ?, ?)')
      .run(name, stored, sealer.seal(JSON.stringify(envelope), `${name}\0${stored}`), expires);
  }
}
