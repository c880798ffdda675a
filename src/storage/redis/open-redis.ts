import KeyvRedis from '@keyv/redis';
import type { Redis } from 'ioredis';
import { errorCode } from '../../core/errors.ts';
import { orStorageFailed, type Store } from '../../core/store.ts';
import { inTime } from '../../core/time.ts';
import type { AnyJob, JobKind, Jobs } from '../../lookups/queue.ts';
import type { JobsContext } from '../backend/sealed-jobs.ts';
import { Sealer } from '../backend/sealer.ts';
import {
  type Backend,
  type StorageContext,
  type StorageReports,
  storageReports,
} from '../backend/storage.ts';
import { namespacesOn } from '../backend/values.ts';
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

/** Opens the store and the queue that replicas share. Redis may be away at the start and come later. */
export async function openRedis(
  url: string,
  stateKeys: readonly [Uint8Array, ...Uint8Array[]],
  context: StorageContext,
): Promise<Backend> {
  const logger = context.logger.child({ part: 'redis' });
  const connection = await connect(url, {
    lost: (error) => {
      const reason = (error instanceof Error && error.message) || errorCode(error);
      const message = 'Redis cannot be used: no command is accepted until it can';
      logger.error({ setting: 'REDIS_URL', reason, repair: REPAIR }, message);
    },
    back: () => logger.info('Redis can be used again'),
  });
  const sealer = new Sealer(stateKeys);
  const reports = storageReports(context);
  const queueError = (error: unknown, id?: string) => {
    // Each connection of the queue says again what was said of Redis.
    if (id === undefined && !connection.isReady) logger.debug({ err: error }, 'the queue has no connection');
    else reports.queueError(error, id);
  };
  const clock = sharedClock(connection, context.now);
  const bull = { url, sealer, now: clock.now, reports: { ...reports, queueError } };
  const [jobs] = await Promise.all([bullJobs(bull), inTime(CONNECT_TIMEOUT_MS, clock.known)]);
  const store = redisStore(connection, sealer, reports, jobs.check);
  const close = () => {
    clock.stop();
    return store.close();
  };
  return { store: { ...store, close }, jobs, unopened: reports.unopened, now: clock.now };
}

/** The store on Redis, for any number of replicas. */
function redisStore(
  client: ValuesConnection,
  sealer: Sealer,
  reports: StorageReports,
  checkQueue: () => void,
): Store {
  const leases = leasesIn(client);
  const within = <T>(work: () => Promise<T>) => {
    // Keyv's adapter would connect again after the end.
    if (!client.isOpen) throw new Error('the connection to Redis was closed');
    return answered(work);
  };
  const context = { sealer, leases, onUnreadable: reports.unreadable, within };
  return {
    leases,
    isShared: true,
    namespace: namespacesOn(context, (name) => ({
      store: new KeyvRedis<string>(client, { throwOnConnectError: true, throwOnErrors: true }).on(
        'error',
        () => {},
      ),
      namespace: `${PREFIX}:values:${name}`,
    })),
    /** Writes: a Redis that is full or read-only answers a PING but takes no writes. */
    check: async () => {
      await leases.hold('self-test', 1);
      await orStorageFailed(checkQueue);
    },
    clear: () =>
      orStorageFailed(async () => {
        // What a running step wrote during the first pass goes with the second: without its job, it writes nothing more.
        for (const _pass of [1, 2]) await unlinkAll(client);
      }),
    close: async () => client.destroy(),
  };
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
async function bullJobs({
  url,
  ...context
}: JobsContext & { readonly url: string }): Promise<Jobs & { check(): void }> {
  const adding = bullConnection(url, 'fail');
  let working: Redis | undefined;
  const connections = {
    adding,
    working: () => {
      working ??= bullConnection(url, 'wait');
      return working;
    },
  };
  const ready = new Promise((resolve) => adding.once('ready', resolve));
  await inTime(CONNECT_TIMEOUT_MS, ready);
  const queues: Pick<BullQueue<AnyJob>, 'check' | 'stop'>[] = [];
  return {
    of: <J extends AnyJob>(kind: JobKind) => {
      const queue = new BullQueue<J>(kind, { ...context, ...connections });
      queues.push(queue);
      return queue;
    },
    check: () => {
      for (const queue of queues) queue.check();
    },
    stop: async (ms) => {
      await Promise.all(queues.map((queue) => queue.stop(ms)));
      for (const connection of [adding, working]) connection?.disconnect();
    },
  };
}
