import { pino } from 'pino';
import { openStorage } from '../../src/storage/open-storage.ts';

/** Writes numbers as fast as it can until it is killed, and says each one that it was told is kept. */
const [dataDir = ''] = process.argv.slice(2);
const { store } = await openStorage(
  { redisUrl: undefined, dataDir, stateKeys: [] },
  pino({ level: 'silent' }),
  Date.now,
);
const kept = store.kept<number>('numbers');
for (let number = 1; ; number += 1) {
  await kept.set(String(number), number);
  process.stdout.write(`${number}\n`);
}
