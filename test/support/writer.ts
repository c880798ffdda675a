import { pino } from 'pino';
import { openStorage } from '../../src/storage/storage.ts';

/** Writes numbers until it is killed, and prints each number that the store has confirmed. */
const [dataDir = ''] = process.argv.slice(2);
const { store } = await openStorage(
  { kind: 'sqlite' as const, dataDir, stateKeys: [] },
  { logger: pino({ level: 'silent' }), now: Date.now },
);
const kept = store.namespace<number>('people');
for (let number = 1; ; number += 1) {
  await kept.set(String(number), number);
  process.stdout.write(`${number}\n`);
}
