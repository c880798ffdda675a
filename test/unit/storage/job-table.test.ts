import { expect, test } from 'vitest';
import { StorageFailed } from '../../../src/core/faults.ts';
import { aLookup } from '../../support/a-lookup.ts';
import { embedded } from '../../support/embedded.ts';

const ids = (jobs: readonly { id: string }[]) => jobs.map(({ id }) => id);

test('Those whose time has come are taken, the longest overdue first, at most so many; the next one is named', async () => {
  const { jobs } = embedded(() => 100);
  for (const due of [30, 10, 20, 41, 50]) await jobs.put(aLookup(`due-${due}`), due, 0);
  expect(ids(await jobs.due(30, 10))).toEqual(['due-10', 'due-20', 'due-30']);
  expect(ids(await jobs.due(30, 2))).toEqual(['due-10', 'due-20']);
  expect([await jobs.nextDue(30), await jobs.nextDue(40), await jobs.nextDue(41)]).toEqual([41, 41, 50]);
  expect(await jobs.nextDue(50)).toBeUndefined();
  expect(ids(await jobs.all()).toSorted()).toEqual(['due-10', 'due-20', 'due-30', 'due-41', 'due-50']);
});

test('A job is written anew with its time and its failures, and when it was accepted does not change', async () => {
  const { jobs } = embedded(() => 100);
  const job = { ...aLookup('one'), acceptedAt: 5 };
  await jobs.put(job, 10, 0);
  await jobs.put({ ...job, shown: 'waiting' }, 20, 3);
  expect(ids(await jobs.due(19, 10))).toEqual([]);
  const taken = await jobs.get('one');
  expect([taken?.id, taken?.failures, taken?.job()]).toEqual(['one', 3, { ...job, shown: 'waiting' }]);
  await jobs.save({ ...job, shown: 'saved' });
  const [due] = await jobs.due(20, 10);
  expect([due?.failures, due?.job().shown]).toEqual([3, 'saved']);
  expect([await jobs.countOpen(), await jobs.oldestAcceptedAt()]).toEqual([1, 5]);
  await jobs.put({ ...aLookup('two'), acceptedAt: 3 }, 10, 0);
  expect([await jobs.countOpen(), await jobs.oldestAcceptedAt()]).toEqual([2, 3]);
  await jobs.delete('two');
  expect([ids(await jobs.all()), await jobs.get('two')]).toEqual([['one'], undefined]);
  await jobs.save(aLookup('two'));
  expect(await jobs.countOpen()).toBe(1);
});

test('One that is parked is neither due nor counted until all are taken up again, now', async () => {
  const { jobs } = embedded(() => 100);
  await jobs.put(aLookup('one'), 10, 0);
  await jobs.put(aLookup('two'), 200, 0);
  await jobs.park('one');
  expect([ids(await jobs.due(1_000, 10)), await jobs.countOpen()]).toEqual([['two'], 1]);
  expect(await jobs.nextDue(0)).toBe(200);
  expect(ids(await jobs.all())).toHaveLength(2);
  await jobs.unparkAll();
  expect([ids(await jobs.due(99, 10)), ids(await jobs.due(100, 10))]).toEqual([[], ['one']]);
  expect(ids(await jobs.due(199, 10))).toEqual(['one']);
});

test('A job is sealed to its place, and opens in no other one', async () => {
  const { jobs, database } = embedded(() => 100);
  await jobs.put(aLookup('one'), 10, 0);
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
    jobs.put(aLookup('one'), 1, 0),
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
