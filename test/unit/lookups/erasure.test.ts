import { expect, test } from 'vitest';
import { NAMESPACES, type NamespaceName } from '../../../src/core/store.ts';
import { erase, type Subject } from '../../../src/lookups/erasure.ts';
import { aFollow } from '../../support/a-follow.ts';
import { lookupFixture } from '../../support/lookup-fixture.ts';
import { snapshotId } from '../../support/snapshot-id.ts';

const START = 1_795_000_000_000;
const RETENTION = { resultMs: 1_000, historyMs: 60_000 };
const ANA: Subject = { kind: 'user', id: 'U0ANA' };

function erasing() {
  const clock = { now: START };
  const fixture = lookupFixture(() => clock.now);
  const gone = (subject: Subject) => erase(subject, fixture, RETENTION);
  return { ...fixture, clock, gone };
}

test('Values under the id, or under a key with the id as a part, are deleted; values under similar keys stay', async () => {
  const { store, gone } = erasing();
  const recents = store.namespace('recents');
  const keys = ['U0ANA', 'C1:U0ANA', 'U0ANA:all', 'C1/U0ANA', 'C1\0U0ANA', 'U0ANA2', 'XU0ANA', 'U0BEN'];
  for (const key of keys) await recents.set(key, 1);
  const erased = await gone(ANA);
  expect(erased.get('recents')).toBe(5);
  const left = await Promise.all(keys.map((key) => recents.get(key)));
  expect(left).toEqual([undefined, undefined, undefined, undefined, undefined, 1, 1, 1]);
});

test('A list loses its entries that name the person; any other value that names the person is deleted whole', async () => {
  const { store, gone, clock } = erasing();
  const stored = store.namespace<unknown>('subscriptions');
  const users = { users: ['U0ANA', 'U0BEN'], stage: 'open' };
  const owners = [
    { user: 'U0ANA', since: 1 },
    { user: 'U0BEN', since: 2 },
  ];
  const values: Record<string, [before: unknown, after: unknown]> = {
    list: [users, { users: ['U0BEN'], stage: 'open' }],
    owners: [owners, [{ user: 'U0BEN', since: 2 }]],
    deep: [{ a: { b: ['x', ['U0ANA']] } }, { a: { b: ['x', []] } }],
    field: [{ askedBy: 'U0ANA', other: 1 }, undefined],
    within: [{ value: 'recent:U0ANA' }, undefined],
    named: [{ U0ANA: 1 }, undefined],
    text: ['U0ANA', undefined],
    others: [
      { users: ['U0BEN'], by: null, count: 3, is: true },
      { users: ['U0BEN'], by: null, count: 3, is: true },
    ],
    nothing: [null, null],
  };
  for (const [key, [before]] of Object.entries(values)) await stored.set(key, before);
  expect((await gone(ANA)).get('subscriptions')).toBe(7);
  for (const [key, [, after]] of Object.entries(values)) expect(await stored.get(key), key).toEqual(after);
  // A changed value expires when history does; the others expire as before.
  clock.now += RETENTION.historyMs;
  expect(await stored.get('list')).toBeUndefined();
  expect(await stored.get('others')).toBeDefined();
});

test('An id that contains a separator of key parts is found too', async () => {
  const { store, gone } = erasing();
  await store.namespace('owners').set('C1:1.2', 1);
  expect((await gone({ kind: 'snapshot', id: 'C1:1.2' })).get('owners')).toBe(1);
});

test('A deletion leaves no row', async () => {
  const { store, gone, database } = erasing();
  await store.namespace('recents').set('U0ANA', ['U0BEN']);
  await store.namespace('recents').set('key', 'U0ANA');
  await gone(ANA);
  expect(database.prepare('SELECT count(*) AS rows FROM entries').get()?.rows).toBe(0);
});

test('A snapshot is deleted from every kind of value, and nothing else is counted', async () => {
  const { store, gone } = erasing();
  const names = Object.keys(NAMESPACES) as NamespaceName[];
  for (const name of names) {
    await store.namespace(name).set('26808463:all', 1);
    await store.namespace(name).set('26808470:all', 1);
  }
  const erased = await gone({ kind: 'snapshot', id: '26808463' });
  expect(erased).toEqual(
    new Map([...names.map((name) => [name, 1] as const), ['open follows', 0], ['open lookups', 0]]),
  );
});

test('What a person follows, or a snapshot that is followed, is deleted; what others follow stays until its end', async () => {
  const { store, follows, gone, clock } = erasing();
  for (const user of ['U0ANA', 'U0BEN']) await follows.add({ ...aFollow(`of-${user}`), user });
  const [lists, waiting] = [
    store.namespace<unknown>('follows'),
    store.namespace<unknown>('waiting-for-newer'),
  ];
  const both = ['26808463', '26808470'].map((id) => ({ snapshotId: id }));
  for (const user of ['U0ANA', 'U0BEN']) await lists.set(user, both);
  await waiting.set('a device', [{ user: 'U0ANA' }, { user: 'U0BEN' }]);
  expect((await gone(ANA)).get('open follows')).toBe(1);
  clock.now += 2 * RETENTION.historyMs;
  expect(await waiting.get('a device')).toEqual([{ user: 'U0BEN' }]);
  expect(await lists.get('U0ANA')).toBeUndefined();
  expect((await gone({ kind: 'snapshot', id: '26808463' })).get('open follows')).toBe(1);
  expect(await lists.get('U0BEN')).toEqual([{ snapshotId: '26808470' }]);
  expect(await follows.countOpen()).toBe(0);
});

test('Open lookups of a person, or of a snapshot, get no answer', async () => {
  const { queue, job, gone } = erasing();
  const before = { snapshotId: snapshotId('26808499'), set: 'all' as const };
  await queue.add(job({ id: 'of-ana' }));
  await queue.add(
    job({ id: 'of-ben', askedBy: 'U0BEN', destination: { channel: 'C1', user: 'U0BEN' }, before }),
  );
  expect((await gone(ANA)).get('open lookups')).toBe(1);
  expect(await Array.fromAsync(queue.entries())).toMatchObject([{ id: 'of-ben' }]);
  expect((await gone({ kind: 'snapshot', id: '26808499' })).get('open lookups')).toBe(1);
  expect(await queue.countOpen()).toBe(0);
});

test('What was accepted in a forgotten snapshot is gone, what was accepted in another stays for 90 days, whatever the history', async () => {
  const { store, gone, clock } = erasing();
  const accepted = store.namespace<unknown>('accepted');
  const [one, other] = ['7001', '7002'].map((id) => ({ name: 'D1', reason: 'booked', snapshotId: id }));
  await accepted.set('device', [one, other]);
  await accepted.set('cluster', [one]);
  expect((await gone({ kind: 'snapshot', id: '7001' })).get('accepted')).toBe(2);
  expect([await accepted.get('device'), await accepted.get('cluster')]).toEqual([[other], []]);
  clock.now += 89 * 24 * 3_600_000;
  expect(await accepted.get('device')).toEqual([other]);
  clock.now += 2 * 24 * 3_600_000;
  expect(await accepted.get('device')).toBeUndefined();
});
