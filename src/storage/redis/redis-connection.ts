import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@keyv/redis';
import type { Leases } from '../../core/lease.ts';
import { orStorageFailed } from '../../core/store.ts';
import { inTime } from '../../core/time.ts';
import type { AllNames } from '../backend/sealer.ts';

export const CONNECT_TIMEOUT_MS = 5_000;
/** Short, because whoever holds a lease comes before those who wait for it only if it is back as soon. */
const LONGEST_RECONNECT_MS = 300;

/** The prefix of every key of the bot. */
export const PREFIX = 'snapshot-bot';
/** The name of BullMQ's queue. */
export const QUEUE = 'jobs';

export const pauseBefore = (attempt: number) =>
  Math.min(100 * 2 ** Math.min(attempt, 8), LONGEST_RECONNECT_MS);

/** A connection for values and leases. Its commands fail at once while Redis is away, so that users get an answer. */
function valuesConnection(url: string) {
  return createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: CONNECT_TIMEOUT_MS, reconnectStrategy: pauseBefore },
  });
}
export type ValuesConnection = ReturnType<typeof valuesConnection>;

/** Called when Redis is lost, once each time, and when it is back. */
type RedisWatcher = { readonly lost: (error: unknown) => void; readonly back: () => void };

/** Connects for values and leases, or goes on trying in the background if Redis is away. */
export async function connect(url: string, { lost, back }: RedisWatcher): Promise<ValuesConnection> {
  const client = valuesConnection(url);
  let isLost = false;
  // The error also reaches the next caller; without a listener the event would end the process.
  client.on('error', (error: unknown) => {
    if (!isLost) lost(error);
    isLost = true;
  });
  client.on('ready', () => {
    if (isLost) back();
    isLost = false;
  });
  // Keyv adds a listener for each kind of values.
  client.setMaxListeners(0);
  await inTime(
    CONNECT_TIMEOUT_MS,
    client.connect().catch(() => {}),
  );
  return client;
}

/** A part of the two seconds that the store has to answer. */
const REPLICATED_WITHIN_MS = 800;
/** How long it is believed that a server has no replicas. */
const ROLE_LASTS_MS = 1_000;
/** A server that lost its replicas a moment ago may have been replaced by one of them without knowing it. */
const REPLACED_WITHIN_MS = 60_000;

/** Does a write, and resolves once it survives the death of the server; throws if it would not. */
export type Durably = <T>(write: () => Promise<T>) => Promise<T>;

/**
 * Waits until a replica has the write too, where there are replicas: Redis acknowledges before it replicates, and what
 * only a dead or a former primary had is lost. All writes must go through the one connection, because WAIT is about the
 * writes of its own. https://redis.io/docs/latest/commands/wait/
 * `epoch` gives a number that is different for each socket of the connection.
 */
export function durablyOn(epoch: () => number, send: (...words: string[]) => Promise<unknown>): Durably {
  let aloneUntil = 0;
  let lastReplicated = Number.NEGATIVE_INFINITY;
  const confirm = shared(async () => {
    if (performance.now() < aloneUntil) return;
    const [, , replicas] = asList(await send('ROLE'));
    const now = performance.now();
    if (asList(replicas).length > 0) lastReplicated = now;
    else if (now - lastReplicated > REPLACED_WITHIN_MS) {
      aloneUntil = now + ROLE_LASTS_MS;
      return;
    }
    const count = await send('WAIT', '1', String(REPLICATED_WITHIN_MS));
    if (!(Number(count) >= 1)) throw new Error('no replica of Redis confirmed the write');
  });
  return async (write) => {
    const before = epoch();
    const written = await write();
    await confirm();
    // On a new socket, perhaps to another server, nothing was written: WAIT would succeed without the write.
    if (epoch() !== before) throw new Error('the connection to Redis was lost during the write');
    return written;
  };
}

function asList(answer: unknown): unknown[] {
  return Array.isArray(answer) ? answer : [];
}

/** Shares the calls: those that come while one is under way share the next one, which then covers their writes. */
function shared(ask: () => Promise<void>): () => Promise<void> {
  let asked: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= asked
      .catch(() => {})
      .then(() => {
        next = undefined;
        asked = ask();
        return asked;
      });
    return next;
  };
}

/** An answer that takes longer comes from a Redis that stood still; one that is back for less time was away. Milliseconds. */
const STANDSTILL_MS = 500;
/**
 * A replica that stood still may have lost its lease to another one: this and the next run only for the holder of the key.
 * Where there is none, who held it comes before those who ask once Redis goes on: it has sent this during the standstill.
 */
const RENEW = `
  if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX')
  return 0`;
const RELEASE =
  "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

/** Leases as Redis keys that expire by themselves, each with its holder as its value. */
export function leasesIn(client: ValuesConnection, names: () => Promise<AllNames>): Leases {
  /** This process among those that share the leases. */
  const holder = randomUUID();
  let backAt = Number.NEGATIVE_INFINITY;
  client.on('ready', () => {
    backAt = performance.now();
  });
  const on = <T>(name: string, work: (key: string) => Promise<T>) =>
    orStorageFailed(async () => work(`${PREFIX}:leases:${(await names())[0]('leases', name)}`));
  const lasting = (ms: number) => ({ type: 'PX', value: Math.ceil(ms) }) as const;
  const take = async (name: string, ms: number) => {
    const options = { condition: 'NX', expiration: lasting(ms) } as const;
    return (await on(name, (key) => client.set(key, holder, options))) === 'OK';
  };
  const release = async (name: string) =>
    void (await on(name, (key) => client.eval(RELEASE, { keys: [key], arguments: [holder] })));
  return {
    acquire: async (name, ms) => {
      const asked = performance.now();
      const isTaken = await take(name, ms);
      if (!isTaken || (performance.now() - asked < STANDSTILL_MS && asked - backAt >= STANDSTILL_MS))
        return isTaken;
      // Redis stood still or was away, and leases ran out meanwhile: what their holders send comes first.
      await release(name);
      await delay(STANDSTILL_MS);
      return take(name, ms);
    },
    hold: async (name, ms) =>
      void (await on(name, (key) => client.set(key, holder, { expiration: lasting(ms) }))),
    renew: async (name, ms) => {
      const given = [holder, String(Math.ceil(ms))];
      return (await on(name, (key) => client.eval(RENEW, { keys: [key], arguments: given }))) === 1;
    },
    release,
    ttl: async (name) => Math.max(0, await on(name, (key) => client.pTTL(key))),
  };
}
