import type { DatabaseSync } from 'node:sqlite';
import type { Leases } from '../../core/lease.ts';
import { orStorageFailed, type Store } from '../../core/store.ts';
import { kindsOf, type SealedContext } from '../backend/sealed-values.ts';
import type { AllNames } from '../backend/sealer.ts';
import { NOTE_TIME } from './sqlite-file.ts';
import type { Statements } from './statements.ts';

const SWEEP_MS = 60_000;

type EmbeddedStoreOptions = Omit<SealedContext, 'names'> & {
  readonly names: AllNames;
  readonly statements: Statements;
};

const EXPIRING = ['entries', 'leases', 'deliveries'] as const;
/** The tables of what is stored, apart from the secret. */
export const TABLES = [...EXPIRING, 'jobs'] as const;

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
    isShared: false,
    namespace: kindsOf(context, (name) => ({ store: sqliteAdapter(name, statements), namespace: name })),
    check: () => leases.hold('self-test', 1),
    clear: () =>
      orStorageFailed(async () => {
        await Promise.all(TABLES.map((table) => statements.write(`DELETE FROM ${table}`)));
      }),
    close: async () => {
      clearInterval(sweeper);
      await statements.settled();
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
  database.prepare(NOTE_TIME).run(now);
  for (const table of EXPIRING) database.prepare(`DELETE FROM ${table} WHERE expires <= ?`).run(now);
}

/** Leases in the embedded file: they survive a restart, as the ten seconds after a 202 must. All are this process's. */
function leasesIn({ names: [names], statements }: EmbeddedStoreOptions): Leases {
  const { now } = statements;
  const stored = (name: string) => names('leases', name);
  const run = (...given: Parameters<Statements['write']>) =>
    orStorageFailed(() => statements.write(...given));
  const ACQUIRE = `
    INSERT INTO leases (name, expires) VALUES (?, ?)
    ON CONFLICT DO UPDATE SET expires = excluded.expires WHERE leases.expires <= ?`;
  const HOLD = 'INSERT OR REPLACE INTO leases (name, expires) VALUES (?, ?)';
  return {
    acquire: async (name, ms) => (await run(ACQUIRE, stored(name), now() + ms, now())) > 0,
    hold: async (name, ms) => void (await run(HOLD, stored(name), now() + ms)),
    renew: async (name, ms) => {
      const renewed = 'UPDATE leases SET expires = ? WHERE name = ? AND expires > ?';
      if ((await run(renewed, now() + ms, stored(name), now())) > 0) return true;
      await run(ACQUIRE, stored(name), now() + ms, now());
      return false;
    },
    release: async (name) => void (await run('DELETE FROM leases WHERE name = ?', stored(name))),
    ttl: (name) =>
      orStorageFailed(() => {
        // Before it is read: a clock that has jumped ahead has leases end later.
        const present = now();
        const row = statements.get('SELECT expires FROM leases WHERE name = ?', stored(name));
        return Math.max(0, Number(row?.expires ?? 0) - present);
      }),
  };
}

const LIVE = '(expires IS NULL OR expires > ?)';

/** Keyv's store interface on `node:sqlite`, for one namespace of the embedded file. Values are text. */
export function sqliteAdapter(namespace: string, { get, all, write, now }: Statements) {
  const GET = `SELECT value FROM entries WHERE namespace = ? AND name = ? AND ${LIVE}`;
  const SET = 'INSERT OR REPLACE INTO entries (namespace, name, value, expires) VALUES (?, ?, ?, ?)';
  const ALL = `SELECT name, value FROM entries WHERE namespace = ? AND ${LIVE}`;
  return {
    /** Says to Keyv that there is an iterator. */
    opts: { dialect: 'sqlite' },
    namespace,
    get: async (name: string) => get(GET, namespace, name, now())?.value,
    set: async (name: string, value: string, ttl?: number) =>
      void (await write(SET, namespace, name, value, ttl === undefined ? null : now() + ttl)),
    delete: async (name: string) =>
      (await write('DELETE FROM entries WHERE namespace = ? AND name = ?', namespace, name)) > 0,
    clear: async () => void (await write('DELETE FROM entries WHERE namespace = ?', namespace)),
    iterator: async function* () {
      for (const { name, value } of all(ALL, namespace, now())) yield [name, value];
    },
  };
}
