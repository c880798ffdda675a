import { describe, expect } from 'vitest';
import { atRest } from '../support/at-rest.ts';
import type { BotProcess } from '../support/bot-process.ts';
import { SUPPORT } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { has } from '../support/needs.ts';
import { type ProcessWorld, test } from '../support/process-world.ts';
import { startRedisRelay } from '../support/redis-relay.ts';
import { READY, SLOW } from '../support/shelved.ts';

/** A channel without the bot, which answers through the response URL there. */
const ELSEWHERE = 'C0SECRET';
/** The reply of Redis once it has stored a job, which contains the job's id. */
const STORED = /[0-9a-f]{8}-[0-9a-f-]{27}/;

/**
 * Starts two replicas. The first one loses Redis' reply that its first lookup is stored; then `stored` resolves. With
 * `isAway` it also loses Redis until its connections are cut.
 */
async function twoReplicas(world: ProcessWorld, isAway: boolean) {
  const redis = await world.redis();
  const stored = Promise.withResolvers<void>();
  let isStored = false;
  const relay = await startRedisRelay(redis.url, {
    change: (answer) => {
      if (isStored || !STORED.test(answer)) return answer;
      isStored = true;
      stored.resolve();
      if (isAway) relay.hold({ isAway });
      return '';
    },
  });
  const other = await world.start({ REDIS_URL: redis.url });
  const first = await world.start({ REDIS_URL: relay.url });
  world.deliverTo(first);
  return { first, other, relay, stored: stored.promise };
}

const isReady = async ({ address }: BotProcess) =>
  expect((await fetch(`${address}/readyz`)).status).toBe(200);

describe.runIf(has('redis-server'))('A request whose replica does not hear that it is stored', () => {
  test('is answered once if that replica is killed, and Slack delivers it again', async ({ world }) => {
    const { service, slack } = world;
    service.shelve('7001', READY);
    const { first, other, relay, stored } = await twoReplicas(world, false);
    const delivering = slack.command({ text: '7001', channel: ELSEWHERE });
    await stored;
    await first.end('SIGKILL');
    const delivery = await delivering;
    expect(delivery).toMatchObject({ error: 'cut-off' });
    world.deliverTo(other);
    expect(await slack.redeliver(delivery)).toMatchObject({ acknowledged: true });
    await atRest(other.address, 40_000);
    expect(slack.messages(ELSEWHERE)).toHaveLength(1);
    await relay.close();
  });

  test('is answered once if that replica is back only after another one has taken it', async ({ world }) => {
    const { service, slack } = world;
    service.shelve('7001', SLOW);
    const { first, other, relay } = await twoReplicas(world, true);
    await slack.command({ text: '7001' });
    await slack.waitFor(() => said(world, 'is still'), 'a wait', 40_000);
    relay.cut();
    await eventually(() => isReady(first), 20_000);
    service.shelve('7001', READY);
    await slack.waitFor(() => said(world, 'Snapshot 7001 of '), 'the answer', 20_000);
    await atRest(other.address, 40_000);
    await relay.close();
  });
});

function said({ slack }: ProcessWorld, words: string) {
  return slack.messages(SUPPORT).find(({ text }) => text.includes(words));
}
