import { expect, test } from 'vitest';
import { EARLIER_NAMES } from '../../../src/storage/backend/earlier-release.ts';
import { moveEarlierRows } from '../../../src/storage/sqlite/upgrade.ts';
import { aLookup } from '../../support/a-lookup.ts';
import { sealAsEarlier } from '../../support/earlier-replica.ts';
import { embedded, KEY } from '../../support/embedded.ts';

const NOW = 1_000;

/** What version 0.1 has left in the file: rows by namespace and key. */
function upgrading() {
  const parts = embedded(() => NOW);
  const { database } = parts;
  const leave = (namespace: string, key: string, value: unknown, expires: number | null = null, by = KEY) =>
    database
      .prepare('INSERT INTO kept VALUES (?, ?, ?, ?)')
      .run(namespace, key, sealAsEarlier(JSON.stringify({ value }), by), expires);
  const left = () =>
    database
      .prepare('SELECT key FROM kept ORDER BY key')
      .all()
      .map(({ key }) => key);
  return { ...parts, leave, left, move: () => moveEarlierRows(parts) };
}

test('Each kind of value goes to its present name with its time, and nothing of it stays', async () => {
  const { leave, left, move, store } = upgrading();
  for (const [name, earlier] of Object.entries(EARLIER_NAMES)) leave(earlier, 'key', [name], NOW + 500);
  leave('recents', 'for ever', ['kept']);
  leave('recents', 'over', ['gone'], NOW);
  move();
  for (const name of Object.keys(EARLIER_NAMES) as (keyof typeof EARLIER_NAMES)[]) {
    expect(await store.namespace(name).get('key'), name).toEqual([name]);
  }
  expect(await store.namespace('recents').get('for ever')).toEqual(['kept']);
  expect(await store.namespace('recents').get('over')).toBeUndefined();
  expect(left()).toEqual([]);
});

test('A cache is dropped, and a lease goes over', async () => {
  const { leave, left, move, store, database } = upgrading();
  leave('answers', 'key', 1);
  leave('claims', 'rest:1', true, NOW + 700);
  move();
  expect(await store.leases.ttl('rest:1')).toBe(700);
  expect([left(), database.prepare('SELECT count(*) AS rows FROM entries').get()?.rows]).toEqual([[], 0]);
});

test('An open lookup goes on, due at once and without failures', async () => {
  const { leave, left, move, jobs } = upgrading();
  const { destination, ...job } = aLookup('one');
  leave('lookups', 'one', { ...job, place: destination });
  move();
  const [due] = await jobs.due(0, 10);
  expect([due?.failures, due?.job()]).toEqual([0, { ...job, destination }]);
  expect(await jobs.oldestAcceptedAt()).toBe(job.acceptedAt);
  expect(left()).toEqual([]);
});

test('What is there already under the present name stays as it is', async () => {
  const { leave, move, store } = upgrading();
  await store.namespace('recents').set('key', ['new']);
  await store.leases.hold('rest:1', 50);
  leave('recents', 'key', ['old']);
  leave('claims', 'rest:1', true, NOW + 700);
  move();
  expect(await store.namespace('recents').get('key')).toEqual(['new']);
  expect(await store.leases.ttl('rest:1')).toBe(50);
});

test('What no present key opens stays where it is, for a start that has its key', () => {
  const { leave, left, move } = upgrading();
  leave('recents', 'mine', 1);
  leave('recents', 'other', 1, null, new Uint8Array(32).fill(9));
  move();
  expect(left()).toEqual(['other']);
});

test('Where one of them is no value at all, nothing is moved', () => {
  const { leave, left, move, database } = upgrading();
  leave('recents', 'a', 1);
  database.prepare("INSERT INTO kept VALUES ('recents', 'b', ?, NULL)").run(sealAsEarlier('no JSON', KEY));
  expect(move).toThrow(SyntaxError);
  expect([left(), database.isTransaction]).toEqual([['a', 'b'], false]);
});
