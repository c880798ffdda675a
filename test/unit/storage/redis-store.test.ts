import { describe, expect, test } from 'vitest';
import { aLookup } from '../../support/a-lookup.ts';
import { has } from '../../support/needs.ts';
import { redisForAll } from '../../support/redis-for-all.ts';

describe.runIf(has('redis-server'))('On Redis', () => {
  const shared = redisForAll();

  test('a lease that has run out is neither renewed nor released by its former holder, who knows that it is lost', async () => {
    const [slow, other] = [await shared.open(), await shared.open()].map(({ store }) => store.leases);
    if (slow === undefined || other === undefined) throw new Error('there are two');
    await slow.acquire('name', 60_000);
    expect(await other.renew('name', 90_000)).toBe(false);
    expect(await other.ttl('name')).toBeLessThanOrEqual(60_000);
    expect(await slow.renew('name', 90_000.5)).toBe(true);
    expect(await other.ttl('name')).toBeGreaterThan(80_000);
    // Its time is over, and another one takes it.
    const [key = ''] = await shared.client.keys('*leases*');
    await shared.client.del(key);
    expect(await other.acquire('name', 60_000)).toBe(true);
    await slow.release('name');
    expect(await slow.renew('name', 90_000)).toBe(false);
    const left = await other.ttl('name');
    expect(left).toBeGreaterThan(50_000);
    expect(left).toBeLessThanOrEqual(60_000);
    await other.release('name');
    expect(await other.ttl('name')).toBe(0);
  });

  test('the check of the store leaves nothing behind', async () => {
    const { store } = await shared.open();
    await store.check();
    await expect.poll(() => shared.client.keys('*leases*')).toEqual([]);
  });

  test('what is found among very many keys of others is deleted', async () => {
    const { store } = await shared.open();
    await store.namespace('recents').set('key', 1);
    await shared.client.mSet(
      Object.fromEntries(Array.from({ length: 3_000 }, (_, id) => [`other:${id}`, ''])),
    );
    await store.clear();
    expect(await shared.client.dbSize()).toBe(3_000);
  });

  test('of two stores that are new at once one makes the names, and the slower one takes them', async () => {
    const relay = await shared.relay();
    relay.slow(100);
    const slow = (await shared.open(relay)).store.namespace('recents');
    const fast = (await shared.open()).store.namespace('recents');
    await shared.client.configResetStat();
    const written = slow.set('slow', 1);
    // It was told that there are no names, and hears of it later.
    await expect.poll(() => shared.client.info('commandstats')).toContain('cmdstat_get:');
    await fast.set('fast', 2);
    await written;
    expect([await fast.get('slow'), await slow.get('fast')]).toEqual([1, 2]);
  });

  test('a job that is done leaves nothing behind but the last word of its events', async () => {
    const { queue } = await shared.open();
    await queue.start(async () => ({ done: true }));
    await queue.add(aLookup('one'));
    await expect.poll(() => queue.countOpen()).toBe(0);
    expect(await shared.client.keys('*one*')).toEqual([]);
  });

  test('a delivery is remembered for a day, with its job and without one', async () => {
    const { queue } = await shared.open();
    await queue.add({ ...aLookup('one'), delivery: 'one' });
    await queue.remember('two');
    const keys = await shared.client.keys('snapshot-bot:jobs:de:*');
    const days = await Promise.all(keys.map(async (key) => (await shared.client.pTTL(key)) / 86_400_000));
    expect(days.map((each) => Math.round(each * 100) / 100)).toEqual([1, 1]);
  });

  test('changes that replicas make in one moment are made one after the other', async () => {
    const replicas = [await shared.open(), await shared.open()];
    const counts = replicas.map(({ store }) => store.namespace<number>('owners'));
    const adding = Array.from({ length: 10 }, () =>
      counts.map((each) =>
        each.change(
          'key',
          (before = 0) => before + 1,
          () => 60_000,
        ),
      ),
    );
    await Promise.all(adding.flat());
    expect(await counts[0]?.get('key')).toBe(20);
  });

  test('a lease that was given so late that its holder may have lost it meanwhile is asked for again', async () => {
    const relay = await shared.relay();
    const [late, other] = [(await shared.open(relay)).store.leases, (await shared.open()).store.leases];
    await late.ttl('name');
    relay.slow(600);
    const taking = late.acquire('name', 60_000);
    await expect.poll(() => other.acquire('name', 60_000)).toBe(true);
    expect(await taking).toBe(false);
  });

  test('an open job that ended unseen counts no longer than a minute', async () => {
    const { queue } = await shared.open();
    for (const id of ['ended', 'open']) await queue.add({ ...aLookup(id), acceptedAt: 1_000 });
    await shared.client.zAdd('snapshot-bot:open:lookup', { score: 999, value: 'lookup-ended' });
    await shared.client.del('snapshot-bot:jobs:lookup-ended');
    expect(await queue.oldestAcceptedAt()).toBe(1_000);
    expect(await queue.countOpen()).toBe(1);
  });
});
