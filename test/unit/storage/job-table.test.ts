import { expect, test } from 'vitest';
import { StorageFailed } from '../../../src/core/faults.ts';
import { aLookup } from '../../support/a-lookup.ts';
import { embedded } from '../../support/embedded.ts';

const ids = (jobs: readonly { id: string }[]) => jobs.map(({ id }) => id);

test('The jobs that are due are taken, the longest overdue first, at most so many; the next time is named', async () => {
  const { jobs } = embedded(() => 100);
  for (const due of [30, 10, 20, 41, 50]) await jobs.add(aLookup(`due-${due}`), due);
  expect(ids(await jobs.due(30, 10))).toEqual(['due-10', 'due-20', 'due-30']);
  expect(ids(await jobs.due(30, 2))).toEqual(['due-10', 'due-20']);
  expect([await jobs.nextDue(30), await jobs.nextDue(40), await jobs.nextDue(41)]).toEqual([41, 41, 50]);
  expect(await jobs.nextDue(50)).toBeUndefined();
  expect(ids(await jobs.all()).toSorted()).toEqual(['due-10', 'due-20', 'due-30', 'due-41', 'due-50']);
});

test('A job that is taking a step is not among those that are due', async () => {
  const { jobs } = embedded(() => 100);
  await jobs.add(aLookup('new'), 10, 1);
  await jobs.add(aLookup('waiting'), 20);
  await jobs.add(aLookup('idle'), 30);
  await jobs.begin('waiting');
  expect(ids(await jobs.due(30, 10))).toEqual(['idle']);
  await jobs.putOff(aLookup('waiting'), 25, 0);
  expect(ids(await jobs.due(30, 10))).toEqual(['waiting', 'idle']);
});

test('Jobs in whose step the process died come with the fewest deaths first; a stop counts for none', async () => {
  const { jobs } = embedded(() => 100);
  const cutOff = async () => (await jobs.cutOff()).map(({ id, begun }) => [id, begun]);
  for (const [id, times] of Object.entries({ idle: 0, one: 3, other: 1, parked: 2 })) {
    await jobs.add(aLookup(id), 10);
    for (let time = 0; time < times; time += 1) await jobs.begin(id);
  }
  await jobs.park('parked');
  expect(await cutOff()).toEqual([
    ['other', 1],
    ['one', 3],
  ]);
  await jobs.leaveOff(['idle', 'one', 'other']);
  expect(await cutOff()).toEqual([['one', 2]]);
  await jobs.begin('idle');
  expect(await cutOff()).toEqual([
    ['idle', 1],
    ['one', 2],
  ]);
});

test('A job is written anew with its time and its failures, and when it was accepted does not change', async () => {
  const { jobs } = embedded(() => 100);
  const job = { ...aLookup('one'), acceptedAt: 5 };
  await jobs.add(job, 10);
  await jobs.putOff({ ...job, shown: 'waiting' }, 20, 3);
  expect(ids(await jobs.due(19, 10))).toEqual([]);
  const taken = await jobs.get('one');
  expect([taken?.id, taken?.failures, taken?.job()]).toEqual(['one', 3, { ...job, shown: 'waiting' }]);
  await jobs.save({ ...job, shown: 'saved' });
  const [due] = await jobs.due(20, 10);
  expect([due?.failures, due?.job().shown]).toEqual([3, 'saved']);
  expect([await jobs.countOpen(), await jobs.oldestAcceptedAt()]).toEqual([1, 5]);
  await jobs.add({ ...aLookup('two'), acceptedAt: 3 }, 10);
  expect([await jobs.countOpen(), await jobs.oldestAcceptedAt()]).toEqual([2, 3]);
  await jobs.delete('two');
  expect([ids(await jobs.all()), await jobs.get('two')]).toEqual([['one'], undefined]);
  await jobs.save(aLookup('two'));
  expect(await jobs.putOff(aLookup('two'), 20, 0)).toBe(false);
  expect(await jobs.countOpen()).toBe(1);
});

test('A parked job is neither due nor counted; `unparkAll` makes it due now', async () => {
  const { jobs } = embedded(() => 100);
  await jobs.add(aLookup('one'), 10);
  await jobs.add(aLookup('two'), 200);
  await jobs.park('one');
  expect([ids(await jobs.due(1_000, 10)), await jobs.countOpen()]).toEqual([['two'], 1]);
  expect(await jobs.nextDue(0)).toBe(200);
  expect(ids(await jobs.all())).toHaveLength(2);
  await jobs.unparkAll();
  expect([ids(await jobs.due(99, 10)), ids(await jobs.due(100, 10))]).toEqual([[], ['one']]);
  expect(ids(await jobs.due(199, 10))).toEqual(['one']);
});

test('A job is sealed for its own row, and opens in no other one', async () => {
  const { jobs, database } = embedded(() => 100);
  await jobs.add(aLookup('one'), 10);
  // No letters, which the sealed text may hold by chance.
  expect(String(database.prepare('SELECT value FROM lookups').get()?.value)).not.toContain('"');
  database.exec("UPDATE lookups SET id = 'other'");
  const other = await jobs.get('other');
  expect(() => other?.job()).toThrow('could not be opened');
});

test('Whatever SQLite throws is a fault of storage', async () => {
  const { jobs, database, store } = embedded(() => 100);
  await store.close();
  expect(database.isOpen).toBe(false);
  for (const failing of [
    jobs.add(aLookup('one'), 1),
    jobs.get('one'),
    jobs.due(1, 1),
    jobs.nextDue(1),
    jobs.countOpen(),
    jobs.oldestAcceptedAt(),
    jobs.all(),
  ]) {
    await expect(failing).rejects.toThrow(StorageFailed);
  }
});
