import { describe, expect } from 'vitest';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { stopwatch } from '../emulators/standstill.ts';
import { atRest } from '../support/at-rest.ts';
import type { BotProcess } from '../support/bot-process.ts';
import { SUPPORT, shown, test as worldTest } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { has } from '../support/needs.ts';
import { type ProcessWorld, test as sequential } from '../support/process-world.ts';
import type { RedisOptions, TestRedis } from '../support/redis.ts';
import { READY, SLOW } from '../support/shelved.ts';
import { trustedCertificates } from '../support/trusted-certificates.ts';
import { STATE_KEY } from '../support/upstreams.ts';

const test = sequential.concurrent;
const STORAGE_TROUBLE = 'can’t reach its own storage';
const PASSWORD = 'p@ss/w:rd?';

function find({ slack }: ProcessWorld, words: string): VisibleMessage | undefined {
  return slack.messages(SUPPORT).find(({ text }) => text.includes(words));
}

/** Expects that the command is acknowledged in time and refused with the true reason. */
async function expectHonestRefusal({ slack }: Pick<ProcessWorld, 'slack'>, text: string): Promise<void> {
  const { status, body } = await slack.command({ text });
  expect(status).toBe(200);
  expect(body).toContain(STORAGE_TROUBLE);
}

async function readiness(address: string): Promise<number> {
  return (await fetch(`${address}/readyz`)).status;
}

/** Expects metrics soon, without the gauges that need the store. */
async function expectMetricsWithoutGauges({ address, pid }: BotProcess): Promise<void> {
  const elapsed = stopwatch([pid]);
  const answer = await fetch(`${address}/metrics`);
  const text = await answer.text();
  // The metrics wait one second for the store, whose own timeout is four.
  expect(elapsed()).toBeLessThan(3_000);
  expect(answer.status).toBe(200);
  expect(text).toContain('snapshot_bot_ready 0\n');
  expect(text).toContain('snapshot_bot_trouble{part="store"} 1\n');
  expect(text).not.toMatch(/^snapshot_bot_open_lookups \d/m);
}

describe.runIf(has('redis-server'))('Redis', () => {
  const outages: [how: string, away: (redis: TestRedis) => unknown, back: (redis: TestRedis) => unknown][] = [
    ['dies', (redis) => redis.kill(), (redis) => redis.start()],
    ['hangs', (redis) => redis.hang(), (redis) => redis.goOn()],
  ];
  test.for(outages)(
    'that %s: commands are refused honestly and at once, nothing is lost, and all goes on when it is back',
    async ([_, away, back], { world }) => {
      const { slack, service } = world;
      const redis = await world.redis();
      const bot = await world.start({ REDIS_URL: redis.url });
      service.shelve('7001', SLOW);
      await slack.command({ text: '7001' });
      const waiting = await slack.waitFor(() => find(world, 'Snapshot 7001 is still'), 'a wait');
      await away(redis);
      service.shelve('7001', READY);
      await Promise.all(['1012', '1002'].map((text) => expectHonestRefusal(world, text)));
      expect(await readiness(bot.address)).toBe(503);
      await expectMetricsWithoutGauges(bot);
      await back(redis);
      const result = await slack.waitFor(
        () => find(world, 'Snapshot 7001 of '),
        'the open lookup to end',
        15_000,
      );
      expect(result.ts).toBe(waiting.ts);
      await slack.waitFor(() => find(world, STORAGE_TROUBLE), 'the refusals');
      expect(await readiness(bot.address)).toBe(200);
      expect((await slack.command({ text: '1001' })).body).toBe('');
      await slack.waitFor(() => find(world, 'Snapshot 1001 of '), 'a new lookup to end');
      await atRest(bot.address);
      expect(bot.isUp).toBe(true);
    },
  );

  worldTest.concurrent(
    'that is unavailable at the start: the bot starts, says so, and works once Redis is available',
    async ({ open, redis: start }) => {
      const redis = await start();
      await redis.kill();
      const world = await open({ variables: { REDIS_URL: redis.url, STATE_KEY } });
      expect(world.log.filter((line) => line.includes('Redis cannot be used'))).toHaveLength(1);
      // The log reports a problem of Redis, not of a lookup.
      expect(world.log.join()).toMatch(/"part":"redis"[^\n]*Redis cannot be used/);
      expect(world.log.join()).not.toContain('retrying lookup');
      expect(await readiness(world.address())).toBe(503);
      await expectHonestRefusal(world, '1012');
      await redis.start();
      await eventually(async () => expect(await readiness(world.address())).toBe(200));
      expect((await world.slack.command({ text: '1012' })).body).toBe('');
      await shown(world, '1 hit');
    },
  );

  const doors: [what: string, options: () => Promise<RedisOptions>][] = [
    ['a password', async () => ({ password: PASSWORD })],
    ['TLS', async () => ({ certificates: await trustedCertificates() })],
    ['TLS and a password', async () => ({ certificates: await trustedCertificates(), password: PASSWORD })],
  ];
  worldTest.concurrent.for(doors)(
    'with %s is used, and its password is in no log',
    async ([_, options], { open, redis: start }) => {
      const redis = await start(await options());
      const world = await open({ variables: { REDIS_URL: redis.url, STATE_KEY, LOG_LEVEL: 'trace' } });
      expect((await world.slack.command({ text: '1012' })).body).toBe('');
      await shown(world, '1 hit');
      await redis.kill();
      await expectHonestRefusal(world, '1002');
      const log = world.log.join('\n');
      for (const secret of [PASSWORD, encodeURIComponent(PASSWORD)]) expect(log).not.toContain(secret);
      await redis.start();
    },
  );

  worldTest.concurrent(
    'that refuses the password is named in the log, once, and to everybody who asks',
    async ({ open, redis: start }) => {
      const redis = await start({ password: PASSWORD });
      const wrong = redis.url.replace(/:[^:@]*@/, ':wrong-one@');
      const world = await open({ variables: { REDIS_URL: wrong, STATE_KEY } });
      await expectHonestRefusal(world, '1012');
      expect(await readiness(world.address())).toBe(503);
      const said = world.log.filter((line) => line.includes('Redis cannot be used'));
      expect(said).toHaveLength(1);
      expect(said[0]).toContain('WRONGPASS');
      expect(world.log.join('\n')).not.toContain('wrong-one');
    },
  );
});
