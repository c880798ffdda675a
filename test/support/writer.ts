import { pino } from 'pino';
import { openStorage } from '../../src/storage/open-storage.ts';

/** Writes numbers as fast as it can until it is killed, and says each one that it was told is kept. */
const [dataDir = ''] = process.argv.slice(2);
const { store } = await openStorage(
  { redisUrl: undefined, dataDir, stateKeys: [] },
  { logger: pino({ level: 'silent' }), now: Date.now },
);
const kept = store.namespace<number>('recents');
for (let number = 1; ; number += 1) {
  await kept.set(String(number), number);
  process.stdout.write(`${number}\n`);
}
