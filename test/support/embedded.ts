import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import type { Store } from '../../src/core/store.ts';
import { Sealer } from '../../src/storage/backend/sealer.ts';
import { sqliteBackend } from '../../src/storage/sqlite/open-sqlite.ts';
import { SCHEMA } from '../../src/storage/sqlite/sqlite-file.ts';

const SEALER = new Sealer([new Uint8Array(32).fill(1)]);

function inMemory(now: () => number) {
  const database = new DatabaseSync(':memory:');
  database.exec(SCHEMA);
  return { database, ...sqliteBackend(database, SEALER, { logger: pino({ level: 'silent' }), now }) };
}

/** The embedded store on a database in memory, for those who need no queue; it ends with the test's file. */
export function aStore(now: () => number = Date.now): Store {
  return inMemory(now).store;
}
