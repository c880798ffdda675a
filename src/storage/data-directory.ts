import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Logger } from 'pino';
import { CannotStart } from '../core/faults.ts';
import type { Keys } from './sealing.ts';

/** The version of the tables. The values in them have their own versions (`core/store.ts`). */
const SCHEMA_VERSION = 5;
/**
 * An entry without a value is the id of a delivery. `due`: when the next step of a job is due, 0 while a step runs.
 * `attempts`: how often the current step began without ending.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS entries (
    namespace TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, expires INTEGER,
    PRIMARY KEY (namespace, name)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS entries_expires ON entries (expires) WHERE expires IS NOT NULL;
  CREATE TABLE IF NOT EXISTS jobs (
    kind TEXT NOT NULL, id TEXT NOT NULL, accepted INTEGER NOT NULL, value TEXT NOT NULL, due INTEGER NOT NULL,
    failures INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL, PRIMARY KEY (kind, id)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS jobs_due ON jobs (kind, due);
  CREATE INDEX IF NOT EXISTS jobs_accepted ON jobs (kind, accepted);
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

export const FILE_NAME = 'snapshot-bot.sqlite';
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
/** The suffixes of the database and of SQLite's own files beside it. */
const SUFFIXES = ['', '-wal', '-shm'];

const UNUSABLE = {
  'is in use by another process':
    'stop that one, give this one a DATA_DIR of its own, or set REDIS_URL to share one store',
  'cannot be written to': 'check that it exists, belongs to this user and has space',
  'is damaged':
    'restore it from a backup, or delete it with npm run forget -- --all: open lookups then get no answer',
  // Does not suggest deleting the file, because it may contain open lookups.
  'was written by another version of the bot': 'run that version, or give this one a DATA_DIR of its own',
};
const KEY_UNUSABLE = {
  'holds no key (32 bytes in base64)': 'restore it, or remove it together with the data that it sealed',
  'can’t be read by this user': 'run chown on {file}: it must belong to the user that runs the bot',
  'can be read by others':
    'run chmod 600 {file}; if somebody may have read it, set STATE_KEY to a new key as well: what the file sealed still opens',
  'is missing, and what is stored was sealed with a key':
    'restore it from the backup of DATA_DIR, or set STATE_KEY to the key that it had; if no copy is left, delete everything with npm run forget -- --all',
};
const REPAIRS = { ...UNUSABLE, ...KEY_UNUSABLE };
type Why = keyof typeof REPAIRS;

/** This process can't use the data directory, or a file in it. */
export class DataDirUnusable extends CannotStart {
  readonly why: Why;
  constructor(path: string, why: Why, options?: ErrorOptions) {
    const repair = REPAIRS[why].replace('{file}', path);
    super(why in KEY_UNUSABLE ? 'STATE_KEY' : 'DATA_DIR', `${path} ${why}`, repair, options);
    this.why = why;
  }
}

/**
 * In WAL mode without a sync at each commit, a commit survives kill -9. A power failure may lose the latest commits but
 * never corrupts the file. With syncs, many simultaneous commands would miss Slack's three seconds. The exclusive lock
 * lasts as long as the process. A checkpoint blocks the event loop, so it runs only every 4,000 pages (16 MB).
 */
const PREPARE = `
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA wal_autocheckpoint = 4000;
`;
/** SQLite's primary result codes (https://www.sqlite.org/rescode.html). */
const WHY: Readonly<Record<number, Why>> = {
  5: 'is in use by another process',
  6: 'is in use by another process',
  11: 'is damaged',
  26: 'is damaged',
};

/** Opens or creates the database of a data directory, for this process only. Throws `DataDirUnusable`. */
export function openDatabase(dataDir: string): DatabaseSync {
  const file = join(dataDir, FILE_NAME);
  try {
    mkdirSync(dataDir, { recursive: true, mode: PRIVATE_FOLDER });
    // SQLite copies the mode of this file to its other files. Files from a backup may have another mode.
    closeSync(openSync(file, 'a', PRIVATE_FILE));
    for (const name of SUFFIXES.map((suffix) => file + suffix))
      if (existsSync(name)) chmodSync(name, PRIVATE_FILE);
    return open(file);
  } catch (error) {
    if (error instanceof DataDirUnusable) throw error;
    const why = WHY[Number(Reflect.get(Object(error), 'errcode')) & 0xff];
    throw new DataDirUnusable(why ? file : dataDir, why ?? 'cannot be written to', { cause: error });
  }
}

function open(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 500 });
  try {
    database.exec(PREPARE);
    const { quick_check: check } = database.prepare('PRAGMA quick_check(1)').get() ?? {};
    if (check !== 'ok') throw new DataDirUnusable(file, 'is damaged', { cause: check });
    // Checked before anything is written, so that the right version of the bot can still open the file.
    const { user_version: version } = database.prepare('PRAGMA user_version').get() ?? {};
    if (version !== 0 && version !== SCHEMA_VERSION)
      throw new DataDirUnusable(file, 'was written by another version of the bot');
    database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT;`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The file with the key of a data directory, in the format that `openssl rand -base64 32` prints. */
const KEY_FILE = 'state.key';
const KEY_TEXT = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;
const OTHERS = 0o077;

function keyIn(file: string): Uint8Array | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if ((found.mode & OTHERS) !== 0) throw new DataDirUnusable(file, 'can be read by others');
  const text = found.isFile() ? textOf(file).trim() : '';
  if (!KEY_TEXT.test(text)) throw new DataDirUnusable(file, 'holds no key (32 bytes in base64)');
  return Buffer.from(text, 'base64');
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new DataDirUnusable(file, 'can’t be read by this user', { cause: error });
  }
}

const SEALED = "SELECT 1 FROM entries WHERE value <> '' UNION ALL SELECT 1 FROM jobs LIMIT 1";

/**
 * The keys of STATE_KEY and of the key file. Without a key, creates a key file, or throws `DataDirUnusable` if there is
 * encrypted data: a new key would hide that its key was lost.
 */
export function keysIn(
  dataDir: string,
  stateKeys: readonly Uint8Array[],
  database: DatabaseSync,
  logger: Logger,
): Keys {
  const file = join(dataDir, KEY_FILE);
  const own = keyIn(file);
  const [first, ...others] = own === undefined ? stateKeys : [...stateKeys, own];
  if (first !== undefined) return [first, ...others];
  if (database.prepare(SEALED).get() !== undefined)
    throw new DataDirUnusable(file, 'is missing, and what is stored was sealed with a key');
  const key = randomBytes(32);
  writeFileSync(file, `${key.toString('base64')}\n`, { mode: PRIVATE_FILE, flag: 'wx' });
  logger.info({ file }, 'no STATE_KEY: made a key file that only this user can read; keep it with the data');
  return [key];
}

/**
 * Deletes all files of a data directory, including the key file; needs no key, and also deletes damaged files. Then
 * creates an empty database. Returns a line for each file. Throws `DataDirUnusable` before it deletes anything, for
 * example if a process is using the files.
 */
export function deleteAllIn(dataDir: string): string[] {
  try {
    openDatabase(dataDir).close();
  } catch (error) {
    if (!(error instanceof DataDirUnusable && error.why === 'is damaged')) throw error;
  }
  const files = [...SUFFIXES.map((suffix) => FILE_NAME + suffix), KEY_FILE].map((name) =>
    join(dataDir, name),
  );
  const present = files.filter((file) => existsSync(file));
  for (const file of present) rmSync(file);
  openDatabase(dataDir).close();
  return present.map((file) => `${file}: removed`);
}
