import { randomUUID } from 'node:crypto';
import KeyvRedis, { createClient } from '@keyv/redis';
import type { Redis } from 'ioredis';
import type { Leases } from '../../core/lease.ts';
import { orStorageFailed, type Store } from '../../core/store.ts';
import { inTime } from '../../core/time.ts';
import type { Follow, Job } from '../../lookups/queue.ts';
import { Sealer } from '../backend/sealing.ts';
import { type RedisSettings, type Storage, type StorageContext, storageReports } from '../backend/storage.ts';
import { namespacesOn, type ValuesContext } from '../backend/values.ts';
import { BullQueue } from './bull-queue.ts';
import { CONNECT_TIMEOUT_MS, connectRedis, PREFIX, pauseBefore, type SharedRedis } from './shared-redis.ts';

/** Opens the storage that replicas share. Redis may be unavailable at the start. */
export async function openRedis(settings: RedisSettings, context: StorageContext): Promise<Storage> {
  const { url, stateKeys } = settings;
  const redis = await connectRedis(url, context.logger.child({ part: 'redis' }), context.now);
  const { now } = redis;
  const reports = storageReports(context);
  const parts = { redis, sealer: new Sealer(stateKeys), now, reports };
  const queue = new BullQueue<Job>('lookup', parts);
  const follows = new BullQueue<Follow>('follow', parts);
  return {
    store: await redisStore(url, redis, parts),
    queue,
    follows,
    jobs: { stop: async (ms) => void (await Promise.all([queue.stop(ms), follows.stop(ms)])) },
    unopened: reports.unopened,
    now,
  };
}

const AT_ONCE = 500;

/** The store in Redis, for any number of replicas. */
async function redisStore(
  url: string,
  { client, ask, close }: SharedRedis,
  context: Omit<ValuesContext, 'ask'>,
): Promise<Store> {
  const values = await connectForKeyv(url);
  const leases = leasesIn(client, ask);
  const askKeyv = <T>(work: () => Promise<T>) =>
    ask(() => {
      // Keyv's adapter would otherwise open the closed connection again.
      if (!values.isOpen) throw new Error('the connection to Redis was closed');
      return work();
    });
  return {
    leases,
    isShared: true,
    namespace: namespacesOn({ ...context, ask: askKeyv, leases }, (name) => {
      const store = new KeyvRedis<string>(values, { throwOnConnectError: true, throwOnErrors: true });
      return { store, namespace: `${PREFIX}:values:${name}` };
    }),
    /** Tries a write, because a full or read-only Redis still answers PING. */
    check: () => leases.hold('self-test', 1),
    clear: () =>
      orStorageFailed(async () => {
        // The second pass deletes what a running step wrote meanwhile. Without its job, the step writes nothing more.
        for (const _pass of [1, 2])
          for await (const keys of client.scanStream({ match: `${PREFIX}:*`, count: AT_ONCE }))
            if (keys.length > 0) await client.unlink(keys);
      }),
    close: async () => {
      close();
      values.destroy();
    },
  };
}

/** The client for Keyv's adapter. Its commands fail at once while Redis is unavailable, so that users get an answer. */
async function connectForKeyv(url: string) {
  const socket = { connectTimeout: CONNECT_TIMEOUT_MS, reconnectStrategy: pauseBefore };
  const client = createClient({ url, disableOfflineQueue: true, socket });
  // Callers get the error, too; an error event without a listener would end the process.
  client.on('error', () => {});
  // Keyv adds one listener for each kind of values, which would exceed the default limit.
  client.setMaxListeners(0);
  await inTime(
    CONNECT_TIMEOUT_MS,
    client.connect().catch(() => {}),
  );
  return client;
}

/** Only the holder renews or releases (https://redis.io/docs/latest/develop/clients/patterns/distributed-locks/). */
const RENEW =
  "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end " +
  "redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX') return 0";
const RELEASE =
  "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

/** Leases as Redis keys that expire. The value of each key is its holder. */
function leasesIn(client: Redis, ask: SharedRedis['ask']): Leases {
  /** Identifies this process among those that share the leases. */
  const holder = randomUUID();
  const keyOf = (name: string) => `${PREFIX}:leases:${name}`;
  return {
    acquire: (name, ms) =>
      ask(async () => (await client.set(keyOf(name), holder, 'PX', Math.ceil(ms), 'NX')) === 'OK'),
    hold: (name, ms) => ask(async () => void (await client.set(keyOf(name), holder, 'PX', Math.ceil(ms)))),
    renew: (name, ms) =>
      ask(async () => (await client.eval(RENEW, 1, keyOf(name), holder, Math.ceil(ms))) === 1),
    release: (name) => ask(async () => void (await client.eval(RELEASE, 1, keyOf(name), holder))),
    ttl: (name) => ask(async () => Math.max(0, await client.pttl(keyOf(name)))),
  };
}
