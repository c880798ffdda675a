import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { lastTimeIn, SCHEMA } from '../../../src/storage/sqlite/sqlite-file.ts';
import { sweep } from '../../../src/storage/sqlite/sqlite-store.ts';

test('A sweep deletes what is over, and neither what still holds nor what holds for ever, in every table', () => {
  const database = new DatabaseSync(':memory:');
  database.exec(SCHEMA);
  for (const [key, expires] of [
    ['over', 999],
    ['just over', 1_000],
    ['live', 1_001],
    ['for ever', null],
  ] as const) {
    database.prepare("INSERT INTO entries VALUES ('session', ?, 'sealed', ?)").run(key, expires);
    for (const table of ['leases', 'deliveries'])
      if (expires !== null) database.prepare(`INSERT INTO ${table} VALUES (?, ?)`).run(key, expires);
  }
  database.prepare("INSERT INTO jobs VALUES ('lookup', 'open', 1, 'sealed', 1, 0, 0)").run();
  sweep(database, 1_000);
  expect(lastTimeIn(database)).toBe(1_000);
  const left = (column: string, table: string) =>
    database
      .prepare(`SELECT ${column} AS name FROM ${table} ORDER BY 1`)
      .all()
      .map(({ name }) => name);
  expect(left('name', 'entries')).toEqual(['for ever', 'live']);
  expect([left('name', 'leases'), left('name', 'deliveries')]).toEqual([['live'], ['live']]);
  expect(left('id', 'jobs')).toEqual(['open']);
});
