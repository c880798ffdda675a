import { createClient } from '@keyv/redis';
import { inTime } from '../../core/deadline.ts';
import { type Durably, onOneServer, onReplicas } from './durable-write.ts';
import {
  type Connections,
  type CurrentEndpoint,
  PrimaryFollower,
  socketToPrimary,
} from './follow-primary.ts';
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
export function withOfflineQueue(client: RedisConnection): RedisConnection {
  return beginningAnew(client.duplicate({ disableOfflineQueue: false }));
}

/**
 * A connection that starts over when it is lost: its pending commands fail. Left alone, node-redis keeps writing to the
 * lost socket, takes the first replies on the next socket for replies to that, and is never ready again.
 */
function beginningAnew(client: RedisConnection): RedisConnection {
  const copy: () => RedisConnection = client.duplicate.bind(client);
  let wasReady = false;
  client.on('ready', () => {
    wasReady = true;
  });
  client.on('error', () => {
    if (!wasReady) return;
    wasReady = false;
    client.destroy();
    // Not at once, because node-redis would connect a second time. The client retries by itself, and reports failures
    // as events.
    queueMicrotask(() => client.connect().catch(() => {}));
  });
  return Object.assign(client, { duplicate: () => beginningAnew(copy()) });
}

/** Makes a connection that finds its own way to the primary, as every copy of it does. */
function groupConnection(
  group: GroupAddress,
  find: FindPrimary,
  connections: Connections,
  options: { readonly disableOfflineQueue: boolean } = FAILS_AT_ONCE,
): RedisConnection {
  const { username, password } = group;
  const current: CurrentEndpoint = { endpoint: undefined };
  const client: RedisConnection = createClient({
    ...options,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    socket: { ...SOCKET, ...socketToPrimary(group, find, current) },
  });
  client.on('ready', () => connections.set(client, current));
  client.on('end', () => connections.delete(client));
  return Object.assign(client, {
    duplicate: (overrides?: Partial<typeof options>) =>
      groupConnection(group, find, connections, { ...options, ...overrides }),
  });
}

type Opened = {
  readonly connection: RedisConnection;
  /**
   * The connection for writes that must not be lost, such as an accepted lookup. Each of them is waited for and delays
   * the writes after it.
   */
  readonly confirmed: RedisConnection;
  readonly durably: Durably;
};

function connectionTo(address: RedisAddress, prefix: string): Opened {
  if (address.kind === 'single') {
    const connection = singleConnection(address.url);
    return { connection, confirmed: connection, durably: onOneServer };
  }
  const find = primaryFinder(address, prefix);
  const connections: Connections = new Map();
  const main = groupConnection(address, find, connections);
  const confirmed = main.duplicate();
  // The error also reaches the caller that waits.
  confirmed.on('error', () => {});
  const follower = new PrimaryFollower({ group: address, key: prefix, find, connections, main, confirmed });
  main.once('ready', () => follower.start());
  return { connection: main, confirmed, durably: onReplicas(() => follower.isAlone) };
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
  const opened = connectionTo(address, prefix);
  watch(opened.connection, watcher);
  const connections = [...new Set([opened.connection, opened.confirmed])];
  // Each namespace adds a listener to it.
  for (const each of connections) each.setMaxListeners(0);
  await inTime(CONNECT_TIMEOUT_MS, Promise.allSettled(connections.map((each) => each.connect())));
  return { ...opened, prefix };
}
