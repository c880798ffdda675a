import { describe, expect } from 'vitest';
import { withLeaseWhenFree } from '../../src/core/lease.ts';
import { eventually } from '../support/eventually.ts';
import { backends, close } from './backends.ts';

describe.each(backends())('On %s', (name, test) => {
  describe.concurrent('a lease', () => {
    test('has one holder at a time, until it is released or expires', async ({ own }) => {
      const { leases } = (await own.open()).store;
      const taken = await Promise.all(Array.from({ length: 20 }, () => leases.acquire('name', 60_000)));
      expect(taken.filter((isTaken) => isTaken)).toHaveLength(1);
      expect(await leases.ttl('name')).toBeGreaterThan(50_000);
      await leases.release('name');
      expect(await leases.ttl('name')).toBe(0);
      expect(await leases.acquire('name', 40)).toBe(true);
      await eventually(async () => expect(await leases.acquire('name', 60_000)).toBe(true));
      await leases.hold('name', 40);
      await eventually(async () => expect(await leases.ttl('name')).toBe(0));
    });

    test('can be renewed until it expires, and then taken again', async ({ own }) => {
      const { leases } = (await own.open()).store;
      expect([await leases.renew('own', 30_000), await leases.acquire('own', 30_000)]).toEqual([
        false,
        false,
      ]);
      expect(await leases.renew('own', 60_000)).toBe(true);
      expect(await leases.ttl('own')).toBeGreaterThan(50_000);
      await leases.hold('own', 1);
      // A lease that ends within a millisecond has a ttl of 0 and can still be renewed, so ask until that fails.
      await eventually(async () => expect(await leases.renew('own', 1)).toBe(false));
    });

    test('is renewed while its work runs, and is free afterwards', async ({ own }) => {
      const { leases } = (await own.open()).store;
      let [last, renewals] = [0, -1];
      const outcome = await withLeaseWhenFree(leases, 'long work', 1_500, async () => {
        await eventually(async () => {
          const left = await leases.ttl('long work');
          // The remaining time grows only by a renewal.
          if (left > last) renewals += 1;
          last = left;
          expect(renewals).toBeGreaterThanOrEqual(2);
        });
        return 'done';
      });
      expect([outcome, await leases.ttl('long work')]).toEqual(['done', 0]);
    });

    test.runIf(name === 'Redis')('is there in the next process', async ({ own }) => {
      const storage = await own.open();
      await storage.store.leases.hold('rest', 60_000);
      await close(storage);
      const { leases } = (await own.open()).store;
      expect(await leases.acquire('rest', 10)).toBe(false);
      expect(await leases.ttl('rest')).toBeGreaterThan(50_000);
    });

    test.runIf(name === 'Redis')('of another process is neither renewed nor released', async ({ own }) => {
      const [one, other] = [(await own.open()).store.leases, (await own.open()).store.leases];
      expect(await one.acquire('theirs', 60_000)).toBe(true);
      await other.release('theirs');
      expect([await other.renew('theirs', 90_000), await other.acquire('theirs', 1)]).toEqual([false, false]);
      expect(await one.ttl('theirs')).toBeLessThanOrEqual(60_000);
    });
  });
});
