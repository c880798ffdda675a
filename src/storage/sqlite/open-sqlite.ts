import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Leases } from '../../core/lease.ts';
import { Mutex } from '../../core/mutex.ts';
import { orStorageFailed, type Store } from '../../core/store.ts';
import { steadyClock } from '../../core/time.ts';
import { type SealedContext, SealedValues } from '../backend/sealed-values.ts';
import { type Backend, reportQueue, reportUnreadable, type StorageContext } from '../backend/storage.ts';
import { Sealer } from '../sealing/sealer.ts';
import {
  KEY_FILE,
  KEY_REPAIR,
  KeyFileUnusable,
  makeKeyFile,
  readKeyFile,
  unopenedSentence,
} from '../sealing/state-key.ts';
import { type AllNames, loadStoredNames, type SecretShelf } from '../sealing/stored-names.ts';
import { CLEAR, removeSetAside } from './delete-all.ts';
import { localQueue } from './local-jobs.ts';
import { lastTimeIn, openSqliteFile } from './sqlite-file.ts';
import type { Statements } from './statements.ts';
import { statementsOf } from './statements.ts';

const SWEEP_MS = 60_000;
const EXPIRING = ['entries', 'leases'] as const;

type EmbeddedStoreOptions = Omit<SealedContext, 'names'> & {
  readonly names: AllNames;
  readonly statements: Statements;
};

/** The store without a Redis: one SQLite file, one process. */
export function embeddedStore(database: DatabaseSync, options: EmbeddedStoreOptions): Store {
  const { statements, sealer, names, onUnreadable } = options;
  const context = { sealer, names: async () => names, onUnreadable };
  const leases = leasesIn(options);
  const sweepNow = () => {
    try {
      sweep(database, statements.now());
    } catch {
      // On a full disk, for example: the next one makes up for it.
    }
  };
  const sweeper = setInterval(sweepNow, SWEEP_MS).unref();
  return {
    leases,
    mutex: new Mutex(),
    namespace: (name) =>
      new SealedValues(name, { store: sqliteAdapter(name, statements), namespace: name }, context),
    check: () => leases.hold('self-test', 1),
    clear: () =>
      orStorageFailed(() => {
        try {
          database.exec(CLEAR);
        } finally {
          if (database.isTransaction) database.exec('ROLLBACK');
        }
      }),
    close: async () => {
      clearInterval(sweeper);
      sweepNow();
      database.close();
    },
  };
}

/**
 * Notes the time, for a start after which the clock is behind it, and deletes rows that expired before `now` (epoch ms).
 * They are never read again: sweeping only frees their space.
 */
export function sweep(database: DatabaseSync, now: number): void {
  database.prepare('INSERT OR REPLACE INTO clock (one, at) VALUES (1, ?)').run(now);
  for (const table of EXPIRING) database.prepare(`DELETE FROM ${table} WHERE expires <= ?`).run(now);
}

/** Leases in the embedded file: they survive a restart, as the ten seconds after a 202 must. All are this process's. */
function leasesIn({ names: [names], statements }: EmbeddedStoreOptions): Leases {
  const { now } = statements;
  const stored = (name: string) => names('leases', name);
  const run = (...given: Parameters<Statements['run']>) => orStorageFailed(() => statements.run(...given));
  const ACQUIRE = `
    INSERT INTO leases (name, expires) VALUES (?, ?)
    ON CONFLICT DO UPDATE SET expires = excluded.expires WHERE leases.expires <= ?`;
  return {
    acquire: async (name, ms) => (await run(ACQUIRE, stored(name), now() + ms, now())) > 0,
    hold: async (name, ms) =>
      void (await run(
        'INSERT OR REPLACE INTO leases (name, expires) VALUES (?, ?)',
        stored(name),
        now() + ms,
      )),
    renew: async (name, ms) => {
      const renewed = 'UPDATE leases SET expires = ? WHERE name = ? AND expires > ?';
      if ((await run(renewed, now() + ms, stored(name), now())) > 0) return true;
      await run(ACQUIRE, stored(name), now() + ms, now());
      return false;
    },
    release: async (name) => void (await run('DELETE FROM leases WHERE name = ?', stored(name))),
    ttl: (name) =>
      orStorageFailed(() => {
        const row = statements.get('SELECT expires FROM leases WHERE name = ?', stored(name));
        return Math.max(0, Number(row?.expires ?? 0) - now());
      }),
  };
}

const LIVE = '(expires IS NULL OR expires > ?)';

/** Keyv's store interface on `node:sqlite`, for one namespace of the embedded file. Values are text. */
export function sqliteAdapter(namespace: string, { get, all, run, now }: Statements) {
  const GET = `SELECT value FROM entries WHERE namespace = ? AND name = ? AND ${LIVE}`;
  const SET = 'INSERT OR REPLACE INTO entries (namespace, name, value, expires) VALUES (?, ?, ?, ?)';
  const ALL = `SELECT name, value FROM entries WHERE namespace = ? AND ${LIVE}`;
  return {
    /** Says to Keyv that there is an iterator. */
    opts: { dialect: 'sqlite' },
    namespace,
    get: async (name: string) => get(GET, namespace, name, now())?.value,
    set: async (name: string, value: string, ttl?: number) =>
      void run(SET, namespace, name, value, ttl === undefined ? null : now() + ttl),
    delete: async (name: string) =>
      run('DELETE FROM entries WHERE namespace = ? AND name = ?', namespace, name) > 0,
    clear: async () => void run('DELETE FROM entries WHERE namespace = ?', namespace),
    iterator: async function* () {
      for (const { name, value } of all(ALL, namespace, now())) yield [name, value];
    },
  };
}

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
  const onDamaged = (file: string) =>
    logger.error({ file }, 'the embedded store was damaged: it was set aside there, and a new one begun');
  const database = openSqliteFile(dataDir, context.leavesDamaged ? undefined : onDamaged);
  if ((statSync(dataDir).mode & EVERYBODY_WRITES) !== 0)
    logger.warn({ dataDir }, 'everybody on this machine can write to DATA_DIR: run chmod o-w on it');
  try {
    const steady = steadyClock(now, lastTimeIn(database));
    const sealer = sealerOf(database, dataDir, stateKeys, context);
    const names = await loadStoredNames(shelfIn(database), sealer);
    const statements = statementsOf(database, steady);
    const onUnreadable = reportUnreadable(context);
    const store = embeddedStore(database, { sealer, names, statements, onUnreadable });
    let unopened = countUnopened(database, sealer, now());
    if (unopened > 0) logger.error({ setting: 'STATE_KEY', repair: KEY_REPAIR }, unopenedSentence(unopened));
    return {
      store: {
        ...store,
        clear: async () => {
          await store.clear();
          await orStorageFailed(() => removeSetAside(dataDir));
        },
      },
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
  if (database.prepare(`SELECT 1 FROM (${SEALED}) LIMIT 1`).get(now()) !== undefined)
    throw new KeyFileUnusable(join(dataDir, KEY_FILE), 'missing');
  const { key, file } = makeKeyFile(dataDir);
  logger.info({ file }, 'no STATE_KEY: made a key file that only this user can read; keep it with the data');
  return new Sealer([key]);
}

function shelfIn(database: DatabaseSync): SecretShelf {
  const find = database.prepare('SELECT value FROM secrets WHERE name = ?');
  const add = database.prepare('INSERT OR IGNORE INTO secrets (name, value) VALUES (?, ?)');
  return {
    get: async (keyName) => find.get(keyName)?.value?.toString(),
    add: async (keyName, sealed) => void add.run(keyName, sealed),
  };
}
