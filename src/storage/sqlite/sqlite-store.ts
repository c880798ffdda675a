import type { DatabaseSync } from 'node:sqlite';
import type { KeyvOptions } from 'keyv';
import type { Leases } from '../../core/lease.ts';
import { orStorageFailed, type Store } from '../../core/store.ts';
import { namespacesOn, type ValuesContext } from '../backend/values.ts';
import type { Statements } from './sqlite-file.ts';

const SWEEP_MS = 60_000;
const EVERYTHING = ['DELETE FROM entries', 'DELETE FROM jobs'];

/** `now`: returns the current time in epoch milliseconds. */
export type SqliteParts = { readonly statements: Statements; readonly now: () => number };

/** The store without Redis: one SQLite file for one process. */
export function sqliteStore(database: DatabaseSync, parts: SqliteParts & Omit<ValuesContext, 'ask'>): Store {
  const { write, run } = parts.statements;
  const leases = leasesIn(parts);
  const sweep = () =>
    write(() => run('DELETE FROM entries WHERE expires <= ?', parts.now()))
      // A failure, for example because of a full disk, is left to the next sweep.
      .catch(() => {});
  const sweeper = setInterval(sweep, SWEEP_MS).unref();
  return {
    leases,
    isShared: false,
    namespace: namespacesOn({ ...parts, ask: orStorageFailed }, (name) => keyvStore(name, parts)),
    check: () => leases.hold('self-test', 1),
    clear: () => orStorageFailed(() => write(() => void EVERYTHING.map((sql) => run(sql)))),
    close: async () => {
      clearInterval(sweeper);
      await sweep();
      database.close();
    },
  };
}

const SET = 'INSERT OR REPLACE INTO entries (namespace, name, value, expires) VALUES (?, ?, ?, ?)';
const TAKE = `
  INSERT INTO entries (namespace, name, value, expires) VALUES (?, ?, '', ?)
  ON CONFLICT DO UPDATE SET expires = excluded.expires WHERE entries.expires <= ?`;
const RENEW = 'UPDATE entries SET expires = ? WHERE namespace = ? AND name = ? AND expires > ?';
const LEFT = 'SELECT expires - ? AS ms FROM entries WHERE namespace = ? AND name = ? AND expires > ?';
const DELETE = 'DELETE FROM entries WHERE namespace = ? AND name = ?';

/** Names that are reserved for some time, stored as entries without a value. */
export function namesIn(namespace: string, { statements: { run, get }, now }: SqliteParts) {
  return {
    /** Reserves a name; false if it is already reserved. Use it inside `write`. */
    take: (name: string, ms: number, at = now()) => run(TAKE, namespace, name, at + ms, at) > 0,
    /** How long a name is still reserved. Milliseconds. */
    left: (name: string, at = now()) => Number(get(LEFT, at, namespace, name, at)?.ms ?? 0),
  };
}

/** Leases in the SQLite file, so they survive a restart. All of them belong to this process. */
function leasesIn(parts: SqliteParts): Leases {
  const { statements, now } = parts;
  const { run } = statements;
  const of = 'leases';
  const { take, left } = namesIn(of, parts);
  const write = <T>(work: () => T) => orStorageFailed(() => statements.write(work));
  const hold = (name: string, ms: number) => run(SET, of, name, '', now() + ms);
  const renew = (name: string, ms: number, at = now()) => {
    const isHeld = run(RENEW, at + ms, of, name, at) > 0;
    if (!isHeld) hold(name, ms);
    return isHeld;
  };
  return {
    acquire: (name, ms) => write(() => take(name, ms)),
    hold: (name, ms) => write(() => void hold(name, ms)),
    renew: (name, ms) => write(() => renew(name, ms)),
    release: (name) => write(() => void run(DELETE, of, name)),
    ttl: (name) => orStorageFailed(() => left(name)),
  };
}

const IS_LIVE = '(expires IS NULL OR expires > ?)';
const GET = `SELECT value FROM entries WHERE namespace = ? AND name = ? AND ${IS_LIVE}`;
const ALL = `SELECT name, value FROM entries WHERE namespace = ? AND ${IS_LIVE}`;

/** One kind of values in the SQLite file, as a store for Keyv. */
function keyvStore(
  namespace: string,
  { statements: { run, get, all, write }, now }: SqliteParts,
): KeyvOptions {
  const store = {
    /** Keyv only uses the iterator of stores with a known dialect. */
    opts: { dialect: 'sqlite' },
    namespace,
    get: async (key: string) => get(GET, namespace, key, now())?.value,
    set: (key: string, text: string, ttlMs?: number) =>
      write(() => run(SET, namespace, key, text, ttlMs === undefined ? null : now() + ttlMs) > 0),
    delete: (key: string) => write(() => run(DELETE, namespace, key) > 0),
    clear: () => write(() => run('DELETE FROM entries WHERE namespace = ?', namespace)),
    iterator: async function* () {
      for (const { name, value } of all(ALL, namespace, now())) yield [name, value];
    },
  };
  return { store, namespace };
}
