import { test as base, expect } from 'vitest';
import { BotProcess } from './bot-process.ts';
import { type RedisOptions, startRedis, type TestRedis } from './redis.ts';
import { type ProcessUpstreams, STATE_KEY, startProcessUpstreams } from './upstreams.ts';

/** The polling interval of the bots and of the emulator. Milliseconds. */
export const INTERVAL_MS = 400;

/** The emulators, with bots in separate processes between them. */
export type ProcessWorld = Omit<ProcessUpstreams, 'close'> & {
  /** A bot process that is not started yet. It ends after the test. */
  bot(changes?: Readonly<Record<string, string>>, entry?: 'shipped' | 'npm start' | number): BotProcess;
  /** Starts a bot process, which ends after the test. Slack delivers to all started processes. */
  start(
    changes?: Readonly<Record<string, string>>,
    entry?: 'shipped' | 'npm start' | number,
  ): Promise<BotProcess>;
  /** Starts a Redis server, which ends after the test. */
  redis(options?: RedisOptions): Promise<TestRedis>;
  /** From now on, Slack delivers to these processes, like a load balancer that knows which processes are healthy. */
  deliverTo(...processes: readonly BotProcess[]): void;
};

/** A test with bots in separate processes. It also fails if the emulators counted a violation of their rules. */
export const test = base.extend<{ world: ProcessWorld }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the dependencies of a fixture from its pattern.
  world: async ({}, use) => {
    const closing: (() => Promise<unknown>)[] = [];
    const world = await openProcessWorld(closing);
    await use(world);
    for (const close of closing.reverse()) await close();
    expect(world.service.records.breaches).toEqual([]);
    expect(world.slack.records.breaches).toEqual([]);
  },
});

/** Adds a function to `closing` for everything that must be closed; the first entry is called last. */
async function openProcessWorld(closing: (() => Promise<unknown>)[]): Promise<ProcessWorld> {
  const upstreams = await startProcessUpstreams({ service: { waitMs: INTERVAL_MS } });
  closing.push(() => upstreams.close());
  const { slack } = upstreams;
  const environment = { ...upstreams.environment, STATE_KEY };
  const started: BotProcess[] = [];
  const deliverTo = (...processes: readonly BotProcess[]) =>
    slack.deliverTo(...processes.map(({ address }) => `${address}/slack/events`));
  const bot: ProcessWorld['bot'] = (changes = {}, entry) => {
    const process = new BotProcess({ ...environment, ...changes }, entry ?? INTERVAL_MS);
    const address = slack.runsIn(() => process.pid);
    process.environment.SLACK_API_URL = changes.SLACK_API_URL ?? address;
    closing.push(() => process.end('SIGKILL'));
    return process;
  };
  return {
    ...upstreams,
    environment,
    deliverTo,
    bot,
    start: async (changes, entry) => {
      const process = bot(changes, entry);
      await process.start();
      started.push(process);
      deliverTo(...started.filter(({ isUp }) => isUp));
      return process;
    },
    redis: async (options) => {
      const redis = await startRedis(options);
      closing.push(() => redis.close());
      // The bot waits for Redis before it acknowledges, so a delay of Redis counts as a delay of the bot.
      slack.runsIn(() => redis.pid);
      return redis;
    },
  };
}
