import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { CannotStart } from '../../core/errors.ts';

/** The version of the tables; the values in them have versions of their own (`core/store.ts`). */
const SCHEMA_VERSION = 5;
/**
 * An entry without a value is a name that is taken, for a lease for example. `attempts` counts how often the step of a job
 * was begun without an end.
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
/** SQLite's own files beside the database. */
export const SUFFIXES = ['', '-wal', '-shm'];

const UNUSABLE = {
  'is in use by another process':
    'stop that one, give this one a DATA_DIR of its own, or set REDIS_URL to share one store',
  'cannot be written to': 'check that it exists, belongs to this user and has space',
  'is damaged':
    'restore it from a backup, or delete it with npm run forget -- --all: open lookups then get no answer',
  // It may hold open lookups.
  'was written by another version of the bot': 'run that version, or give this one a DATA_DIR of its own',
};
const KEY_UNUSABLE = {
  'holds no key (32 bytes in base64)': 'restore it, or remove it together with the data that it sealed',
  'can be read by others':
    'run chmod 600 {file}; if somebody may have read it, set STATE_KEY to a new key as well: what the file sealed still opens',
  'is missing, and what is stored was sealed with a key':
    'restore it from the backup of DATA_DIR, or set STATE_KEY to the key that it had; if no copy is left, delete everything with npm run forget -- --all',
};
const REPAIRS = { ...UNUSABLE, ...KEY_UNUSABLE };
type Why = keyof typeof REPAIRS;

/** The data directory, its file or its key file can't be used by this process. */
export class DataDirUnusable extends CannotStart {
  readonly why: Why;
  constructor(path: string, why: Why, options?: ErrorOptions) {
    const repair = REPAIRS[why].replace('{file}', path);
    super(why in KEY_UNUSABLE ? 'STATE_KEY' : 'DATA_DIR', `${path} ${why}`, repair, options);
    this.why = why;
  }
}

/**
 * In WAL mode without a sync at each commit, a commit survives kill -9; a power loss may lose the last moment but never
 * corrupts the file. Syncs would make many simultaneous commands miss Slack's three seconds. The exclusive lock lasts as
 * long as the process. Every 4,000 pages (16 MB) the log is copied into the file, which blocks the event loop.
 */
const PREPARE = `
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA wal_autocheckpoint = 4000;
`;
/** https://www.sqlite.org/rescode.html, the primary codes. */
const WHY: Readonly<Record<number, Why>> = {
  5: 'is in use by another process',
  6: 'is in use by another process',
  11: 'is damaged',
  26: 'is damaged',
};

/** Opens or creates the embedded file of a data directory for this process alone. Throws `DataDirUnusable`. */
export function openSqliteFile(dataDir: string): DatabaseSync {
  const file = join(dataDir, FILE_NAME);
  try {
    mkdirSync(dataDir, { recursive: true, mode: PRIVATE_FOLDER });
    // SQLite gives its other files the mode of this one. Copies from a backup may have lost it.
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
    // Nothing has been written to the file yet: it can still be rescued, or opened by its own version.
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

/** The least time between two commits: a commit costs as much as several writes. Milliseconds. */
const COMMITS_APART_MS = 4;

/** Statements on the embedded file, each prepared once, and one commit for all that is written in a turn of the event loop. */
export function statementsOn(database: DatabaseSync) {
  const prepared = new Map<string, StatementSync>();
  const statement = (sql: string) => {
    const known = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, known);
    return known;
  };
  type Write = { readonly make: () => () => void; readonly reject: (error: unknown) => void };
  const waiting: Write[] = [];
  let committedAt = 0;
  const commit = () => {
    const writes = waiting.splice(0);
    try {
      statement('BEGIN').run();
      const made = writes.map(({ make }) => make());
      statement('COMMIT').run();
      committedAt = performance.now();
      for (const resolve of made) resolve();
    } catch (error) {
      // On a full disk SQLite may have rolled back by itself.
      if (database.isOpen && database.isTransaction) statement('ROLLBACK').run();
      for (const { reject } of writes) reject(error);
    }
  };
  return {
    get: (sql: string, ...values: SQLInputValue[]) => statement(sql).get(...values),
    all: (sql: string, ...values: SQLInputValue[]) => statement(sql).all(...values),
    /** Runs a statement inside `write`; gives how many rows it changed. */
    run: (sql: string, ...values: SQLInputValue[]) => Number(statement(sql).run(...values).changes),
    /**
     * Runs `work` in the next commit, and resolves with its outcome once that is committed. If a write fails, the whole
     * commit is rolled back, and each of its writers gets the error.
     */
    write: <T>(work: () => T): Promise<T> => {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const isSoon = performance.now() - committedAt < COMMITS_APART_MS;
      if (waiting.length === 0) isSoon ? setTimeout(commit, COMMITS_APART_MS) : setImmediate(commit);
      const make = () => {
        const outcome = work();
        return () => resolve(outcome);
      };
      waiting.push({ make, reject });
      return promise;
    },
  };
}
export type Statements = ReturnType<typeof statementsOn>;
