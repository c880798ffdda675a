import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { StorageFailed } from '../../../src/core/faults.ts';
import { acquireWhenFree, HeldLease, LeaseLost, withLeaseWhenFree } from '../../../src/core/lease.ts';
import { orStorageFailed } from '../../../src/core/store.ts';
import { SingleFlight } from '../../../src/core/time.ts';
import { aStore } from '../../support/embedded.ts';

/** Work that ends when it is told to. */
function work<T>() {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const done = vi.fn(() => promise);
  return { done, resolve, reject };
}

beforeEach(
  () =>
    void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] }),
);
afterEach(() => void vi.useRealTimers());

describe('Work under a lease', () => {
  test('holds it while it takes, however long, and frees it at its end', async () => {
    const leases = aStore().leases;
    const { done, resolve } = work<string>();
    const outcome = withLeaseWhenFree(leases, 'a', { ms: 300 }, done);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await leases.ttl('a')).toBeGreaterThanOrEqual(200);
    resolve('done');
    expect(await outcome).toBe('done');
    expect(await leases.ttl('a')).toBe(0);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await leases.ttl('a')).toBe(0);
  });

  test('that fails frees it too', async () => {
    const leases = aStore().leases;
    const failing = withLeaseWhenFree(leases, 'a', { ms: 300 }, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(await leases.acquire('a', 1)).toBe(true);
  });

  test('waits for its holder, and asks as often as it is told to', async () => {
    const leases = aStore(() => Date.now()).leases;
    const acquire = vi.spyOn(leases, 'acquire');
    const { done, resolve } = work<undefined>();
    resolve(undefined);
    vi.useRealTimers();
    const start = Date.now();
    await leases.hold('a', 60);
    await withLeaseWhenFree(leases, 'a', { ms: 300, askAgainMs: 25 }, done);
    expect(Date.now() - start).toBeGreaterThanOrEqual(60);
    expect(acquire.mock.calls.length).toBeGreaterThan(1);
    expect(acquire.mock.calls.length).toBeLessThanOrEqual(4);
    expect(done).toHaveBeenCalledTimes(1);
  });

  test('does not wait for its lease once the holder’s longer time shows that the work is done', async () => {
    const leases = aStore().leases;
    await leases.hold('a', 300);
    const lasts = (ms: number) => async () => (await leases.ttl('a')) > ms;
    const isMine = acquireWhenFree(leases, 'a', { ms: 300 }, lasts(300));
    await vi.advanceTimersByTimeAsync(150);
    await leases.hold('a', 3_600);
    await vi.advanceTimersByTimeAsync(100);
    expect(await isMine).toBeUndefined();
    // Whoever comes now does not wait first.
    const rarely = { ms: 300, askAgainMs: 3_600_000 };
    expect(await acquireWhenFree(leases, 'a', rarely, lasts(300))).toBeUndefined();
    const later = acquireWhenFree(leases, 'a', { ms: 300 }, lasts(3_600));
    await vi.advanceTimersByTimeAsync(3_600);
    expect(await later).toEqual(expect.any(Number));
  });

  test('survives a renewal that fails, and ends only after one that is under way', async () => {
    const leases = aStore().leases;
    const slow = work<boolean>();
    vi.spyOn(leases, 'renew').mockRejectedValueOnce(new Error('away')).mockImplementationOnce(slow.done);
    const released = vi.spyOn(leases, 'release');
    const { done, resolve } = work<string>();
    const outcome = withLeaseWhenFree(leases, 'a', { ms: 300 }, done);
    await vi.advanceTimersByTimeAsync(100);
    await vi.waitFor(() => expect(slow.done).toHaveBeenCalled());
    resolve('done');
    await vi.advanceTimersByTimeAsync(0);
    expect(released).not.toHaveBeenCalled();
    slow.resolve(true);
    expect(await outcome).toBe('done');
    expect(released).toHaveBeenCalledWith('a');
  });

  test('takes its lease again if that ran out while the process stood still, and knows that it was lost', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance', 'setInterval', 'clearInterval'] });
    const leases = aStore().leases;
    const { done, resolve } = work<string>();
    let confirm = async () => {};
    const outcome = withLeaseWhenFree(leases, 'a', { ms: 300 }, (lease) => {
      confirm = () => lease.confirm();
      return done();
    });
    await vi.advanceTimersByTimeAsync(0);
    vi.setSystemTime(Date.now() + 300);
    expect(await leases.ttl('a')).toBe(0);
    await vi.advanceTimersByTimeAsync(100);
    expect(await leases.ttl('a')).toBe(300);
    await expect(confirm()).rejects.toThrow(new LeaseLost('a'));
    resolve('done');
    expect(await outcome).toBe('done');
    expect(await leases.ttl('a')).toBe(0);
  });

  test('asks a store that was away again soon, once at a time, and does not wait for it at its end', async () => {
    const leases = aStore().leases;
    const renew = vi.spyOn(leases, 'renew').mockRejectedValue(new Error('away'));
    const timersBefore = vi.getTimerCount();
    const { done, resolve } = work<string>();
    const outcome = withLeaseWhenFree(leases, 'a', { ms: 30_000 }, done);
    await vi.advanceTimersByTimeAsync(10_000);
    await vi.waitFor(() => expect(renew).toHaveBeenCalledTimes(2));
    vi.advanceTimersByTime(10_000);
    expect(renew).toHaveBeenCalledTimes(2);
    resolve('done');
    expect(await outcome).toBe('done');
    expect(vi.getTimerCount()).toBe(timersBefore);
  });

  test.each([
    ['before that', [false, false], []],
    ['after that', [false, false], []],
    // The second renewal finds that they have freed it.
    ['before that, unless they have freed it', [false, false, false, true], [['a', 9_000]]],
    ['before that, unless that is known late', [false, false, false, 'away', true], [['a', 9_000]]],
  ])(
    'leaves a lease to whoever has taken it meanwhile, where it is to be kept since %s',
    async (when, answers, held) => {
      const leases = aStore().leases;
      const freed = [vi.spyOn(leases, 'hold'), vi.spyOn(leases, 'release')];
      const coming = [...answers];
      const renew = vi.spyOn(leases, 'renew').mockImplementation(async () => {
        const answer = coming.length > 1 ? coming.shift() : coming[0];
        if (answer === 'away') throw new Error(answer);
        return answer === true;
      });
      const { done, resolve } = work<string>();
      const outcome = withLeaseWhenFree(leases, 'a', { ms: 300 }, async (lease) => {
        const keep = () => lease.keep(() => 9_000);
        if (when.startsWith('before')) keep();
        const result = await done();
        if (when.startsWith('after')) keep();
        return result;
      });
      await vi.advanceTimersByTimeAsync(200);
      const asked = () => renew.mock.calls.length;
      await vi.waitFor(() => expect(asked()).toBeGreaterThanOrEqual(answers.length));
      resolve('done');
      await outcome;
      expect(freed.map(({ mock }) => mock.calls)).toEqual([held, []]);
    },
  );

  test('is done even if the lease can not be released', async () => {
    const leases = aStore().leases;
    vi.spyOn(leases, 'release').mockRejectedValue(new Error('away'));
    expect(await withLeaseWhenFree(leases, 'a', { ms: 300 }, async () => 7)).toBe(7);
  });
});

describe('A lease that is relied on', () => {
  function held(ms: number) {
    vi.useFakeTimers({ toFake: ['Date', 'performance'], now: 1_795_000_000_000 });
    const leases = aStore().leases;
    return { leases, lease: new HeldLease(leases, 'a', ms, performance.now()) };
  }

  test('is renewed for that when part of its time has passed; before that nobody is asked', async () => {
    const { leases, lease } = held(1_000);
    const renew = vi.spyOn(leases, 'renew');
    await leases.acquire('a', 1_000);
    vi.advanceTimersByTime(50);
    await lease.confirm();
    expect(renew).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    await lease.confirm();
    expect(renew).toHaveBeenCalledTimes(1);
    expect(await leases.ttl('a')).toBe(1_000);
    // The new time counts from the renewal.
    vi.advanceTimersByTime(50);
    await lease.confirm();
    expect(renew).toHaveBeenCalledTimes(1);
  });

  test('needs no question to the store when it was taken just now', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance', 'setInterval', 'clearInterval'] });
    vi.advanceTimersByTime(10_000);
    const leases = aStore().leases;
    const renew = vi.spyOn(leases, 'renew');
    await withLeaseWhenFree(leases, 'a', { ms: 1_000 }, (lease) => lease.confirm());
    expect(renew).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1_000);
    expect(renew, 'after its end').not.toHaveBeenCalled();
  });

  test('is certain from the time at which it was asked for', async () => {
    const { leases } = held(1_000);
    vi.spyOn(leases, 'acquire').mockImplementation(async () => {
      vi.advanceTimersByTime(30);
      return true;
    });
    const asked = performance.now();
    expect(await acquireWhenFree(leases, 'a', { ms: 1_000 })).toBe(asked);
  });

  test('is certain from the time at which its renewal was asked for', async () => {
    const { leases, lease } = held(1_000);
    vi.advanceTimersByTime(1_000);
    expect(() => lease.verify()).toThrow(LeaseLost);
    await leases.acquire('a', 1_000);
    const renew = leases.renew.bind(leases);
    vi.spyOn(leases, 'renew').mockImplementation(async (name, ms) => {
      const isHeld = await renew(name, ms);
      // The answer takes its time.
      vi.advanceTimersByTime(30);
      return isHeld;
    });
    await lease.confirm();
    vi.advanceTimersByTime(969);
    lease.verify();
    vi.advanceTimersByTime(1);
    expect(() => lease.verify()).toThrow(LeaseLost);
  });

  test('is kept after the work for the time that the work says, or until it runs out', async () => {
    const leases = aStore().leases;
    const keptFor = (ms?: () => number) =>
      withLeaseWhenFree(leases, 'a', { ms: 300 }, async (lease) => lease.keep(ms));
    await keptFor();
    expect(await leases.ttl('a')).toBe(300);
    await leases.release('a');
    await keptFor(() => 70);
    expect(await leases.ttl('a')).toBe(70);
  });

  test('that somebody else holds is not waited for once there is an outcome without it', async () => {
    const leases = aStore().leases;
    await leases.hold('a', 60_000);
    const { done } = work<string>();
    const outcomes = [undefined, 'theirs'];
    const outcome = withLeaseWhenFree(leases, 'a', { ms: 300 }, done, async () => outcomes.shift());
    await vi.advanceTimersByTimeAsync(100);
    expect(await outcome).toBe('theirs');
    expect([done.mock.calls.length, await leases.ttl('a')]).toEqual([0, 59_900]);
  });
});

describe('A single flight', () => {
  test('gives its result to every call that comes while it runs, and to no later one', async () => {
    const flight = new SingleFlight<string>();
    const { done, resolve } = work<string>();
    const asked = [flight.do('a', done), flight.do('a', done)];
    resolve('one');
    expect(await Promise.all(asked)).toEqual(['one', 'one']);
    expect(done).toHaveBeenCalledTimes(1);
    expect(await flight.do('a', async () => 'two')).toBe('two');
  });

  test('is told apart by its name, and forgets a failure', async () => {
    const flight = new SingleFlight<string>();
    const failing = flight.do('a', () => Promise.reject(new Error('no')));
    expect(await flight.do('b', async () => 'other')).toBe('other');
    await expect(failing).rejects.toThrow('no');
    expect(await flight.do('a', async () => 'again')).toBe('again');
  });
});

describe('Storage', () => {
  test('makes a fault of its own of every error', async () => {
    expect(await orStorageFailed(() => 7)).toBe(7);
    const cause = new Error('disk full');
    const failed = await orStorageFailed(() => {
      throw cause;
    }).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(StorageFailed);
    expect(failed).toMatchObject({ cause, isTransient: true });
    await expect(orStorageFailed(() => Promise.reject(failed))).rejects.toBe(failed);
  });
});
