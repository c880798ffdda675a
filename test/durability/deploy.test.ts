import { describe, expect } from 'vitest';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { atRest } from '../support/at-rest.ts';
import type { BotProcess } from '../support/bot-process.ts';
import { SUPPORT } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { type FarEnds, test as sequential } from '../support/far-ends.ts';
import { has } from '../support/needs.ts';
import { READY, SLOW } from '../support/shelved.ts';

const test = sequential.concurrent;
const onRedis = has('redis-server') ? test : sequential.skip;
/** Docker and Kubernetes kill whatever is still there: after 10 s at the earliest. */
const GONE_WITHIN_MS = 10_000;
const ORDINARY = /Looking up snapshot|is still being processed|1 hit/;

type Variables = Record<string, string>;
type Store = { readonly name: string; readonly variables: (ends: FarEnds) => Promise<Variables> };
const EMBEDDED: Store = { name: 'the embedded store', variables: async () => ({}) };
const REDIS: Store = {
  name: 'Redis',
  variables: async (ends) => ({ REDIS_URL: (await ends.redis()).url }),
};
const STORES = has('redis-server') ? [EMBEDDED, REDIS] : [EMBEDDED];

function results({ slack }: FarEnds): VisibleMessage[] {
  return slack.messages(SUPPORT).filter(({ text }) => text.includes('1 hit'));
}

/** Nobody was ever told of anything but a wait and a result. */
function expectNoErrorSeen({ slack }: FarEnds): void {
  for (const { text, history } of slack.messages(SUPPORT)) {
    for (const said of [text, ...history.map((revision) => revision.text)]) expect(said).toMatch(ORDINARY);
  }
}

async function expectSoftEnd(bot: BotProcess): Promise<void> {
  const { code, ms } = await bot.end('SIGTERM');
  expect(code).toBe(0);
  expect(ms).toBeLessThan(GONE_WITHIN_MS);
}

describe.concurrent.each(STORES)('A deploy on $name', ({ variables }) => {
  test('ends a process that waits for snapshots, and the next one goes on in the same messages', async ({
    ends,
  }) => {
    const { slack, service } = ends;
    const environment = await variables(ends);
    const bot = await ends.start(environment);
    const ids = ['7001', '7002', '7003'];
    for (const id of ids) service.shelve(id, SLOW);
    await Promise.all(ids.map((text) => slack.command({ text })));
    await slack.waitFor(() => slack.messages(SUPPORT)[2], 'three waits');
    const waiting = slack.messages(SUPPORT).map(({ ts }) => ts);
    await expectSoftEnd(bot);
    for (const id of ids) service.shelve(id, READY);
    const next = await ends.start(environment);
    await slack.waitFor(() => results(ends)[2], 'three results', 15_000);
    await atRest(next.address);
    expect(slack.messages(SUPPORT).map(({ ts }) => ts)).toEqual(waiting);
    expectNoErrorSeen(ends);
    expect(service.records.logins).toHaveLength(1);
  });

  test('ends a process within ten seconds although a request hangs, and the next one answers', async ({
    ends,
  }) => {
    const { slack, service } = ends;
    const environment = await variables(ends);
    const bot = await ends.start(environment);
    service.shelve('7001', READY);
    service.nextAnswers(['hang'], '7001');
    await slack.command({ text: '7001' });
    await eventually(() => expect(service.records.requests).toHaveLength(1));
    await expectSoftEnd(bot);
    const next = await ends.start(environment);
    await slack.waitFor(() => results(ends)[0], 'the result', 15_000);
    await atRest(next.address);
    expect(slack.messages(SUPPORT)).toHaveLength(1);
    expectNoErrorSeen(ends);
  });

  test('ends the process that is shipped within ten seconds although a request hangs', async ({ ends }) => {
    const bot = await ends.start(await variables(ends), 'shipped');
    ends.service.nextAnswers(['hang']);
    await ends.slack.command({ text: '1012' });
    await eventually(() => expect(ends.service.records.requests).toHaveLength(1));
    await expectSoftEnd(bot);
    expectNoErrorSeen(ends);
  });
});

/** Six people who each ask for one snapshot after the other, as long as they are let. */
function peopleAtWork({ slack, service }: FarEnds): { end: () => Promise<number> } {
  let isOver = false;
  let asked = 0;
  const work = async (user: string) => {
    while (!isOver) {
      const id = String(70_000 + asked);
      asked += 1;
      service.shelve(id, { ...READY, ...(asked % 3 === 0 ? {} : { processing: { forMs: 600 } }) });
      const { status, body } = await slack.command({ text: id, user });
      expect([status, body]).toEqual([200, '']);
      const result = () => slack.messages(SUPPORT).find(({ text }) => text.startsWith(`Snapshot ${id} · `));
      await slack.waitFor(result, `the result of ${id}`, 15_000);
    }
  };
  const all = Promise.all(['ana', 'ben', 'ana', 'ben', 'ana', 'ben'].map(work));
  // It is awaited at the end; until then a failure of it must not count as unhandled.
  all.catch(() => {});
  return {
    end: async () => {
      isOver = true;
      await all;
      return asked;
    },
  };
}

onRedis(
  'A rolling restart of three replicas under load loses nothing, and nobody sees an error',
  async ({ ends }) => {
    const environment = await REDIS.variables(ends);
    const replicas = await Promise.all([1, 2, 3].map(() => ends.start(environment)));
    ends.deliverTo(...replicas);
    const load = peopleAtWork(ends);
    for (const replica of replicas) {
      // A load balancer sends nothing more to one that is going to end.
      ends.deliverTo(...replicas.filter((other) => other !== replica));
      await expectSoftEnd(replica);
      await replica.start();
      ends.deliverTo(...replicas);
    }
    const asked = await load.end();
    for (const { address } of replicas) await atRest(address);
    // More than each one's first.
    expect(asked).toBeGreaterThan(6);
    expect(ends.slack.messages(SUPPORT)).toHaveLength(asked);
    expect(results(ends)).toHaveLength(asked);
    expectNoErrorSeen(ends);
    expect(ends.service.records.logins).toHaveLength(1);
  },
);
