import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import { steadyClock } from '../../src/core/time.ts';
import { LOOKUP_FORMAT } from '../../src/lookups/queue.ts';
import { REMINDER_FORMAT } from '../../src/lookups/reminder.ts';
import { Sealer } from '../../src/storage/sealing/sealer.ts';
import { StoredNames } from '../../src/storage/sealing/stored-names.ts';
import { EmbeddedStore } from '../../src/storage/sqlite/embedded-store.ts';
import { localQueue } from '../../src/storage/sqlite/local-jobs.ts';
import { SCHEMA } from '../../src/storage/sqlite/sqlite-file.ts';
import { Statements } from '../../src/storage/sqlite/statements.ts';

const KEY = new Uint8Array(32).fill(1);

/** The parts of the embedded store and its queue on a database in memory; `now` is the clock of all of them. */
export function embedded(now: () => number) {
  const database = new DatabaseSync(':memory:');
  database.exec(SCHEMA);
  const statements = new Statements(database, steadyClock(now));
  const sealer = new Sealer([KEY]);
  const names = new StoredNames(KEY);
  const [unreadable, failures]: [string[], [unknown, string | undefined][]] = [[], []];
  const onUnreadable = (namespace: string) => void unreadable.push(namespace);
  const store = new EmbeddedStore(database, { sealer, names, statements, onUnreadable });
  const onError = (error: unknown, id: string | undefined) => void failures.push([error, id]);
  const jobs = localQueue(statements, { sealer, now, onError });
  const [queue, reminders] = [jobs.of(LOOKUP_FORMAT), jobs.of(REMINDER_FORMAT)];
  onTestFinished(async () => {
    await jobs.stop(1_000);
    if (database.isOpen) await store.close();
  });
  return { database, sealer, statements, store, jobs, queue, reminders, unreadable, failures };
}
