import { createClient } from '@keyv/redis';

export const CONNECT_TIMEOUT_MS = 5_000;
const LONGEST_RECONNECT_MS = 2_000;

/** Commands fail at once while Redis is away, so that users get an answer. */
export const FAILS_AT_ONCE = { disableOfflineQueue: true };

/** How every connection connects, and connects again. */
export const SOCKET = {
  connectTimeout: CONNECT_TIMEOUT_MS,
  reconnectStrategy: (attempts: number) => Math.min(100 * 2 ** Math.min(attempts, 8), LONGEST_RECONNECT_MS),
};

/** A connection to one Redis. */
export function singleConnection(url: string) {
  return createClient({ url, ...FAILS_AT_ONCE, socket: { ...SOCKET } });
}
export type RedisConnection = ReturnType<typeof singleConnection>;
