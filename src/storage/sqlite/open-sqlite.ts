import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Follow, Job } from '../../lookups/queue.ts';
import { KEY_FILE, KeyFileUnusable, makeKeyFile, readKeyFile, Sealer } from '../backend/sealing.ts';
import { type Storage, type StorageContext, storageReports } from '../backend/storage.ts';
import { DataDirUnusable, FILE_NAME, openSqliteFile, SUFFIXES, statementsOn } from './sqlite-file.ts';
import { SqliteQueue } from './sqlite-queue.ts';
import { sqliteStore } from './sqlite-store.ts';

/** The storage of one process, in one file of its data directory. Throws `DataDirUnusable` and `KeyFileUnusable`. */
export function openSqlite(
  dataDir: string,
  stateKeys: readonly Uint8Array[],
  context: StorageContext,
): Storage {
  const database = openSqliteFile(dataDir);
  try {
    const { now } = context;
    const reports = storageReports(context);
    const sealer = sealerOf(database, dataDir, stateKeys, context);
    const parts = { statements: statementsOn(database), sealer, now, reports };
    const queue = new SqliteQueue<Job>('lookup', parts);
    const follows = new SqliteQueue<Follow>('follow', parts);
    return {
      store: sqliteStore(database, { ...parts, onUnreadable: reports.unreadable }),
      queue,
      follows,
      jobs: { stop: async (ms) => void (await Promise.all([queue.stop(ms), follows.stop(ms)])) },
      unopened: reports.unopened,
      now,
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

const SEALED = `
  SELECT 1 FROM entries WHERE value <> '' AND (expires IS NULL OR expires > ?) UNION ALL SELECT 1 FROM jobs LIMIT 1`;

/**
 * Has the keys of STATE_KEY, then the one of the key file, which is made if there is no key and nothing is sealed: a new
 * key over sealed values would seal what comes, and be in the way of the old one.
 */
function sealerOf(
  database: DatabaseSync,
  dataDir: string,
  stateKeys: readonly Uint8Array[],
  { logger, now }: StorageContext,
): Sealer {
  const own = readKeyFile(dataDir);
  const [first, ...others] = own === undefined ? stateKeys : [...stateKeys, own];
  if (first !== undefined) return new Sealer([first, ...others]);
  if (database.prepare(SEALED).get(now()) !== undefined)
    throw new KeyFileUnusable(
      join(dataDir, KEY_FILE),
      'is missing, and what is stored was sealed with a key',
    );
  const { key, file } = makeKeyFile(dataDir);
  logger.info({ file }, 'no STATE_KEY: made a key file that only this user can read; keep it with the data');
  return new Sealer([key]);
}

/**
 * Deletes the files of a data directory that no process uses, unread and without a key, and the key file; then begins
 * anew. Gives a line for each. Throws `DataDirUnusable`, and then nothing was deleted.
 */
export function deleteAllIn(dataDir: string): string[] {
  try {
    openSqliteFile(dataDir).close();
  } catch (error) {
    if (!(error instanceof DataDirUnusable && error.why === 'is damaged')) throw error;
  }
  const files = [...SUFFIXES.map((suffix) => FILE_NAME + suffix), KEY_FILE].map((name) =>
    join(dataDir, name),
  );
  const present = files.filter((file) => existsSync(file));
  for (const file of present) rmSync(file);
  openSqliteFile(dataDir).close();
  return present.map((file) => `${file}: removed`);
}
