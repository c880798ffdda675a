import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { orStorageFailed } from '../../core/store.ts';
import { steadyClock } from '../../core/time.ts';
import { loadStoredNames, Sealer } from '../backend/sealer.ts';
import { KEY_FILE, KeyFileUnusable, makeKeyFile, readKeyFile } from '../backend/state-key.ts';
import {
  type Backend,
  countUnopened,
  reportQueue,
  reportUnreadable,
  type StorageContext,
  unopenedIn,
} from '../backend/storage.ts';
import { localQueue } from './local-jobs.ts';
import { FILE_NAME, lastTimeIn, openSqliteFile, prolongLeases, SET_ASIDE } from './sqlite-file.ts';
import { embeddedStore, TABLES } from './sqlite-store.ts';
import { statementsOf } from './statements.ts';

/** The group is not counted: an orchestrator gives volumes to one. */
const EVERYBODY_WRITES = 0o002;

/**
 * The store and the queue of one process, in one file of its data directory. Throws
 * `DataDirUnusable` and `KeyFileUnusable`.
 */
export async function openSqlite(
  dataDir: string,
  stateKeys: readonly Uint8Array[],
  context: StorageContext,
): Promise<Backend> {
  const { logger, now } = context;
  const onDamaged = (file: string) =>
    logger.error({ file }, 'the embedded store was damaged: it was set aside there, and a new one begun');
  const database = openSqliteFile(dataDir, context.leavesDamaged ? undefined : onDamaged);
  if ((statSync(dataDir).mode & EVERYBODY_WRITES) !== 0)
    logger.warn({ dataDir }, 'everybody on this machine can write to DATA_DIR: run chmod o-w on it');
  try {
    const steady = steadyClock(now, lastTimeIn(database), (...jump) => prolongLeases(database, ...jump));
    const sealer = sealerOf(database, dataDir, stateKeys, context);
    const names = await loadStoredNames(shelfIn(database), sealer);
    const statements = statementsOf(database, steady);
    const onUnreadable = reportUnreadable(context);
    const store = embeddedStore(database, { sealer, names, statements, onUnreadable });
    return {
      store: {
        ...store,
        clear: async () => {
          await store.clear();
          await orStorageFailed(() => removeSetAside(dataDir));
        },
      },
      jobs: localQueue(statements, { sealer, names, now, onError: reportQueue(context) }),
      unopened: unopenedIn(() => countUnopened(sealedIn(database, now()), sealer), logger),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

const SEALED = `
  SELECT substr(value, 1, 16) AS beginning FROM entries WHERE expires IS NULL OR expires > ?
  UNION ALL SELECT substr(value, 1, 16) FROM jobs`;

/** The beginnings of all sealed values and open jobs. `now`: epoch milliseconds. */
export function sealedIn(database: DatabaseSync, now: number): string[] {
  return database
    .prepare(SEALED)
    .all(now)
    .map(({ beginning }) => String(beginning));
}

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
  if (sealedIn(database, now()).length > 0) throw new KeyFileUnusable(join(dataDir, KEY_FILE), 'missing');
  const { key, file } = makeKeyFile(dataDir);
  logger.info({ file }, 'no STATE_KEY: made a key file that only this user can read; keep it with the data');
  return new Sealer([key]);
}

function shelfIn(database: DatabaseSync) {
  const find = database.prepare('SELECT value FROM secrets WHERE name = ?');
  const add = database.prepare('INSERT OR IGNORE INTO secrets (name, value) VALUES (?, ?)');
  return {
    get: async (keyName: string) => find.get(keyName)?.value?.toString(),
    add: async (keyName: string, sealed: string) => void add.run(keyName, sealed),
  };
}

/** The damaged files that were set aside in a data directory. */
export function setAsideIn(dataDir: string): string[] {
  const names = readdirSync(dataDir).filter((name) => name.startsWith(SET_ASIDE));
  return names.map((name) => join(dataDir, name));
}

/** Deletes them; gives their paths. */
function removeSetAside(dataDir: string): string[] {
  const files = setAsideIn(dataDir);
  for (const file of files) rmSync(file, { force: true });
  return files;
}

/**
 * Deletes everything in a data directory that no process uses, unread and without a key: what is stored, what was set
 * aside as damaged, and the key file. Gives a line for each place. Throws `DataDirUnusable`, and then nothing was deleted.
 */
export function deleteAllIn(dataDir: string): string[] {
  const database = openSqliteFile(dataDir, () => {});
  try {
    const emptied = [...TABLES, 'secrets'].map((table) => `DELETE FROM ${table};`);
    database.exec(`BEGIN; ${emptied.join(' ')} COMMIT;`);
  } finally {
    database.close();
  }
  const removed = removeSetAside(dataDir);
  const keyFile = join(dataDir, KEY_FILE);
  if (existsSync(keyFile)) {
    rmSync(keyFile);
    removed.push(keyFile);
  }
  return [`${join(dataDir, FILE_NAME)}: emptied`, ...removed.map((file) => `${file}: removed`)];
}
