import { describe, expect, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { backends, close, loggerTo } from './backends.ts';

const OLD = new Uint8Array(32).fill(1);
const NEW = new Uint8Array(32).fill(2);
const SECRET = 'a cookie value !aB+/=';

describe.each(backends())('On %s', (name, test) => {
  describe('a value', () => {
    test('stays in its namespace until it is deleted, also in the next process', async ({ own }) => {
      const storage = await own.open();
      const { store } = storage;
      const kept = store.namespace<{ text: string }>('people');
      expect(await kept.get('key')).toBeUndefined();
      await kept.set('key', { text: 'first' });
      await kept.set('key', { text: 'ä "quoted" \u0000 \u{1F6A8}' });
      expect(await store.namespace('people').get('key')).toEqual({ text: 'ä "quoted" \u0000 \u{1F6A8}' });
      expect(await store.namespace('service').get('key')).toBeUndefined();
      await close(storage);
      const next = (await own.open()).store.namespace<{ text: string }>('people');
      expect(await next.get('key')).toEqual({ text: 'ä "quoted" \u0000 \u{1F6A8}' });
      for (const _twice of [1, 2]) await next.delete('key');
      expect(await next.get('key')).toBeUndefined();
    });

    test('is not opened again while the stored text is the same', async ({ own }) => {
      const kept = (await own.open()).store.namespace<{ text: string }>('people');
      await kept.set('key', { text: 'one' });
      const first = await kept.get('key');
      expect(await kept.get('key')).toBe(first);
      await kept.set('key', { text: 'two' });
      expect(await kept.get('key')).toEqual({ text: 'two' });
    });

    test('may have three million characters', async ({ own }) => {
      const text = 'ä\u0000\u{1F6A8} lorem ipsum '.repeat(200_000).slice(0, 30_000);
      const value = { texts: Array.from({ length: 100 }, () => text) };
      const kept = (await own.open()).store.namespace('answers');
      await kept.set('key', value);
      expect(await kept.get('key')).toEqual(value);
      expect(await Array.fromAsync(kept.entries())).toEqual([['key', value]]);
    });

    test('is listed with its key, with all of its namespace', async ({ own }) => {
      const { store } = await own.open();
      const kept = store.namespace<number>('subscriptions');
      const all = Array.from({ length: 50 }, (_each, index) => [`a:key/${index}`, index] as const);
      for (const [key, value] of all) await kept.set(key, value);
      await store.namespace('cancelled').set('key', 99);
      const found = await Array.fromAsync(kept.entries());
      expect(found.toSorted((a, b) => a[1] - b[1])).toEqual(all);
      for (const [key] of found) await kept.delete(key);
      expect(await Array.fromAsync(kept.entries())).toEqual([]);
    });

    test('is stored until it expires, or for ever without a lifetime', async ({ own }) => {
      const kept = (await own.open()).store.namespace<string>('devices');
      await kept.set('long', 'here', 60_000);
      await kept.set('for ever', 'here');
      const began = performance.now();
      await kept.set('short', 'here', 400);
      const atOnce = await kept.get('short');
      // On a slow machine the 400 ms may already be over.
      if (performance.now() - began < 400) expect(atOnce).toBe('here');
      await eventually(async () => expect(await kept.get('short')).toBeUndefined());
      expect(performance.now() - began).toBeGreaterThanOrEqual(398);
      expect([await kept.get('long'), await kept.get('for ever')]).toEqual(['here', 'here']);
      await kept.set('long', 'shorter', 1);
      await eventually(async () => expect(await kept.get('long')).toBeUndefined());
    });

    test('keeps all simultaneous changes, and is deleted when it becomes an empty list', async ({ own }) => {
      const { store } = await own.open();
      const stores = store.isShared ? [store, (await own.open()).store] : [store];
      const add = (item: number) => (before: readonly number[] | undefined) => [...(before ?? []), item];
      const changes = stores.flatMap((each, nth) =>
        [0, 1, 2].map((index) =>
          each.namespace<readonly number[]>('people').change('list', add(nth * 10 + index), () => 60_000),
        ),
      );
      await Promise.all(changes);
      const list = store.namespace<readonly number[]>('people');
      const items = stores.flatMap((_each, nth) => [0, 1, 2].map((index) => nth * 10 + index));
      expect(new Set(await list.get('list'))).toEqual(new Set(items));
      await list.change(
        'list',
        () => [],
        () => 60_000,
      );
      expect(await list.get('list')).toBeUndefined();
      await expect(
        list.change(
          'list',
          () => Promise.reject(new Error('mine')),
          () => 1,
        ),
      ).rejects.toThrow('mine');
    });

    test.runIf(name === 'Redis')(
      'keeps another process’s change if this process was suspended in the middle of a change',
      async ({ own }) => {
        const [{ store }, other] = [await own.open(), (await own.open()).store];
        const change = vi.fn(async (before: readonly string[] = []) => {
          if (change.mock.calls.length > 1) return [...before, 'mine'];
          // Blocks this process until it no longer trusts its lease without asking Redis.
          for (const began = performance.now(); performance.now() < began + 400; );
          // By then the other process has the lease and changes the list.
          await other.leases.hold('turn:people:list', 1);
          await other.namespace<readonly string[]>('people').set('list', ['theirs'], 60_000);
          return ['mine'];
        });
        const list = store.namespace<readonly string[]>('people');
        await list.change('list', change, () => 60_000);
        expect(await list.get('list')).toEqual(['theirs', 'mine']);
      },
    );
  });

  describe.concurrent('the store', () => {
    test('is empty after it was cleared, and can still be used', async ({ own }) => {
      const { store } = await own.open();
      const kept = store.namespace('service');
      await kept.set('shared', SECRET);
      if (store.isShared) await store.leases.hold('rest', 60_000);
      await store.clear();
      expect(await kept.get('shared')).toBeUndefined();
      expect(await store.leases.ttl('rest')).toBe(0);
      await kept.set('shared', 'new');
      expect(await kept.get('shared')).toBe('new');
    });

    test('throws `storage-failed` after it was closed', async ({ own }) => {
      const storage = await own.open();
      const { store, queue } = storage;
      await store.check();
      await close(storage);
      const kept = store.namespace('people');
      for (const work of [
        () => store.check(),
        () => kept.get('key'),
        () => kept.set('key', 1),
        () =>
          kept.change(
            'key',
            () => 1,
            () => 1,
          ),
        // The leases of a single process need no store.
        ...(store.isShared ? [() => store.leases.acquire('name', 10)] : []),
        () => queue.countOpen(),
      ])
        await expect(work()).rejects.toMatchObject({ code: 'storage-failed' });
    });

    test('stores keys in plain text and values encrypted', async ({ own }) => {
      const { store, queue } = await own.open();
      await store.namespace('service').set('shared', { cookies: SECRET });
      const response = {
        url: 'https://hooks.slack.example/commands/T1/2/sEcReT',
        expiresAt: 0,
        replaces: false,
      };
      await store.namespace('cancelled').set('26808463', { response }, 60_000);
      const destination = { channel: 'C1', user: 'U1', response };
      const question = { snapshotId: '1', set: 'all' } as never;
      await queue.add({ id: 'sealed', question, askedBy: 'U1', destination, acceptedAt: 1, deadline: 2 });
      const bytes = await own.everything();
      for (const clear of ['cancelled', '26808463']) expect(bytes).toContain(clear);
      for (const secret of ['cookie value', 'aB+/', 'hooks.slack', 'sEcReT', btoa(SECRET).slice(0, 12)])
        expect(bytes).not.toContain(secret);
    });

    test('decrypts old values if a new key stands first, and encrypts with the new key', async ({ own }) => {
      const first = await own.open({ keys: [OLD] });
      await first.store.namespace('people').set('old', 1);
      await close(first);
      const rotating = await own.open({ keys: [NEW, OLD] });
      const kept = rotating.store.namespace('people');
      expect(await kept.get('old')).toBe(1);
      await kept.set('new', 2);
      expect(rotating.unopened()).toBeUndefined();
      await close(rotating);
      const log: string[] = [];
      const rotated = await own.open({ keys: [NEW], logger: loggerTo(log) });
      const values = rotated.store.namespace('people');
      expect(await values.get('new')).toBe(2);
      for (const _twice of [1, 2]) expect(await values.get('old')).toBeUndefined();
      expect(await Array.fromAsync(values.entries())).toEqual([['new', 2]]);
      // The log has one line about the unreadable value, which stays stored.
      expect(log.filter((line) => line.includes('STATE_KEY') && line.includes('people'))).toHaveLength(1);
      expect(rotated.unopened()).toContain('no present key opens');
      await close(rotated);
      expect(await (await own.open({ keys: [OLD] })).store.namespace('people').get('old')).toBe(1);
    });
  });
});
