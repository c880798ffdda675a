import { describe, expect } from 'vitest';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { atRest } from '../support/at-rest.ts';
import type { BotProcess } from '../support/bot-process.ts';
import { SUPPORT } from '../support/conversation.ts';
import { type FarEnds, INTERVAL_MS, test } from '../support/far-ends.ts';
import { has } from '../support/needs.ts';
import { READY } from '../support/shelved.ts';

const PLACES = [SUPPORT, 'C0WARROOM', 'C0PARTNERS'] as const;

function ids(count: number, first = 7_000): string[] {
  return Array.from({ length: count }, (_, index) => String(first + index));
}

function results({ slack }: FarEnds, channel: string = SUPPORT): VisibleMessage[] {
  return slack.messages(channel).filter(({ text }) => text.includes('1 hit'));
}

/** Types commands at once, all of which are accepted. */
async function type({ slack }: FarEnds, texts: readonly string[], channel: string = SUPPORT): Promise<void> {
  const deliveries = await Promise.all(texts.map((text) => slack.command({ text, channel })));
  for (const { status, body } of deliveries) expect([status, body]).toEqual([200, '']);
}

/** Settles when so many results stand there and nothing is open; then there is nothing else. */
async function expectResults(ends: FarEnds, bot: BotProcess, count: number): Promise<void> {
  await ends.slack.waitFor(() => results(ends)[count - 1], `${count} results`, 20_000);
  await atRest(bot.address);
  expect(results(ends)).toHaveLength(count);
  expect(ends.slack.messages(SUPPORT)).toHaveLength(count);
}

describe.runIf(has('redis-server'))('Three replicas on one Redis', () => {
  /** All start at the same time. */
  async function startThree(ends: FarEnds): Promise<BotProcess[]> {
    const redis = await ends.redis();
    return Promise.all(Array.from({ length: 3 }, () => ends.start({ REDIS_URL: redis.url })));
  }

  test('that start together, and fifty commands at once, cost one login, and one more when the session expires', async ({
    ends,
  }) => {
    const { service } = ends;
    const replicas = await startThree(ends);
    ends.deliverTo(...replicas);
    for (const id of ids(100)) service.shelve(id, READY);
    await type(ends, ids(50));
    await ends.slack.waitFor(() => results(ends)[49], 'fifty results', 20_000);
    expect(service.records.logins.map(({ outcome }) => outcome)).toEqual(['granted']);
    service.expireSessions();
    await type(ends, ids(50, 7_050));
    for (const replica of replicas) await expectResults(ends, replica, 100);
    expect(service.records.logins.map(({ outcome }) => outcome)).toEqual(['granted', 'granted']);
  });

  test('cost one login more when the session expires in the middle of their work', async ({ ends }) => {
    const { service, slack } = ends;
    const replicas = await startThree(ends);
    ends.deliverTo(...replicas);
    for (const id of ids(60)) service.shelve(id, { ...READY, processing: { forMs: 1_500 } });
    const typing = type(ends, ids(60));
    await slack.waitFor(() => slack.messages(SUPPORT)[9], 'the first ten to wait');
    service.expireSessions();
    await typing;
    await expectResults(ends, replicas[0] ?? never(), 60);
    expect(service.records.logins).toHaveLength(2);
  });

  test('ask once for a snapshot that nine people wait for, and keep the interval between them', async ({
    ends,
  }) => {
    const { service } = ends;
    const replicas = await startThree(ends);
    ends.deliverTo(...replicas);
    service.shelve('7000', { ...READY, processing: { forMs: 2_000 } });
    const sets = ['7000', '7000 hit', '7000 miss'];
    // The same in three places, from whichever replica is next.
    await Promise.all(PLACES.map((channel) => type(ends, sets, channel)));
    for (const channel of PLACES) {
      await ends.slack.waitFor(() => results(ends, channel)[1], 'two results', 20_000);
    }
    for (const { address } of replicas) await atRest(address);
    for (const set of ['all', 'hit', 'miss']) {
      const asked = service.records.requests.filter((request) => request.set === set);
      const waits = asked.slice(1).map(({ arrivedAt }, at) => arrivedAt - (asked[at]?.answeredAt ?? 0));
      expect(Math.min(...waits)).toBeGreaterThanOrEqual(INTERVAL_MS);
      expect(asked.filter(({ status }) => status === 200)).toHaveLength(1);
    }
    for (const channel of PLACES) expect(ends.slack.messages(channel)).toHaveLength(3);
  });

  test('that are asked at once for a ready snapshot answer with one message each, and one request', async ({
    ends,
  }) => {
    const { service, slack } = ends;
    const redis = await ends.redis();
    const pair = await Promise.all([1, 2].map(() => ends.start({ REDIS_URL: redis.url })));
    ends.deliverTo(...pair);
    const [first = never()] = pair;
    service.switches.latencyMs = 600;
    await type(ends, ['1012']);
    await expectResults(ends, first, 1);
    const pairs = ids(10);
    for (const id of pairs) service.shelve(id, READY);
    for (const id of pairs) await type(ends, [id, id]);
    await expectResults(ends, first, 1 + 2 * pairs.length);
    const writes = slack.records.calls.filter(({ method }) => method.startsWith('chat.'));
    expect(writes.map(({ method }) => method)).toEqual(Array(1 + 2 * pairs.length).fill('chat.postMessage'));
    expect(service.records.requests).toHaveLength(1 + pairs.length);
  });

  test('go on within seconds with what one of them was doing when it was killed', async ({ ends }) => {
    const { service, slack } = ends;
    const redis = await ends.redis();
    const doomed = await ends.start({ REDIS_URL: redis.url });
    for (const id of ids(10)) service.shelve(id, READY);
    service.nextAnswers(Array(10).fill('hang'));
    await type(ends, ids(10));
    await slack.waitFor(() => (service.records.requests.length === 10 ? true : undefined), 'ten requests');
    const others = await Promise.all([1, 2].map(() => ends.start({ REDIS_URL: redis.url })));
    await doomed.end('SIGKILL');
    for (const other of others) await expectResults(ends, other, 10);
    expect(service.records.logins).toHaveLength(1);
  });
});

function never(): never {
  throw new Error('there are three replicas');
}
