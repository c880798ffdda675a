import KeyvRedis from '@keyv/redis';
import type { Logger } from 'pino';
import { errorCode } from '../../core/errors.ts';
import { orStorageFailed, type Store } from '../../core/store.ts';
import { inTime, lazily } from '../../core/time.ts';
import type { Follow, Job } from '../../lookups/queue.ts';
import type { JobsContext } from '../backend/sealed-jobs.ts';
import { Sealer } from '../backend/sealer.ts';
import { type Storage, type StorageContext, storageReports } from '../backend/storage.ts';
import { namespacesOn, type ValuesContext } from '../backend/values.ts';
import { BullQueue } from './bull-queue.ts';
import {
  answered,
  bullConnection,
  CONNECT_TIMEOUT_MS,
  connect,
  leasesIn,
  PREFIX,
  type ValuesConnection,
} from './redis-connection.ts';

const SCANNED_AT_ONCE = 500;
const CLOCK_READ_EVERY_MS = 60_000;
const REPAIR =
  'check that it runs, the address and the password in REDIS_URL, redis:// or rediss://, and the firewall';

/** Opens the storage that replicas share. Redis may be away at the start and come later. */
export async function openRedis(
  url: string,
  stateKeys: readonly [Uint8Array, ...Uint8Array[]],
  context: StorageContext,
): Promise<Storage> {
  const logger = context.logger.child({ part: 'redis' });
  const client = await connectLogged(url, logger);
  const sealer = new Sealer(stateKeys);
  const reports = storageReports(context);
  const queueError = (error: unknown, id?: string) => {
    // Each connection of the queue says again what was said of Redis.
    if (id === undefined && !client.isReady) logger.debug({ err: error }, 'the queue has no connection');
    else reports.queueError(error, id);
  };
  const clock = sharedClock(client, context.now);
  const queued = { sealer, now: clock.now, reports: { ...reports, queueError } };
  const [jobs] = await Promise.all([bullQueues(url, queued), inTime(CONNECT_TIMEOUT_MS, clock.known)]);
  const store = redisStore(client, sealer, reports.unreadable);
  return {
    ...jobs,
    store: {
      ...store,
      check: async () => {
        await store.check();
        await orStorageFailed(jobs.check);
      },
      close: () => {
        clock.stop();
        return store.close();
      },
    },
    unopened: reports.unopened,
    now: clock.now,
  };
}

function connectLogged(url: string, logger: Logger): Promise<ValuesConnection> {
  return connect(url, {
    lost: (error) => {
      const reason = (error instanceof Error && error.message) || errorCode(error);
      const message = 'Redis cannot be used: no command is accepted until it can';
      logger.error({ setting: 'REDIS_URL', reason, repair: REPAIR }, message);
    },
    back: () => logger.info('Redis can be used again'),
  });
}

/** The store on Redis, for any number of replicas. */
function redisStore(
  client: ValuesConnection,
  sealer: Sealer,
  onUnreadable: ValuesContext['onUnreadable'],
): Store {
  const leases = leasesIn(client);
  const within = <T>(work: () => Promise<T>) => {
    // Keyv's adapter would connect again after the end.
    if (!client.isOpen) throw new Error('the connection to Redis was closed');
    return answered(work);
  };
  const values = { sealer, leases, onUnreadable, within };
  return {
    leases,
    isShared: true,
    namespace: namespacesOn(values, (name) => keyvOptions(client, name)),
    /** Writes: a Redis that is full or read-only answers a PING but takes no writes. */
    check: () => leases.hold('self-test', 1),
    clear: () =>
      orStorageFailed(async () => {
        // What a running step wrote during the first pass goes with the second: without its job, it writes nothing more.
        for (const _pass of [1, 2]) await unlinkAll(client);
      }),
    close: async () => client.destroy(),
  };
}

function keyvOptions(client: ValuesConnection, name: string) {
  const store = new KeyvRedis<string>(client, { throwOnConnectError: true, throwOnErrors: true });
  return { store: store.on('error', () => {}), namespace: `${PREFIX}:values:${name}` };
}

async function unlinkAll(client: ValuesConnection): Promise<void> {
  for await (const keys of client.scanIterator({ MATCH: `${PREFIX}:*`, COUNT: SCANNED_AT_ONCE })) {
    if (keys.length > 0) await client.unlink(keys);
  }
}

/**
 * Redis' time, by which replicas whose clocks differ compare deadlines. Between two readings it goes on monotonically: the wall
 * clock may jump. Until the first one, `known`, it is this machine's.
 */
function sharedClock(client: ValuesConnection, own: () => number) {
  const { promise: known, resolve } = Promise.withResolvers<void>();
  let aheadMs: number | undefined;
  const read = async () => {
    const asked = performance.now();
    const [seconds, microseconds] = (await client.sendCommand(['TIME'])) as unknown as [string, string];
    const answered = performance.now();
    aheadMs = Number(seconds) * 1_000 + Number(microseconds) / 1_000 - (asked + answered) / 2;
    resolve();
  };
  const now = () => {
    if (aheadMs === undefined) return own();
    // A test's own clock may run ahead of this machine's.
    return Math.round(performance.now() + aheadMs + own() - Date.now());
  };
  const readAgain = () => void read().catch(() => {});
  client.on('ready', readAgain);
  readAgain();
  const timer = setInterval(readAgain, CLOCK_READ_EVERY_MS).unref();
  return { now, known, stop: () => clearInterval(timer) };
}

/** The queues that replicas share. Waits for Redis, but no longer than a connection takes: it may come later. */
async function bullQueues(url: string, context: JobsContext) {
  const adding = bullConnection(url, 'fail');
  const connections = [adding];
  const working = lazily(() => {
    const connection = bullConnection(url, 'wait');
    connections.push(connection);
    return connection;
  });
  await inTime(CONNECT_TIMEOUT_MS, new Promise((resolve) => adding.once('ready', resolve)));
  const options = { ...context, adding, working };
  const queue = new BullQueue<Job>('lookup', options);
  const follows = new BullQueue<Follow>('follow', options);
  return {
    queue,
    follows,
    check: () => {
      for (const each of [queue, follows]) each.check();
    },
    jobs: {
      stop: async (ms: number) => {
        await Promise.all([queue.stop(ms), follows.stop(ms)]);
        for (const connection of connections) connection.disconnect();
      },
    },
  };
}
