import { describe, expect } from 'vitest';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { SUPPORT } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { has } from '../support/needs.ts';
import { type ProcessWorld, test } from '../support/process-world.ts';
import type { TestRedis } from '../support/redis.ts';
import { startRedisRelay } from '../support/redis-relay.ts';
import { READY, SLOW } from '../support/shelved.ts';

const HOUR_MS = 3_600_000;
/** The reply of Redis to `TIME`: ten digits of seconds, then the microseconds. */
const TIME = /(?<=^\*2\r\n\$10\r\n)\d{10}(?=\r\n\$\d\r\n\d+\r\n$)/;
/** Keys expire at a fixed time, so their lifetimes grow when the clock goes back. */
const LIVE_LONGER =
  "for _, key in ipairs(redis.call('KEYS', '*')) do local ms = redis.call('PTTL', key) " +
  "if ms > 0 then redis.call('PEXPIRE', key, ms + ARGV[1]) end end";

/** Options of Node that shift the wall clock of a process. */
function wallClock(offsetMs: number) {
  const script = `const now = Date.now; Date.now = () => now() + ${offsetMs};`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
}

function shown({ slack }: ProcessWorld, words: string): Promise<VisibleMessage> {
  return slack.waitFor(() => slack.messages(SUPPORT).find(({ text }) => text.includes(words)), words);
}

describe.runIf(has('redis-server'))('A lookup that waits is not delayed', () => {
  test.for([
    ['ahead', HOUR_MS],
    ['behind', -HOUR_MS],
  ] as const)(
    'by a replica whose clock is an hour %s, and which stops again',
    async ([, offsetMs], { world }) => {
      const redis = await world.redis();
      const right = await world.start({ REDIS_URL: redis.url });
      world.service.shelve('7001', SLOW);
      await world.slack.command({ text: '7001' });
      await shown(world, 'Snapshot 7001 is still');
      await right.end('SIGTERM');
      const { requests } = world.service.records;
      const asked = requests.length;
      const wrong = await world.start({ REDIS_URL: redis.url, ...wallClock(offsetMs) });
      await eventually(() => expect(requests.length).toBeGreaterThan(asked + 1), 20_000);
      await wrong.end('SIGTERM');
      world.service.shelve('7001', READY);
      await right.start();
      await shown(world, 'Snapshot 7001 of ');
      expect(world.slack.messages(SUPPORT)).toHaveLength(1);
    },
  );

  test("by Redis' clock, which goes back an hour", async ({ world }) => {
    const redis: TestRedis = await world.redis();
    let aheadS = 3_600;
    const change = (answer: string) => answer.replace(TIME, (seconds) => String(Number(seconds) + aheadS));
    const relay = await startRedisRelay(redis.url, { change });
    await world.start({ REDIS_URL: relay.url });
    world.service.shelve('7001', SLOW);
    await world.slack.command({ text: '7001' });
    await shown(world, 'Snapshot 7001 is still');
    aheadS = 0;
    await redis.command('EVAL', LIVE_LONGER, '0', String(HOUR_MS));
    relay.cut();
    world.service.shelve('7001', READY);
    await shown(world, 'Snapshot 7001 of ');
    await relay.close();
  });
});
