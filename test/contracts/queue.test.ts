import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { JOB_KINDS, type Job, type Step } from '../../src/lookups/queue.ts';
import { aFollow } from '../support/a-follow.ts';
import { aLookup } from '../support/a-lookup.ts';
import { collector } from '../support/collector.ts';
import { eventually } from '../support/eventually.ts';
import { type Backend, backends, close, KEY, loggerTo } from './backends.ts';

const DONE = { done: true } as const;
const LATER_MS = 300_000;
const forever = new Promise<never>(() => {});
const again = (job: Job, inMs: number): Step => ({ done: false, job, at: Date.now() + inMs });
/** More jobs than a queue takes at once. */
const MANY = 300;

/** Starts a process that dies in a step of each of these new jobs. */
async function dieInSteps({ open, die }: Backend, ids: readonly string[]): Promise<void> {
  const storage = await open();
  const begun = collector<string>(ids.length);
  await storage.queue.start(({ id }) => {
    begun.take(id);
    return forever;
  });
  for (const id of ids) await storage.queue.add(aLookup(id));
  await begun.all;
  await die(storage);
}

describe.each(backends())('On %s', (name, test) => {
  describe.concurrent('the steps of a job', () => {
    test('run one after the other, at the time that the step before named, with the job that it returned', async ({
      own,
    }) => {
      const { queue } = await own.open();
      const seen = collector<Job>(3);
      let stepsOfLater = 0;
      await queue.start(async (job) => {
        if (job.id === 'later') {
          stepsOfLater += 1;
          return again(job, LATER_MS);
        }
        seen.take(job);
        const steps = Number(job.shown ?? 0) + 1;
        return steps === 3 ? DONE : again({ ...job, shown: String(steps) }, 20);
      });
      for (const id of ['later', 'steps']) await queue.add(aLookup(id));
      expect((await seen.all).map(({ shown }) => shown)).toEqual([undefined, '1', '2']);
      await eventually(async () => expect(await queue.countOpen()).toBe(1));
      expect(stepsOfLater).toBe(1);
    });

    test('that throw are repeated, with the saved state of the job', async ({ own }) => {
      const { queue } = await own.open();
      const seen = collector<Job>(2);
      let isFirst = true;
      await queue.start(async (job, { save }) => {
        seen.take(job);
        if (!isFirst) return DONE;
        isFirst = false;
        await save({ ...job, shown: 'saved' });
        throw new Error('a step that fails once');
      });
      const job = aLookup('thrown');
      await queue.add(job);
      expect(await seen.all).toEqual([job, { ...job, shown: 'saved' }]);
    });

    test.for(['between steps', 'during a step'])(
      'follow at once where the job is woken %s',
      async (when, { own }) => {
        const { queue } = await own.open();
        const [begun, woken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        let steps = 0;
        await queue.start(async (job) => {
          steps += 1;
          begun.resolve();
          if (when === 'during a step') await woken.promise;
          return steps === 1 ? again(job, LATER_MS) : DONE;
        });
        await queue.add(aLookup('woken'));
        await begun.promise;
        await eventually(async () => {
          await queue.wake('woken');
          woken.resolve();
          expect(await queue.countOpen()).toBe(0);
        });
        expect(steps).toBe(2);
      },
    );

    test('run while three hundred steps of other jobs take long', async ({ own }) => {
      const { queue } = await own.open();
      const [held, seen] = [collector<string>(MANY), collector<string>(1)];
      const end = Promise.withResolvers<void>();
      await queue.start(async (job) => {
        if (job.shown === undefined) return again({ ...job, shown: 'waiting' }, 0);
        (job.id === 'another' ? seen : held).take(job.id);
        await end.promise;
        return DONE;
      });
      await Promise.all(Array.from({ length: MANY }, (_each, index) => queue.add(aLookup(`many-${index}`))));
      expect(new Set(await held.all).size).toBe(MANY);
      await queue.add(aLookup('another'));
      await seen.all;
      end.resolve();
    });

    test.runIf(name === 'SQLite')('are not begun again while they take long', async ({ own }) => {
      let ahead = 0;
      const { queue } = await own.open({ now: () => Date.now() + ahead });
      const taken: string[] = [];
      const [end, later] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      await queue.start(async (job) => {
        taken.push(job.id);
        if (job.id === 'long') await end.promise;
        else if (taken.length === 2) return again(job, 30_000);
        else later.resolve();
        return DONE;
      });
      for (const id of ['long', 'later']) await queue.add(aLookup(id));
      await eventually(() => expect(taken).toHaveLength(2));
      ahead = 60_000;
      await later.promise;
      expect(taken).toEqual(['long', 'later', 'later']);
      end.resolve();
      await eventually(async () => expect(await queue.countOpen()).toBe(0));
    });

    test.runIf(name === 'SQLite')(
      'that a clock an hour ahead delayed run at once when the clock is right again',
      async ({ own }) => {
        const storage = await own.open({ now: () => Date.now() + 3_600_000 });
        const begun = collector<string>(1);
        await storage.queue.start(async (job) => {
          begun.take(job.id);
          return again(job, 3_600_000);
        });
        await storage.queue.add(aLookup('stepped'));
        await begun.all;
        await close(storage);
        const { queue } = await own.open();
        const seen = collector<string>(1);
        await queue.start(async ({ id }) => {
          seen.take(id);
          return DONE;
        });
        expect(await seen.all).toEqual(['stepped']);
      },
    );
  });

  describe.concurrent('a job', () => {
    test('is found, counted and listed while it is open, and forgotten when it is done', async ({ own }) => {
      const { queue } = await own.open();
      const end = Promise.withResolvers<void>();
      const [one, two] = [{ ...aLookup('one'), acceptedAt: Date.now() - 5_000 }, aLookup('two')];
      for (const job of [two, one]) await queue.add(job);
      expect(await queue.oldestAcceptedAt()).toBe(one.acceptedAt);
      expect((await Array.fromAsync(queue.entries())).map(({ id }) => id).sort()).toEqual(['one', 'two']);
      expect(await queue.find('one')).toEqual(one);
      expect(await queue.find('nobody')).toBeUndefined();
      await queue.remove('one');
      expect(await queue.countOpen()).toBe(1);
      expect(await queue.find('one')).toBeUndefined();
      await queue.start(async () => {
        await end.promise;
        return DONE;
      });
      expect(await queue.find('two')).toEqual(two);
      end.resolve();
      await eventually(async () => expect(await queue.countOpen()).toBe(0));
      expect(await queue.find('two')).toBeUndefined();
      expect(await queue.oldestAcceptedAt()).toBeUndefined();
    });

    test('is kept through a stop, and gone once the store is cleared', async ({ own }) => {
      const first = await own.open();
      const started = collector<string>(1);
      await first.queue.start(async (job) => {
        started.take(job.id);
        return again({ ...job, shown: 'waiting' }, 50);
      });
      const kept = aLookup('kept');
      await first.queue.add(kept);
      await started.all;
      await close(first);
      const { queue, store } = await own.open();
      const seen = collector<Job>(1);
      await queue.start(async (job) => {
        seen.take(job);
        return again(job, LATER_MS);
      });
      expect(await seen.all).toEqual([{ ...kept, shown: 'waiting' }]);
      await store.clear();
      expect(await queue.countOpen()).toBe(0);
      expect(await Array.fromAsync(queue.entries())).toEqual([]);
    });

    test('that is removed during a step is gone, even if the step still saves', async ({ own }) => {
      const storage = await own.open();
      const [begun, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      let isConfirmed: boolean | undefined;
      await storage.queue.start(async (job, { save, confirm }) => {
        begun.resolve();
        await gone.promise;
        isConfirmed = await confirm().then(
          () => true,
          () => false,
        );
        // Redis refuses to save a job that is gone.
        await save({ ...job, shown: 'saved' }).catch(() => {});
        return again({ ...job, shown: 'waiting' }, LATER_MS);
      });
      await storage.queue.add(aLookup('removed'));
      await begun.promise;
      await storage.queue.remove('removed');
      gone.resolve();
      await close(storage);
      // SQLite serves one process, so no other process can have the job, and the step is confirmed.
      expect(isConfirmed).toBe(name === 'SQLite');
      const { queue } = await own.open();
      expect(await queue.find('removed')).toBeUndefined();
      expect(await queue.countOpen()).toBe(0);
    });

    test('is counted and removed only in its own kind, even if another kind has a job with the same id', async ({
      own,
    }) => {
      const { queue, follows } = await own.open();
      await queue.add(aLookup('same'));
      expect(await follows.countOpen()).toBe(0);
      await follows.add(aFollow('same'));
      await queue.remove('same');
      expect([await queue.countOpen(), await follows.countOpen()]).toEqual([0, 1]);
    });

    test('with a missing key or of another release stays stored and is reported once, until its key is back', async ({
      own,
    }) => {
      const otherKey = new Uint8Array(32).fill(1);
      const theirs = await own.open({ keys: [otherKey] });
      await theirs.queue.add(aLookup('sealed'));
      await close(theirs);
      const log: string[] = [];
      const ours = await own.open({ logger: loggerTo(log) });
      const { queue, follows } = ours;
      const { version } = JOB_KINDS.follow;
      Object.assign(JOB_KINDS.follow, { version: 99 });
      await follows.add(aFollow('newer'));
      Object.assign(JOB_KINDS.follow, { version });
      const unreachable = async () => expect.unreachable('it was taken');
      await queue.start(unreachable);
      await follows.start(unreachable);
      await eventually(() => expect(log.join()).toMatch(/state version 99/));
      await eventually(() => expect(log.join()).toMatch(/STATE_KEY/));
      await expect(queue.find('sealed')).rejects.toThrow();
      expect(await Array.fromAsync(queue.entries())).toEqual([]);
      expect(log).toHaveLength(2);
      expect(ours.unopened()).toBeDefined();
      expect(await queue.countOpen()).toBe(1);
      await close(ours);
      const next = await own.open({ keys: [KEY, otherKey] });
      const seen = collector<readonly [string, number]>(1);
      await next.queue.start(async ({ id }, { deaths }) => {
        seen.take([id, deaths]);
        return DONE;
      });
      expect(await seen.all).toEqual([['sealed', 0]]);
    });
  });

  describe.concurrent('a delivery', () => {
    const lookupOf = (delivery: string, id = delivery) => ({ ...aLookup(id), delivery });

    test('that arrives twenty times at once leads to one job', async ({ own }) => {
      const { queue } = await own.open();
      const ids = Array.from({ length: 20 }, (_each, index) => `job-${index}`);
      const isNew = await Promise.all(ids.map((id) => queue.add(lookupOf('one', id))));
      const taken: string[] = [];
      await queue.start(async ({ id }) => {
        taken.push(id);
        return DONE;
      });
      await eventually(async () => expect(await queue.countOpen()).toBe(0));
      expect(taken).toEqual(ids.filter((_id, index) => isNew[index]));
      expect(taken).toHaveLength(1);
    });

    test('leads to no second job after the first has ended, also in the next process', async ({ own }) => {
      const first = await own.open();
      await first.queue.add(lookupOf('one'));
      await first.queue.start(async () => DONE);
      await eventually(async () => expect(await first.queue.countOpen()).toBe(0));
      await close(first);
      const { queue } = await own.open();
      expect(await queue.add(lookupOf('one', 'again'))).toBe(false);
      expect(await queue.countOpen()).toBe(0);
      expect(await queue.remembers('one')).toBe(true);
    });

    test('leads to a job whatever other deliveries came before', async ({ own }) => {
      const { queue } = await own.open();
      await queue.add(lookupOf('one'));
      expect(await queue.remembers('two')).toBe(false);
      expect(await queue.add(lookupOf('two'))).toBe(true);
      expect(await queue.countOpen()).toBe(2);
    });

    test('that needed no job is remembered, and leads to no job when it comes again', async ({ own }) => {
      const { queue } = await own.open();
      expect(await queue.remember('one')).toBe(true);
      expect(await queue.remember('one')).toBe(false);
      expect(await queue.remembers('one')).toBe(true);
      expect(await queue.add(lookupOf('one'))).toBe(false);
      expect(await queue.countOpen()).toBe(0);
    });

    test.runIf(name === 'SQLite')('is forgotten with a job that was refused', async ({ own }) => {
      const { queue } = await own.open();
      // No store accepts NaN as a time.
      const refused = { ...aLookup('refused'), acceptedAt: Number.NaN, delivery: 'one' };
      await expect(queue.add(refused)).rejects.toMatchObject({ code: 'storage-failed' });
      expect(await queue.add({ ...aLookup('taken'), delivery: 'one' })).toBe(true);
    });

    test.runIf(name === 'SQLite')('is remembered for a day, with a job or without', async ({ own }) => {
      let ahead = 0;
      const { queue } = await own.open({ now: () => Date.now() + ahead });
      await queue.add(lookupOf('one'));
      await queue.remember('two');
      const remembered = () => Promise.all(['one', 'two'].map((each) => queue.remembers(each)));
      ahead = 23 * 3_600_000;
      expect(await remembered()).toEqual([true, true]);
      ahead = 25 * 3_600_000;
      expect(await remembered()).toEqual([false, false]);
    });
  });

  /** Unlike the tests of an orderly stop, these let a process die in a step. */
  describe.concurrent('a step', () => {
    test('in which the process died is repeated alone, and knows of one death', async ({ own }) => {
      const ids = ['one', 'two', 'three'];
      await dieInSteps(own, ids);
      const { queue } = await own.open();
      const seen: object[] = [];
      let running = 0;
      await queue.start(async (_job, { deaths }) => {
        seen.push({ deaths, running });
        running += 1;
        await turn();
        running -= 1;
        return DONE;
      });
      await eventually(async () => expect(await queue.countOpen()).toBe(0));
      expect(seen).toEqual(ids.map(() => ({ deaths: 1, running: 0 })));
    });

    test('that kills the process twice knows of two deaths, and the jobs that waited behind it of no further death', async ({
      own,
    }) => {
      const ids = ['one', 'two', 'three'];
      await dieInSteps(own, ids);
      const storage = await own.open();
      const taken: string[] = [];
      const deadly = Promise.withResolvers<string>();
      await storage.queue.start(({ id }) => {
        taken.push(id);
        if (taken.length === 1) return Promise.resolve(DONE);
        deadly.resolve(id);
        return forever;
      });
      const dyingId = await deadly.promise;
      const waitingId = ids.find((id) => !taken.includes(id)) ?? '';
      await storage.queue.wake(waitingId);
      // One of the three jobs is done and must not run again.
      await eventually(async () => expect(await storage.queue.countOpen()).toBe(2));
      await own.die(storage);

      const { queue } = await own.open();
      const deathsOf: [id: string, deaths: number][] = [];
      await queue.start(async ({ id }, { deaths }) => {
        deathsOf.push([id, deaths]);
        return DONE;
      });
      await eventually(async () => expect(await queue.countOpen()).toBe(0));
      expect(deathsOf).toHaveLength(2);
      expect(Object.fromEntries(deathsOf)).toEqual({ [dyingId]: 2, [waitingId]: 1 });
    });

    test('that several stops interrupted knows of one death', async ({ own: { open } }) => {
      const seen: number[] = [];
      for (const nth of [1, 2, 3]) {
        const storage = await open();
        if (nth === 1) await storage.queue.add(aLookup('stopped'));
        const begun = collector<number>(1);
        await storage.queue.start((_job, { deaths }) => {
          begun.take(deaths);
          return forever;
        });
        seen.push(...(await begun.all));
        await storage.jobs.stop(0);
        await storage.store.close();
      }
      expect(seen).toEqual([0, 1, 1]);
    });
  });
});
