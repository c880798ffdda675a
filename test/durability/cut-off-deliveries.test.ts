import { describe, expect } from 'vitest';
import { atRest } from '../support/at-rest.ts';
import { has } from '../support/needs.ts';
import { test } from '../support/process-world.ts';
import { startRedisRelay } from '../support/redis-relay.ts';
import { READY } from '../support/shelved.ts';

/** The bot is no member here, and answers through the response URL. */
const ELSEWHERE = 'C0SECRET';
/** Redis answers with the id of a job when it has stored it. */
const STORED = /lookup-[0-9a-f-]{36}/;

describe.runIf(has('redis-server'))('A delivery whose process is killed', () => {
  test('before it hears that its lookup is stored is answered once, though Slack delivers it again', async ({
    world,
  }) => {
    const { service, slack } = world;
    const redis = await world.redis();
    const stored = Promise.withResolvers<void>();
    const relay = await startRedisRelay(redis.url, {
      change: (answer) => {
        if (!STORED.test(answer)) return answer;
        stored.resolve();
        return '';
      },
    });
    service.shelve('7001', READY);
    const doomed = await world.start({ REDIS_URL: relay.url });
    const delivering = slack.command({ text: '7001', channel: ELSEWHERE });
    await stored.promise;
    await doomed.end('SIGKILL');
    const delivery = await delivering;
    expect(delivery).toMatchObject({ error: 'cut-off' });
    const other = await world.start({ REDIS_URL: redis.url });
    expect(await slack.redeliver(delivery)).toMatchObject({ acknowledged: true });
    await atRest(other.address, 40_000);
    expect(slack.messages(ELSEWHERE)).toHaveLength(1);
    await relay.close();
  });
});
