import type { IRedisClient } from 'bullmq';

/**
 * BullMQ removes its error listener before it closes a connection, and an error event without a listener ends the
 * process. So each connection, and each copy that BullMQ makes of it, gets a listener.
 */
export function withErrorListener(client: IRedisClient): IRedisClient {
  const duplicate = client.duplicate.bind(client);
  client.on('error', () => {});
  return Object.assign(client, {
    duplicate: (...args: Parameters<typeof duplicate>) => withErrorListener(duplicate(...args)),
  });
}
