import { Session } from 'node:inspector/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { READY } from '../support/shelved.ts';
import { STATE_KEY } from '../support/upstreams.ts';
import { openWorld, type World } from '../support/world.ts';

/** What one command costs whose answer is ready. */
export type OneAnswer = {
  /** Files of `src` with a function that ran, and those functions; closures without a name count, too. */
  readonly files: number;
  readonly functions: number;
  /** How often the store or its queues were asked for something. */
  readonly storageOperations: number;
};

/** Every operation of a store and of its queues passes through this function; it is counted again after its one `await`. */
const OPERATION = 'orStorageFailed';
const COUNTED = 2;
/** What follows on an answer is done by then. */
const AFTERWARDS_MS = 500;

async function answer({ slack, service }: World, id: string): Promise<void> {
  service.shelve(id, READY);
  await slack.command({ text: id });
  await slack.waitFor(
    () => slack.messages('C0SUPPORT').find(({ text }) => text.includes(`${id} of `)),
    `the answer for ${id}`,
  );
  await delay(AFTERWARDS_MS);
}

/** Plays one ready answer on an embedded store, after others have loaded what is loaded with the first one. */
export async function measureOneAnswer(): Promise<OneAnswer> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const world = await openWorld();
  try {
    for (const id of ['7001', '7002']) await answer(world, id);
    await session.post('Profiler.takePreciseCoverage');
    await answer(world, '7003');
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const own = result.filter(
      ({ url }) =>
        url.startsWith('file:') && /\/src\//.test(fileURLToPath(url)) && !url.includes('node_modules'),
    );
    const ran = own.map(({ functions }) =>
      functions.filter(({ ranges: [range] }) => (range?.count ?? 0) > 0),
    );
    const operations = ran.flat().filter(({ functionName }) => functionName === OPERATION);
    return {
      files: ran.filter((functions) => functions.length > 0).length,
      functions: ran.flat().length,
      storageOperations:
        operations.reduce((sum, { ranges: [range] }) => sum + (range?.count ?? 0), 0) / COUNTED,
    };
  } finally {
    await world.close();
    session.disconnect();
  }
}

/** How many commands Redis takes for one ready answer, those inside scripts counted, and those of an idle bot not. */
export async function measureRedisCommands(redis: {
  readonly url: string;
  command(...words: string[]): Promise<unknown>;
}): Promise<number> {
  const ANSWERS = 10;
  const world = await openWorld({ variables: { REDIS_URL: redis.url, STATE_KEY } });
  const counted = async (work: () => Promise<void>) => {
    await redis.command('CONFIG', 'RESETSTAT');
    const began = performance.now();
    await work();
    const stats = String(await redis.command('INFO', 'commandstats'));
    const calls = [...stats.matchAll(/^cmdstat_(?!info|config)\S+?:calls=(\d+)/gm)].map(([, count]) =>
      Number(count),
    );
    return { calls: calls.reduce((sum, count) => sum + count, 0), ms: performance.now() - began };
  };
  try {
    await answer(world, '7001');
    const idle = await counted(() => delay(5_000));
    const busy = await counted(async () => {
      for (let index = 0; index < ANSWERS; index += 1) await answer(world, String(8_000 + index));
    });
    return (busy.calls - (idle.calls / idle.ms) * busy.ms) / ANSWERS;
  } finally {
    await world.close();
  }
}
