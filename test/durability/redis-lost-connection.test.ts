import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { singleConnection } from '../../src/storage/redis/redis-client.ts';
import { withOfflineQueue } from '../../src/storage/redis/redis-connection.ts';
import { has } from '../support/needs.ts';
import { startRedis } from '../support/redis.ts';
import { startRedisRelay } from '../support/redis-relay.ts';

describe.runIf(has('redis-server'))('A connection whose commands wait for Redis', () => {
  test('answers again after it was lost in the turn of the event loop in which a command was to be sent', async ({
    onTestFinished,
  }) => {
    const redis = await startRedis();
    onTestFinished(() => redis.close());
    const relay = await startRedisRelay(redis.url, {});
    onTestFinished(() => relay.close());
    const client = withOfflineQueue(singleConnection(relay.url));
    onTestFinished(() => client.destroy());
    const lost = Promise.withResolvers<void>();
    client.on('error', () => lost.resolve());
    await client.connect();
    // The loss is noticed before the turn in which this would be sent.
    await nextTurn();
    const dropped = client.ping();
    relay.cut();
    await expect(dropped).rejects.toThrow();
    await lost.promise;
    await expect(client.echo('to this, not to what was dropped')).resolves.toBe(
      'to this, not to what was dropped',
    );
  });
});
