import { test as base, expect } from 'vitest';
import { BotProcess } from './bot-process.ts';
import { type RedisOptions, startRedis, type TestRedis } from './redis.ts';
import { type ProcessUpstreams, STATE_KEY, startProcessUpstreams } from './upstreams.ts';

/** The interval that processes of the bot and the emulator are given alike. */
export const INTERVAL_MS = 400;

/** The emulators, and bots in processes of their own between them. */
export type ProcessWorld = Omit<ProcessUpstreams, 'close'> & {
  /** A process of the bot that is not started; it is gone when the test is over. */
  bot(changes?: Readonly<Record<string, string>>, entry?: 'shipped' | 'npm start' | number): BotProcess;
  /** Starts a process of the bot; it is gone when the test is over. Deliveries go to all that were started. */
  start(
    changes?: Readonly<Record<string, string>>,
    entry?: 'shipped' | 'npm start' | number,
  ): Promise<BotProcess>;
  /** Starts a Redis, which is gone when the test is over. */
  redis(options?: RedisOptions): Promise<TestRedis>;
  /** Slack delivers to these processes from now on, as behind a load balancer that knows which are healthy. */
  deliverTo(...processes: readonly BotProcess[]): void;
};

/**
 * A test with bots in processes of their own. Whatever it is about, it fails when the emulators counted a breach of
 * their rules.
 */
export const test = base.extend<{ world: ProcessWorld }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what a fixture depends on.
  world: async ({}, use) => {
    const closing: (() => Promise<unknown>)[] = [];
    const world = await openProcessWorld(closing);
    await use(world);
    for (const close of closing.reverse()) await close();
    expect(world.service.records.breaches).toEqual([]);
    expect(world.slack.records.breaches).toEqual([]);
  },
});

/** `closing` is given what has to be closed, the first one last. */
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
      // The bot acknowledges what Redis has written: whoever keeps Redis waiting keeps the bot waiting.
      slack.runsIn(() => redis.pid);
      return redis;
    },
  };
}
