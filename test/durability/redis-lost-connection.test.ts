import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { openStorage } from '../../src/storage/open-storage.ts';
import { type RedisConnection, singleConnection } from '../../src/storage/redis/redis-client.ts';
import { withOfflineQueue } from '../../src/storage/redis/redis-connection.ts';
import { aLookup } from '../support/a-lookup.ts';
import { has } from '../support/needs.ts';
import { startRedis } from '../support/redis.ts';
import { startRedisRelay } from '../support/redis-relay.ts';

describe.runIf(has('redis-server'))('A connection whose commands wait for Redis', () => {
  test.for([
    ['', (client: RedisConnection) => client],
    // As BullMQ makes one.
    [', a copy as well,', (client: RedisConnection) => client.duplicate()],
  ] as const)(
    '%s answers again after it was lost in the turn of the event loop in which a command was to be sent',
    async ([, made], { onTestFinished }) => {
      const redis = await startRedis();
      onTestFinished(() => redis.close());
      const relay = await startRedisRelay(redis.url, {});
      onTestFinished(() => relay.close());
      const client = made(withOfflineQueue(singleConnection(relay.url)));
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
    },
  );
});

describe.runIf(has('redis-server'))('A replica behind a network that loses everything', () => {
  test('takes jobs again over new connections, long before the old ones are known to be lost', async ({
    onTestFinished,
  }) => {
    const redis = await startRedis();
    onTestFinished(() => redis.close());
    const relay = await startRedisRelay(redis.url, {});
    onTestFinished(() => relay.close());
    const log: string[] = [];
    const open = async (url: string) => {
      const settings = { kind: 'redis', url, stateKeys: [new Uint8Array(32).fill(9)] } as const;
      const context = { logger: pino({}, { write: (line) => log.push(line) }), now: Date.now };
      const storage = await openStorage(settings, context);
      onTestFinished(async () => {
        await storage.queue.stop(100);
        await storage.store.close();
      });
      return storage.queue;
    };
    const [taking, adding] = [await open(relay.url), await open(redis.url)];
    const taken: string[] = [];
    await taking.start(async ({ id }) => {
      taken.push(id);
      return { done: true };
    });
    await adding.add(aLookup('before'));
    await expect.poll(() => taken).toEqual(['before']);
    relay.hold();
    await adding.add(aLookup('after'));
    await expect.poll(() => taken, { timeout: 30_000 }).toEqual(['before', 'after']);
    expect(log.join()).toContain('a connection to Redis does not answer');
  });
});
