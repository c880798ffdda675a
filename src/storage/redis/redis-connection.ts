import { createClient } from '@keyv/redis';
import { RedisConnection } from 'bullmq';
import { Redis } from 'ioredis';
import { inTime } from '../../core/time.ts';

export const CONNECT_TIMEOUT_MS = 5_000;
/** Short, because whoever holds a lease comes before those who wait for it only if it is back as soon. */
const LONGEST_RECONNECT_MS = 300;
/** A connection that is silent for longer than the longest block of a worker is replaced. */
const SILENT_MS = 4_000;
const KEEP_ALIVE_MS = 5_000;

/**
 * What BullMQ takes Redis for where it does not ask (`skipVersionCheck`): an INFO that is refused, once, would keep it from
 * working until the next start. With its own 5.0 it would block for whole seconds, and take jobs late.
 */
RedisConnection.minimumVersion = '6.2.0';

/** The prefix of every key of the bot. */
export const PREFIX = 'snapshot-bot';
/** The name of BullMQ's queue. */
export const QUEUE = 'jobs';

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

/**
 * A connection of BullMQ's. While Redis is away, the commands of a worker wait; those that add jobs fail, because one that
 * was refused must not run later.
 */
export function bullConnection(url: string, whileAway: 'fail' | 'wait'): Redis {
  const isPatient = whileAway === 'wait';
  const client = new Redis(url, {
    connectTimeout: CONNECT_TIMEOUT_MS,
    retryStrategy: pauseBefore,
    keepAlive: KEEP_ALIVE_MS,
    socketTimeout: SILENT_MS,
    enableOfflineQueue: isPatient,
    autoResendUnfulfilledCommands: isPatient,
    maxRetriesPerRequest: isPatient ? null : 0,
  });
  return withErrorListener(client);
}

/** Callers and BullMQ get the errors too; without a listener, ioredis writes them to the standard error. */
function withErrorListener(client: Redis): Redis {
  const duplicate = client.duplicate.bind(client);
  client.duplicate = (override) => withErrorListener(duplicate(override));
  return client.on('error', () => {});
}

/** Confirms what is written on a connection of BullMQ's. */
export function durablyOnBull(client: Redis): Durably {
  let sockets = 0;
  client.on('connect', () => {
    sockets += 1;
  });
  return durablyOn(
    () => sockets,
    (word = '', ...words) => client.call(word, ...words),
  );
}

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
