import { Session } from 'node:inspector/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { processing, READY, shelveHits } from '../support/shelved.ts';
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

/** Every operation of a store and of its queues calls this function once. */
const OPERATION = 'orStorageFailed';
/** What follows on an answer is done when the store was asked for nothing in this time. */
const QUIET_MS = 300;

async function answer({ slack, service }: World, id: string): Promise<void> {
  service.shelve(id, READY);
  await slack.command({ text: id });
  await slack.waitFor(
    () => slack.messages('C0SUPPORT').find(({ text }) => text.includes(`${id} of `)),
    `the answer for ${id}`,
  );
}

/** A function of `src` that ran, where it begins in its file, and how often. */
type Ran = Readonly<Record<'file' | 'name', string> & Record<'begins' | 'times', number>>;

/** Counts what runs of `src` during some work in this process, and until nothing more follows on it. */
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

/** Plays one ready answer on an embedded store, after others have loaded what is loaded with the first one. */
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

/** How often the store is asked for something for an answer that waited once, on an embedded store. */
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

/** What many answers of one snapshot cost. */
export type ManyAnswers = {
  readonly requests: number;
  readonly parsed: number;
  readonly drawn: number;
  /** Stored values that were decrypted. */
  readonly opened: number;
};

/** Plays `count` answers of one snapshot, each in a channel of its own: the first one, then the others. */
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
    // A document that this process has not parsed yet.
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
