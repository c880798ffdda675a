import type { DatabaseSync } from 'node:sqlite';
import type { Leases } from '../../core/lease.ts';
import { orStorageFailed, type Store } from '../../core/store.ts';
import { namespacesOn, type ValuesContext } from '../backend/values.ts';
import type { Turns } from './turns.ts';

const SWEEP_MS = 60_000;
const TABLES = ['entries', 'leases', 'jobs'];

/** `now`: epoch milliseconds. */
export type SqliteParts = { readonly turns: Turns; readonly now: () => number };

/** The store without a Redis: one SQLite file, one process. */
export function sqliteStore(database: DatabaseSync, parts: SqliteParts & ValuesContext): Store {
  const { turns, now } = parts;
  const leases = leasesIn(parts);
  const sweep = () =>
    turns
      .write(() => {
        for (const table of ['entries', 'leases'])
          turns.run(`DELETE FROM ${table} WHERE expires <= ?`, now());
      })
      // On a full disk, for example: the next one makes up for it.
      .catch(() => {});
  const sweeper = setInterval(sweep, SWEEP_MS).unref();
  return {
    leases,
    isShared: false,
    namespace: namespacesOn(parts, (namespace) => ({ store: keyvStore(namespace, parts), namespace })),
    check: () => leases.hold('self-test', 1),
    clear: () =>
      orStorageFailed(() =>
        turns.write(() => {
          for (const table of TABLES) turns.run(`DELETE FROM ${table}`);
        }),
      ),
    close: async () => {
      clearInterval(sweeper);
      await sweep();
      database.close();
    },
  };
}

const TAKE = `
  INSERT INTO leases (name, taken, expires) VALUES (?, ?, ?)
  ON CONFLICT DO UPDATE SET taken = excluded.taken, expires = excluded.expires WHERE leases.expires <= excluded.taken`;
const HOLD = 'INSERT OR REPLACE INTO leases (name, taken, expires) VALUES (?, ?, ?)';
const RENEW = 'UPDATE leases SET taken = ?, expires = ? WHERE name = ? AND expires > ?';
const LEFT = 'SELECT expires - ? AS ms FROM leases WHERE name = ? AND expires > ?';
/** What was taken later than now lasts as long as it would have lasted: the clock has gone back since. */
const TAKEN_LATER = 'UPDATE leases SET taken = ?, expires = expires - taken + ? WHERE taken > ?';

/** The rows of leases, for use inside `write`. */
export function leaseRows({ turns: { run, get }, now }: SqliteParts) {
  let latest = Number.POSITIVE_INFINITY;
  const present = () => {
    const at = now();
    if (at < latest) run(TAKEN_LATER, at, at, at);
    latest = at;
    return at;
  };
  return {
    /** Takes a name that is free; false where it is not. */
    take: (name: string, ms: number, at = present()) => run(TAKE, name, at, at + ms) > 0,
    hold: (name: string, ms: number, at = present()) => run(HOLD, name, at, at + ms),
    renew: (name: string, ms: number, at = present()) => run(RENEW, at, at + ms, name, at) > 0,
    left: (name: string, at = present()) => Number(get(LEFT, at, name, at)?.ms ?? 0),
  };
}

/** Leases in the embedded file: they survive a restart, as the ten seconds after a 202 must. All are this process's. */
function leasesIn(parts: SqliteParts): Leases {
  const { turns } = parts;
  const rows = leaseRows(parts);
  const write = <T>(work: () => T) => orStorageFailed(() => turns.write(work));
  return {
    acquire: (name, ms) => write(() => rows.take(name, ms)),
    hold: async (name, ms) => void (await write(() => rows.hold(name, ms))),
    renew: (name, ms) =>
      write(() => {
        const isRenewed = rows.renew(name, ms);
        if (!isRenewed) rows.hold(name, ms);
        return isRenewed;
      }),
    release: async (name) => void (await write(() => turns.run('DELETE FROM leases WHERE name = ?', name))),
    ttl: (name) => orStorageFailed(() => rows.left(name)),
  };
}

const IS_LIVE = '(expires IS NULL OR expires > ?)';
const GET = `SELECT value FROM entries WHERE namespace = ? AND name = ? AND ${IS_LIVE}`;
const ALL = `SELECT name, value FROM entries WHERE namespace = ? AND ${IS_LIVE}`;
const SET = 'INSERT OR REPLACE INTO entries (namespace, name, value, expires) VALUES (?, ?, ?, ?)';
const DELETE = 'DELETE FROM entries WHERE namespace = ? AND name = ?';

/** Keyv's store interface for one namespace of the embedded file. Values are text. */
function keyvStore(namespace: string, { turns, now }: SqliteParts) {
  const { run, write } = turns;
  return {
    /** Says to Keyv that there is an iterator. */
    opts: { dialect: 'sqlite' },
    namespace,
    get: async (name: string) => turns.get(GET, namespace, name, now())?.value,
    set: async (name: string, value: string, ttl?: number) => {
      await write(() => run(SET, namespace, name, value, ttl === undefined ? null : now() + ttl));
    },
    delete: async (name: string) => (await write(() => run(DELETE, namespace, name))) > 0,
    clear: async () => {
      await write(() => run('DELETE FROM entries WHERE namespace = ?', namespace));
    },
    iterator: async function* () {
      for (const { name, value } of turns.all(ALL, namespace, now())) yield [name, value];
    },
  };
}
