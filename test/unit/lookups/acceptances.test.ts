import { describe, expect, test, vi } from 'vitest';
import { type Acceptance, LONGEST_ACCEPTANCE_MS } from '../../../src/core/comparing.ts';
import type { Diagnostic } from '../../../src/core/diagnostics.ts';
import { StorageFailed } from '../../../src/core/faults.ts';
import type { Answers } from '../../../src/lookups/lookup-status.ts';
import { aDiagnostic, aResult } from '../../support/a-diagnostic.ts';
import { featureParts } from '../../support/feature-parts.ts';
import { snapshotId as idOf } from '../../support/snapshot-id.ts';

test('A device has room for 200 accepted hits, and again once one is taken back or accepted anew, or is over', async () => {
  const parts = featureParts();
  const { acceptances } = parts;
  const hits = Array.from({ length: 203 }, (_, at) => aDiagnostic({ name: `D${1000 + at}` }));
  const [first, second, last, after, end] = [hits[0], hits[1], hits[200], hits[201], hits[202]];
  const read = { result: aResult(hits), readAt: 0 };
  const accept = (hit = aDiagnostic(), until = 90) =>
    acceptances.put(read, hit, {
      ...{ name: hit.name, importance: hit.importance, user: 'U0ANA', userName: 'ana', reason: 'booked' },
      ...{ snapshotId: idOf('2001'), host: '', at: 0, until },
    });
  for (const hit of hits.slice(0, 200)) expect(await accept(hit, hit === second ? 30 : 90)).toBe(true);
  expect(await accept(last)).toBe(false);
  expect(await accept(first)).toBe(true);
  await acceptances.put(read, first ?? aDiagnostic());
  expect([await accept(last), await accept(after)]).toEqual([true, false]);
  parts.clock.now = 30;
  expect([await accept(after), await accept(end)]).toEqual([true, false]);
  const question = { snapshotId: idOf('2001'), set: 'all' as const };
  expect((await acceptances.of(question, read)).inForce).toHaveLength(200);
});

test('What is accepted anew stands in place of what was over, however the hit is rated then', async () => {
  const { acceptances } = featureParts();
  const question = { snapshotId: idOf('2001'), set: 'all' as const };
  const [low, high] = ['LOW', 'HIGH'].map((importance) => aDiagnostic({ name: 'D1', importance }));
  const readAt = (at: number, hit = high) => ({ result: aResult(hit ? [hit] : []), readAt: at });
  const accept = (at: number, hit = aDiagnostic()) =>
    acceptances.put(readAt(at, hit), hit, {
      ...{ name: hit.name, importance: hit.importance, user: 'U0ANA', userName: 'ana', reason: 'booked' },
      ...{ snapshotId: idOf('2001'), host: '', at, until: 90 },
    });
  await accept(1, low);
  expect(await acceptances.of(question, readAt(2))).toMatchObject({ inForce: [], over: [{ at: 1 }] });
  await accept(3, high);
  expect(await acceptances.of(question, readAt(4))).toMatchObject({ inForce: [{ at: 3 }], over: [] });
});

test('What is accepted is said also where nobody can note that some of it has ended, and nothing where it can’t be read', async () => {
  const { acceptances, store, log } = featureParts();
  const question = { snapshotId: idOf('2001'), set: 'all' as const };
  const [ended, kept] = ['D1', 'D2'].map((name) => aDiagnostic({ name, importance: 'LOW' }));
  const accept = (hit = aDiagnostic()) =>
    acceptances.put({ result: aResult([hit]), readAt: 0 }, hit, {
      ...{ name: hit.name, importance: hit.importance, user: 'U0ANA', userName: 'ana', reason: 'booked' },
      ...{ snapshotId: idOf('2001'), host: '', at: 1, until: 90 },
    });
  await accept(ended);
  await accept(kept);
  const result = aResult([aDiagnostic({ name: 'D1', importance: 'HIGH' }), kept ?? aDiagnostic()]);
  const counted = async () => acceptances.of(question, { result, readAt: 2 });
  const values = store.namespace<readonly Acceptance[]>('accepted');
  const failed = new StorageFailed({ cause: new Error('no replica has it') });
  vi.spyOn(values, 'change').mockRejectedValueOnce(failed);
  expect(await counted()).toMatchObject({ inForce: [{ name: 'D2' }], over: [{ name: 'D1' }] });
  expect(log).toHaveLength(1);
  vi.spyOn(values, 'get').mockRejectedValueOnce(failed);
  expect(await counted()).toEqual({ inForce: [], over: [] });
  expect(log).toHaveLength(2);
  // The next answer tries again.
  await counted();
  const isOver = (await Array.fromAsync(values.entries())).flatMap(([, list]) =>
    list.map((each) => each.isOver),
  );
  expect(isOver).toEqual([true, undefined]);
});

describe('An acceptance', () => {
  const QUESTION = { snapshotId: idOf('2001'), set: 'all' as const };
  const [LOW, HIGH] = ['LOW', 'HIGH'].map((importance) => aDiagnostic({ name: 'D1', importance })) as [
    Diagnostic,
    Diagnostic,
  ];
  const readOn = (hostname: string, readAt: number, ...hits: readonly Diagnostic[]) => {
    const result = aResult(hits);
    return { result: { ...result, device: { ...result.device, hostname } }, readAt };
  };
  function accepting() {
    const parts = featureParts();
    const accept = (hit: Diagnostic, { host = '', at = 1, until = 90 } = {}) =>
      parts.acceptances.put(readOn(host, at, hit), hit, {
        ...{ name: hit.name, importance: hit.importance, user: 'U0ANA', userName: 'ana', reason: 'booked' },
        ...{ snapshotId: idOf('2001'), host, at, until },
      });
    const count = async (...read: Parameters<typeof readOn>) => {
      const { inForce, over } = await parts.acceptances.of(QUESTION, readOn(...read));
      return [inForce.length, over.length];
    };
    return { ...parts, accept, count };
  }

  test('counts until its end, and is kept until the last of its device ends, for ninety days at most', async () => {
    const { accept, count, clock, store } = accepting();
    const values = store.namespace<readonly Acceptance[]>('accepted');
    const kept = () => Array.fromAsync(values.entries());
    await accept(LOW, { until: 30 });
    await accept(aDiagnostic({ name: 'D2' }), { until: 90 });
    clock.now = 29;
    expect(await count('', 2, LOW)).toEqual([2, 0]);
    clock.now = 30;
    expect(await count('', 2, LOW)).toEqual([1, 0]);
    clock.now = 89;
    expect(await kept()).toHaveLength(1);
    clock.now = 90;
    expect(await kept()).toEqual([]);
    // By a clock that has gone back since.
    await accept(LOW, { until: 2 * LONGEST_ACCEPTANCE_MS });
    clock.now = 90 + LONGEST_ACCEPTANCE_MS;
    expect(await kept()).toEqual([]);
  });

  test('of one host leaves those of the others of its chassis', async () => {
    const { accept, count } = accepting();
    for (const host of ['edge-7', 'edge-8']) await accept(LOW, { host });
    expect([await count('edge-7', 2, LOW), await count('edge-8', 2, LOW)]).toEqual([
      [1, 0],
      [1, 0],
    ]);
  });

  test.each([
    ['that was read later, and rates it differently', 2, [HIGH], [0, 1]],
    ['that was read before it', 1, [HIGH], [1, 0]],
    ['where its check passes', 2, [{ ...HIGH, match: 'miss' as const }], [1, 0]],
    ['where one of two hits of that name is rated so', 2, [HIGH, LOW], [1, 0]],
  ])('ends by a result of another rating alone: by one %s', async (_which, readAt, hits, counts) => {
    const { accept, count } = accepting();
    await accept(LOW);
    expect(await count('', readAt, ...hits)).toEqual(counts);
  });

  test('is added to what is shown of hits, and not to passed checks', async () => {
    const { accept, acceptances } = accepting();
    await accept(LOW);
    const shown = async (set: 'all' | 'hit' | 'miss', side?: 'hit' | 'miss') => {
      const asked = { question: { ...QUESTION, set }, ...(side && { side }) };
      const answers: Answers = readOn('', 2, LOW);
      return (await acceptances.complete(asked, answers)).accepted?.length;
    };
    expect([await shown('all'), await shown('hit'), await shown('all', 'hit')]).toEqual([1, 1, 1]);
    expect([await shown('miss'), await shown('all', 'miss')]).toEqual([undefined, undefined]);
  });
});
