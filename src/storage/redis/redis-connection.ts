import { createClient } from '@keyv/redis';
import { inTime } from '../../core/deadline.ts';
import { type Connections, type Place, PrimaryFollower, socketToPrimary } from './follow-primary.ts';
import { type FindPrimary, primaryFinder } from './primary.ts';
import { type GroupAddress, keyPrefix, type RedisAddress, redisAddress } from './redis-address.ts';
import {
  CONNECT_TIMEOUT_MS,
  FAILS_AT_ONCE,
  type RedisConnection,
  SOCKET,
  singleConnection,
} from './redis-client.ts';

/** The connection for background work: its commands wait until Redis is back. The caller connects it. */
export function patient(client: RedisConnection): RedisConnection {
  return client.duplicate({ disableOfflineQueue: false });
}

/** Makes a connection that finds its own way to the primary, as every copy of it does. */
function groupConnection(
  group: GroupAddress,
  find: FindPrimary,
  connections: Connections,
  options: { readonly disableOfflineQueue: boolean } = FAILS_AT_ONCE,
): RedisConnection {
  const { username, password } = group;
  const place: Place = { endpoint: undefined };
  const client: RedisConnection = createClient({
    ...options,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    socket: { ...SOCKET, ...socketToPrimary(group, find, place) },
  });
  client.on('ready', () => connections.set(client, place));
  client.on('end', () => connections.delete(client));
  return Object.assign(client, {
    duplicate: (overrides?: Partial<typeof options>) =>
      groupConnection(group, find, connections, { ...options, ...overrides }),
  });
}

type Opened = {
  readonly connection: RedisConnection;
  /** Resolves once what was written survives the death of the primary; throws if it would not. */
  readonly replicated: () => Promise<void>;
};

function connectionTo(address: RedisAddress, prefix: string): Opened {
  if (address.kind === 'single') {
    return { connection: singleConnection(address.url), replicated: async () => {} };
  }
  const find = primaryFinder(address, prefix);
  const connections: Connections = new Map();
  const main = groupConnection(address, find, connections);
  const waiting = main.duplicate();
  // The error also reaches the caller that waits.
  waiting.on('error', () => {});
  const follower = new PrimaryFollower({ group: address, key: prefix, find, connections, main, waiting });
  main.once('ready', () => follower.start());
  return { connection: main, replicated: () => follower.replicated() };
}

/** Called when Redis is lost, once each time, and when it is back. */
type RedisWatcher = { readonly lost: (error: unknown) => void; readonly back: () => void };

/** The error also reaches the next caller; without a listener the event would end the process. */
function watch(client: RedisConnection, { lost, back }: RedisWatcher): void {
  let isLost = false;
  client.on('error', (error: unknown) => {
    if (!isLost) lost(error);
    isLost = true;
  });
  client.on('ready', () => {
    if (isLost) back();
    isLost = false;
  });
}

/** A connection, and the prefix of every key of the bot there. */
type ConnectedRedis = Opened & { readonly prefix: string };

/** Connects, or goes on trying in the background if Redis is away. */
export async function connect(url: string, watcher: RedisWatcher): Promise<ConnectedRedis> {
  const address = redisAddress(url);
  if (address === undefined) throw new Error('REDIS_URL is no address of a Redis');
  const prefix = keyPrefix(address);
  const { connection, replicated } = connectionTo(address, prefix);
  // Each namespace adds a listener to it.
  connection.setMaxListeners(0);
  watch(connection, watcher);
  const connected = connection.connect().catch(() => {});
  await inTime(CONNECT_TIMEOUT_MS, connected);
  return { connection, replicated, prefix };
}
