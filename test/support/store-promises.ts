import { expect, type TestAPI } from 'vitest';
import { StorageFailed } from '../../src/core/faults.ts';
import { withLeaseWhenFree } from '../../src/core/lease.ts';
import type { Store } from '../../src/core/store.ts';
import { eventually } from './eventually.ts';

export const OLD = new Uint8Array(32).fill(1);
const NEW = new Uint8Array(32).fill(2);
const SECRET = 'a cookie value !aB+/=';

/** The state of a backend that one test has to itself. */
export type Own = {
  readonly log: string[];
  readonly open: (...keys: Uint8Array[]) => Promise<Store>;
  readonly closeAll: () => Promise<void>;
  readonly everything: () => Promise<string>;
};
export type StoreTest = TestAPI<{ own: Own }>;

/** What is stored is what was set. */
export function values(test: StoreTest): void {
  test('What is set is there, also in another handle of the same name, until it is deleted', async ({
    own: { open },
  }) => {
    const store = await open();
    const kept = store.namespace<{ text: string }>('recents');
    expect(await kept.get('key')).toBeUndefined();
    await kept.set('key', { text: 'ä "quoted" \u0000 \u{1F6A8}' });
    await kept.set('key', { text: 'second' });
    expect(await store.namespace('recents').get('key')).toEqual({ text: 'second' });
    expect(await store.namespace('service').get('key')).toBeUndefined();
    await kept.delete('key');
    await kept.delete('key');
    expect(await kept.get('key')).toBeUndefined();
  });

  test('The values of a kind are the same ones each time: another handle would listen to the connection for ever', async ({
    own: { open },
  }) => {
    const store = await open();
    expect(store.namespace('recents')).toBe(store.namespace('recents'));
    expect(store.namespace('recents')).not.toBe(store.namespace('service'));
  });

  // One after another: a large value keeps the processor busy, and the store has to answer in time.
  test.for([400_000, 3_000_000])(
    'A value of %i characters is the same after it was stored',
    { concurrent: false },
    async (length, { own: { open, closeAll } }) => {
      const text = 'ä\u0000\u{1F6A8} lorem ipsum '.repeat(length).slice(0, length / 100);
      const value = { texts: Array.from({ length: 100 }, () => text) };
      const stored = await (await open()).namespace('answers');
      await stored.set('key', value);
      await closeAll();
      const reopened = (await open()).namespace('answers');
      expect(await reopened.get('key')).toEqual(value);
      for await (const [key, found] of reopened.entries()) expect([key, found]).toEqual(['key', value]);
    },
  );
}

/** What is stored under one name, and for how long. */
export function entries(test: StoreTest): void {
  test('Entries are those of one name, and all of them', async ({ own: { open } }) => {
    const store = await open();
    const kept = store.namespace<number>('subscriptions');
    for (let index = 0; index < 50; index += 1) await kept.set(`key:${index}`, index);
    await store.namespace('cancelled').set('key', 99);
    const found: [string, number][] = [];
    for await (const [key, value] of kept.entries()) found.push([key, value]);
    expect(found.toSorted((a, b) => a[1] - b[1])).toEqual(
      Array.from({ length: 50 }, (_, index) => [`key:${index}`, index]),
    );
    for (const [key] of found) await kept.delete(key);
    for await (const entry of kept.entries()) expect(entry).toBeUndefined();
  });

  test('A value is there until its time is over, and gone after it', async ({ own: { open } }) => {
    const kept = (await open()).namespace<string>('device-reads');
    await kept.set('long', 'here', 60_000);
    await kept.set('for ever', 'here');
    const began = performance.now();
    await kept.set('short', 'here', 400);
    const atOnce = await kept.get('short');
    // A machine that stands still may have used the time up.
    if (performance.now() - began < 400) expect(atOnce).toBe('here');
    await eventually(async () => expect(await kept.get('short')).toBeUndefined());
    expect(performance.now() - began).toBeGreaterThanOrEqual(398);
    expect([await kept.get('long'), await kept.get('for ever')]).toEqual(['here', 'here']);
    await kept.set('long', 'shorter', 1);
    await eventually(async () => expect(await kept.get('long')).toBeUndefined());
  });
}

/** What a store does at its end, and after it. */
export function clearing(test: StoreTest): void {
  test('All that is stored can be deleted at once', async ({ own: { open } }) => {
    const store = await open();
    await store.namespace('service').set('shared', SECRET);
    await store.leases.hold('rest', 60_000);
    await store.clear();
    expect(await store.namespace('service').get('shared')).toBeUndefined();
    expect(await store.leases.ttl('rest')).toBe(0);
    await store.namespace('service').set('shared', 'new');
    expect(await store.namespace('service').get('shared')).toBe('new');
  });

  test('Stored values are there after a close', async ({ own: { open, closeAll } }) => {
    const first = await open();
    await first.namespace('recents').set('key', SECRET);
    await first.leases.hold('rest', 60_000);
    await closeAll();
    const second = await open();
    expect(await second.namespace('recents').get('key')).toBe(SECRET);
    expect(await second.leases.acquire('rest', 10)).toBe(false);
    expect(await second.leases.ttl('rest')).toBeGreaterThan(50_000);
    await second.leases.release('rest');
    await second.namespace('recents').delete('key');
  });

  test('A store that is closed says so with its own fault', async ({ own: { open, closeAll } }) => {
    const store = await open();
    await store.check();
    await closeAll();
    await expect(store.check()).rejects.toThrow(StorageFailed);
    await expect(store.namespace('recents').get('key')).rejects.toThrow(StorageFailed);
    await expect(store.namespace('recents').set('key', 1)).rejects.toThrow(StorageFailed);
    await expect(store.leases.acquire('name', 10)).rejects.toThrow(StorageFailed);
  });
}

/** How long a name is held. */
export function leases(test: StoreTest): void {
  test('A lease is renewed as long as its work takes, and is free after it', async ({ own: { open } }) => {
    const { leases } = await open();
    let [last, renewals] = [0, -1];
    const outcome = await withLeaseWhenFree(leases, 'long work', { ms: 1_500 }, async () => {
      await eventually(async () => {
        const left = await leases.ttl('long work');
        // Only a renewal gives it more time than it had.
        if (left > last) renewals += 1;
        last = left;
        expect(renewals).toBeGreaterThanOrEqual(2);
      });
      return 'done';
    });
    expect(outcome).toBe('done');
    expect(await leases.ttl('long work')).toBe(0);
  });

  test('A lease is this process’s until its time is over or it is released; renewed after that, it is taken again', async ({
    own: { open },
  }) => {
    const { leases } = await open();
    expect(await leases.renew('own', 30_000)).toBe(false);
    expect(await leases.acquire('own', 30_000)).toBe(false);
    expect(await leases.renew('own', 60_000)).toBe(true);
    expect(await leases.ttl('own')).toBeGreaterThan(50_000);
    await leases.hold('own', 1);
    // In its last millisecond nothing is left of it that could be counted, and it can still be renewed.
    await eventually(async () => expect(await leases.renew('own', 1)).toBe(false));
    await leases.release('own');
    expect(await leases.ttl('own')).toBe(0);
    expect(await leases.renew('own', 60_000)).toBe(false);
    expect(await leases.ttl('own')).toBeGreaterThan(50_000);
  });
}

/** Who holds a name. */
export function holders(test: StoreTest): void {
  test('A lease has one holder at a time, until it is released or its time is over', async ({
    own: { open },
  }) => {
    const { leases } = await open();
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
}

/** What can be read, and with which key. */
export function sealing(test: StoreTest): void {
  test('Nothing is stored unencrypted', async ({ own: { open, everything } }) => {
    const store = await open();
    await store.namespace('service').set('shared', { cookies: SECRET });
    await store
      .namespace('cancelled')
      .set('1', { response: 'https://hooks.slack.example/commands/T1/2/sEcReT' }, 60_000);
    await store.namespace('recents').set('U0ANA', []);
    await store.leases.hold('rest:26808463:all', 60_000);
    const bytes = await everything();
    expect(bytes).toContain('recents');
    const secrets = ['cookie value', 'aB+/', 'hooks.slack', 'sEcReT', btoa(SECRET).slice(0, 12)];
    for (const secret of [...secrets, 'U0ANA', '26808463']) expect(bytes).not.toContain(secret);
  });

  test('A new key in front opens what the old one sealed, and seals what comes', async ({
    own: { open, closeAll },
  }) => {
    await (await open(OLD)).namespace('recents').set('old', 1);
    await closeAll();
    const rotating = await open(NEW, OLD);
    expect(await rotating.namespace('recents').get('old')).toBe(1);
    await rotating.namespace('recents').set('new', 2);
    await closeAll();
    const rotated = await open(NEW);
    expect(await rotated.namespace('recents').get('new')).toBe(2);
    expect(await rotated.namespace('recents').get('old')).toBeUndefined();
  });
}

/** What a changed key leaves readable. */
export function changedKeys(test: StoreTest): void {
  test('A value that no key opens counts as absent, is reported, and is there again with its key', async ({
    own: { log, open, closeAll },
  }) => {
    await (await open(OLD)).namespace('recents').set('sealed', SECRET);
    await closeAll();
    // A replica that had both keys has been there: both lead to the same names.
    await (await open(NEW, OLD)).check();
    await closeAll();
    const store = await open(NEW);
    expect(await store.namespace('recents').get('sealed')).toBeUndefined();
    expect(log.filter((line) => line.includes('STATE_KEY') && line.includes('recents'))).toHaveLength(1);
    await store.namespace('recents').set('other', 'found');
    expect(await store.namespace('recents').get('other')).toBe('found');
    await closeAll();
    expect(await (await open(OLD)).namespace('recents').get('sealed')).toBe(SECRET);
  });

  test.for([
    [OLD, NEW],
    [NEW, OLD],
  ])(
    'What was stored without the earlier key, and what was stored before, is there once both keys are',
    async (both, { own: { open, closeAll } }) => {
      const before = (await open(OLD)).namespace('recents');
      for (const key of ['before', 'changed', 'deleted']) await before.set(key, 1);
      await closeAll();
      const between = (await open(NEW)).namespace('recents');
      for (const key of ['between', 'changed', 'deleted']) await between.set(key, 2);
      await closeAll();
      const after = (await open(...both)).namespace('recents');
      expect([await after.get('before'), await after.get('between')]).toEqual([1, 2]);
      await after.set('changed', 3);
      await after.delete('deleted');
      await closeAll();
      const last = (await open(...both.toReversed())).namespace('recents');
      expect([await last.get('changed'), await last.get('deleted')]).toEqual([3, undefined]);
      const keys = await Array.fromAsync(last.entries(), ([key]) => key);
      expect(keys.sort()).toEqual(['before', 'between', 'changed']);
    },
  );
}
