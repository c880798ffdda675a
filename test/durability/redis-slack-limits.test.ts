import { expect } from 'vitest';
import { SUPPORT } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { has } from '../support/needs.ts';
import { test } from '../support/process-world.ts';
import { startRedisRelay } from '../support/redis-relay.ts';
import { READY } from '../support/shelved.ts';

/** More than half of Slack's Retry-After, which is three seconds here. */
const SLOW_MS = 1_800;

test.runIf(has('redis-server'))(
  'An answer that Redis confirms while Slack stops the posts of its channel waits until Slack takes them again',
  async ({ world }) => {
    const { slack, service } = world;
    const redis = await world.redis();
    /** What happens when the bot takes the lock of a job. */
    let onLock = () => {};
    const relay = await startRedisRelay(redis.url, {
      change: (answer) => {
        relay.slow(0);
        return answer;
      },
      onSent: (commands) => {
        if (/:lookup:[0-9a-f-]{36}:lock/.test(commands)) onLock();
      },
    });
    await world.start({ REDIS_URL: relay.url });
    for (const id of ['7001', '7002']) service.shelve(id, READY);
    // The answer to 7001 reaches Slack, which will refuse it and ask for a pause of three seconds.
    const posts = () => slack.records.calls.filter(({ method }) => method === 'chat.postMessage');
    slack.failNext('chat.postMessage', { status: 429, retryAfter: 3 });
    const answer = service.hold();
    await slack.command({ text: '7001' });
    const release = slack.hold();
    answer();
    await eventually(() => expect(posts()).toHaveLength(1));
    // While Redis confirms slowly that the step of 7002 begins, Slack sends that refusal.
    onLock = () => {
      onLock = () => {};
      relay.slow(SLOW_MS);
      release();
    };
    await slack.command({ text: '7002' });
    // A post within the pause would be a breach, which fails the test.
    await slack.waitFor(
      () => slack.messages(SUPPORT).filter(({ text }) => text.includes('1 hit'))[1],
      'both answers',
      30_000,
    );
    await relay.close();
  },
);
