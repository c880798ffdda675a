import { expect, type TestAPI } from 'vitest';
import type { AnyJob, Follow, Job, JobQueue, Step } from '../../src/lookups/queue.ts';
import type { Storage } from '../../src/storage/backend/storage.ts';
import { aFollow } from './a-follow.ts';
import { aLookup } from './a-lookup.ts';
import { eventually } from './eventually.ts';

/** The state of a backend that one test has to itself. */
export type Own = {
  /** Opens the backend once more; the contract closes it. */
  readonly another: () => Promise<Storage>;
  readonly closeAll: () => Promise<void>;
  /** Ends a process in the middle of its steps, as a kill would. */
  readonly die: (storage: Storage) => Promise<void>;
};
export type QueueTest = TestAPI<{ own: Own }>['concurrent'];

/** Settles when `take` has been called so often, with what it was called with. */
export function collector<T>(count: number): { take: (value: T) => void; all: Promise<T[]> } {
  const values: T[] = [];
  const { promise, resolve } = Promise.withResolvers<T[]>();
  return {
    take: (value) => {
      values.push(value);
      if (values.length === count) resolve(values);
    },
    all: promise,
  };
}

/** The jobs of one queue: how the test makes one, and where it notes something in a job. */
type Kind<J extends AnyJob> = {
  readonly queueOf: (storage: Storage) => JobQueue<J>;
  readonly make: (id: string) => J;
  readonly noted: (job: J, note: string) => J;
  readonly noteIn: (job: J) => string | undefined;
};

export const LOOKUPS: Kind<Job> = {
  queueOf: ({ queue }) => queue,
  make: aLookup,
  noted: (job, shown) => ({ ...job, shown }),
  noteIn: ({ shown }) => shown,
};

export const FOLLOWS: Kind<Follow> = {
  queueOf: ({ follows }) => follows,
  make: aFollow,
  noted: (job, host) => ({ ...job, host }),
  noteIn: ({ host }) => host || undefined,
};

/** More than the steps that come at once where nothing is wrong. */
const MANY = 300;
export const DONE = { done: true } as const;
export const again = <J extends AnyJob>(job: J, inMs: number): Step<J> => ({
  done: false,
  job,
  at: Date.now() + inMs,
});

/** What every queue promises. */
export function queuePromises<J extends AnyJob>(kind: Kind<J>, test: QueueTest): void {
  steps(kind, test);
  begun(kind, test);
  many(kind, test);
  kept(kind, test);
  removed(kind, test);
  found(kind, test);
}

/** How the steps of a job follow each other. */
function steps<J extends AnyJob>({ queueOf, make, noted, noteIn }: Kind<J>, test: QueueTest): void {
  test('works on a job that was added, once, and forgets it when it is done', async ({ own }) => {
    const queue = queueOf(await own.another());
    const seen = collector<J>(1);
    await queue.start(async (job) => {
      seen.take(job);
      return DONE;
    });
    const job = make('one');
    await queue.add(job);
    expect(await seen.all).toEqual([job]);
    await eventually(async () => expect(await queue.countOpen()).toBe(0));
  });

  test('comes back to a job at the time that its step named, with what the step made of it', async ({
    own,
  }) => {
    const queue = queueOf(await own.another());
    const seen = collector<J>(3);
    let early = -1;
    await queue.start(async (job) => {
      if (job.id === 'later') early += 1;
      if (job.id === 'later') return again(job, 3_600_000);
      seen.take(job);
      const steps = Number(noteIn(job) ?? 0) + 1;
      return steps === 3 ? DONE : again(noted(job, String(steps)), 20);
    });
    for (const id of ['later', 'steps']) await queue.add(make(id));
    expect((await seen.all).map(noteIn)).toEqual([undefined, '1', '2']);
    await eventually(async () => expect(await queue.countOpen()).toBe(1));
    expect(early).toBe(0);
  });

  test('repeats a step that threw, from what it had saved', async ({ own }) => {
    const queue = queueOf(await own.another());
    const seen = collector<J>(2);
    let isFirst = true;
    await queue.start(async (job, save) => {
      seen.take(job);
      if (!isFirst) return DONE;
      isFirst = false;
      await save(noted(job, 'saved'));
      throw new Error('a step that fails once');
    });
    await queue.add(make('thrown'));
    expect((await seen.all).map(noteIn)).toEqual([undefined, 'saved']);
  });
}

/** When steps begin. */
function begun<J extends AnyJob>({ queueOf, make }: Kind<J>, test: QueueTest): void {
  test('takes the next step of a job that is woken before its time', async ({ own }) => {
    const queue = queueOf(await own.another());
    let steps = 0;
    await queue.start(async (job) => {
      steps += 1;
      return steps === 1 ? again(job, 3_600_000) : DONE;
    });
    await queue.add(make('woken'));
    await eventually(async () => {
      await queue.wake('woken');
      expect(steps).toBe(2);
    });
    await eventually(async () => expect(await queue.countOpen()).toBe(0));
  });

  test('takes the next step of a job that is woken during a step right after that', async ({ own }) => {
    const queue = queueOf(await own.another());
    const [begun, woken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let steps = 0;
    await queue.start(async (job) => {
      steps += 1;
      begun.resolve();
      await woken.promise;
      return steps === 1 ? again(job, 3_600_000) : DONE;
    });
    await queue.add(make('woken'));
    await begun.promise;
    await queue.wake('woken');
    woken.resolve();
    await eventually(async () => expect(await queue.countOpen()).toBe(0));
    expect(steps).toBe(2);
  });
}

/** Steps that last, for example because Slack makes them wait, hold up no other. */
function many<J extends AnyJob>({ queueOf, make, noted, noteIn }: Kind<J>, test: QueueTest): void {
  for (const nth of ['first', 'second']) {
    test(`takes a step that is due however many others are in their ${nth} steps`, async ({ own }) => {
      const queue = queueOf(await own.another());
      const [held, seen] = [collector<string>(MANY), collector<string>(1)];
      const end = Promise.withResolvers<void>();
      await queue.start(async (job) => {
        const isFirst = noteIn(job) === undefined;
        if (isFirst && (nth === 'second' || job.id === 'another')) return again(noted(job, 'waiting'), 0);
        if (job.id === 'another') seen.take(job.id);
        else held.take(job.id);
        await end.promise;
        return DONE;
      });
      await Promise.all(Array.from({ length: MANY }, (_, index) => queue.add(make(`many-${index}`))));
      expect(new Set(await held.all).size).toBe(MANY);
      await queue.add(make('another'));
      await seen.all;
      end.resolve();
    });
  }
}

/** What is open, and what stays of it. */
function kept<J extends AnyJob>({ queueOf, make, noted }: Kind<J>, test: QueueTest): void {
  test('keeps what is open through a stop, for the next one', async ({ own }) => {
    const first = queueOf(await own.another());
    const started = collector<string>(1);
    await first.start(async (job) => {
      started.take(job.id);
      return again(noted(job, 'waiting'), 50);
    });
    const kept = make('kept');
    await first.add(kept);
    await started.all;
    await own.closeAll();
    const second = queueOf(await own.another());
    const seen = collector<J>(1);
    await second.start(async (job) => {
      seen.take(job);
      return DONE;
    });
    expect(await seen.all).toEqual([noted(kept, 'waiting')]);
  });

  test('lists what is open and since when, and forgets what is removed', async ({ own }) => {
    const queue = queueOf(await own.another());
    const began = Date.now();
    for (const id of ['one', 'two']) await queue.add(make(id));
    const since = await queue.oldestAcceptedAt();
    expect(since).toBeGreaterThanOrEqual(began);
    expect(since).toBeLessThanOrEqual(Date.now());
    expect((await Array.fromAsync(queue.entries())).map(({ id }) => id).sort()).toEqual(['one', 'two']);
    await queue.remove('one');
    expect(await queue.countOpen()).toBe(1);
    await queue.remove('two');
    expect(await queue.oldestAcceptedAt()).toBeUndefined();
  });

  test('has nothing open once its store is cleared', async ({ own }) => {
    const storage = await own.another();
    const queue = queueOf(storage);
    await queue.add(make('cleared'));
    await storage.store.clear();
    expect(await queue.countOpen()).toBe(0);
    expect(await Array.fromAsync(queue.entries())).toEqual([]);
  });
}

/** What happens to a job that is removed. */
function removed<J extends AnyJob>({ queueOf, make, noted }: Kind<J>, test: QueueTest): void {
  test('stores nothing any more of a job that was removed during its first step', async ({ own }) => {
    const queue = queueOf(await own.another());
    const [begun, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await queue.start(async (job, save) => {
      begun.resolve();
      await gone.promise;
      // On Redis this is refused.
      await save(noted(job, 'saved')).catch(() => {});
      return again(noted(job, 'waiting'), 3_600_000);
    });
    await queue.add(make('removed'));
    await begun.promise;
    await queue.remove('removed');
    gone.resolve();
    await own.closeAll();
    const next = queueOf(await own.another());
    expect([await next.find('removed'), await next.countOpen()]).toEqual([undefined, 0]);
  });
}

/** What is known of one job. */
function found<J extends AnyJob>({ queueOf, make }: Kind<J>, test: QueueTest): void {
  test('finds a job by its id until it has ended', async ({ own }) => {
    const queue = queueOf(await own.another());
    const end = Promise.withResolvers<void>();
    await queue.start(async () => {
      await end.promise;
      return DONE;
    });
    const job = make('open');
    await queue.add(job);
    expect([await queue.find('open'), await queue.find('nobody')]).toEqual([job, undefined]);
    end.resolve();
    await eventually(async () => expect(await queue.find('open')).toBeUndefined());
  });
}
