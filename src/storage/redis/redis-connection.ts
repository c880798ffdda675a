import { randomUUID } from 'node:crypto';
import { createClient } from '@keyv/redis';
import { RedisConnection } from 'bullmq';
import { Redis } from 'ioredis';
import type { Leases } from '../../core/lease.ts';
import { orStorageFailed } from '../../core/store.ts';
import { inTime, LATE } from '../../core/time.ts';

export const CONNECT_TIMEOUT_MS = 5_000;
const LONGEST_RECONNECT_MS = 300;
/** Slack gives three seconds for an answer, and a store that hangs must not use them up. */
const ANSWERS_WITHIN_MS = 2_000;
/** A connection of BullMQ's that is silent for longer than the longest block of a worker is replaced. */
const SILENT_MS = 4_000;
const KEEP_ALIVE_MS = 5_000;

/** The prefix of every key of the bot. */
export const PREFIX = 'snapshot-bot';

const pauseBefore = (attempt: number) => Math.min(100 * 2 ** Math.min(attempt, 8), LONGEST_RECONNECT_MS);

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

/** Throws where Redis takes longer than two seconds. */
export async function answered<T>(work: () => Promise<T>): Promise<T> {
  const outcome = await inTime(ANSWERS_WITHIN_MS, work());
  if (outcome === LATE) throw new Error(`no answer within ${ANSWERS_WITHIN_MS} ms`);
  return outcome;
}

/**
 * What BullMQ takes Redis for where it does not ask (`skipVersionCheck`): an INFO that is refused, once, would keep it from
 * working until the next start. With its own 5.0 it would block for whole seconds, and take jobs late.
 */
RedisConnection.minimumVersion = '6.2.0';

/**
 * A connection of BullMQ's. While Redis is away, the commands of a worker wait; those that add jobs fail, because one that
 * was refused must not run later.
 */
export function bullConnection(url: string, whileAway: 'fail' | 'wait'): Redis {
  const isPatient = whileAway === 'wait';
  const options = {
    connectTimeout: CONNECT_TIMEOUT_MS,
    retryStrategy: pauseBefore,
    keepAlive: KEEP_ALIVE_MS,
    socketTimeout: SILENT_MS,
    enableOfflineQueue: isPatient,
    autoResendUnfulfilledCommands: isPatient,
    maxRetriesPerRequest: isPatient ? null : 0,
  };
  return withErrorListener(new Redis(url, options));
}

/** Callers and BullMQ get the errors too; without a listener, ioredis writes them to the standard error. */
function withErrorListener(client: Redis): Redis {
  const duplicate = client.duplicate.bind(client);
  client.duplicate = (override) => withErrorListener(duplicate(override));
  return client.on('error', () => {});
}

/** https://redis.io/docs/latest/develop/clients/patterns/distributed-locks/: only the holder may renew or release. */
const RENEW =
  "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 0";
const RELEASE =
  "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

/** Leases as Redis keys that expire by themselves, each with its holder as its value. */
export function leasesIn(client: ValuesConnection): Leases {
  /** This process among those that share the leases. */
  const holder = randomUUID();
  const work = <T>(ask: () => Promise<T>) => orStorageFailed(() => answered(ask));
  const keyOf = (name: string) => `${PREFIX}:leases:${name}`;
  const lasting = (ms: number) => ({ type: 'PX', value: Math.ceil(ms) }) as const;
  const take = (name: string, ms: number) =>
    client.set(keyOf(name), holder, { condition: 'NX', expiration: lasting(ms) });
  const forHolder = (script: string, name: string, ...more: string[]) =>
    client.eval(script, { keys: [keyOf(name)], arguments: [holder, ...more] });
  return {
    acquire: (name, ms) => work(async () => (await take(name, ms)) === 'OK'),
    hold: (name, ms) =>
      work(async () => void (await client.set(keyOf(name), holder, { expiration: lasting(ms) }))),
    renew: (name, ms) =>
      work(async () => {
        if ((await forHolder(RENEW, name, String(Math.ceil(ms)))) === 1) return true;
        await take(name, ms);
        return false;
      }),
    release: (name) => work(async () => void (await forHolder(RELEASE, name))),
    ttl: (name) => work(async () => Math.max(0, await client.pTTL(keyOf(name)))),
  };
}
