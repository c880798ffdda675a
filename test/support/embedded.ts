import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import type { Store } from '../../src/core/store.ts';
import { steadyClock } from '../../src/core/time.ts';
import type { Follow, Job } from '../../src/lookups/queue.ts';
import { Sealer, storedNames } from '../../src/storage/backend/sealer.ts';
import { localQueue } from '../../src/storage/sqlite/local-jobs.ts';
import { SCHEMA } from '../../src/storage/sqlite/sqlite-file.ts';
import { embeddedStore } from '../../src/storage/sqlite/sqlite-store.ts';
import { statementsOf } from '../../src/storage/sqlite/statements.ts';

const KEY = new Uint8Array(32).fill(1);

/** The embedded store on a database in memory, for those who need no queue; it ends with the test's file. */
export function aStore(now: () => number = Date.now): Store {
  const database = new DatabaseSync(':memory:');
  database.exec(SCHEMA);
  const statements = statementsOf(database, now);
  const parts = { sealer: new Sealer([KEY]), names: [storedNames(KEY)] as const, onUnreadable: () => {} };
  return embeddedStore(database, { ...parts, statements });
}

/** The parts of the embedded store and its queue on a database in memory; `now` is the clock of all of them. */
export function embedded(now: () => number) {
  const database = new DatabaseSync(':memory:');
  database.exec(SCHEMA);
  const statements = statementsOf(database, steadyClock(now));
  const sealer = new Sealer([KEY]);
  const names = [storedNames(KEY)] as const;
  const [unreadable, failures]: [string[], [unknown, string | undefined][]] = [[], []];
  const onUnreadable = (namespace: string) => void unreadable.push(namespace);
  const store = embeddedStore(database, { sealer, names, statements, onUnreadable });
  const onError = (error: unknown, id: string | undefined) => void failures.push([error, id]);
  const jobs = localQueue(statements, { sealer, names, now, onError });
  const [queue, follows] = [jobs.of<Job>('lookup'), jobs.of<Follow>('follow')];
  onTestFinished(async () => {
    await jobs.stop(1_000);
    if (database.isOpen) await store.close();
  });
  return { database, sealer, statements, store, jobs, queue, follows, unreadable, failures };
}
