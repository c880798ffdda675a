/** The version of the tables; the values in them have versions of their own (`core/namespaces.ts`). */
export const SCHEMA_VERSION = 2;

/**
 * `clock` holds the time at which the file was last swept or closed: its times are of a clock that never goes back.
 * `kept` is the only table of version 1: its readable rows are moved to the other tables at the start, the rest stays
 * there. Creates the tables that a file lacks.
 */
export const SCHEMA = `
  CREATE TABLE IF NOT EXISTS kept (
    namespace TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, expires INTEGER,
    PRIMARY KEY (namespace, key)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS entries (
    namespace TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, expires INTEGER,
    PRIMARY KEY (namespace, name)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS entries_expires ON entries (expires) WHERE expires IS NOT NULL;
  CREATE TABLE IF NOT EXISTS clock (one INTEGER PRIMARY KEY CHECK (one = 1), at INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS leases (name TEXT PRIMARY KEY, expires INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS lookups (
    id TEXT PRIMARY KEY, accepted INTEGER NOT NULL, value TEXT NOT NULL, due INTEGER, failures INTEGER NOT NULL,
    begun INTEGER NOT NULL DEFAULT 0
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS lookups_due ON lookups (due) WHERE due IS NOT NULL;
  CREATE TABLE IF NOT EXISTS reminders (
    id TEXT PRIMARY KEY, accepted INTEGER NOT NULL, value TEXT NOT NULL, due INTEGER, failures INTEGER NOT NULL,
    begun INTEGER NOT NULL DEFAULT 0
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS reminders_due ON reminders (due) WHERE due IS NOT NULL;
  PRAGMA user_version = ${SCHEMA_VERSION};
`;
