import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const FILE_NAME = 'snapshot-bot.sqlite';

/** Another process has the file: one embedded store serves one process. */
export class DataDirInUse extends Error {
  constructor(file: string, options?: ErrorOptions) {
    super(
      `${file} is in use by another process. Stop that one, give this one a DATA_DIR of its own, ` +
        'or set REDIS_URL to share one store.',
      options,
    );
  }
}

/** WAL with full synchronisation loses nothing on kill -9 or power loss; the exclusive lock lasts as long as the process. */
const PREPARE = `
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS kept (
    namespace TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, expires INTEGER,
    PRIMARY KEY (namespace, key)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS kept_expires ON kept (expires) WHERE expires IS NOT NULL;
  PRAGMA user_version = 1;
`;

const SQLITE_BUSY = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

/** Opens, or makes, the embedded file of a data directory for this process alone. Throws `DataDirInUse`. */
export function openSqliteFile(dataDir: string): DatabaseSync {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, FILE_NAME);
  const database = new DatabaseSync(file, { timeout: 500 });
  try {
    database.exec(PREPARE);
    return database;
  } catch (error) {
    database.close();
    if (isBusy(error)) throw new DataDirInUse(file, { cause: error });
    throw error;
  }
}
