import { expect, test, vi } from 'vitest';
import type { ListenerContext } from '../../../../src/slack/front/context.ts';
import { isFirstAsFarAsKnown, once } from '../../../../src/slack/front/turns.ts';
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
