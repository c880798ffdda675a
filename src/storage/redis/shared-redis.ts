import { RedisConnection } from 'bullmq';
import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { errorCode } from '../../core/errors.ts';
import { orStorageFailed } from '../../core/store.ts';
import { inTime, LATE } from '../../core/time.ts';

export const CONNECT_TIMEOUT_MS = 5_000;
/** Slack gives three seconds for an answer, and a store that hangs must not use them up. */
const ANSWERS_WITHIN_MS = 2_000;
/** A connection that is silent for longer than the longest block of a worker is replaced. */
const SILENT_MS = 4_000;
const CLOCK_READ_EVERY_MS = 60_000;
const REPAIR =
  'check that it runs, the address and the password in REDIS_URL, redis:// or rediss://, and the firewall';

/** The pause before an attempt to connect again. Milliseconds. */
export const pauseBefore = (attempt: number) => Math.min(100 * attempt, 300);

/** The prefix of every key of the bot. */
export const PREFIX = 'snapshot-bot';

/**
 * BullMQ does not ask Redis for its release (`skipVersionCheck`), because one refused INFO would stop it until the next
 * start. It assumes this one instead; with its default, 5.0, it would block for whole seconds and take jobs late.
 */
RedisConnection.minimumVersion = '6.2.0';

/**
 * A connection. While Redis is away, the commands of a worker wait; all others fail, so that users get an answer, and
 * because a job whose adding was refused must not be added later.
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
  // Callers get the errors too; without a listener, ioredis writes them to the standard error.
  return client.on('error', () => {});
}

/** Connects this replica to Redis. Waits at most five seconds; after that the connection comes later. */
export async function connectRedis(url: string, logger: Logger, ownNow: () => number) {
  const client = connection(url, 'fail');
  logAvailability(client, logger);
  /** Throws `storage-failed`: at once while Redis is away, and after two seconds without an answer. */
  const ask = <T>(work: () => Promise<T>): Promise<T> =>
    orStorageFailed(async () => {
      if (client.status !== 'ready') throw new Error('there is no connection to Redis');
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
    /** Another connection, for all workers. */
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

/** Logs when Redis is lost, once each time, and when it is back. */
function logAvailability(client: Redis, logger: Logger): void {
  let isLost = false;
  client.on('error', (error) => {
    if (isLost) return;
    isLost = true;
    const reason = error.message || errorCode(error);
    const message = 'Redis cannot be used: no command is accepted until it can';
    logger.error({ setting: 'REDIS_URL', reason, repair: REPAIR }, message);
  });
  client.on('ready', () => {
    if (isLost) logger.info('Redis can be used again');
    isLost = false;
  });
}

/**
 * Redis' time, by which replicas whose clocks differ compare deadlines. Between two readings it goes on monotonically:
 * the wall clock may jump. Until the first reading (`known`) it is this machine's time.
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
  // A test's own clock may run ahead of this machine's.
  const now = () => Math.round(performance.now() + aheadMs + ownNow() - Date.now());
  return { now, known };
}
