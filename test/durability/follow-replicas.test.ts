import { describe, expect } from 'vitest';
import { SUPPORT } from '../support/conversation.ts';
import { shelveDevice } from '../support/device.ts';
import { dueSoon } from '../support/due-soon.ts';
import { eventually } from '../support/eventually.ts';
import { has } from '../support/needs.ts';
import { test } from '../support/process-world.ts';
import { requests } from '../support/several.ts';

const STARTED = '"outcome":"started"';
const LOST = /taken the job over/;
const QUIET = '"outcome":"quiet"';
describe.runIf(has('redis-server'))('Two replicas on one Redis', () => {
  test('that both work read each followed snapshot once a day', async ({ world }) => {
    const redis = await world.redis();
    const both = [await world.start({ REDIS_URL: redis.url }), await world.start({ REDIS_URL: redis.url })];
    const lines = (words: string) => both.flatMap(({ log }) => log).filter((line) => line.includes(words));
    const all = dueSoon(8_000)
      .slice(0, 9)
      .map(([id]) => id);
    for (const id of all) shelveDevice(world, id, `chs${id}`, 1);
    // Slack alternates between the replicas, so that followers of a snapshot are on both.
    const watch = (user: string) => all.map((id) => world.slack.command({ text: `watch ${id}`, user }));
    await Promise.all(['ana', 'ben'].flatMap(watch));
    await eventually(() => expect(lines(STARTED)).toHaveLength(18));
    const asked = requests(world);
    const quiet = (id: string) => lines(QUIET).filter((line) => line.includes(`"snapshot":"${id}"`)).length;
    await eventually(() => expect(all.map(quiet)).toEqual(all.map(() => 2)), 20_000);
    expect(requests(world)).toEqual(
      Object.fromEntries(Object.entries(asked).map(([id, count]) => [id, count + 1])),
    );
  });

  test.concurrent.for([
    ['is killed before it speaks', 'SIGKILL', 'asked'],
    ['is killed right after it spoke', 'SIGKILL', 'posted'],
    ['stands still before it speaks, and goes on', 'SIGSTOP', 'asked'],
  ] as const)(
    'tell the news of a followed snapshot once, even if the replica that reads it %s',
    async ([, signal, moment], { world }) => {
      const { service, slack } = world;
      const redis = await world.redis();
      const one = await world.start({ REDIS_URL: redis.url });
      const [[id, due] = never()] = dueSoon(4_000);
      const news = () => slack.messages(SUPPORT).filter(({ threadTs }) => threadTs !== undefined);
      shelveDevice(world, id, 'chs1', 1);
      await world.slack.command({ text: `watch ${id}` });
      await eventually(() => expect(one.log.join('')).toContain(STARTED));
      shelveDevice(world, id, 'chs1', 1, 2);
      const answer = service.hold();
      await eventually(() => expect(service.records.requests).toHaveLength(2));
      expect(Date.now()).toBeGreaterThan(due);
      const two = await world.start({ REDIS_URL: redis.url });
      if (moment === 'posted') answer();
      if (moment === 'posted') await slack.waitFor(() => news()[0], 'the news');
      if (signal === 'SIGKILL') await one.end(signal);
      else process.kill(one.pid, signal);
      answer();
      const told = /"outcome":"(told|quiet)"/;
      // Searches both logs: a process that was killed after `posted` may have logged the outcome already.
      await eventually(() => expect([...one.log, ...two.log].join('')).toMatch(told), 30_000);
      process.kill(one.isUp ? one.pid : two.pid, 'SIGCONT');
      // The stopped process notices that another process has taken its job.
      if (signal === 'SIGSTOP') await eventually(() => expect(one.log.join('')).toMatch(LOST));
      expect(news()).toHaveLength(1);
    },
  );
});

test.runIf(has('redis-server'))(
  'A follow that Redis first refuses to store begins with the next attempt',
  async ({ world }) => {
    const redis = await world.redis();
    const bot = await world.start({ REDIS_URL: redis.url });
    const mayWrite = (...keys: string[]) => redis.command('ACL', 'SETUSER', 'default', 'resetkeys', ...keys);
    await mayWrite('~snapshot-bot:[^f]*', '~snapshot-bot:follow:[^i]*');
    shelveDevice(world, '7001', 'chs1', 1);
    await world.slack.command({ text: 'watch 7001' });
    await eventually(() => expect(bot.log.join('')).toContain('NOPERM'));
    await mayWrite('~*');
    await world.slack.waitFor(
      () => world.slack.messages(SUPPORT, 'ana').find(({ text }) => text.includes('I’ll tell you about')),
      'the follow to begin',
    );
    expect(bot.log.join('')).toContain(STARTED);
  },
);

function never(): never {
  throw new Error('a hundred snapshots are read every day');
}
