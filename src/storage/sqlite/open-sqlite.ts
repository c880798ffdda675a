import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Logger } from 'pino';
import type { Follow, Job } from '../../lookups/queue.ts';
import { Sealer } from '../backend/sealing.ts';
import {
  type SqliteSettings,
  type Storage,
  type StorageContext,
  storageReports,
} from '../backend/storage.ts';
import { DataDirUnusable, FILE_NAME, openSqliteFile, SUFFIXES, statementsOn } from './sqlite-file.ts';
import { SqliteQueue } from './sqlite-queue.ts';
import { sqliteStore } from './sqlite-store.ts';

/** Opens the storage of a single process: one file in its data directory. Throws `DataDirUnusable`. */
export function openSqlite(settings: SqliteSettings, context: StorageContext): Storage {
  const database = openSqliteFile(settings.dataDir);
  try {
    const { now } = context;
    const reports = storageReports(context);
    const sealer = sealerOf(database, settings, context.logger);
    const parts = { statements: statementsOn(database), sealer, now, reports };
    const queue = new SqliteQueue<Job>('lookup', parts);
    const follows = new SqliteQueue<Follow>('follow', parts);
    return {
      store: sqliteStore(database, parts),
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

/** The file with the key of a data directory, in the format that `openssl rand -base64 32` prints. */
const KEY_FILE = 'state.key';
const KEY_TEXT = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;
const OWNER_ONLY = 0o600;
const OTHERS = 0o077;

function keyIn(file: string): Uint8Array | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if ((found.mode & OTHERS) !== 0) throw new DataDirUnusable(file, 'can be read by others');
  const text = found.isFile() ? readFileSync(file, 'utf8').trim() : '';
  if (!KEY_TEXT.test(text)) throw new DataDirUnusable(file, 'holds no key (32 bytes in base64)');
  return Buffer.from(text, 'base64');
}

const SEALED = "SELECT 1 FROM entries WHERE value <> '' UNION ALL SELECT 1 FROM jobs LIMIT 1";

/**
 * The sealer with the keys of STATE_KEY and of the key file. Without a key, creates a key file, or throws if there is
 * encrypted data: a new key would hide that its key was lost.
 */
function sealerOf(database: DatabaseSync, { dataDir, stateKeys }: SqliteSettings, logger: Logger): Sealer {
  const file = join(dataDir, KEY_FILE);
  const own = keyIn(file);
  const [first, ...others] = own === undefined ? stateKeys : [...stateKeys, own];
  if (first !== undefined) return new Sealer([first, ...others]);
  if (database.prepare(SEALED).get() !== undefined)
    throw new DataDirUnusable(file, 'is missing, and what is stored was sealed with a key');
  const key = randomBytes(32);
  writeFileSync(file, `${key.toString('base64')}\n`, { mode: OWNER_ONLY, flag: 'wx' });
  logger.info({ file }, 'no STATE_KEY: made a key file that only this user can read; keep it with the data');
  return new Sealer([key]);
}

/**
 * Deletes all files of a data directory, including the key file; needs no key, and also deletes damaged files. Then
 * creates an empty database. Returns a line for each file. Throws `DataDirUnusable` before it deletes anything, for
 * example if a process is using the files.
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
