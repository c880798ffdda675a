import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { Stopping } from '../../../src/core/errors.ts';
import { SealBroken } from '../../../src/storage/backend/sealer.ts';
import { reportQueue, reportUnreadable, unopenedIn } from '../../../src/storage/backend/storage.ts';

function logging() {
  const lines: Record<string, unknown>[] = [];
  const counts = { retries: 0, unreadable: 0 };
  const context = {
    logger: pino({}, { write: (line) => void lines.push(JSON.parse(line)) }),
    now: Date.now,
    onRetry: () => {
      counts.retries += 1;
    },
    onUnreadable: () => {
      counts.unreadable += 1;
    },
  };
  return { context, lines, counts };
}

test('A value that can’t be opened is counted each time, and said once for each kind', () => {
  const { context, lines, counts } = logging();
  const report = reportUnreadable(context);
  for (const kind of ['recents', 'recents', 'session']) report(kind, new Error('no key'));
  expect(counts.unreadable).toBe(3);
  expect(lines.map(({ level, namespace }) => [level, namespace])).toEqual([
    [50, 'recents'],
    [50, 'session'],
  ]);
  expect(lines[0]).toMatchObject({ err: { message: 'no key' }, msg: expect.stringContaining('STATE_KEY') });
});

test('What no key opens is counted again after a failure, and as long as there is some, and is said once', async () => {
  const { context, lines } = logging();
  const counts = ['away', 2, 'away', 1, 0, 5];
  const count = async () => {
    const next = counts.shift();
    if (typeof next !== 'number') throw new Error(next);
    return next;
  };
  const unopened = unopenedIn(count, context.logger);
  const seen: number[] = [];
  for (let times = 0; times < 6; times += 1) {
    await turn();
    seen.push(unopened());
  }
  expect([seen, counts]).toEqual([[0, 2, 2, 1, 0, 0], [5]]);
  expect(lines).toMatchObject([
    { level: 50, setting: 'STATE_KEY', msg: expect.stringContaining('opens: 2;') },
  ]);
});

test('A step that is retried is counted and logged with its lookup; other errors of the queue are only logged, and a stop is none', () => {
  const { context, lines, counts } = logging();
  const report = reportQueue(context);
  report(new Error('one'), 'a-lookup');
  report(new Error('two'), undefined);
  report(new Stopping(), 'a-lookup');
  expect(counts.retries).toBe(1);
  expect(lines).toMatchObject([
    { level: 40, part: 'queue', lookup: 'a-lookup', err: { message: 'one' }, msg: 'retrying lookup' },
    { level: 40, part: 'queue', err: { message: 'two' }, msg: 'the queue reports an error' },
  ]);
  expect(lines[1]).not.toHaveProperty('lookup');
});

test('An open job that can’t be opened is no retry: it is counted as unreadable, and logged with its id', () => {
  const { context, lines, counts } = logging();
  reportQueue(context)(new SealBroken('no key'), 'a-lookup');
  expect(counts).toEqual({ retries: 0, unreadable: 1 });
  expect(lines).toMatchObject([{ level: 50, part: 'queue', lookup: 'a-lookup', err: { message: 'no key' } }]);
});

test('Without a counter the line is logged all the same', () => {
  const { context, lines } = logging();
  const { logger, now } = context;
  reportQueue({ logger, now })(new Error('one'), 'a-lookup');
  reportUnreadable({ logger, now })('recents', new Error('two'));
  expect(lines).toHaveLength(2);
});
