import { createClient } from '@keyv/redis';
import { Redis } from 'ioredis';
import { inTime } from '../../core/time.ts';
import { type Durably, durablyOn } from './durable-write.ts';

export const CONNECT_TIMEOUT_MS = 5_000;
const LONGEST_RECONNECT_MS = 2_000;
/** A connection that is silent for longer than the longest block of a worker is replaced. */
const SILENT_MS = 4_000;
const KEEP_ALIVE_MS = 5_000;

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

/** What becomes of commands while Redis is away. */
type Patience = {
  readonly maxRetriesPerRequest: number | null;
  readonly enableOfflineQueue: boolean;
  readonly autoResendUnfulfilledCommands: boolean;
};

function bullConnection(url: string, patience: Patience): Redis {
  const client = new Redis(url, {
    connectTimeout: CONNECT_TIMEOUT_MS,
    retryStrategy: pauseBefore,
    keepAlive: KEEP_ALIVE_MS,
    socketTimeout: SILENT_MS,
    ...patience,
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
  return durablyOn({ epoch: () => sockets, send: (word = '', ...words) => client.call(word, ...words) });
}

/** The connection that adds jobs: a command that was refused must not run later, when Redis is back. */
export function addingConnection(url: string): Redis {
  return bullConnection(url, {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
  });
}

/** The connection of a worker: its commands wait until Redis is back. */
export function workingConnection(url: string): Redis {
  return bullConnection(url, {
    enableOfflineQueue: true,
    autoResendUnfulfilledCommands: true,
    maxRetriesPerRequest: null,
  });
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
