import { describe, expect } from 'vitest';
import { string } from '../emulators/slack/json.ts';
import type { ApiCall } from '../emulators/slack/model.ts';
import { atRest, metricsOf } from '../support/at-rest.ts';
import { fromBot, reads, small } from '../support/bot-messages.ts';
import { finals, SUPPORT, test as sequential, shown, waits } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { has } from '../support/needs.ts';
import type { TestRedis } from '../support/redis.ts';
import { SLOW } from '../support/shelved.ts';
import { beginWait } from '../support/slack-troubles.ts';
import { STATE_KEY } from '../support/upstreams.ts';
import type { World } from '../support/world.ts';

const test = sequential.concurrent;
/** The lock of a step lasts twelve seconds. Then the queue gives the job out again. */
const LONGER_THAN_A_LOCK_MS = 14_000;
/** Just below the ten seconds after which the bot gives up a post. */
const NEARLY_TOO_LATE_MS = 9_500;
const STANDSTILL_MS = 6_500;
const LONGER_STANDSTILL_MS = 9_000;
/** Slow, but much shorter than the lock of a step. */
const SLOWLY_MS = 1_700;
/** The bot gives up a call to Slack after ten seconds. */
const LONGER_THAN_A_CALL_MS = 13_000;

function calls({ slack }: World, method: string): ApiCall[] {
  return slack.records.calls.filter((call) => call.method === method);
}

function refuse({ slack }: World, error: string, ...methods: string[]): void {
  for (const method of methods) slack.failNext(method, ...Array(9).fill({ error }));
}

function undeliverable({ log }: World): string[] {
  return log.filter((line) => line.includes('Slack refused the answer'));
}

test('When Slack refuses an answer in the channel for good, the asker gets it privately', async ({
  world,
}) => {
  world.slack.failNext('chat.postMessage', { error: 'a_code_of_next_year' });
  await world.slack.command({ text: '1012' });
  expect(await reads(world, '1 hit')).toMatchObject({ ephemeral: true });
  await atRest(world.address());
  expect(fromBot(world)).toHaveLength(1);
  expect(undeliverable(world)).toEqual([]);
});

test('A message whose blocks Slack refuses is sent as text alone, and logged', async ({ world }) => {
  world.slack.failNext('chat.postMessage', { error: 'invalid_blocks' });
  await world.slack.command({ text: '1012' });
  expect((await shown(world, '(1 hit)')).blocks).toEqual([]);
  expect(world.log.join('')).toContain('Slack refused the blocks of a message');
});

test('A lookup whose answer Slack refuses everywhere ends, and is logged and counted as undeliverable', async ({
  world,
}) => {
  refuse(world, 'channel_not_found', 'chat.postMessage');
  world.slack.failNext('response_url', { status: 404 });
  await world.slack.command({ text: '1012' });
  await eventually(() => expect(undeliverable(world)).toHaveLength(1));
  await atRest(world.address());
  // The bot tried the channel once, and then the direct message once.
  expect(calls(world, 'chat.postMessage').map(({ args }) => args.channel)).toEqual([SUPPORT, 'U0ANA']);
  const metrics = await metricsOf(world);
  expect(metrics).toMatch(/^snapshot_bot_undeliverable\w* 1$/m);
});

/** WAIT_LIMIT_MINUTES is 60 here, so an answer is given up 25 hours after its command. */
test.for([
  ['is still given a day after', 24, 1],
  ['is given up a day after the longest wait', 26, 0],
] as const)('An answer that Slack fails to take %s', async ([, hours, answers], { world }) => {
  world.slack.failNext('chat.postMessage', ...Array(3).fill({ status: 500 }));
  await world.slack.command({ text: '1012' });
  await eventually(() => expect(calls(world, 'chat.postMessage')).not.toEqual([]));
  world.clock.ahead = hours * 3_600_000;
  await atRest(world.address());
  const given = finals(world).filter(({ threadTs }) => threadTs === undefined);
  expect([given.length, undeliverable(world).length]).toEqual([answers, 1 - answers]);
});

test('When the waiting message can’t be edited any more, the answer is a new one, and the old one goes', async ({
  world,
}) => {
  const old = await beginWait(world);
  refuse(world, 'edit_window_closed', 'chat.update');
  world.service.shelve('7001', small());
  const answer = await shown(world, '1 hit');
  expect(answer.ts).not.toBe(old.ts);
  await world.slack.waitFor(() => (waits(world).length === 0 ? true : undefined), 'the old one to go');
  await atRest(world.address());
  expect(world.slack.messages(SUPPORT)).toHaveLength(1);
});

test('An answer that Slack posts only after the bot gave up the call is posted once', async ({ world }) => {
  world.slack.failNext('chat.postMessage', { doneAfterMs: LONGER_THAN_A_CALL_MS });
  await world.slack.command({ text: '1012' });
  await eventually(() => expect(calls(world, 'chat.postMessage')).toHaveLength(1));
  await atRest(world.address(), 40_000);
  expect(finals(world)).toHaveLength(1);
  expect(calls(world, 'chat.postMessage')).toHaveLength(1);
});

test('Progress that Slack shows only after the bot gave up the call does not overwrite the answer', async ({
  world,
}) => {
  const { ts } = await beginWait(world);
  world.slack.failNext('chat.update', { doneAfterMs: LONGER_THAN_A_CALL_MS });
  world.service.shelve('7001', { ...SLOW, processing: { forMs: 'forever', reasons: ['Unpacking.'] } });
  await eventually(() => expect(calls(world, 'chat.update')).toHaveLength(1));
  world.service.shelve('7001', small());
  await atRest(world.address(), 60_000);
  await eventually(() => expect(calls(world, 'chat.update')[0]).toHaveProperty('ms'));
  const present = world.slack.messages(SUPPORT).find((message) => message.ts === ts);
  expect(present?.text).toContain('1 hit');
});

describe.runIf(has('redis-server'))('An answer through a response URL', () => {
  test('comes once, though Redis stands still as Slack takes it, until another replica may take the job', async ({
    open,
    redis: start,
  }) => {
    const redis = await start();
    const world = await open({ variables: { REDIS_URL: redis.url, STATE_KEY } });
    const stop = world.slack.on((event) => {
      if (event.type !== 'call' || event.call.method !== 'response_url') return;
      stop();
      redis.hang();
      setTimeout(() => redis.goOn(), LONGER_THAN_A_LOCK_MS);
    });
    await world.slack.command({ text: '1012', channel: 'C0SECRET' });
    await atRest(world.address(), 40_000);
    expect(calls(world, 'response_url')).toHaveLength(1);
  });

  /** Answers through the response URL, without those that only say that the bot waits. */
  const answersOf = (world: World) =>
    calls(world, 'response_url').filter(({ args }) => / hits?\)/.test(string(args.text)));

  /** Once the answer is sent, Redis hangs for `standstillMs`, and Slack takes the answer later still. */
  function delayTheAnswer(world: World, redis: TestRedis, standstillMs: number): void {
    const stop = world.slack.on(() => {
      if (answersOf(world).length === 0) return;
      stop();
      const lateMs = [NEARLY_TOO_LATE_MS];
      world.slack.answerAfter(() => lateMs.pop() ?? 0);
      redis.hang();
      setTimeout(() => redis.goOn(), standstillMs);
    });
  }

  test('comes once after a slow read, though Slack takes it late and Redis stands still meanwhile', async ({
    open,
    redis: start,
  }) => {
    const redis = await start();
    const world = await open({ variables: { REDIS_URL: redis.url, STATE_KEY } });
    world.service.switches.latencyMs = SLOWLY_MS;
    delayTheAnswer(world, redis, LONGER_STANDSTILL_MS);
    await world.slack.command({ text: '1012', channel: 'C0SECRET' });
    await eventually(() => expect(answersOf(world)).not.toEqual([]));
    await atRest(world.address(), 60_000);
    expect(answersOf(world)).toHaveLength(1);
  });

  test('comes once after a wait, though Slack takes it late and Redis stands still meanwhile', async ({
    open,
    redis: start,
  }) => {
    const redis = await start();
    const world = await open({ variables: { REDIS_URL: redis.url, STATE_KEY } });
    world.service.shelve('1012', SLOW);
    delayTheAnswer(world, redis, STANDSTILL_MS);
    await world.slack.command({ text: '1012', channel: 'C0SECRET' });
    await reads(world, 'still being processed', { channel: 'C0SECRET' });
    world.service.shelve('1012', small());
    await eventually(() => expect(answersOf(world)).not.toEqual([]));
    await atRest(world.address(), 60_000);
    expect(answersOf(world)).toHaveLength(1);
  });
});
