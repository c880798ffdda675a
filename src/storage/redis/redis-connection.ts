import { createClient } from '@keyv/redis';
import { inTime } from '../../core/deadline.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const LONGEST_RECONNECT_MS = 2_000;

/** The connection for everything that users wait for: commands fail at once while Redis is away. */
function connection(url: string) {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: {
      connectTimeout: CONNECT_TIMEOUT_MS,
      reconnectStrategy: (attempts) => Math.min(100 * 2 ** Math.min(attempts, 8), LONGEST_RECONNECT_MS),
    },
  });
  // Each namespace adds a listener to it.
  client.setMaxListeners(0);
  return client;
}
export type RedisConnection = ReturnType<typeof connection>;

/** The connection for background work: its commands wait until Redis is back. The caller connects it. */
export function patient(client: RedisConnection): RedisConnection {
  return client.duplicate({ disableOfflineQueue: false });
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

/** Connects, or goes on trying in the background if Redis is away. */
export async function connect(url: string, watcher: RedisWatcher): Promise<RedisConnection> {
  const client = connection(url);
  watch(client, watcher);
  const connected = client.connect().catch(() => {});
  await inTime(CONNECT_TIMEOUT_MS, connected);
  return client;
}
