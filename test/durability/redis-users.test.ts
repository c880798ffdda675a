import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { SUPPORT } from '../support/conversation.ts';
import { runDoctor } from '../support/doctor.ts';
import { eventually } from '../support/eventually.ts';
import { has } from '../support/needs.ts';
import { type ProcessWorld, test as sequential } from '../support/process-world.ts';
import type { TestRedis } from '../support/redis.ts';
import { READY, SLOW } from '../support/shelved.ts';

const test = sequential.concurrent;
const DOCUMENTED = /^ACL (SETUSER .*)$/m.exec(readFileSync('docs/reference.md', 'utf8'))?.[1] ?? '';

/** Creates the Redis user of the documents with some more rules, and returns its URL. */
async function documentedUser(redis: TestRedis, ...more: string[]): Promise<string> {
  const [command = '', user = '', ...rules] = DOCUMENTED.split(' ');
  await redis.command('ACL', command, user, ...rules, ...more);
  return redis.url.replace('//', `//${user}:PASSWORD@`);
}

function find({ slack }: ProcessWorld, words: string) {
  return slack.messages(SUPPORT).find(({ text }) => text.includes(words));
}

/** Expects an answer to a lookup that had to wait in the queue. */
async function expectWaitingLookupAnswered(world: ProcessWorld): Promise<void> {
  const { slack, service } = world;
  service.shelve('7001', SLOW);
  expect((await slack.command({ text: '7001' })).body).toBe('');
  await slack.waitFor(() => find(world, 'Snapshot 7001 is still'), 'a wait');
  service.shelve('7001', READY);
  await slack.waitFor(() => find(world, 'Snapshot 7001 of '), 'the answer', 15_000);
}

describe.runIf(has('redis-server'))('A user of Redis', () => {
  test('with the documented permissions is enough for the bot', async ({ world }) => {
    const redis = await world.redis();
    const url = await documentedUser(redis);
    const bot = await world.start({ REDIS_URL: url });
    await expectWaitingLookupAnswered(world);
    const { slack } = world;
    expect((await slack.command({ text: 'watch 7001' })).status).toBe(200);
    await eventually(async () => expect((await fetch(`${bot.address}/readyz`)).status).toBe(200));
    expect((await runDoctor({ ...world.environment, REDIS_URL: url })).code).toBe(0);
    expect((await bot.end('SIGTERM')).code).toBe(0);
    expect(bot.log.join('\n')).not.toContain('NOPERM');
    expect(await redis.command('ACL', 'LOG')).toEqual([]);
  });

  test('without permission for INFO is enough for the bot', async ({ world }) => {
    const redis = await world.redis();
    const bot = await world.start({ REDIS_URL: await documentedUser(redis, '-info') });
    await expectWaitingLookupAnswered(world);
    expect((await fetch(`${bot.address}/readyz`)).status).toBe(200);
    expect((await bot.end('SIGTERM')).code).toBe(0);
  });

  const lacking: [lacks: string, ...rules: string[]][] = [
    ['scripts', '-@scripting'],
    ['the wait for jobs', '-bzpopmin'],
    ['its keys', 'resetkeys', '~foo*'],
    ['the keys of the queue', 'resetkeys', '~snapshot-bot:values:*', '~snapshot-bot:leases:*'],
  ];
  test.for(lacking)(
    'that lacks %s makes the bot unready, with a reason, in a quiet log, and it ends in time',
    async ([_, ...rules], { world }) => {
      const redis = await world.redis();
      const bot = await world.start({ REDIS_URL: await documentedUser(redis, ...rules) });
      await eventually(async () => {
        const readiness = await fetch(`${bot.address}/readyz`);
        expect(readiness.status).toBe(503);
        expect(await readiness.text()).toContain('NOPERM');
      });
      const uptime = async () =>
        Number(/"uptimeSeconds":(\d+)/.exec(await (await fetch(`${bot.address}/healthz`)).text())?.[1]);
      await eventually(async () => expect(await uptime()).toBeGreaterThanOrEqual(4));
      // A stop of more than eight seconds would not end with 0.
      expect((await bot.end('SIGTERM')).code).toBe(0);
      expect(bot.log.join('\n').length).toBeLessThan(40_000);
      // The bot paused after each refusal: without pauses there would be thousands in a second.
      const errors = String(await redis.command('INFO', 'errorstats'));
      expect(Number(/NOPERM:count=(\d+)/.exec(errors)?.[1])).toBeLessThan(200);
    },
  );
});

describe.runIf(has('redis-server'))('A Redis that is full', () => {
  test('is reported in its own words, for as long as it is full', async ({ world }) => {
    const redis = await world.redis();
    const bot = await world.start({ REDIS_URL: redis.url });
    await redis.command('CONFIG', 'SET', 'maxmemory', '1');
    const readiness = await fetch(`${bot.address}/readyz`);
    expect(readiness.status).toBe(503);
    expect(await readiness.text()).toContain('(OOM command not allowed');
    await redis.command('CONFIG', 'SET', 'maxmemory', '0');
    await eventually(async () => expect((await fetch(`${bot.address}/readyz`)).status).toBe(200));
  });
});
