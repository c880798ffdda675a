import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@keyv/redis';

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
  // The failure reaches whoever asks next; an unheard event would end the process.
  client.on('error', () => {});
  return client;
}
export type RedisConnection = ReturnType<typeof connection>;

/** Connects, or goes on trying in the background: a Redis that is away at the start may come. */
export async function connect(url: string): Promise<RedisConnection> {
  const client = connection(url);
  const connected = client.connect().catch(() => {});
  await Promise.race([connected, delay(CONNECT_TIMEOUT_MS, undefined, { ref: false })]);
  return client;
}
