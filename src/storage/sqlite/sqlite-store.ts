import type { DatabaseSync } from 'node:sqlite';
import type { KeyvOptions } from 'keyv';
import type { Leases } from '../../core/lease.ts';
import { orStorageFailed, type Store } from '../../core/store.ts';
import { namespacesOn, type ValuesContext } from '../backend/values.ts';
import type { Statements } from './sqlite-file.ts';

const SWEEP_MS = 60_000;
const EVERYTHING = ['DELETE FROM entries', 'DELETE FROM jobs'];

/** `now`: epoch milliseconds. */
export type SqliteParts = { readonly statements: Statements; readonly now: () => number };

/** The store without a Redis: one SQLite file, one process. */
export function sqliteStore(database: DatabaseSync, parts: SqliteParts & Omit<ValuesContext, 'ask'>): Store {
  const { write, run } = parts.statements;
  const leases = leasesIn(parts);
  const sweep = () =>
    write(() => run('DELETE FROM entries WHERE expires <= ?', parts.now()))
      // For example on a full disk: the next sweep deletes it.
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

/** Names that are taken for some time, as entries without a value. */
export function namesIn(namespace: string, { statements: { run, get }, now }: SqliteParts) {
  return {
    /** False where the name is taken. For use inside `write`. */
    take: (name: string, ms: number, at = now()) => run(TAKE, namespace, name, at + ms, at) > 0,
    /** Milliseconds. */
    left: (name: string, at = now()) => Number(get(LEFT, at, namespace, name, at)?.ms ?? 0),
  };
}

/** Leases in the embedded file: they survive a restart. All are this process's. */
function leasesIn(parts: SqliteParts): Leases {
  const { statements, now } = parts;
  const { run } = statements;
  const of = 'leases';
  const { take, left } = namesIn(of, parts);
  const write = <T>(work: () => T) => orStorageFailed(() => statements.write(work));
  const hold = (name: string, ms: number) => run(SET, of, name, '', now() + ms);
  const renew = (name: string, ms: number, at = now()) => run(RENEW, at + ms, of, name, at) > 0;
  return {
    acquire: (name, ms) => write(() => take(name, ms)),
    hold: (name, ms) => write(() => void hold(name, ms)),
    // A lease that has run out is taken again.
    renew: (name, ms) => write(() => renew(name, ms) || hold(name, ms) === 0),
    release: (name) => write(() => void run(DELETE, of, name)),
    ttl: (name) => orStorageFailed(() => left(name)),
  };
}

const IS_LIVE = '(expires IS NULL OR expires > ?)';
const GET = `SELECT value FROM entries WHERE namespace = ? AND name = ? AND ${IS_LIVE}`;
const ALL = `SELECT name, value FROM entries WHERE namespace = ? AND ${IS_LIVE}`;

/** One kind of values in the embedded file, as a store of Keyv's. */
function keyvStore(
  namespace: string,
  { statements: { run, get, all, write }, now }: SqliteParts,
): KeyvOptions {
  const store = {
    /** Keyv asks stores of this dialect for their iterator. */
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
