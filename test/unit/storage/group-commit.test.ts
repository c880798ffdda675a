import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { GroupCommit } from '../../../src/storage/sqlite/group-commit.ts';
import { SCHEMA } from '../../../src/storage/sqlite/sqlite-file.ts';

function writing() {
  const database = new DatabaseSync(':memory:');
  database.exec(`
    PRAGMA foreign_keys = ON;
    ${SCHEMA}
    CREATE TABLE numbers (number INTEGER PRIMARY KEY);
    CREATE TABLE parts (whole INTEGER REFERENCES numbers DEFERRABLE INITIALLY DEFERRED);
  `);
  const commits = new GroupCommit(database, Date.now);
  const insert = (sql: string) => () => database.prepare(sql).run().changes;
  return {
    database,
    commits,
    add: (number: number) => commits.write(insert(`INSERT INTO numbers VALUES (${number})`)),
    addPart: (whole: number) => commits.write(insert(`INSERT INTO parts VALUES (${whole})`)),
    addOrRollBack: (number: number) =>
      commits.write(insert(`INSERT OR ROLLBACK INTO numbers VALUES (${number})`)),
    numbers: () =>
      database
        .prepare('SELECT number FROM numbers ORDER BY number')
        .all()
        .map(({ number }) => number),
  };
}

test('Writes of one turn share a transaction, are seen at once, and settle when it is committed', async () => {
  const { add, numbers, database, commits } = writing();
  const settled: number[] = [];
  const writes = [1, 2].map((number) => add(number).then(() => settled.push(number)));
  expect([numbers(), database.isTransaction]).toEqual([[1, 2], true]);
  await Promise.resolve();
  expect(settled).toEqual([]);
  await Promise.all(writes);
  expect(database.isTransaction).toBe(false);
  expect(await commits.write(() => 'given')).toBe('given');
});

test('If one of them fails all do, none is kept, and the next ones are', async () => {
  const { add, numbers, database } = writing();
  const [one, again] = [add(1), add(1)];
  await expect(again).rejects.toThrow('UNIQUE');
  await expect(one).rejects.toThrow('UNIQUE');
  expect([numbers(), database.isTransaction]).toEqual([[], false]);
  await add(2);
  expect(numbers()).toEqual([2]);
});

test('An error of a single write reaches its writer, and nobody else', async () => {
  const { add, numbers } = writing();
  await add(1);
  await expect(add(1)).rejects.toThrow('UNIQUE');
  // An unhandled rejection would end the process at the end of this turn of the event loop.
  await new Promise((turned) => setImmediate(turned));
  expect(numbers()).toEqual([1]);
});

test('Where SQLite itself has rolled back, nothing is rolled back twice', async () => {
  const { add, addOrRollBack, numbers } = writing();
  const one = add(1);
  await expect(addOrRollBack(1)).rejects.toThrow('UNIQUE');
  await expect(one).rejects.toThrow('UNIQUE');
  expect(numbers()).toEqual([]);
});

test('A commit that fails fails every write of it, and leaves no transaction open', async () => {
  const { add, addPart, numbers, database } = writing();
  const [one, orphan] = [add(1), addPart(99)];
  await expect(orphan).rejects.toThrow('FOREIGN KEY');
  await expect(one).rejects.toThrow('FOREIGN KEY');
  expect([numbers(), database.isTransaction]).toEqual([[], false]);
  await add(2);
  expect(numbers()).toEqual([2]);
});

test('`flush` commits the open transaction at once, and does nothing without one', async () => {
  const { add, commits, database } = writing();
  commits.flush();
  const one = add(1);
  commits.flush();
  expect(database.isTransaction).toBe(false);
  await one;
  const two = add(2);
  expect(database.isTransaction).toBe(true);
  await two;
});

test('A write whose transaction cannot begin is rejected', async () => {
  const { add, database } = writing();
  database.close();
  await expect(add(1)).rejects.toThrow('finalized');
});

describe('Right after a commit', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'setImmediate', 'setTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('of several writes, the next ones wait two milliseconds for others', async () => {
    const { add, database } = writing();
    const first = Promise.all([add(1), add(2)]);
    await vi.advanceTimersByTimeAsync(0);
    await first;
    const next = add(3);
    await vi.advanceTimersByTimeAsync(1);
    expect(database.isTransaction).toBe(true);
    const other = add(4);
    await vi.advanceTimersByTimeAsync(1);
    expect(database.isTransaction).toBe(false);
    await Promise.all([next, other]);
  });

  test('of one write, and later than that, the next one is committed in the same turn', async () => {
    const { add, database } = writing();
    for (const [numbers, laterMs] of [
      [[1], 0],
      [[2, 3], 3],
      [[4], 0],
    ] as const) {
      const added = Promise.all(numbers.map(add));
      await vi.advanceTimersByTimeAsync(0);
      expect(database.isTransaction).toBe(false);
      await added;
      await vi.advanceTimersByTimeAsync(laterMs);
    }
  });
});
