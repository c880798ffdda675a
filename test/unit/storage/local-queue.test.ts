import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { StorageFailed } from '../../../src/core/faults.ts';
import { JOB_VERSIONS, type Job, type Processor, type Step } from '../../../src/lookups/queue.ts';
import { aLookup } from '../../support/a-lookup.ts';
import { embedded } from '../../support/embedded.ts';

const DONE: Step = { done: true };
const START = 1_795_000_000_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: START }));
afterEach(() => void vi.useRealTimers());

/** Lets the event loop turn, in which commits are made, until this is so. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((turned) => setImmediate(turned));
}

async function turns(count = 10): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((turned) => setImmediate(turned));
}

/** Lets time pass, and what becomes due in it begin. */
async function later(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  await turns();
}

function working() {
  const parts = embedded(Date.now);
  const taken: Job[] = [];
  const steps: Step[] = [];
  const processor: Processor = async (job) => {
    taken.push(job);
    return steps.shift() ?? DONE;
  };
  const put = parts.database.prepare(`
    INSERT INTO jobs (kind, id, accepted, value, due, failures, begun) VALUES ('lookup', ?, ?, ?, ?, ?, ?)`);
  /** A job as an earlier process may have left it. */
  const stored = (id: string, { due = START, failures = 0, begun = 0, version = JOB_VERSIONS.lookup }) => {
    const sealed = parts.sealer.seal(JSON.stringify({ version, job: aLookup(id) }), `lookup\0${id}`);
    put.run(id, START, sealed, due, failures, begun);
  };
  return { ...parts, stored, taken, steps, processor, ids: () => taken.map(({ id }) => id) };
}

/** Steps that end when they are told to. */
function held() {
  const begun: string[] = [];
  const { promise, resolve } = Promise.withResolvers<Step>();
  const processor: Processor = (job) => {
    begun.push(job.id);
    return promise;
  };
  return { begun, processor, end: () => resolve(DONE) };
}

test('A delivery is remembered for a day, and not where its job could not be stored', async () => {
  const { queue } = embedded(Date.now);
  expect(await queue.add({ ...aLookup('one'), delivery: 'one' })).toBe(true);
  await expect(queue.add({ ...aLookup('one'), delivery: 'two' })).rejects.toThrow(StorageFailed);
  expect(await queue.remembers('two')).toBe(false);
  expect(await queue.add({ ...aLookup('two'), delivery: 'two' })).toBe(true);
  vi.setSystemTime(START + 24 * 3_600_000 - 1);
  expect(await queue.remembers('one')).toBe(true);
  vi.setSystemTime(START + 24 * 3_600_000);
  expect([await queue.remembers('one'), await queue.remember('one')]).toEqual([false, true]);
});

describe('A job of the embedded queue', () => {
  test('whose step throws is tried again after a second, then two, from what it had saved', async () => {
    const { queue, failures } = working();
    const seen: (string | undefined)[] = [];
    await queue.start(async (job, save) => {
      seen.push(job.shown);
      if (seen.length > 2) return DONE;
      await save({ ...job, shown: `saved ${seen.length}` });
      throw new Error('no');
    });
    await queue.add(aLookup('one'));
    await turns();
    await later(999);
    expect(seen).toEqual([undefined]);
    await later(1);
    expect(seen).toEqual([undefined, 'saved 1']);
    await later(1_999);
    expect(seen).toHaveLength(2);
    await later(1);
    expect(seen).toEqual([undefined, 'saved 1', 'saved 2']);
    expect(failures.map(([, id]) => id)).toEqual(['one', 'one']);
  });

  test('that has gone on after a failure begins its pauses anew', async () => {
    const { queue, stored, database } = working();
    const job = aLookup('one');
    stored('one', { failures: 3 });
    const outcomes: (() => Step)[] = [
      () => ({ done: false, job, at: START + 100 }),
      () => {
        throw new Error('no');
      },
    ];
    await queue.start(async () => outcomes.shift()?.() ?? DONE);
    await later(0);
    await later(100);
    expect(database.prepare('SELECT failures FROM jobs').get()?.failures).toBe(1);
    await later(1_000);
    expect(await queue.countOpen()).toBe(0);
  });

  test('in whose step the process died is woken in its turn, and not beside another one of that kind', async () => {
    const { queue, stored } = working();
    for (const [id, begun] of [
      ['often', 2],
      ['once', 1],
    ] as const)
      stored(id, { begun });
    const { begun, processor, end } = held();
    await queue.start(processor);
    await until(() => begun.length > 0);
    await queue.wake('often');
    await turns();
    // The likelier cause comes last.
    expect(begun).toEqual(['once']);
    end();
    await until(async () => (await queue.countOpen()) === 0);
    expect(begun).toEqual(['once', 'often']);
  });

  test('that is due in a month is not looked for until then, and begins after the clock went back as late as its step said', async () => {
    const { queue, stored, processor, statements, steps, ids } = working();
    stored('far', { due: START + 30 * 24 * 3_600_000 });
    await queue.start(processor);
    await later(0);
    const looking = vi.spyOn(statements, 'iterate');
    await later(1_000);
    expect(looking).not.toHaveBeenCalled();
    vi.setSystemTime(START - 3_600_000);
    steps.push({ done: false, job: aLookup('near'), at: Date.now() + 1_000 });
    await queue.add(aLookup('near'));
    await later(999);
    expect(ids()).toEqual(['near']);
    await later(1);
    expect(ids()).toEqual(['near', 'near']);
  });

  test('of a later release is left to that release', async () => {
    const { queue, stored, processor, taken, failures, database } = working();
    stored('later', { version: JOB_VERSIONS.lookup + 1 });
    await queue.start(processor);
    await later(0);
    expect(taken).toEqual([]);
    expect(failures).toEqual([
      [expect.objectContaining({ message: expect.stringContaining('version 5') }), 'later'],
    ]);
    expect(database.prepare('SELECT id FROM jobs').all()).toEqual([{ id: 'later' }]);
  });

  test('that can’t be read is left for the next start, and holds no other one up', async () => {
    const { queue, database, processor, ids, failures } = working();
    await queue.add(aLookup('sealed'));
    await queue.add(aLookup('other'));
    database.exec("UPDATE jobs SET value = 'no seal' WHERE id = 'sealed'");
    await queue.start(processor);
    await later(0);
    expect([ids(), await queue.countOpen()]).toEqual([['other'], 0]);
    expect(failures.map(([, id]) => id)).toEqual(['sealed']);
    expect(await Array.fromAsync(queue.entries())).toEqual([]);
    await later(100_000);
    expect(failures).toHaveLength(2);
    await queue.start(processor);
    expect(await queue.countOpen()).toBe(1);
  });
});

test('What is due begins twenty in a turn, however many take a step, and a new one before all of them', async () => {
  const { queue, stored } = working();
  for (let index = 0; index < 130; index += 1) stored(`job-${index}`, { due: START - 200 + index });
  const { begun, processor, end } = held();
  await queue.start(processor);
  await vi.advanceTimersByTimeAsync(0);
  await until(() => begun.length > 0);
  await turns();
  const first = Array.from({ length: 20 }, (_, index) => `job-${index}`);
  expect(begun).toEqual(first);
  await queue.add(aLookup('new'));
  expect(begun.at(-1)).toBe('new');
  for (let turn = 0; turn < 10; turn += 1) await later(1);
  expect(new Set(begun).size).toBe(131);
  end();
  await later(1);
  expect(await queue.countOpen()).toBe(0);
});

describe('A stop', () => {
  test('waits for the steps that run, and begins no more', async () => {
    const { queue, jobs } = working();
    const { begun, processor, end } = held();
    await queue.start(processor);
    await queue.add(aLookup('one'));
    let isStopped = false;
    const stopping = jobs.stop(5_000).then(() => {
      isStopped = true;
    });
    await queue.add(aLookup('two'));
    await turns();
    expect([begun, isStopped]).toEqual([['one'], false]);
    end();
    await stopping;
    expect(await queue.countOpen()).toBe(1);
    await later(60_000);
    expect(begun).toEqual(['one']);
  });

  test('counts no death of those whose turn has not come', async () => {
    const { queue, jobs, stored, database } = working();
    for (const id of ['one', 'other']) stored(id, { begun: 1 });
    const { begun, processor, end } = held();
    await queue.start(processor);
    await until(() => begun.length > 0);
    const stopping = jobs.stop(5_000);
    end();
    await stopping;
    await turns();
    expect(database.prepare('SELECT id, begun FROM jobs').all()).toEqual([{ id: 'other', begun: 1 }]);
  });

  test('counts no death of a job that is stored in the same moment, and begins it no more', async () => {
    const { queue, jobs, processor, taken, database } = working();
    await queue.start(processor);
    const adding = queue.add(aLookup('one'));
    await Promise.all([adding, jobs.stop(5_000)]);
    expect([taken, database.prepare('SELECT id, begun FROM jobs').all()]).toEqual([
      [],
      [{ id: 'one', begun: 0 }],
    ]);
  });

  test('waits for no step longer than it is told to', async () => {
    vi.useRealTimers();
    const { queue, jobs, stored, database } = working();
    stored('cut-off', { begun: 2 });
    const { begun, processor, end } = held();
    await queue.start(processor);
    await queue.add(aLookup('one'));
    await until(() => begun.length === 2);
    await jobs.stop(1);
    // A stop is no death, and takes back none of those before it.
    expect(database.prepare('SELECT id, begun FROM jobs ORDER BY id').all()).toEqual([
      { id: 'cut-off', begun: 2 },
      { id: 'one', begun: 0 },
    ]);
    end();
  });
});

test('A stop does not wait for a step that a full disk keeps from being put off', async () => {
  vi.useRealTimers();
  const { queue, jobs, database, failures } = working();
  await queue.start(async () => {
    database.exec('PRAGMA query_only = true');
    throw new Error('no');
  });
  await queue.add(aLookup('one'));
  // The step, and then the delay.
  await until(() => failures.length === 2);
  await jobs.stop(60_000);
  database.exec('PRAGMA query_only = false');
  expect(await queue.countOpen()).toBe(1);
});

describe('While nothing can be written', () => {
  test('a job is not accepted, and takes no step', async () => {
    const { queue, database, processor, taken } = working();
    await queue.start(processor);
    database.exec('PRAGMA query_only = true');
    await expect(queue.add(aLookup('one'))).rejects.toThrow(StorageFailed);
    await later(60_000);
    expect(taken).toEqual([]);
    database.exec('PRAGMA query_only = false');
    await queue.add(aLookup('one'));
    expect(taken).toHaveLength(1);
  });

  test('a step that is due begins all the same, although that can’t be noted', async () => {
    const { queue, database, stored, processor, ids, failures } = working();
    stored('one', { due: START + 100 });
    await queue.start(processor);
    await later(0);
    database.exec('PRAGMA query_only = true');
    await later(100);
    expect([ids(), failures[0]]).toEqual([['one'], [expect.any(Error), 'one']]);
    database.exec('PRAGMA query_only = false');
  });

  test('a step that ended waits in memory, and goes on from what it had come to as soon as something can, however often it failed', async () => {
    vi.useRealTimers();
    const { queue, database, failures, stored } = working();
    stored('one', { due: 0, failures: 9 });
    const seen: unknown[] = [];
    await queue.start(async (job, save) => {
      seen.push(job.shown ?? 'nothing', database.prepare('SELECT failures FROM jobs').get()?.failures);
      if (seen.length > 2) return DONE;
      database.exec('PRAGMA query_only = true');
      await save({ ...job, shown: 'posted' });
      return DONE;
    });
    // The save, and then the delay.
    await until(() => failures.length === 2);
    expect(failures.map(([, id]) => id)).toEqual(['one', 'one']);
    database.exec('PRAGMA query_only = false');
    await expect.poll(() => seen, { timeout: 5_000 }).toEqual(['nothing', 9, 'posted', 10]);
    await until(async () => (await queue.countOpen()) === 0);
  });
});

test('While nothing can be read, the jobs that are due are asked for again after a second, and the log line names none', async () => {
  const { queue, statements, processor, ids, failures } = working();
  await queue.add(aLookup('one'));
  await queue.start(processor);
  vi.spyOn(statements, 'iterate').mockImplementationOnce(() => {
    throw new Error('the disk fails');
  });
  await later(0);
  await later(999);
  expect([ids(), failures]).toEqual([[], [[expect.any(Error), undefined]]]);
  await later(1);
  expect(ids()).toEqual(['one']);
});
