import { type Logger, pino } from 'pino';
import { test as base } from 'vitest';
import type { Storage } from '../../src/storage/backend/storage.ts';
import { close } from './queue-contract.ts';
import {
  changedKeys,
  clearing,
  entries,
  holders,
  leases,
  OLD,
  type Own,
  type StoreTest,
  sealing,
  values,
} from './store-promises.ts';

export type Keys = readonly [Uint8Array, ...Uint8Array[]];
/** A new state of a backend, for one test. */
export type Backend = {
  readonly open: (keys: Keys, logger: Logger) => Promise<Storage>;
  /** All that is stored, as it is stored. */
  readonly everything: () => Promise<string>;
};

/** Each test has a state of its own, and runs beside the others. */
function testOn(backend: () => Promise<Backend>): StoreTest {
  const test = base.extend<{ own: Own }>({
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what a fixture depends on.
    own: async ({}, use) => {
      const { open, everything } = await backend();
      const opened: Storage[] = [];
      const log: string[] = [];
      const closeAll = async () => {
        for (const storage of opened.splice(0)) await close(storage);
      };
      await use({
        log,
        open: async (first = OLD, ...others) => {
          const storage = await open([first, ...others], loggerTo(log));
          opened.push(storage);
          return storage.store;
        },
        closeAll,
        everything,
      });
      await closeAll();
    },
  });
  return test;
}

/** What every store promises. */
export function storeContract(backend: () => Promise<Backend>): void {
  const test = testOn(backend);
  values(test);
  entries(test);
  clearing(test);
  leases(test);
  holders(test);
  sealing(test);
  changedKeys(test);
}

/** A logger that adds its lines to a list. */
export function loggerTo(log: string[]): Logger {
  return pino({ level: 'trace' }, { write: (line) => log.push(line) });
}
