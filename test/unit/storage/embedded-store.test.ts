import { describe, expect, test, vi } from 'vitest';
import { StorageFailed } from '../../../src/core/faults.ts';
import { NAMESPACES } from '../../../src/core/store.ts';
import { steadyClock } from '../../../src/core/time.ts';
import { lastTimeIn } from '../../../src/storage/sqlite/sqlite-file.ts';
import { sqliteAdapter } from '../../../src/storage/sqlite/sqlite-store.ts';
import { embedded as embeddedAt } from '../../support/embedded.ts';

function embedded() {
  const clock = { now: 1_795_000_000_000 };
  const now = () => clock.now;
  return { ...embeddedAt(now), clock, now };
}

describe('A value of the embedded store', () => {
  test('is there until the moment at which its time is over, or for ever', async () => {
    const { store, clock } = embedded();
    const kept = store.namespace<number>('recents');
    await kept.set('short', 1, 1_000);
    await kept.set('long', 2, 1_001);
    await kept.set('for ever', 3);
    clock.now += 1_000;
    expect([await kept.get('short'), await kept.get('long'), await kept.get('for ever')]).toEqual([
      undefined,
      2,
      3,
    ]);
    expect(await Array.fromAsync(kept.entries())).toEqual(
      expect.arrayContaining([
        ['long', 2],
        ['for ever', 3],
      ]),
    );
    expect(await Array.fromAsync(kept.entries())).toHaveLength(2);
    clock.now += 10 ** 12;
    expect(await kept.get('for ever')).toBe(3);
  });

  test('of an earlier version is read if there is an upgrade for it, and is absent otherwise', async () => {
    const { store, database, sealer, unreadable } = embedded();
    const kept = store.namespace<unknown>('recents');
    await kept.set('key', ['now']);
    const sealed = sealer.seal(JSON.stringify({ key: 'key', version: 0, value: 'then' }), 'recents');
    database.prepare('UPDATE entries SET value = ?').run(sealed);
    expect(await kept.get('key')).toBeUndefined();
    expect(await Array.fromAsync(kept.entries())).toEqual([]);
    // Erasure, which reads them all, must say that it could not read this one.
    expect(unreadable).toEqual(['recents']);
    const upgrades: Record<number, (value: unknown) => unknown> = NAMESPACES.recents.upgrades;
    upgrades[0] = (value) => [value];
    try {
      expect(await kept.get('key')).toEqual(['then']);
      expect(await Array.fromAsync(kept.entries())).toEqual([['key', ['then']]]);
    } finally {
      delete upgrades[0];
    }
  });

  test('that was copied into another namespace or under another key is absent, is reported, and is left as it is', async () => {
    const { store, database, unreadable } = embedded();
    const [one, other] = [store.namespace<number>('recents'), store.namespace<number>('owners')];
    await one.set('key', 1);
    database.exec("UPDATE entries SET namespace = 'owners', name = (SELECT name FROM entries)");
    expect(await Array.fromAsync(other.entries())).toEqual([]);
    expect(unreadable).toEqual(['owners']);
    expect(database.prepare('SELECT count(*) AS rows FROM entries').get()?.rows).toBe(1);
    await one.set('key', 1);
    await one.set('other', 2);
    database.exec(
      "UPDATE entries SET value = (SELECT value FROM entries WHERE namespace = 'recents' ORDER BY name LIMIT 1)",
    );
    const read = [await one.get('key'), await one.get('other')];
    expect(read.filter((value) => value !== undefined)).toHaveLength(1);
    expect(unreadable).toEqual(['owners', 'recents']);
  });

  test('of which the text is no JSON is a bug, and no unreadable value', async () => {
    const { store, database, sealer, unreadable } = embedded();
    await store.namespace('recents').set('key', 1);
    database.prepare('UPDATE entries SET value = ?').run(sealer.seal('no JSON', 'recents'));
    await expect(store.namespace('recents').get('key')).rejects.toThrow(StorageFailed);
    expect(unreadable).toEqual([]);
  });
});

test('Keyv’s interface says whether something was deleted, and empties one namespace alone', async () => {
  const { statements } = embedded();
  const [one, other] = [sqliteAdapter('one', statements), sqliteAdapter('other', statements)];
  for (const adapter of [one, other]) await adapter.set('name', adapter.namespace);
  await one.set('name', 'again');
  expect([await one.get('name'), await other.get('name')]).toEqual(['again', 'other']);
  expect([await one.delete('name'), await one.delete('name')]).toEqual([true, false]);
  await one.set('name', 'back');
  await other.clear();
  expect([await Array.fromAsync(one.iterator()), await Array.fromAsync(other.iterator())]).toEqual([
    [['name', 'back']],
    [],
  ]);
});

describe('What is written in one turn of the event loop', () => {
  const written = (results: PromiseSettledResult<unknown>[]) => results.map(({ status }) => status);

  test('is committed once, for all that wait for it', async () => {
    const { store, database } = embedded();
    const values = store.namespace<number>('recents');
    const writes = [values.set('one', 1), store.leases.acquire('name', 1_000), values.set('two', 2)];
    // The names of values are known one microtask later.
    await Promise.resolve();
    expect(database.isTransaction).toBe(true);
    await Promise.all(writes);
    expect(database.isTransaction).toBe(false);
    expect([await values.get('one'), await values.get('two')]).toEqual([1, 2]);
  });

  test.each([
    // As on a full disk, where SQLite may end the transaction.
    ['for all that wait for it where SQLite undoes it', 'ROLLBACK', ['rejected', 'rejected'], undefined],
    ['alone where one statement is refused', 'ABORT', ['fulfilled', 'rejected'], '1'],
  ])('fails %s, and the next turn is a new one', async (_what, refusal, outcomes, first) => {
    const { statements, database } = embedded();
    const adapter = sqliteAdapter('one', statements);
    database.exec(
      `CREATE TRIGGER odd BEFORE INSERT ON entries WHEN new.name = 'odd' BEGIN SELECT RAISE(${refusal}, 'odd'); END`,
    );
    const both = Promise.allSettled([adapter.set('first', '1'), adapter.set('odd', '2')]);
    const next = adapter.set('next', '3');
    expect(written(await both)).toEqual(outcomes);
    await next;
    expect([await adapter.get('first'), await adapter.get('next')]).toEqual([first, '3']);
  });

  test('is committed before the file is closed', async () => {
    const { store } = embedded();
    const writing = store.leases.hold('name', 1_000);
    await store.close();
    await expect(writing).resolves.toBeUndefined();
  });
});

describe('A lease of the embedded store', () => {
  test('is free from the moment at which its time is over', async () => {
    const { store, clock } = embedded();
    expect(await store.leases.acquire('name', 1_000)).toBe(true);
    expect(await store.leases.ttl('name')).toBe(1_000);
    clock.now += 999;
    expect(await store.leases.acquire('name', 1_000)).toBe(false);
    expect(await store.leases.ttl('name')).toBe(1);
    clock.now += 1;
    expect(await store.leases.ttl('name')).toBe(0);
    expect(await store.leases.acquire('name', 500)).toBe(true);
    expect(await store.leases.ttl('name')).toBe(500);
  });
});

test('What is written is written with its time, so that a process that dies leaves no lease that is an hour ahead', async () => {
  const { store, database, clock } = embedded();
  await store.leases.acquire('before', 5_000);
  clock.now += 3_600_000;
  await store.leases.acquire('login', 5_000);
  clock.now -= 3_600_000;
  const afterDeath = steadyClock(() => clock.now, lastTimeIn(database));
  const expires = database.prepare('SELECT max(expires) AS at FROM leases').get()?.at;
  expect(Number(expires) - afterDeath()).toBeLessThanOrEqual(5_000);
});

test('Expired rows are deleted once a minute, others stay, and the next sweep makes up for a failed one', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const { store, database, clock } = embedded();
    const count = () => database.prepare('SELECT count(*) AS rows FROM entries').get()?.rows;
    await store.namespace('recents').set('over', 1, 1_000);
    await store.namespace('recents').set('live', 1, 120_000);
    await store.namespace('recents').set('for ever', 1);
    clock.now += 2_000;
    vi.advanceTimersByTime(59_999);
    expect(count()).toBe(3);
    database.exec('PRAGMA query_only = true');
    vi.advanceTimersByTime(1);
    expect(count()).toBe(3);
    database.exec('PRAGMA query_only = false');
    vi.advanceTimersByTime(60_000);
    expect(count()).toBe(2);
    await store.close();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('The wait for the next sweep keeps no process running', () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = timers();
  embedded();
  expect(timers()).toBe(before);
});

test('A store is ready while it can be written, and everything in it goes at once', async () => {
  const { store, database, queue } = embedded();
  await store.check();
  await store.namespace('recents').set('key', 1);
  await store.leases.hold('lease', 10_000);
  await queue.remember('delivery');
  database.exec("INSERT INTO jobs VALUES ('lookup', 'one', 1, 'sealed', 1, 0, 0)");
  await store.clear();
  expect(await queue.countOpen()).toBe(0);
  // The secret behind the stored names and the time say nothing of anybody, and a bot that runs goes on with them.
  const tables = database.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('secrets', 'clock')",
  );
  const names = tables.all().map(({ name }) => String(name));
  expect(names.length).toBe(4);
  for (const table of names)
    expect(database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.rows, table).toBe(0);
  database.exec('PRAGMA query_only = true');
  await expect(store.check()).rejects.toThrow(StorageFailed);
  await expect(store.clear()).rejects.toThrow(StorageFailed);
});
