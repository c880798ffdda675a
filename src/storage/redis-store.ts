import { randomUUID } from 'node:crypto';
import KeyvRedis, { createClient } from '@keyv/redis';
import { RedisConnection } from 'bullmq';
import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { errorCode } from '../core/faults.ts';
import type { Leases } from '../core/lease.ts';
import { orStorageFailed, type Store } from '../core/store.ts';
import { inTime, LATE } from '../core/time.ts';
import { namespacesOn, type ValuesContext } from './sealed-values.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** How long to wait for an answer of Redis. Slack allows three seconds for an acknowledgement. Milliseconds. */
const ANSWERS_WITHIN_MS = 2_000;
/** A connection without data for this long is replaced; longer than a worker waits for a job. Milliseconds. */
const SILENT_MS = 4_000;
const CLOCK_READ_EVERY_MS = 60_000;
const REPAIR =
  'check that it runs, the address and the password in REDIS_URL, redis:// or rediss://, and the firewall';

/** The pause before the next attempt to connect. Milliseconds. */
const pauseBefore = (attempt: number) => Math.min(100 * attempt, 300);

/** The prefix of all keys of the bot. */
export const PREFIX = 'snapshot-bot';

/**
 * The assumed release of Redis. BullMQ does not ask for it (`skipVersionCheck`), because a refused INFO would stop
 * BullMQ until the next start. With the default, 5.0, workers would wait in whole seconds and start jobs late.
 */
RedisConnection.minimumVersion = '6.2.0';

/**
 * Opens a connection. While Redis is unavailable, the commands of a worker wait, and all other commands fail. Users
 * then get an answer at once, and a job that was reported as refused is not added later.
 */
function connection(url: string, whileAway: 'fail' | 'wait'): Redis {
  const isPatient = whileAway === 'wait';
  const client = new Redis(url, {
    connectTimeout: CONNECT_TIMEOUT_MS,
    retryStrategy: pauseBefore,
    keepAlive: 5_000,
    socketTimeout: SILENT_MS,
    enableOfflineQueue: isPatient,
    autoResendUnfulfilledCommands: isPatient,
    maxRetriesPerRequest: isPatient ? null : 0,
  });
  // Callers get the errors, too; without a listener, ioredis prints them to standard error.
  return client.on('error', () => {});
}

/** Connects this process to Redis. Waits up to five seconds; if Redis is not available by then, connects later. */
export async function connectRedis(url: string, logger: Logger, ownNow: () => number) {
  const client = connection(url, 'fail');
  const whyAway = reasonAway(client, logger);
  /** Throws `storage-failed` if Redis is unavailable or gives no answer within two seconds. */
  const ask = <T>(work: () => Promise<T>): Promise<T> =>
    orStorageFailed(async () => {
      if (client.status !== 'ready') throw whyAway();
      const outcome = await inTime(ANSWERS_WITHIN_MS, work());
      if (outcome === LATE) throw new Error(`no answer within ${ANSWERS_WITHIN_MS} ms`);
      return outcome;
    });
  const { now, known } = sharedClock(client, ownNow);
  await inTime(CONNECT_TIMEOUT_MS, known);
  let working: Redis | undefined;
  return {
    client,
    ask,
    now,
    /** A second connection, shared by all workers, because their commands block. */
    forWorkers: () => {
      working ??= connection(url, 'wait');
      return working;
    },
    close: () => {
      client.disconnect();
      working?.disconnect();
    },
  };
}
export type SharedRedis = Awaited<ReturnType<typeof connectRedis>>;

/** Returns a function that says why there is no connection. With a logger, logs its loss once, and its return. */
function reasonAway(client: Pick<NodeJS.EventEmitter, 'on'>, logger?: Logger): () => Error {
  let last: Error | undefined;
  client.on('error', (error: Error) => {
    const reason = error.message || errorCode(error);
    const message = 'Redis cannot be used: no command is accepted until it can';
    if (last === undefined) logger?.error({ setting: 'REDIS_URL', reason, repair: REPAIR }, message);
    last = error;
  });
  client.on('ready', () => {
    if (last !== undefined) logger?.info('Redis can be used again');
    last = undefined;
  });
  return () => last ?? new Error('there is no connection to Redis');
}

/**
 * The time of Redis, so that replicas with different clocks agree on deadlines. Between two requests for it, the
 * monotonic clock counts, because the wall clock may jump. Until the first answer (`known`), the time of this machine.
 */
function sharedClock(client: Redis, ownNow: () => number) {
  const { promise: known, resolve } = Promise.withResolvers<void>();
  let aheadMs = Date.now() - performance.now();
  const read = async () => {
    const asked = performance.now();
    const [seconds = 0, microseconds = 0] = await client.time();
    aheadMs = Number(seconds) * 1_000 + Number(microseconds) / 1_000 - (asked + performance.now()) / 2;
    resolve();
  };
  const readAgain = () => void read().catch(() => {});
  const timer = setInterval(readAgain, CLOCK_READ_EVERY_MS).unref();
  client.on('ready', readAgain).once('end', () => clearInterval(timer));
  // The last two terms are a test clock's offset.
  const now = () => Math.round(performance.now() + aheadMs + ownNow() - Date.now());
  return { now, known };
}

const AT_ONCE = 500;

/** The store in Redis, for any number of replicas. */
export async function redisStore(
  url: string,
  context: Omit<ValuesContext, 'ask'> & { readonly redis: SharedRedis },
): Promise<Store> {
  const { client, ask, close } = context.redis;
  const values = clientForKeyv(url);
  const whyAway = reasonAway(values);
  await inTime(
    CONNECT_TIMEOUT_MS,
    values.connect().catch(() => {}),
  );
  const leases = leasesIn(client, ask);
  const askKeyv = <T>(work: () => Promise<T>) =>
    ask(() => {
      // Keyv's adapter would otherwise open a closed connection again.
      if (!values.isReady) throw whyAway();
      return work();
    });
  return {
    leases,
    isShared: true,
    namespace: namespacesOn({ ...context, ask: askKeyv, leases }, (name) => {
      const store = new KeyvRedis<string>(values, { throwOnConnectError: true, throwOnErrors: true });
      return { store, namespace: `${PREFIX}:values:${name}` };
    }),
    /** Tries a write, because a full or read-only Redis still answers PING. Both connections must stand. */
    check: async () => {
      await askKeyv(async () => {});
      await leases.hold('self-test', 1);
    },
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
function clientForKeyv(url: string) {
  const socket = { connectTimeout: CONNECT_TIMEOUT_MS, reconnectStrategy: pauseBefore };
  const client = createClient({ url, disableOfflineQueue: true, socket });
  // Keyv adds one listener for each kind of values, which would exceed the default limit.
  return client.setMaxListeners(0);
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
