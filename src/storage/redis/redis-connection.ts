import { createClient } from '@keyv/redis';
import { inTime } from '../../core/deadline.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const LONGEST_RECONNECT_MS = 2_000;

/** One connection for everything: commands fail at once while Redis is away, so that users get an answer. */
function connection(url: string) {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: {
      connectTimeout: CONNECT_TIMEOUT_MS,
      reconnectStrategy: (attempts) => Math.min(100 * 2 ** Math.min(attempts, 8), LONGEST_RECONNECT_MS),
    },
  });
  // Every namespace listens to it.
  client.setMaxListeners(0);
  return client;
}
export type RedisConnection = ReturnType<typeof connection>;

/** The same for work that nobody waits for: its commands wait for Redis to come back. Connected by whoever uses it. */
export function patient(client: RedisConnection): RedisConnection {
  return client.duplicate({ disableOfflineQueue: false });
}

/** Hears when Redis is lost, for each time once, and when it is there again. */
type RedisWatcher = { readonly lost: (error: unknown) => void; readonly back: () => void };

/** The failure also reaches whoever asks next; an unheard event would end the process. */
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

/** Connects, or goes on trying in the background: a Redis that is away at the start may come. */
export async function connect(url: string, watcher: RedisWatcher): Promise<RedisConnection> {
  const client = connection(url);
  watch(client, watcher);
  const connected = client.connect().catch(() => {});
  await inTime(CONNECT_TIMEOUT_MS, connected);
  return client;
}
