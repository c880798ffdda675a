import { Session } from 'node:inspector/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { processing, READY, shelveHits } from '../support/shelved.ts';
import { STATE_KEY } from '../support/upstreams.ts';
import { openWorld, type World } from '../support/world.ts';

/** The cost of a command whose answer is ready. */
export type OneAnswer = {
  /** How many files of `src` ran a function, and how many functions ran, including closures without a name. */
  readonly files: number;
  readonly functions: number;
  /** The number of operations of the store and its queues. */
  readonly storageOperations: number;
};

/** The function that every operation of a store and of its queues calls once. */
const OPERATION = 'orStorageFailed';
/** The work after an answer is over when the store was not used for this time. */
const QUIET_MS = 300;

async function answer({ slack, service }: World, id: string): Promise<void> {
  service.shelve(id, READY);
  await slack.command({ text: id });
  await slack.waitFor(
    () => slack.messages('C0SUPPORT').find(({ text }) => text.includes(`${id} of `)),
    `the answer for ${id}`,
  );
}

/** A function of `src` that ran, its position in its file, and how often it ran. */
type Ran = Readonly<Record<'file' | 'name', string> & Record<'begins' | 'times', number>>;

/** Starts a profiler that counts the calls of functions of `src` in this process. */
async function counting() {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const take = async (): Promise<Ran[]> => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result
      .filter(({ url }) => url.startsWith('file:') && !url.includes('node_modules'))
      .map(({ url, functions }) => ({ file: fileURLToPath(url), functions }))
      .filter(({ file }) => /\/src\//.test(file))
      .flatMap(({ file, functions }) =>
        functions.map(({ functionName: name, ranges: [range] }) => ({
          file,
          name,
          begins: range?.startOffset ?? 0,
          times: range?.count ?? 0,
        })),
      )
      .filter(({ times }) => times > 0);
  };
  return {
    during: async (work: () => Promise<void>): Promise<Ran[]> => {
      await take();
      await work();
      const ran: Ran[] = [];
      for (;;) {
        await delay(QUIET_MS);
        const more = await take();
        ran.push(...more);
        if (timesOf(more, OPERATION) === 0) return ran;
      }
    },
    end: () => session.disconnect(),
  };
}

function timesOf(ran: readonly Ran[], name: string, file = ''): number {
  const found = ran.filter((each) => each.name === name && each.file.endsWith(file));
  return found.reduce((sum, { times }) => sum + times, 0);
}

/** Measures one ready answer on an embedded store, after earlier answers have loaded all code. */
export async function measureOneAnswer(): Promise<OneAnswer> {
  const counter = await counting();
  const world = await openWorld();
  try {
    for (const id of ['7001', '7002']) await counter.during(() => answer(world, id));
    const ran = await counter.during(() => answer(world, '7003'));
    return {
      files: new Set(ran.map(({ file }) => file)).size,
      functions: new Set(ran.map(({ file, begins }) => `${file}:${begins}`)).size,
      storageOperations: timesOf(ran, OPERATION),
    };
  } finally {
    await world.close();
    counter.end();
  }
}

/** The number of store operations of an answer that waited once, on an embedded store. */
export async function measureOneWait(): Promise<number> {
  const counter = await counting();
  const world = await openWorld();
  const waitFor = (id: string) => {
    world.service.nextAnswers([processing('Unpacking.')], id);
    return answer(world, id);
  };
  try {
    await counter.during(() => waitFor('7001'));
    const ran = await counter.during(() => waitFor('7002'));
    return timesOf(ran, OPERATION);
  } finally {
    await world.close();
    counter.end();
  }
}

/** The cost of many answers about one snapshot. */
export type ManyAnswers = {
  readonly requests: number;
  readonly parsed: number;
  readonly drawn: number;
  /** The number of decrypted values. */
  readonly opened: number;
};

/** Measures `count` answers about one snapshot, each in another channel: the first answer, then the rest. */
export async function measureManyAnswers(count: number, order: 'in turn' | 'at once'): Promise<ManyAnswers> {
  const counter = await counting();
  const world = await openWorld({ variables: { COMMANDS_PER_MINUTE: '1000' } });
  const { slack, service } = world;
  const answerIn = async (channel: string) => {
    slack.addChannel(channel);
    await slack.command({ text: '2001', channel });
    await slack.waitFor(() => slack.messages(channel)[0], `the answer in ${channel}`);
  };
  try {
    const [first = '', ...others] = Array.from({ length: count }, (_, index) => `C0MANY${index}`);
    // A document that this process has not parsed before.
    shelveHits(world, { header: `Asked ${order}` });
    const ran = await counter.during(async () => {
      await answerIn(first);
      if (order === 'at once') await Promise.all(others.map(answerIn));
      else for (const name of others) await answerIn(name);
    });
    return {
      requests: service.records.requests.length,
      parsed: timesOf(ran, 'readDocument', 'service/document.ts'),
      drawn: timesOf(ran, 'drawBody', 'report/body.ts'),
      opened: timesOf(ran, 'open', 'backend/sealing.ts'),
    };
  } finally {
    await world.close();
    counter.end();
  }
}

/**
 * The number of Redis commands of one ready answer, including those inside scripts and without those of an idle bot.
 */
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
