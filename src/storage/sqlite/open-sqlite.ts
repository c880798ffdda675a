import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Logger } from 'pino';
import { steadyClock } from '../../core/time.ts';
import { type Backend, reportQueue, reportUnreadable, type StorageContext } from '../backend/storage.ts';
import { Sealer } from '../sealing/sealer.ts';
import { KEY_REPAIR, makeKeyFile, readKeyFile, unopenedSentence } from '../sealing/state-key.ts';
import { loadStoredNames, type SecretShelf } from '../sealing/stored-names.ts';
import { embeddedStore } from './embedded-store.ts';
import { localQueue } from './local-jobs.ts';
import { lastTimeIn, openSqliteFile } from './sqlite-file.ts';
import { statementsOf } from './statements.ts';

/** The group is not counted: an orchestrator gives volumes to one. */
const EVERYBODY_WRITES = 0o002;

/**
 * The store and the queue of one process, in one file of its data directory. Throws `DataDirInUse`,
 * `DataDirUnusable`, `DataDirOfOtherVersion` and `KeyFileUnusable`.
 */
export async function openSqlite(
  dataDir: string,
  stateKeys: readonly Uint8Array[],
  context: StorageContext,
): Promise<Backend> {
  const { logger, now } = context;
  const database = openSqliteFile(dataDir, (file) =>
    logger.error({ file }, 'the embedded store was damaged: it was set aside there, and a new one begun'),
  );
  if ((statSync(dataDir).mode & EVERYBODY_WRITES) !== 0)
    logger.warn({ dataDir }, 'everybody on this machine can write to DATA_DIR: run chmod o-w on it');
  try {
    const steady = steadyClock(now, lastTimeIn(database));
    const sealer = new Sealer(keysOf(dataDir, stateKeys, logger));
    const names = await loadStoredNames(shelfIn(database), sealer);
    const statements = statementsOf(database, steady);
    const onUnreadable = reportUnreadable(context);
    const store = embeddedStore(database, { sealer, names, statements, onUnreadable });
    let unopened = countUnopened(database, sealer, now());
    if (unopened > 0) logger.error({ setting: 'STATE_KEY', repair: KEY_REPAIR }, unopenedSentence(unopened));
    return {
      store,
      jobs: localQueue(statements, { sealer, now, onError: reportQueue(context) }),
      // What is stored from now on has a present key.
      unopened: () => {
        if (unopened > 0) unopened = countUnopened(database, sealer, now());
        return unopened;
      },
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

const SEALED = `
  SELECT substr(value, 1, 16) AS beginning FROM entries WHERE expires IS NULL OR expires > ?
  UNION ALL SELECT substr(value, 1, 16) FROM jobs`;

/** How many values and open jobs are sealed with none of the keys. `now`: epoch milliseconds. */
export function countUnopened(database: DatabaseSync, sealer: Sealer, now: number): number {
  const rows = database.prepare(SEALED).all(now);
  return rows.filter(({ beginning }) => !sealer.hasKeyOf(String(beginning))).length;
}

/** The keys of STATE_KEY, then the one of the key file, which is made if there is no key at all. */
function keysOf(
  dataDir: string,
  [first, ...others]: readonly Uint8Array[],
  logger: Logger,
): [Uint8Array, ...Uint8Array[]] {
  const own = readKeyFile(dataDir);
  if (first !== undefined) return [first, ...others, ...(own === undefined ? [] : [own])];
  if (own !== undefined) return [own];
  const { key, file } = makeKeyFile(dataDir);
  logger.info({ file }, 'no STATE_KEY: made a key file that only this user can read; keep it with the data');
  return [key];
}

function shelfIn(database: DatabaseSync): SecretShelf {
  const find = database.prepare('SELECT value FROM secrets WHERE name = ?');
  const add = database.prepare('INSERT OR IGNORE INTO secrets (name, value) VALUES (?, ?)');
  return {
    get: async (keyName) => find.get(keyName)?.value?.toString(),
    add: async (keyName, sealed) => void add.run(keyName, sealed),
  };
}
