import type { Sealer } from '../sealing/sealer.ts';
import { PREFIX, QUEUE, type ValuesConnection } from './redis-connection.ts';

const SCANNED_AT_ONCE = 500;
const LAST_OF_BEGINNING = 15;

/** How many values and open jobs are sealed with none of the keys. Reads the beginning of all: slow, for rare work. */
export async function countUnopened(client: ValuesConnection, sealer: Sealer): Promise<number> {
  const kinds = [
    {
      stored: { TYPE: 'string', MATCH: `${PREFIX}:values:*` },
      beginningOf: (key: string) => client.getRange(key, 0, LAST_OF_BEGINNING),
    },
    {
      stored: { TYPE: 'hash', MATCH: `${PREFIX}:${QUEUE}:*-*` },
      beginningOf: async (key: string) => JSON.parse((await client.hGet(key, 'data')) ?? '{}').sealed ?? '',
    },
  ];
  let count = 0;
  for (const { stored, beginningOf } of kinds) {
    for await (const keys of client.scanIterator({ ...stored, COUNT: SCANNED_AT_ONCE })) {
      const beginnings: string[] = await Promise.all(keys.map(beginningOf));
      // What has gone meanwhile has none.
      count += beginnings.filter((each) => each !== '' && !sealer.hasKeyOf(each)).length;
    }
  }
  return count;
}
