import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync, statfsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CannotStart } from '../../core/errors.ts';

/** The version of the tables; the values in them have versions of their own (`core/store.ts`). */
export const SCHEMA_VERSION = 3;
/**
 * Creates the tables that a file lacks. `clock` holds the time at which the file was last written to, swept or closed: its
 * times are of a clock that never goes back.
 */
export const SCHEMA = `
  CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS entries (
    namespace TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, expires INTEGER,
    PRIMARY KEY (namespace, name)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS entries_expires ON entries (expires) WHERE expires IS NOT NULL;
  CREATE TABLE IF NOT EXISTS clock (one INTEGER PRIMARY KEY CHECK (one = 1), at INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS leases (name TEXT PRIMARY KEY, expires INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS deliveries (name TEXT PRIMARY KEY, expires INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS jobs (
    kind TEXT NOT NULL, id TEXT NOT NULL, accepted INTEGER NOT NULL, value TEXT NOT NULL, due INTEGER,
    failures INTEGER NOT NULL, begun INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (kind, id)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS jobs_due ON jobs (begun, due) WHERE due IS NOT NULL;
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

export const FILE_NAME = 'snapshot-bot.sqlite';
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
/** How the names of damaged files begin that were set aside. */
export const SET_ASIDE = `${FILE_NAME}.damaged-`;
/** SQLite's own files beside the database. */
const SUFFIXES = ['', '-wal', '-shm'];

/** Why a data directory can't be used, and what to do. A newer file can't be read here, and it may hold open lookups. */
const UNUSABLE = {
  'is in use by another process':
    'stop that one, give this one a DATA_DIR of its own, or set REDIS_URL to share one store',
  'cannot be written to': 'check that it exists, belongs to this user and has space',
  'was written by a newer version of the bot': 'run that version, or give this one a DATA_DIR of its own',
};

/** The data directory or its file can't be used by this process. */
export class DataDirUnusable extends CannotStart {
  constructor(path: string, what: keyof typeof UNUSABLE, options?: ErrorOptions) {
    super('DATA_DIR', `${path} ${what}`, UNUSABLE[what], options);
  }
}

/**
 * In WAL mode without a sync at each commit, a commit survives kill -9; a power loss may lose the last moment but never
 * corrupts the file. Syncs would make many simultaneous commands miss Slack's three seconds. The exclusive lock lasts
 * as long as the process.
 */
const PREPARE = `
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
`;
/**
 * The commit that fills so many pages of the log (16 MB) also copies them into the file and syncs both, which holds the
 * event loop for as long: four times as rarely as by default.
 */
const LOG_PAGES = 4_000;
const PAGE_BYTES = 4_096;
/** On a small volume the log takes this part of the free space: as much again may go into the file, and half is spare. */
const LOG_SHARE = 1 / 4;
const DAMAGE_REPAIR =
  'restore it from a backup, or let the next start of the bot set it aside and begin anew; npm run forget -- --all deletes it';
/** https://www.sqlite.org/rescode.html, the primary codes. */
const BUSY = [5, 6];
const DAMAGED = [11, 26];

/**
 * Opens or creates the embedded file of a data directory for this process alone. A damaged file is renamed, and
 * `onDamaged` is called with its new name; without one it is left as it is, and this throws. Throws
 * `DataDirUnusable`.
 */
export function openSqliteFile(
  dataDir: string,
  onDamaged: ((setAside: string) => void) | undefined,
  freeBytes = freeBytesOf,
): DatabaseSync {
  const file = join(dataDir, FILE_NAME);
  const openBounded = () => {
    makePrivate(dataDir, file);
    return open(file, Math.min(LOG_PAGES, Math.ceil((freeBytes(dataDir) * LOG_SHARE) / PAGE_BYTES)));
  };
  try {
    return openBounded();
  } catch (error) {
    if (error instanceof DataDirUnusable) throw error;
    const code = primaryCode(error);
    if (BUSY.includes(code))
      throw new DataDirUnusable(file, 'is in use by another process', { cause: error });
    if (!DAMAGED.includes(code)) throw new DataDirUnusable(dataDir, 'cannot be written to', { cause: error });
    if (onDamaged === undefined) throw new Error(`${file} is damaged: ${DAMAGE_REPAIR}`, { cause: error });
    onDamaged(setAside(file));
    return openBounded();
  }
}

/** How many bytes a user without privileges can still write into a folder. */
export function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/**
 * Makes a new folder and the file readable for this user alone, whatever the umask; SQLite gives its other files the
 * same mode.
 */
function makePrivate(dataDir: string, file: string): void {
  const isNew = !existsSync(dataDir);
  makeFolder(resolve(dataDir));
  // The mode of a folder that existed before is its owner's choice.
  if (isNew) chmodSync(dataDir, PRIVATE_FOLDER);
  closeSync(openSync(file, 'a', PRIVATE_FILE));
  for (const suffix of SUFFIXES) {
    if (existsSync(file + suffix)) chmodSync(file + suffix, PRIVATE_FILE);
  }
}

/**
 * Node's recursive `mkdir` never returns if the system answers ENOENT for a folder whose parent exists, as below /proc.
 */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: PRIVATE_FOLDER });
}

function open(file: string, logPages: number): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 500 });
  try {
    database.exec(`${PREPARE} PRAGMA wal_autocheckpoint = ${Math.max(1, logPages)};`);
    const check = database.prepare('PRAGMA quick_check(1)').get();
    if (check?.quick_check !== 'ok') throw new Damage(String(check?.quick_check));
    const version = database.prepare('PRAGMA user_version').get()?.user_version;
    if (Number(version) > SCHEMA_VERSION)
      throw new DataDirUnusable(file, 'was written by a newer version of the bot');
    // Nothing has been written to the file before this check, so that it can be rescued or opened by its own release.
    database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT;`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The last time that was noted in the file, in epoch milliseconds; 0 for a new file. */
export function lastTimeIn(database: DatabaseSync): number {
  return Number(database.prepare('SELECT at FROM clock').get()?.at ?? 0);
}

/** Notes a time (epoch milliseconds): a next process, whose clock may be behind it, goes on from there. */
export const NOTE_TIME = 'INSERT OR REPLACE INTO clock (one, at) VALUES (1, ?)';

/** Leases under which work is done are shorter; longer ones remember that something was done. Milliseconds. */
const LONGEST_WORK_MS = 60_000;

/**
 * Has the leases under which work is done end so much later, because the clock jumped ahead at `time`: the process that
 * holds one, or a next one that knows nothing of it, may rely on how long it lasts. The time after the jump is noted with
 * them: a next process on a clock that is right again would wait for them that much longer. Throws what SQLite throws.
 */
export function prolongLeases(database: DatabaseSync, ms: number, time: number): void {
  const PROLONG = 'UPDATE leases SET expires = expires + ? WHERE expires BETWEEN ? AND ?';
  database.exec('SAVEPOINT jump');
  try {
    database.prepare(PROLONG).run(Math.round(ms), Math.floor(time), Math.ceil(time + LONGEST_WORK_MS));
    database.prepare(NOTE_TIME).run(time + ms);
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK TO jump');
    throw error;
  } finally {
    if (database.isTransaction) database.exec('RELEASE jump');
  }
}

/** The result of SQLite's own check, which finds damage that reading may not touch. */
class Damage extends Error {
  readonly errcode = 11;
}

function primaryCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
}

function setAside(file: string): string {
  const target = `${dirname(file)}/${SET_ASIDE}${new Date().toISOString().replaceAll(':', '-')}`;
  for (const suffix of SUFFIXES) {
    if (existsSync(file + suffix)) renameSync(file + suffix, target + suffix);
  }
  return target;
}
