import type { DatabaseSync } from 'node:sqlite';
import type { Leases } from '../../core/lease.ts';
import { orStorageFailed, type Store } from '../../core/store.ts';
import { namespacesOn, type ValuesContext } from '../backend/values.ts';
import type { Statements } from './sqlite-file.ts';

const SWEEP_MS = 60_000;

/** `now`: epoch milliseconds. */
export type SqliteParts = { readonly statements: Statements; readonly now: () => number };

/** The store without a Redis: one SQLite file, one process. */
export function sqliteStore(database: DatabaseSync, parts: SqliteParts & Omit<ValuesContext, 'ask'>): Store {
  const { write, run } = parts.statements;
  const leases = leasesIn(parts);
  const sweep = () =>
    write(() => run('DELETE FROM entries WHERE expires <= ?', parts.now()))
      // On a full disk, for example: the next one makes up for it.
      .catch(() => {});
  const sweeper = setInterval(sweep, SWEEP_MS).unref();
  const clear = () => write(() => ['entries', 'jobs'].map((table) => run(`DELETE FROM ${table}`)));
  return {
    leases,
    isShared: false,
    namespace: namespacesOn({ ...parts, ask: orStorageFailed }, (namespace) => ({
      store: keyvStore(namespace, parts),
      namespace,
    })),
    check: () => leases.hold('self-test', 1),
    clear: async () => void (await orStorageFailed(clear)),
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

/** Names that are taken for some time, as entries without a value. `take` is for use inside `write`. */
export function namesIn(namespace: string, { statements: { run, get }, now }: SqliteParts) {
  return {
    /** False where the name is taken. */
    take: (name: string, ms: number, at = now()) => run(TAKE, namespace, name, at + ms, at) > 0,
    hold: (name: string, ms: number) => run(SET, namespace, name, '', now() + ms) > 0,
    renew: (name: string, ms: number, at = now()) => run(RENEW, at + ms, namespace, name, at) > 0,
    /** Milliseconds. */
    left: (name: string, at = now()) => Number(get(LEFT, at, namespace, name, at)?.ms ?? 0),
    free: (name: string) => run(DELETE, namespace, name) > 0,
  };
}

/** Leases in the embedded file: they survive a restart. All are this process's. */
function leasesIn(parts: SqliteParts): Leases {
  const names = namesIn('leases', parts);
  const write = <T>(work: () => T) => orStorageFailed(() => parts.statements.write(work));
  return {
    acquire: (name, ms) => write(() => names.take(name, ms)),
    hold: async (name, ms) => void (await write(() => names.hold(name, ms))),
    // One that has run out is taken again.
    renew: (name, ms) => write(() => names.renew(name, ms) || !names.hold(name, ms)),
    release: async (name) => void (await write(() => names.free(name))),
    ttl: (name) => orStorageFailed(() => names.left(name)),
  };
}

const IS_LIVE = '(expires IS NULL OR expires > ?)';
const GET = `SELECT value FROM entries WHERE namespace = ? AND name = ? AND ${IS_LIVE}`;
const ALL = `SELECT name, value FROM entries WHERE namespace = ? AND ${IS_LIVE}`;

/** Keyv's interface of stores for one kind of values in the embedded file. */
function keyvStore(namespace: string, { statements, now }: SqliteParts) {
  const { run, get, all, write } = statements;
  return {
    /** Keyv asks stores of this dialect for their iterator. */
    opts: { dialect: 'sqlite' },
    namespace,
    get: async (key: string) => get(GET, namespace, key, now())?.value,
    set: (key: string, text: string, ttlMs?: number) =>
      write(() => run(SET, namespace, key, text, ttlMs === undefined ? null : now() + ttlMs) > 0),
    delete: (key: string) => write(() => run(DELETE, namespace, key) > 0),
    clear: async () => void (await write(() => run('DELETE FROM entries WHERE namespace = ?', namespace))),
    iterator: async function* () {
      for (const { name, value } of all(ALL, namespace, now())) yield [name, value];
    },
  };
}
