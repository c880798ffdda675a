import { describe, expect, test, vi } from 'vitest';
import type { ListenerContext } from '../../../../src/slack/front/context.ts';
import { again, isFirstAsFarAsKnown, once, onFirstPress } from '../../../../src/slack/front/turns.ts';
import { aStore } from '../../../support/embedded.ts';

const DAY_MS = 24 * 3_600_000;

/** Deliveries at times that a test sets. */
function delivering() {
  const clock = { now: 0 };
  const context = { leases: aStore(() => clock.now).leases } as unknown as ListenerContext;
  return { clock, context };
}

const wasBegun = async ({ leases }: ListenerContext) => (await leases.ttl('delivery:work')) > 0;

test('A delivery is remembered for a day, longer than Slack goes on sending it', async () => {
  const { clock, context } = delivering();
  expect([await isFirstAsFarAsKnown(context, 'one'), await isFirstAsFarAsKnown(context, 'one')]).toEqual([
    true,
    false,
  ]);
  clock.now = DAY_MS - 1;
  expect([await isFirstAsFarAsKnown(context, 'one'), await isFirstAsFarAsKnown(context, 'other')]).toEqual([
    false,
    true,
  ]);
  clock.now = DAY_MS;
  expect(await isFirstAsFarAsKnown(context, 'one')).toBe(true);
});

test('Work that is done is not done again for a day', async () => {
  const { clock, context } = delivering();
  expect(await once(context, 'work', async () => 'done')).toBe('done');
  clock.now = DAY_MS - 1;
  expect(await wasBegun(context)).toBe(true);
  // What is left of that day is less than the work may take: only then may it be done anew.
  clock.now = DAY_MS - 6_000;
  expect(await once(context, 'work', async () => 'again')).toBeUndefined();
  clock.now = DAY_MS;
  expect([await wasBegun(context), await once(context, 'work', async () => 'again')]).toEqual([
    false,
    'again',
  ]);
});

test('Work that fails is done by the next delivery at once', async () => {
  const { context } = delivering();
  await expect(once(context, 'work', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await wasBegun(context)).toBe(false);
  expect(await once(context, 'work', async () => 'done')).toBe('done');
});

test('A delivery that comes while the first is at work waits for its end, and does the work where that fails', async () => {
  const { context } = delivering();
  const { promise, reject } = Promise.withResolvers<string>();
  const begun = Promise.withResolvers<void>();
  const first = once(context, 'work', () => {
    begun.resolve();
    return promise;
  });
  const second = once(context, 'work', async () => 'done');
  await begun.promise;
  reject(new Error('no'));
  await expect(first).rejects.toThrow('no');
  expect(await second).toBe('done');
});

test('Work that takes long, because Slack does, is not done by a second press meanwhile', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const { clock, context } = delivering();
  void once(context, 'work', () => new Promise(() => {}));
  for (let seconds = 0; seconds < 20; seconds += 1) {
    clock.now += 1_000;
    await vi.advanceTimersByTimeAsync(1_000);
  }
  vi.useRealTimers();
  expect(await wasBegun(context)).toBe(true);
});

test('Work that is done is not done again although the store was away just then', async () => {
  const { clock, context } = delivering();
  const hold = vi.spyOn(context.leases, 'hold').mockRejectedValueOnce(new Error('away'));
  expect(await once(context, 'work', async () => 'done')).toBe('done');
  await expect.poll(() => hold.mock.calls.length).toBe(2);
  clock.now = 60_000;
  expect(await once(context, 'work', async () => 'again')).toBeUndefined();
});

test('Work whose process died is done by Slack’s next delivery, which comes after a minute', async () => {
  const { clock, context } = delivering();
  void once(context, 'work', () => new Promise(() => {}));
  expect(await wasBegun(context)).toBe(true);
  clock.now = 60_000;
  expect(await once(context, 'work', async () => 'done')).toBe('done');
});

test('What followed on finished work came to nothing: it is done again at once', async () => {
  const { clock, context } = delivering();
  await once(context, 'work', async () => 'done');
  await again(context, 'work');
  clock.now = 1;
  expect(await once(context, 'work', async () => 'again')).toBe('again');
});

describe('A button that is pressed again', () => {
  const pressed = async (work: () => Promise<unknown>, afterMs: number, more = delivering()) => {
    const { clock, context } = more;
    const done: string[] = [];
    const press = (outcome: () => Promise<unknown>) =>
      onFirstPress(context, ['U1', 'x'], () => {
        done.push('done');
        return outcome();
      });
    await press(work).catch(() => {});
    clock.now = afterMs;
    await press(async () => true);
    return done.length;
  };

  test.each<[string, () => Promise<unknown>, number, number]>([
    ['does nothing for three seconds', async () => true, 2_999, 1],
    ['does it once more after that', async () => true, 3_000, 2],
    ['does it at once where it came to nothing', async () => false, 0, 2],
    ['does it at once where it failed', () => Promise.reject(new Error('no')), 0, 2],
  ])('%s', async (_what, work, afterMs, times) => {
    expect(await pressed(work, afterMs)).toBe(times);
  });

  test('does it while the store is away', async () => {
    const leases = { acquire: () => Promise.reject(new Error('away')) };
    const context = { leases } as unknown as ListenerContext;
    expect(await pressed(async () => true, 0, { clock: { now: 0 }, context })).toBe(2);
  });
});
