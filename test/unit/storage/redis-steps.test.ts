import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { aFollow } from '../../support/a-follow.ts';
import { aLookup } from '../../support/a-lookup.ts';
import { has } from '../../support/needs.ts';
import { redisForAll } from '../../support/redis-for-all.ts';

const QUEUE = 'snapshot-bot:jobs';

describe.runIf(has('redis-server'))('On Redis a step', () => {
  const shared = redisForAll();

  test('that replicas died in is begun once more, and that is written down before it begins', async () => {
    const { queue } = await shared.open();
    await queue.add(aLookup('deadly'));
    // As BullMQ counts a job whose lock ran out.
    await shared.client.hIncrBy(`${QUEUE}:lookup-deadly`, 'stc', 1);
    const stored = async () =>
      JSON.parse((await shared.client.hGet(`${QUEUE}:lookup-deadly`, 'data')) ?? '{}').begun;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    await queue.start(async (_job, _save, deaths) => {
      resolve([deaths, await stored()]);
      return { done: true };
    });
    expect(await promise).toEqual([1, 1]);
  });

  test('that ended after a death counts no death for the next one', async () => {
    const { queue } = await shared.open();
    await queue.add(aLookup('survivor'));
    await shared.client.hIncrBy(`${QUEUE}:lookup-survivor`, 'stc', 1);
    const seen: number[] = [];
    await queue.start(async (job, _save, deaths) => {
      seen.push(deaths);
      return seen.length === 2 ? { done: true } : { done: false, job, at: Date.now() };
    });
    await expect.poll(() => queue.countOpen()).toBe(0);
    expect(seen).toEqual([1, 0]);
  });

  test('is taken over within seconds once its replica is dead', async () => {
    const { queue } = await shared.open();
    const { promise: end, resolve: finish } = Promise.withResolvers<{ done: true }>();
    await queue.add(aLookup('before'));
    await queue.start(() => end);
    await queue.add(aLookup('one'));
    // The lock of a living replica is renewed; each replica looks for lost ones as often as the second says. The third is
    // the lease of the replica that has accepted a job.
    const keys = [`${QUEUE}:lookup-before:lock`, `${QUEUE}:stalled-check`, 'snapshot-bot:first:lookup-one'];
    const bounds = [12_000, 2_000, 12_000];
    for (const [index, key] of keys.entries()) {
      await expect.poll(() => shared.client.pTTL(key), { timeout: 5_000 }).toBeGreaterThan(0);
      expect(await shared.client.pTTL(key)).toBeLessThanOrEqual(bounds[index] ?? 0);
    }
    finish({ done: true });
  });

  test('stays with its replica if the clock goes back an hour', async () => {
    const { queue } = await shared.open();
    const { promise: end, resolve: finish } = Promise.withResolvers<{ done: true }>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    onTestFinished(() => {
      finish({ done: true });
      vi.restoreAllMocks();
    });
    let begins = 0;
    await queue.add(aLookup('long'));
    await queue.start(() => {
      begins += 1;
      begin();
      return end;
    });
    await begun;
    let before = Number.POSITIVE_INFINITY;
    const isRenewed = async () => {
      const left = await shared.client.pTTL(`${QUEUE}:lookup-long:lock`);
      const isLonger = left > before;
      before = left;
      return isLonger;
    };
    await expect.poll(isRenewed).toBe(true);
    const now = Date.now;
    vi.spyOn(Date, 'now').mockImplementation(() => now() - 3_600_000);
    await expect.poll(isRenewed).toBe(true);
    expect(begins).toBe(1);
  });

  test('of a kind that was not started yet waits for that', async () => {
    const { queue, follows } = await shared.open();
    await follows.add(aFollow('one'));
    await queue.start(async () => ({ done: true }));
    // A worker has taken it, and put it back.
    await expect.poll(() => shared.client.zScore(`${QUEUE}:delayed`, 'follow-one')).toBeGreaterThan(0);
    expect(await shared.client.hGet(`${QUEUE}:follow-one`, 'ats')).not.toBeNull();
    const { promise, resolve } = Promise.withResolvers<string>();
    await follows.start(async ({ id }) => {
      resolve(id);
      return { done: true };
    });
    await follows.wake('one');
    expect(await promise).toBe('one');
  });

  test('that is woken in its wait comes once for that', async () => {
    const { queue } = await shared.open();
    let steps = 0;
    await queue.start(async (job) => {
      steps += 1;
      return { done: false, job, at: Date.now() + 3_600_000 };
    });
    await queue.add(aLookup('one'));
    await expect.poll(() => shared.client.keys('snapshot-bot:first:*')).toEqual([]);
    await queue.wake('one');
    await expect.poll(() => steps).toBe(2);
    await expect.poll(() => shared.client.keys('snapshot-bot:woken:*')).toEqual([]);
    await expect.poll(() => shared.client.zCard(`${QUEUE}:delayed`)).toBe(1);
    expect(steps).toBe(2);
  });

  test.for(['processedOn', 'timestamp'])(
    'whose job was stored by a clock that was an hour ahead comes with the start: %s',
    async (field) => {
      const first = await shared.open();
      await first.queue.start(async (job) => ({ done: false, job, at: Date.now() + 3_600_000 }));
      await first.queue.add(aLookup('one'));
      await expect.poll(() => shared.client.keys('snapshot-bot:first:*')).toEqual([]);
      await first.jobs.stop(1_000);
      await shared.client.hSet(`${QUEUE}:lookup-one`, field, Date.now() + 3_600_000);
      const { queue } = await shared.open();
      await queue.start(async () => ({ done: true }));
      await expect.poll(() => queue.countOpen(), { timeout: 5_000 }).toBe(0);
    },
  );

  test('during which the clock goes back an hour is followed by the next as soon as it said', async () => {
    const { queue } = await shared.open();
    onTestFinished(() => void vi.restoreAllMocks());
    const { now } = Date;
    await queue.start(async (job) => {
      const at = Date.now() + 30_000;
      vi.spyOn(Date, 'now').mockImplementation(() => now() - 3_600_000);
      return { done: false, job, at };
    });
    await queue.add(aLookup('one'));
    await expect.poll(() => shared.client.keys('snapshot-bot:first:*')).toEqual([]);
    // BullMQ keeps the time in the upper bits, beside a counter.
    const due = Number(await shared.client.zScore(`${QUEUE}:delayed`, 'lookup-one')) / 4_096;
    expect(due - Date.now()).toBeLessThanOrEqual(31_000);
  });

  test('that runs and is woken holds up a stop no longer than it may', async () => {
    const { queue, jobs } = await shared.open();
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    await queue.start(() => {
      resolve();
      return new Promise<never>(() => {});
    });
    await queue.add(aLookup('endless'));
    await begun;
    await queue.wake('endless');
    await jobs.stop(50);
    expect(await shared.client.exists(`${QUEUE}:lookup-endless`)).toBe(1);
  });

  test('that its replica takes of a job it accepted holds up a stop until it has ended', async () => {
    const { queue, jobs } = await shared.open();
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await queue.start(async () => {
      begun.resolve();
      await end.promise;
      return { done: true };
    });
    await queue.add(aLookup('first'));
    await begun.promise;
    let isStopped = false;
    const stopping = jobs.stop(10_000).then(() => {
      isStopped = true;
    });
    // By then nothing else holds it up.
    const waiting = async () => (await shared.client.sendCommand(['CLIENT', 'LIST'])) as string;
    await expect.poll(waiting).not.toContain('cmd=bzpopmin');
    for (let count = 0; count < 50; count += 1) await shared.client.ping();
    expect(isStopped).toBe(false);
    end.resolve();
    await stopping;
    expect(await shared.client.exists(`${QUEUE}:lookup-first`)).toBe(0);
  });

  test('is taken again however often the replicas that took it died', async () => {
    const { queue } = await shared.open();
    await queue.add(aLookup('cursed'));
    await shared.client.hIncrBy(`${QUEUE}:lookup-cursed`, 'stc', 50);
    // A replica has taken the job and lost its lock, and BullMQ has seen that once.
    await shared.client.lMove(`${QUEUE}:wait`, `${QUEUE}:active`, 'LEFT', 'RIGHT');
    await shared.client.sAdd(`${QUEUE}:stalled`, 'lookup-cursed');
    const { promise, resolve } = Promise.withResolvers<number>();
    await queue.start(async (_job, _save, deaths) => {
      resolve(deaths);
      return { done: true };
    });
    expect(await promise).toBe(1);
  });

  test('that replicas died in waits for others of that kind, and others do not wait for it', async () => {
    const { queue } = await shared.open();
    const suspects = ['one', 'two', 'three'];
    for (const id of suspects) {
      await queue.add(aLookup(id));
      await shared.client.hIncrBy(`${QUEUE}:lookup-${id}`, 'stc', 1);
    }
    await queue.add(aLookup('harmless'));
    const counts = { running: 0, most: 0 };
    const ended: string[] = [];
    const { promise: harmlessEnded, resolve } = Promise.withResolvers<void>();
    await queue.start(async ({ id }) => {
      if (id === 'harmless') resolve();
      else {
        counts.running += 1;
        counts.most = Math.max(counts.most, counts.running);
        await harmlessEnded;
        counts.running -= 1;
      }
      ended.push(id);
      return { done: true };
    });
    await expect.poll(() => ended.toSorted()).toEqual(['harmless', 'one', 'three', 'two']);
    expect(counts.most).toBe(1);
  });
});
