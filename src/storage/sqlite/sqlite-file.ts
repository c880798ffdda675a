import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { CannotStart } from '../../core/errors.ts';

/** The version of the tables; the values in them have versions of their own (`core/store.ts`). */
const SCHEMA_VERSION = 4;
/**
 * An entry without a value is a name that is taken, for a lease for example. A job without a due time takes a step;
 * `attempts` counts how often its step was begun without an end.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS entries (
    namespace TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, expires INTEGER,
    PRIMARY KEY (namespace, name)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS entries_expires ON entries (expires) WHERE expires IS NOT NULL;
  CREATE TABLE IF NOT EXISTS jobs (
    kind TEXT NOT NULL, id TEXT NOT NULL, accepted INTEGER NOT NULL, value TEXT NOT NULL, due INTEGER,
    failures INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL, PRIMARY KEY (kind, id)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS jobs_due ON jobs (kind, due) WHERE due IS NOT NULL;
  CREATE INDEX IF NOT EXISTS jobs_accepted ON jobs (kind, accepted);
  PRAGMA user_version = ${SCHEMA_VERSION};
`;
/** Of the first edition, whose values this one can't read. */
const OLD_SCHEMA = `
  DROP TABLE IF EXISTS secrets; DROP TABLE IF EXISTS clock; DROP TABLE IF EXISTS deliveries;
  DROP TABLE IF EXISTS entries; DROP TABLE IF EXISTS leases; DROP TABLE IF EXISTS jobs;
`;

export const FILE_NAME = 'snapshot-bot.sqlite';
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
/** SQLite's own files beside the database. */
export const SUFFIXES = ['', '-wal', '-shm'];

/** Why a data directory can't be used, and what to do. A newer file can't be read here, and it may hold open lookups. */
const UNUSABLE = {
  'is in use by another process':
    'stop that one, give this one a DATA_DIR of its own, or set REDIS_URL to share one store',
  'cannot be written to': 'check that it exists, belongs to this user and has space',
  'is damaged':
    'restore it from a backup, or delete it with npm run forget -- --all: open lookups then get no answer',
  'was written by a newer version of the bot': 'run that version, or give this one a DATA_DIR of its own',
};

/** The data directory or its file can't be used by this process. */
export class DataDirUnusable extends CannotStart {
  readonly why: keyof typeof UNUSABLE;
  constructor(path: string, why: keyof typeof UNUSABLE, options?: ErrorOptions) {
    super('DATA_DIR', `${path} ${why}`, UNUSABLE[why], options);
    this.why = why;
  }
}

/**
 * In WAL mode without a sync at each commit, a commit survives kill -9; a power loss may lose the last moment but never
 * corrupts the file. Syncs would make many simultaneous commands miss Slack's three seconds. The exclusive lock lasts
 * as long as the process. The log is copied into the file, which holds the event loop, every 4,000 pages (16 MB).
 */
const PREPARE = `
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA wal_autocheckpoint = 4000;
`;
/** https://www.sqlite.org/rescode.html, the primary codes. */
const WHY: Readonly<Record<number, keyof typeof UNUSABLE>> = {
  5: 'is in use by another process',
  6: 'is in use by another process',
  11: 'is damaged',
  26: 'is damaged',
};

/** Opens or creates the embedded file of a data directory for this process alone. Throws `DataDirUnusable`. */
export function openSqliteFile(dataDir: string): DatabaseSync {
  const file = join(dataDir, FILE_NAME);
  try {
    makePrivate(dataDir, file);
    return open(file);
  } catch (error) {
    if (error instanceof DataDirUnusable) throw error;
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
    const why = WHY[code];
    if (why !== undefined) throw new DataDirUnusable(file, why, { cause: error });
    throw new DataDirUnusable(dataDir, 'cannot be written to', { cause: error });
  }
}

/** Makes a new folder and the file readable for this user alone, whatever the umask; SQLite gives its other files the same mode. */
function makePrivate(dataDir: string, file: string): void {
  if (!existsSync(dataDir)) {
    mkdirSync(dataDir, { recursive: true, mode: PRIVATE_FOLDER });
    chmodSync(dataDir, PRIVATE_FOLDER);
  }
  closeSync(openSync(file, 'a', PRIVATE_FILE));
  for (const name of SUFFIXES.map((suffix) => file + suffix))
    if (existsSync(name)) chmodSync(name, PRIVATE_FILE);
}

function open(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 500 });
  try {
    database.exec(PREPARE);
    const check = database.prepare('PRAGMA quick_check(1)').get()?.quick_check;
    if (check !== 'ok') throw new DataDirUnusable(file, 'is damaged', { cause: check });
    const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
    if (version > SCHEMA_VERSION)
      throw new DataDirUnusable(file, 'was written by a newer version of the bot');
    // Nothing has been written to the file before this check, so that it can be rescued or opened by its own release.
    const old = version > 0 && version < SCHEMA_VERSION ? OLD_SCHEMA : '';
    database.exec(`BEGIN IMMEDIATE; ${old} ${SCHEMA} COMMIT;`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Under load, a commit follows the last one at the earliest after this: it costs as much as several writes. Milliseconds. */
const COMMITS_APART_MS = 2;

/** Statements on the embedded file, each prepared once, and one commit for all that is written in a turn of the event loop. */
export function statementsOn(database: DatabaseSync) {
  const prepared = new Map<string, StatementSync>();
  const statement = (sql: string) => {
    const known = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, known);
    return known;
  };
  let turn: PromiseWithResolvers<void> | undefined;
  let committedAt = 0;
  const begin = () => {
    statement('BEGIN').run();
    const begun = Promise.withResolvers<void>();
    // Each writer hears of a failure.
    begun.promise.catch(() => {});
    const commit = () => turn === begun && end();
    if (performance.now() - committedAt < COMMITS_APART_MS) setTimeout(commit, COMMITS_APART_MS);
    else setImmediate(commit);
    return begun;
  };
  const end = (failure?: { readonly error: unknown }) => {
    const ended = turn;
    turn = undefined;
    try {
      if (failure !== undefined) throw failure.error;
      statement('COMMIT').run();
      committedAt = performance.now();
      ended?.resolve();
    } catch (error) {
      ended?.reject(error);
      // On a full disk SQLite may have done it by itself.
      if (database.isTransaction) statement('ROLLBACK').run();
    }
  };
  return {
    get: (sql: string, ...values: SQLInputValue[]) => statement(sql).get(...values),
    all: (sql: string, ...values: SQLInputValue[]) => statement(sql).all(...values),
    /** Runs a statement inside `write`; gives how many rows it changed. */
    run: (sql: string, ...values: SQLInputValue[]) => Number(statement(sql).run(...values).changes),
    /**
     * Does some writes, and resolves with what `work` gives once they are committed. If one fails, nothing is stored that
     * was written in the same turn.
     */
    write: async <T>(work: () => T): Promise<T> => {
      turn ??= begin();
      const { promise } = turn;
      try {
        const outcome = work();
        await promise;
        return outcome;
      } catch (error) {
        // Of `work`: the turn is still open.
        if (turn?.promise === promise) end({ error });
        throw error;
      }
    },
  };
}
export type Statements = ReturnType<typeof statementsOn>;
