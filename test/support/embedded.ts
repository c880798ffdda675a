import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import { steadyClock } from '../../src/core/steady-clock.ts';
import { LOOKUP_FORMAT } from '../../src/lookups/queue.ts';
import { REMINDER_FORMAT } from '../../src/lookups/reminder.ts';
import { Sealer } from '../../src/storage/sealing/sealer.ts';
import { StoredNames } from '../../src/storage/sealing/stored-names.ts';
import { EmbeddedStore } from '../../src/storage/sqlite/embedded-store.ts';
import { GroupCommit } from '../../src/storage/sqlite/group-commit.ts';
import { JobTable } from '../../src/storage/sqlite/job-table.ts';
import { LocalQueue } from '../../src/storage/sqlite/local-queue.ts';
import { SCHEMA } from '../../src/storage/sqlite/sqlite-file.ts';

const KEY = new Uint8Array(32).fill(1);

/** The parts of the embedded store and its queue on a database in memory; `now` is the clock of all of them. */
export function embedded(now: () => number) {
  const database = new DatabaseSync(':memory:');
  database.exec(SCHEMA);
  const steady = steadyClock(now);
  const sealer = new Sealer([KEY]);
  const names = new StoredNames(KEY);
  // Tests that stop the clock would wait for ever for a pause.
  const commits = new GroupCommit(database, steady, 0);
  const [unreadable, failures]: [string[], [unknown, string | undefined][]] = [[], []];
  const onUnreadable = (namespace: string) => void unreadable.push(namespace);
  const store = new EmbeddedStore(database, { sealer, names, commits, onUnreadable, now: steady });
  const jobs = new JobTable(database, { format: LOOKUP_FORMAT, sealer, commits, now: steady });
  const onError = (error: unknown, id: string | undefined) => void failures.push([error, id]);
  const queue = new LocalQueue({ jobs, now, steady, onError });
  const reminders = new LocalQueue({
    jobs: new JobTable(database, { format: REMINDER_FORMAT, sealer, commits, now: steady }),
    now,
    steady,
    onError,
  });
  onTestFinished(async () => {
    await Promise.all([queue.stop(1_000), reminders.stop(1_000)]);
    if (database.isOpen) await store.close();
  });
  return { database, sealer, names, commits, store, jobs, queue, reminders, unreadable, failures };
}
