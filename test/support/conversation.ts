import { test as base, expect } from 'vitest';
import { records, string } from '../emulators/slack/json.ts';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { type RedisOptions, startRedis, type TestRedis } from './redis.ts';
import { openWorld, type World, type WorldOptions } from './world.ts';

/** A public channel in which the bot is a member. */
export const SUPPORT = 'C0SUPPORT';
const BOT = 'U0SNAPSHOT';
const WAITING = /is still being processed|Looking up/;

type Open = (options?: WorldOptions) => Promise<World>;
export type OpenRedis = (options?: RedisOptions) => Promise<TestRedis>;

/**
 * A test with a world (a bot between the emulators), or with `open` and `redis` to open worlds with options and Redis
 * servers. All are closed after the test. The test fails if the bot violates the specification of the service or a rule
 * of Slack, or opens the login page.
 */
export const test = base.extend<{ redis: OpenRedis; open: Open; world: World }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the dependencies of a fixture from its pattern.
  redis: async ({}, use) => {
    const opened: TestRedis[] = [];
    await use(async (options) => {
      const redis = await startRedis(options);
      opened.push(redis);
      return redis;
    });
    await Promise.all(opened.map((each) => each.close()));
  },
  // The worlds close before their Redis servers, because a bot stops quickly only with a reachable Redis.
  open: async ({ redis: _ }, use) => {
    const opened: World[] = [];
    await use(async (options) => {
      const world = await openWorld(options);
      opened.push(world);
      return world;
    });
    await Promise.all(opened.map((each) => each.close()));
    for (const { slack, service } of opened) {
      expect(service.records.breaches).toEqual([]);
      expect(service.records.loginPageViews).toBe(0);
      expect(slack.records.breaches).toEqual([]);
    }
  },
  world: async ({ open }, use) => use(await open()),
});

/** The final messages of lookups in a channel, without replies: those notify people, sometimes at the same time. */
export function finals({ slack }: World, channel = SUPPORT): VisibleMessage[] {
  return fromBot(slack.messages(channel)).filter(
    ({ text, threadTs }) => threadTs === undefined && !WAITING.test(text),
  );
}

/** The waiting messages in a channel. */
export function waits({ slack }: World, channel = SUPPORT): VisibleMessage[] {
  return fromBot(slack.messages(channel)).filter(({ text }) => WAITING.test(text));
}

function fromBot(messages: readonly VisibleMessage[]): VisibleMessage[] {
  return messages.filter(({ user }) => user === BOT);
}

/** Waits until this many lookups have ended. */
export function ended(world: World, count: number, channel = SUPPORT): Promise<VisibleMessage[]> {
  return world.slack.waitFor(() => {
    const found = finals(world, channel);
    return found.length >= count ? found : undefined;
  }, `${count} lookup(s) to end`);
}

/** Waits for a message of the bot with this text. */
export function shown({ slack }: Pick<World, 'slack'>, words: string | RegExp): Promise<VisibleMessage> {
  return slack.waitFor(
    () => fromBot(slack.messages(SUPPORT)).find(({ text }) => text.search(words) !== -1),
    `a message with ${words}`,
  );
}

/** Types a command, and returns the final message of its lookup. */
export async function ask(world: World, text: string, user = 'ana'): Promise<VisibleMessage> {
  // A follow that begins with the lookup is confirmed by a message that only its asker sees.
  const answers = () => finals(world).filter(({ ephemeral }) => !ephemeral);
  const before = answers().length;
  await world.slack.command({ text, user, channel: SUPPORT });
  return world.slack.waitFor(() => answers().slice(before).at(-1), 'the lookup to end');
}

/** Types a command during a fault. Returns the message that names the fault and says that the bot retries. */
export async function askDuringFault(world: World, snapshotId: string): Promise<VisibleMessage> {
  await world.slack.command({ text: snapshotId, user: 'ana', channel: SUPPORT });
  return shown(world, new RegExp(`Looking up snapshot ${snapshotId}… .+`));
}

/** How many requests and logins the service had received when the bot first sent this text to Slack. */
export function reachedBy({ slack, service }: World, words: string): { requests: number; logins: number } {
  const told = slack.records.calls.find(({ args }) => string(args.text).includes(words))?.at ?? 0;
  const count = (records: readonly { arrivedAt: number }[]) =>
    records.filter(({ arrivedAt }) => arrivedAt <= told).length;
  return { requests: count(service.records.requests), logins: count(service.records.logins) };
}

/** Types several commands at the same time; returns their final messages. */
export async function askTogether(
  world: World,
  count: number,
  textOf: (index: number) => string,
): Promise<VisibleMessage[]> {
  const before = finals(world).length;
  await Promise.all(
    Array.from({ length: count }, (_, index) =>
      world.slack.command({
        text: textOf(index),
        user: index % 2 === 0 ? 'ana' : 'ben',
        channel: SUPPORT,
      }),
    ),
  );
  return (await ended(world, before + count)).slice(before);
}

/** The action ids of a message's buttons and menus. */
export function offers({ blocks }: VisibleMessage): string[] {
  return blocks
    .flatMap(({ elements }) => records(elements))
    .map(({ action_id }) => string(action_id))
    .filter((id) => id !== '');
}
