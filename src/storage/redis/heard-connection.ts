import type { IRedisClient } from 'bullmq';

/**
 * BullMQ stops listening to a connection before it closes it, and an error that nobody hears ends the process. So
 * every copy that it makes has somebody who hears.
 */
export function withErrorListener(client: IRedisClient): IRedisClient {
  const duplicate = client.duplicate.bind(client);
  client.on('error', () => {});
  return Object.assign(client, {
    duplicate: (...args: Parameters<typeof duplicate>) => withErrorListener(duplicate(...args)),
  });
}
