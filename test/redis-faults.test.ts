import { describe, expect, vi } from 'vitest';
import { atRest } from './harness/at-rest.ts';
import { BotProcess } from './harness/bot-process.ts';
import { SUPPORT } from './harness/conversation.ts';
import { type FarEnds, test as sequential } from './harness/far-ends.ts';
import { has } from './harness/needs.ts';
import type { RedisOptions, TestRedis } from './harness/redis.ts';
import { demoShelf } from './stand-ins/diagnostics-service/shelf.ts';
import type { ShelfEntry } from './stand-ins/diagnostics-service/types.ts';
import type { VisibleMessage } from './stand-ins/slack/model.ts';

const test = sequential.concurrent;
const SLOW: ShelfEntry = { title: 'Slow', purpose: 'Not ready yet.', processing: { forMs: 'forever' } };
const READY: ShelfEntry = demoShelf()[1012] ?? SLOW;
const STORAGE_TROUBLE = 'cannot reach its own storage';
const PASSWORD = 'p@ss/w:rd?';

function find({ slack }: FarEnds, words: string): VisibleMessage | undefined {
  return slack.messages(SUPPORT).find(({ text }) => text.includes(words));
}

/** Acknowledged in time, and told the truth. */
async function expectHonestRefusal({ slack }: FarEnds, text: string): Promise<void> {
  const { status, body } = await slack.command({ text });
  expect(status).toBe(200);
  expect(body).toContain(STORAGE_TROUBLE);
}

async function readiness({ address }: BotProcess): Promise<number> {
  return (await fetch(`${address}/readyz`)).status;
}

describe.runIf(has('redis-server'))('Redis', () => {
  const outages: [how: string, away: (redis: TestRedis) => unknown, back: (redis: TestRedis) => unknown][] = [
    ['dies', (redis) => redis.kill(), (redis) => redis.start()],
    ['hangs', (redis) => redis.hang(), (redis) => redis.goOn()],
  ];
  test.for(outages)(
    'that %s: commands are refused honestly and at once, nothing is lost, and all goes on when it is back',
    { timeout: 40_000 },
    async ([_, away, back], { ends }) => {
      const { slack, service } = ends;
      const redis = await ends.redis();
      const bot = await ends.start({ REDIS_URL: redis.url });
      service.shelve('7001', SLOW);
      await slack.command({ text: '7001' });
      const waiting = await slack.waitFor(() => find(ends, 'Snapshot 7001 is still'), 'a wait');
      await away(redis);
      service.shelve('7001', READY);
      await Promise.all(['1012', '1002'].map((text) => expectHonestRefusal(ends, text)));
      expect(await readiness(bot)).toBe(503);
      await back(redis);
      const result = await slack.waitFor(
        () => find(ends, 'Snapshot 7001 · '),
        'the open lookup to end',
        15_000,
      );
      expect(result.ts).toBe(waiting.ts);
      await slack.waitFor(() => find(ends, STORAGE_TROUBLE), 'the refusals');
      expect(await readiness(bot)).toBe(200);
      expect((await slack.command({ text: '1001' })).body).toBe('');
      await slack.waitFor(() => find(ends, 'Snapshot 1001 · '), 'a new lookup to end');
      await atRest(bot.address);
      expect(bot.isUp).toBe(true);
    },
  );

  test('that is away when the bot starts: it starts, says so, and works when Redis is there', async ({
    ends,
  }) => {
    const redis = await ends.redis();
    await redis.kill();
    const bot = await ends.start({ REDIS_URL: redis.url });
    expect(bot.log.filter((line) => line.includes('Redis can not be used'))).toHaveLength(1);
    expect(await readiness(bot)).toBe(503);
    await expectHonestRefusal(ends, '1012');
    await redis.start();
    await vi.waitFor(async () => expect(await readiness(bot)).toBe(200), { timeout: 10_000 });
    expect((await ends.slack.command({ text: '1012' })).body).toBe('');
    await ends.slack.waitFor(() => find(ends, '1 hit'), 'the result');
  });

  const doors: [what: string, options: (ends: FarEnds) => RedisOptions][] = [
    ['a password', () => ({ password: PASSWORD })],
    ['TLS', ({ certificates }) => ({ certificates })],
    ['TLS and a password', ({ certificates }) => ({ certificates, password: PASSWORD })],
  ];
  test.for(doors)('with %s is used, and its password is in no log', async ([_, options], { ends }) => {
    const redis = await ends.redis(options(ends));
    const bot = await ends.start({ REDIS_URL: redis.url, LOG_LEVEL: 'trace' });
    expect((await ends.slack.command({ text: '1012' })).body).toBe('');
    await ends.slack.waitFor(() => find(ends, '1 hit'), 'the result');
    await redis.kill();
    await expectHonestRefusal(ends, '1002');
    const log = bot.log.join('\n');
    for (const secret of [PASSWORD, encodeURIComponent(PASSWORD)]) expect(log).not.toContain(secret);
  });

  test('that refuses the password is said in the log, once, and to whoever asks', async ({ ends }) => {
    const redis = await ends.redis({ password: PASSWORD });
    const wrong = redis.url.replace(/:[^:@]*@/, ':wrong-one@');
    const bot = await ends.start({ REDIS_URL: wrong });
    await expectHonestRefusal(ends, '1012');
    expect(await readiness(bot)).toBe(503);
    const said = bot.log.filter((line) => line.includes('Redis can not be used'));
    expect(said).toHaveLength(1);
    expect(said[0]).toContain('WRONGPASS');
    expect(bot.log.join('\n')).not.toContain('wrong-one');
  });
});

test.for(['redis-sentinel://127.0.0.1:26379', 'redis+cluster://127.0.0.1', 'rediss+sentinel://127.0.0.1'])(
  'A Redis behind %s is refused at the start: what is not supported is not half supported',
  async (url, { ends }) => {
    const bot = new BotProcess({ ...ends.environment, REDIS_URL: url }, 'shipped');
    expect(await bot.fail()).toBe(2);
    expect(bot.log.join('\n')).toMatch(/REDIS_URL.*redis:\/\/ or rediss:\/\/.*Sentinel and Cluster/);
  },
);
