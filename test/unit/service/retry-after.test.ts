import { describe, expect } from 'vitest';
import { RateLimited, ServiceFailed } from '../../../src/core/faults.ts';
import type { Question } from '../../../src/core/lookup.ts';
import { test as sequential } from '../../support/service-world.ts';
import { snapshotId } from '../../support/snapshot-id.ts';

const test = sequential.concurrent;
const ONE: Question = { snapshotId: snapshotId('1012'), set: 'all' };
const OTHER: Question = { snapshotId: snapshotId('1002'), set: 'hit' };

function naming(value: string, status = 429) {
  return { status, headers: { 'retry-after': value } };
}

/** How long after the first answer each later request came. Milliseconds. */
function pauses(records: readonly { arrivedAt: number; answeredAt?: number }[]): number[] {
  return records.slice(1).map(({ arrivedAt }) => arrivedAt - (records[0]?.answeredAt ?? 0));
}

describe('A time that the service names', () => {
  test.for([429, 503, 500])(
    'with a %i is kept for every question and every replica',
    async (status, { open }) => {
      const world = await open();
      world.service.nextAnswers([naming('1', status)]);
      // One that doesn't wait itself ends as soon as the time is stored.
      const heard = world.another({ retry: { maxRetryAfterMs: 0 } }).client.diagnostics(ONE);
      await expect(heard).rejects.toMatchObject({ retryAt: expect.any(Number) });
      const asked = [ONE, OTHER].flatMap((question) =>
        [world, world.another()].map(({ client }) => client.diagnostics(question)),
      );
      for (const answer of await Promise.all(asked)) expect(answer.kind).toBe('ready');
      expect(world.service.records.requests).toHaveLength(5);
      for (const pause of pauses(world.service.records.requests)) expect(pause).toBeGreaterThanOrEqual(999);
    },
  );

  test.for([
    [429, RateLimited],
    [503, ServiceFailed],
  ] as const)(
    'with a %i that is far away is told at once, and others are not sent',
    async ([status, kind], { open }) => {
      const { service, client, another } = await open();
      service.nextAnswers([naming('900', status)]);
      const before = Date.now();
      const fault = await client.diagnostics(ONE).catch((error: unknown) => error);
      expect(fault).toBeInstanceOf(kind);
      const { retryAt } = fault as RateLimited;
      expect(retryAt).toBeGreaterThanOrEqual(before + 900_000);
      expect(retryAt).toBeLessThan(before + 910_000);
      await expect(another().client.diagnostics(OTHER)).rejects.toThrow(RateLimited);
      expect(service.records.requests).toHaveLength(1);
      expect(service.records.logins).toHaveLength(1);
    },
  );

  test('stops those who have waited for their turn since before', async ({ open }) => {
    const { service, client } = await open({ concurrency: 1, retry: { maxRetryAfterMs: 0 } });
    service.nextAnswers([naming('1')], '1012');
    const asked = [ONE, OTHER, OTHER].map((question) => client.diagnostics(question));
    for (const outcome of await Promise.allSettled(asked)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(RateLimited) });
    }
    expect(service.records.requests).toHaveLength(1);
  });
});

describe('A 202', () => {
  const cases: [value: string | undefined, ms: number | undefined][] = [
    ['30', 30_000],
    [undefined, undefined],
    ['soon', undefined],
    ['900000000', undefined],
    ['3600', 600_000],
    ['0', 0],
  ];

  test.for(cases)('that says Retry-After: %s is heard', async ([value, ms], { open }) => {
    const now = Date.now();
    const { service, client } = await open({ now: () => now });
    const headers = value === undefined ? {} : { 'retry-after': value };
    service.nextAnswers([{ status: 202, headers, body: 'Unpacking.' }]);
    expect(await client.diagnostics(ONE)).toEqual({
      kind: 'processing',
      reason: 'Unpacking.',
      ...(ms === undefined ? {} : { pauseMs: ms }),
    });
  });
});

describe('A time that the login servers name', () => {
  test.for([429, 503])(
    'with a %i is kept, and stops requests with a session neither before nor after',
    async (status, { open }) => {
      const { service, client, state } = await open();
      service.nextLoginAnswers([naming('1', status)]);
      expect((await client.diagnostics(ONE)).kind).toBe('ready');
      const { logins, requests } = service.records;
      expect(logins).toHaveLength(2);
      expect(pauses(logins)[0]).toBeGreaterThanOrEqual(999);
      expect(requests).toHaveLength(1);
      expect(Object.keys((await state.read()).spans)).toEqual(['login servers']);
    },
  );
});
