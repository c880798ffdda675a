import { describe, expect } from 'vitest';
import type { Delivery, VisibleMessage } from '../emulators/slack/model.ts';
import { atRest } from '../support/at-rest.ts';
import type { BotProcess } from '../support/bot-process.ts';
import { SUPPORT } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { has } from '../support/needs.ts';
import { type ProcessWorld, test as sequential } from '../support/process-world.ts';
import { READY, SLOW } from '../support/shelved.ts';

const test = sequential.concurrent;
const onRedis = has('redis-server') ? test : sequential.skip;
const ORDINARY = /Looking up snapshot|is still being processed|1 hit/;

type Variables = Record<string, string>;
type Store = { readonly name: string; readonly variables: (world: ProcessWorld) => Promise<Variables> };
const EMBEDDED: Store = { name: 'the embedded store', variables: async () => ({}) };
const REDIS: Store = {
  name: 'Redis',
  variables: async (world) => ({ REDIS_URL: (await world.redis()).url }),
};
const STORES = has('redis-server') ? [EMBEDDED, REDIS] : [EMBEDDED];

function results({ slack }: ProcessWorld): VisibleMessage[] {
  return slack.messages(SUPPORT).filter(({ text }) => text.includes('1 hit'));
}

/** Expects that people saw only waits and results. */
function expectNoErrorSeen({ slack }: ProcessWorld): void {
  for (const { text, history } of slack.messages(SUPPORT)) {
    for (const said of [text, ...history.map((revision) => revision.text)]) expect(said).toMatch(ORDINARY);
  }
}

/** The exit code is 0 only if the bot stops within eight seconds. Docker and Kubernetes kill it after ten. */
async function expectSoftEnd(bot: BotProcess): Promise<void> {
  expect((await bot.end('SIGTERM')).code).toBe(0);
}

describe.concurrent.each(STORES)('A deploy on $name', ({ variables }) => {
  test('ends a process that waits, and the next one goes on in the same messages', async ({ world }) => {
    const { slack, service } = world;
    const environment = await variables(world);
    const bot = await world.start(environment);
    const ids = ['7001', '7002', '7003'];
    for (const id of ids) service.shelve(id, SLOW);
    await Promise.all(ids.map((text) => slack.command({ text })));
    await slack.waitFor(() => slack.messages(SUPPORT)[2], 'three waits');
    const waiting = slack.messages(SUPPORT).map(({ ts }) => ts);
    await expectSoftEnd(bot);
    for (const id of ids) service.shelve(id, READY);
    const next = await world.start(environment);
    await slack.waitFor(() => results(world)[2], 'three results', 15_000);
    await atRest(next.address);
    expect(slack.messages(SUPPORT).map(({ ts }) => ts)).toEqual(waiting);
    expectNoErrorSeen(world);
    expect(service.records.logins).toHaveLength(1);
  });

  test('ends a process by itself although a request hangs; the next one answers', async ({ world }) => {
    const { slack, service } = world;
    const environment = await variables(world);
    const bot = await world.start(environment, 'shipped');
    service.shelve('7001', READY);
    service.nextAnswers(['hang'], '7001');
    await slack.command({ text: '7001' });
    await eventually(() => expect(service.records.requests).toHaveLength(1));
    await expectSoftEnd(bot);
    // A stop is not logged as a failed lookup.
    expect(bot.log.join('\n')).not.toContain('retrying lookup');
    const next = await world.start(environment);
    await slack.waitFor(() => results(world)[0], 'the result', 15_000);
    await atRest(next.address);
    expect(slack.messages(SUPPORT)).toHaveLength(1);
    expectNoErrorSeen(world);
  });
});

type Load = {
  /** Waits for one more answer for each person. */
  readonly round: () => Promise<void>;
  /** Stops the people, and returns how many snapshots they asked for. */
  readonly end: () => Promise<number>;
};

/** Waits until every open delivery is acknowledged or given up. */
async function allSentAreAnswered({ slack }: ProcessWorld): Promise<void> {
  const sent = slack.records.deliveries.filter((delivery) => isOnItsWay(delivery));
  await slack.waitFor(() => (sent.some(isOnItsWay) ? undefined : true), 'the acknowledgements');
}

function isOnItsWay({ status, error }: Delivery): boolean {
  return status === 0 && error === undefined;
}

/** Starts six people who each ask for one snapshot after the other until `end`. */
function peopleAtWork(world: ProcessWorld): Load {
  const { slack, service } = world;
  const people = ['ana', 'ben', 'ana', 'ben', 'ana', 'ben'];
  let isOver = false;
  let asked = 0;
  const work = async (user: string) => {
    while (!isOver) {
      const id = String(70_000 + asked);
      asked += 1;
      service.shelve(id, { ...READY, ...(asked % 3 === 0 ? {} : { processing: { forMs: 600 } }) });
      const { status, body, error, ms } = await slack.command({ text: id, user });
      expect({ status, body, error }, `answered after ${ms.toFixed(0)} ms`).toEqual({
        status: 200,
        body: '',
      });
      const result = () => slack.messages(SUPPORT).find(({ text }) => text.startsWith(`Snapshot ${id} of `));
      await slack.waitFor(result, `the result of ${id}`, 15_000);
    }
  };
  const all = Promise.all(people.map(work));
  // `end` awaits `all`; until then its failure would count as an unhandled rejection.
  all.catch(() => {});
  return {
    round: async () => {
      const more = results(world).length + people.length;
      await Promise.race([all, slack.waitFor(() => results(world)[more - 1], `${more} results`, 30_000)]);
    },
    end: async () => {
      isOver = true;
      await all;
      return asked;
    },
  };
}

onRedis(
  'A rolling restart of three replicas under load loses nothing, and nobody sees an error',
  async ({ world }) => {
    const environment = await REDIS.variables(world);
    const replicas = await Promise.all([1, 2, 3].map(() => world.start(environment)));
    world.deliverTo(...replicas);
    const load = peopleAtWork(world);
    for (const replica of replicas) {
      // A load balancer sends no more requests to a replica that will stop, and waits for the open ones.
      world.deliverTo(...replicas.filter((other) => other !== replica));
      await allSentAreAnswered(world);
      await expectSoftEnd(replica);
      await load.round();
      await replica.start();
      world.deliverTo(...replicas);
      await load.round();
    }
    const asked = await load.end();
    for (const { address } of replicas) await atRest(address);
    // Six answers in each of two rounds for each of the three replicas.
    expect(asked).toBeGreaterThanOrEqual(36);
    expect(world.slack.messages(SUPPORT)).toHaveLength(asked);
    expect(results(world)).toHaveLength(asked);
    expectNoErrorSeen(world);
    expect(world.service.records.logins).toHaveLength(1);
  },
);
