import type { DatabaseSync } from 'node:sqlite';
import type { Leases } from '../../core/lease.ts';
import { orStorageFailed, type Store } from '../../core/store.ts';
import { namespacesOn, type ValuesContext } from '../backend/values.ts';
import type { Turns } from './turns.ts';

const SWEEP_MS = 60_000;

/** `now`: epoch milliseconds. */
export type SqliteParts = { readonly turns: Turns; readonly now: () => number };

/** The store without a Redis: one SQLite file, one process. */
export function sqliteStore(database: DatabaseSync, parts: SqliteParts & ValuesContext): Store {
  const { turns, now } = parts;
  const leases = leasesIn(parts);
  const sweep = () =>
    turns
      .write(() => turns.run('DELETE FROM entries WHERE expires <= ?', now()))
      // On a full disk, for example: the next one makes up for it.
      .catch(() => {});
  const sweeper = setInterval(sweep, SWEEP_MS).unref();
  const clear = () =>
    turns.write(() => ['entries', 'jobs'].map((table) => turns.run(`DELETE FROM ${table}`)));
  return {
    leases,
    isShared: false,
    namespace: namespacesOn(parts, (namespace) => ({ store: keyvStore(namespace, parts), namespace })),
    check: () => leases.hold('self-test', 1),
    clear: async () => void (await orStorageFailed(clear)),
    close: async () => {
      clearInterval(sweeper);
      await sweep();
      database.close();
    },
  };
}

const TAKE = `
  INSERT INTO entries (namespace, name, value, expires) VALUES (?, ?, '', ?)
  ON CONFLICT DO UPDATE SET expires = excluded.expires WHERE entries.expires <= ?`;
const HOLD = "INSERT OR REPLACE INTO entries (namespace, name, value, expires) VALUES (?, ?, '', ?)";
const RENEW = 'UPDATE entries SET expires = ? WHERE namespace = ? AND name = ? AND expires > ?';
const LEFT = 'SELECT expires - ? AS ms FROM entries WHERE namespace = ? AND name = ? AND expires > ?';
const DELETE = 'DELETE FROM entries WHERE namespace = ? AND name = ?';

/** Names that are taken for some time, as entries without a value. `take` is for use inside `write`. */
export function namesIn(namespace: string, { turns: { run, get }, now }: SqliteParts) {
  return {
    /** False where the name is taken. */
    take: (name: string, ms: number, at = now()) => run(TAKE, namespace, name, at + ms, at) > 0,
    hold: (name: string, ms: number) => run(HOLD, namespace, name, now() + ms) > 0,
    renew: (name: string, ms: number, at = now()) => run(RENEW, at + ms, namespace, name, at) > 0,
    /** Milliseconds. */
    left: (name: string, at = now()) => Number(get(LEFT, at, namespace, name, at)?.ms ?? 0),
    free: (name: string) => run(DELETE, namespace, name) > 0,
  };
}

/** Leases in the embedded file: they survive a restart. All are this process's. */
function leasesIn(parts: SqliteParts): Leases {
  const names = namesIn('leases', parts);
  const write = <T>(work: () => T) => orStorageFailed(() => parts.turns.write(work));
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
const SET = 'INSERT OR REPLACE INTO entries (namespace, name, value, expires) VALUES (?, ?, ?, ?)';

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
