import { describe, expect } from 'vitest';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { atRest } from '../support/at-rest.ts';
import type { BotProcess } from '../support/bot-process.ts';
import { SUPPORT } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { has } from '../support/needs.ts';
import { INTERVAL_MS, type ProcessWorld, test } from '../support/process-world.ts';
import { CLUSTER, requests, shelveUnit } from '../support/several.ts';
import { READY, SLOW } from '../support/shelved.ts';

const CHANNELS = [SUPPORT, 'C0WARROOM', 'C0PARTNERS'] as const;

function ids(count: number, first = 7_000): string[] {
  return Array.from({ length: count }, (_, index) => String(first + index));
}

function results({ slack }: ProcessWorld, channel: string = SUPPORT): VisibleMessage[] {
  return slack.messages(channel).filter(({ text }) => text.includes('1 hit'));
}

/** The message in which `words` occur. */
function reading({ slack }: ProcessWorld, words: string): VisibleMessage | undefined {
  return slack.messages(SUPPORT).find(({ text }) => text.includes(words));
}

/** Sends commands at the same time, and expects that all are accepted. */
async function type(
  { slack }: ProcessWorld,
  texts: readonly string[],
  channel: string = SUPPORT,
): Promise<void> {
  const deliveries = await Promise.all(texts.map((text) => slack.command({ text, channel })));
  for (const { status, body } of deliveries) expect([status, body]).toEqual([200, '']);
}

/** Waits for `count` results and until all work is done, and expects no other message. */
async function expectResults(world: ProcessWorld, bot: BotProcess, count: number): Promise<void> {
  await world.slack.waitFor(() => results(world)[count - 1], `${count} results`, 20_000);
  await atRest(bot.address);
  expect(results(world)).toHaveLength(count);
  expect(world.slack.messages(SUPPORT)).toHaveLength(count);
}

describe.runIf(has('redis-server'))('Replicas on one Redis', () => {
  /** Starts three replicas at the same time. */
  async function startThree(world: ProcessWorld): Promise<BotProcess[]> {
    const redis = await world.redis();
    return Promise.all(Array.from({ length: 3 }, () => world.start({ REDIS_URL: redis.url })));
  }

  test.concurrent('answer once, even if one replica was suspended in a step that another took over', async ({
    world,
  }) => {
    const { service, slack } = world;
    const redis = await world.redis();
    const one = await world.start({ REDIS_URL: redis.url });
    for (const id of ids(3)) service.shelve(id, READY);
    await type(world, ['7000']);
    await expectResults(world, one, 1);
    service.shelve('7001', SLOW);
    const answer = service.hold();
    await type(world, ['7001']);
    await eventually(() => expect(service.records.requests.at(-1)?.id).toBe('7001'));
    const two = await world.start({ REDIS_URL: redis.url });
    process.kill(one.pid, 'SIGSTOP');
    answer();
    await slack.waitFor(() => slack.messages(SUPPORT)[1], 'the other one to go on', 30_000);
    process.kill(one.pid, 'SIGCONT');
    world.deliverTo(one);
    await type(world, ['7002']);
    await slack.waitFor(() => results(world)[1], 'the one that stood still to answer');
    service.shelve('7001', READY);
    await expectResults(world, two, 3);
  });

  test.concurrent('answer privately once, even if one replica was suspended before its answer and another answered', async ({
    world,
  }) => {
    const { service, slack } = world;
    const redis = await world.redis();
    const one = await world.start({ REDIS_URL: redis.url });
    service.shelve('7001', SLOW);
    await slack.command({ text: '7001', channel: 'C0SECRET' });
    const waits = () => slack.messages('C0SECRET').find(({ text }) => text.includes('still being processed'));
    await slack.waitFor(waits, 'a private wait', 20_000);
    const asked = service.records.requests.length;
    const answer = service.hold();
    service.shelve('7001', READY);
    await eventually(() => expect(service.records.requests.length).toBeGreaterThan(asked));
    const two = await world.start({ REDIS_URL: redis.url });
    process.kill(one.pid, 'SIGSTOP');
    answer();
    const answers = () =>
      slack.records.calls.filter(
        ({ method, args }) => method === 'response_url' && JSON.stringify(args).includes('1 hit'),
      );
    await slack.waitFor(() => answers()[0], 'the other one to answer', 40_000);
    process.kill(one.pid, 'SIGCONT');
    world.deliverTo(one);
    await type(world, ['7002']);
    await slack.waitFor(() => slack.messages(SUPPORT)[0], 'the one that stood still to answer');
    await atRest(two.address, 30_000);
    expect(answers()).toHaveLength(1);
  });

  test('that start together with fifty commands cost one login, and a second when the session expires', async ({
    world,
  }) => {
    const { service } = world;
    const replicas = await startThree(world);
    world.deliverTo(...replicas);
    for (const id of ids(100)) service.shelve(id, READY);
    await type(world, ids(50));
    await world.slack.waitFor(() => results(world)[49], 'fifty results', 20_000);
    expect(service.records.logins.map(({ outcome }) => outcome)).toEqual(['granted']);
    service.expireSessions();
    await type(world, ids(50, 7_050));
    for (const replica of replicas) await expectResults(world, replica, 100);
    expect(service.records.logins.map(({ outcome }) => outcome)).toEqual(['granted', 'granted']);
  });

  test('cost one more login when the session expires in the middle of their work', async ({ world }) => {
    const { service, slack } = world;
    const replicas = await startThree(world);
    world.deliverTo(...replicas);
    for (const id of ids(60)) service.shelve(id, { ...READY, processing: { forMs: 1_500 } });
    const typing = type(world, ids(60));
    await slack.waitFor(() => slack.messages(SUPPORT)[9], 'the first ten to wait');
    service.expireSessions();
    await typing;
    await expectResults(world, replicas[0] ?? never(), 60);
    expect(service.records.logins).toHaveLength(2);
  });

  test('ask once for a snapshot that nine people wait for, and keep the interval', async ({ world }) => {
    const { service } = world;
    const replicas = await startThree(world);
    world.deliverTo(...replicas);
    service.shelve('7000', { ...READY, processing: { forMs: 2_000 } });
    const sets = ['7000', '7000 hit', '7000 miss'];
    // Each of three channels sends every command to another replica.
    await Promise.all(CHANNELS.map((channel) => type(world, sets, channel)));
    for (const channel of CHANNELS) {
      await world.slack.waitFor(() => results(world, channel)[1], 'two results', 20_000);
    }
    for (const { address } of replicas) await atRest(address);
    for (const set of ['all', 'hit', 'miss']) {
      const asked = service.records.requests.filter((request) => request.set === set);
      const waits = asked.slice(1).map(({ arrivedAt }, at) => arrivedAt - (asked[at]?.answeredAt ?? 0));
      expect(Math.min(...waits)).toBeGreaterThanOrEqual(INTERVAL_MS);
      // The stored whole analysis also answers for its hits and misses.
      const answers = asked.filter(({ status }) => status === 200).length;
      expect(answers).toBeLessThanOrEqual(1);
      if (set === 'all') expect(answers).toBe(1);
    }
    for (const channel of CHANNELS) expect(world.slack.messages(channel)).toHaveLength(3);
  });

  test('keep the interval of a 202 that reached a replica as it stopped', async ({ world }) => {
    const { service, slack } = world;
    const redis = await world.redis();
    const stopping = await world.start({ REDIS_URL: redis.url });
    await type(world, ['1012']);
    await expectResults(world, stopping, 1);
    const asked = ids(5);
    for (const id of asked) service.shelve(id, SLOW);
    const release = service.hold();
    await type(world, asked);
    await eventually(() => expect(service.records.requests).toHaveLength(1 + asked.length));
    const other = await world.start({ REDIS_URL: redis.url });
    world.deliverTo(other);
    await type(world, asked, 'C0WARROOM');
    const ended = stopping.end('SIGTERM');
    // Once its own port is closed, the replica only waits for the service.
    await eventually(() => expect(fetch(`${stopping.address}/healthz`)).rejects.toThrow());
    release();
    await ended;
    // The service would record a request within the interval as a breach.
    await slack.waitFor(() => asked.every((id) => reading(world, id)), 'all to be told that they wait');
    for (const id of asked) service.shelve(id, READY);
    await expectResults(world, other, 1 + asked.length);
  });

  test('that are asked twice at once for a ready snapshot request it once, and post each answer once', async ({
    world,
  }) => {
    const { service, slack } = world;
    const redis = await world.redis();
    const bots = await Promise.all([1, 2].map(() => world.start({ REDIS_URL: redis.url })));
    world.deliverTo(...bots);
    const [first = never()] = bots;
    await type(world, ['1012']);
    await expectResults(world, first, 1);
    const snapshots = ids(10);
    for (const id of snapshots) service.shelve(id, READY);
    const release = service.hold();
    for (const id of snapshots) await type(world, [id, id]);
    release();
    await expectResults(world, first, 1 + 2 * snapshots.length);
    const writes = slack.records.calls.filter(({ method }) => method.startsWith('chat.'));
    expect(writes.map(({ method }) => method)).toEqual(
      Array(1 + 2 * snapshots.length).fill('chat.postMessage'),
    );
    expect(service.records.requests).toHaveLength(1 + snapshots.length);
  });

  test('show one preview of a link although each replica got the event', async ({ world }) => {
    const { service, slack } = world;
    const redis = await world.redis();
    const pair = await Promise.all([1, 2].map(() => world.start({ REDIS_URL: redis.url })));
    world.deliverTo(...pair);
    const release = service.hold();
    const link = 'https://service.example.com/snapshots/1012';
    const { deliveries } = await slack.say({ text: link });
    for (const delivery of deliveries) await slack.redeliver(delivery);
    release();
    await slack.waitFor(() => slack.messages(SUPPORT)[0]?.unfurls?.[link], 'a preview');
    for (const { address } of pair) await atRest(address);
    expect(slack.records.calls.filter(({ method }) => method === 'chat.unfurl')).toHaveLength(1);
    expect(service.records.requests).toHaveLength(1);
  });

  test('continue within seconds the work of a replica that was killed', async ({ world }) => {
    const { service } = world;
    const redis = await world.redis();
    const doomed = await world.start({ REDIS_URL: redis.url });
    for (const id of ids(10)) service.shelve(id, READY);
    service.nextAnswers(Array(10).fill('hang'));
    await type(world, ids(10));
    await eventually(() => expect(service.records.requests).toHaveLength(10));
    const others = await Promise.all([1, 2].map(() => world.start({ REDIS_URL: redis.url })));
    await doomed.end('SIGKILL');
    for (const other of others) await expectResults(world, other, 10);
    expect(service.records.logins).toHaveLength(1);
  });

  test('take over a lookup of several snapshots from a killed replica, with one message and one poll of each', async ({
    world,
  }) => {
    const { service, slack } = world;
    const redis = await world.redis();
    const doomed = await world.start({ REDIS_URL: redis.url });
    shelveUnit(world, 'One.');
    await type(world, [CLUSTER]);
    await slack.waitFor(() => reading(world, 'processed: One.'), 'a wait');
    const others = await Promise.all([1, 2].map(() => world.start({ REDIS_URL: redis.url })));
    world.deliverTo(...others);
    await doomed.end('SIGKILL');
    await type(world, ['1017', '1017 1014'], 'C0WARROOM');
    shelveUnit(world, 'Two.');
    await slack.waitFor(() => reading(world, 'processed: Two.'), 'news', 20_000);
    shelveUnit(world);
    await slack.waitFor(() => reading(world, '3 of 4 are ready'), 'the answer', 20_000);
    for (const { address } of others) await atRest(address);
    expect(slack.messages(SUPPORT)).toHaveLength(1);
    expect(slack.messages('C0WARROOM')).toHaveLength(2);
    const polls = service.records.requests.filter(({ id }) => id === '1017');
    const waits = polls.slice(1).map(({ arrivedAt }, at) => arrivedAt - (polls[at]?.answeredAt ?? 0));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(INTERVAL_MS);
    expect(polls.filter(({ status }) => status === 200)).toHaveLength(1);
    // A new command reads the snapshot again.
    expect(requests(world)).toMatchObject({ 1014: 2, 1016: 1, 1007: 1 });
  });
});

function never(): never {
  throw new Error('there are three replicas');
}
