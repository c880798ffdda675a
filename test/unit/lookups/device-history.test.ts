import { describe, expect, test } from 'vitest';
import type { DiagnosticSet, DiagnosticsResult, StatedCounts } from '../../../src/core/diagnostics.ts';
import { StorageFailed } from '../../../src/core/faults.ts';
import { DeviceHistory, type KeptRead } from '../../../src/lookups/device-history.ts';
import type { LastRead } from '../../../src/lookups/lookup-status.ts';
import { aDiagnostic, aResult } from '../../support/a-diagnostic.ts';
import { aStore } from '../../support/embedded.ts';
import { snapshotId } from '../../support/snapshot-id.ts';

const HISTORY_MS = 60_000;
const KEY = 'T1:chs600777s';

function question(id: string, set: DiagnosticSet = 'all') {
  return { snapshotId: snapshotId(id), set };
}

/** An analysis that lists these as hits, and those that begin with P as passed. */
function listing(names: readonly string[], stated: StatedCounts = {}): DiagnosticsResult {
  const diagnostics = names.map((name) =>
    aDiagnostic({ name, match: name.startsWith('P') ? 'miss' : 'hit' }),
  );
  return { ...aResult(diagnostics), stated };
}

const readAt = (at: number, ...names: string[]) => ({ result: listing(names), readAt: at });

function onHost(hostname: string, at: number, ...names: string[]) {
  const result = listing(names);
  return { result: { ...result, device: { ...result.device, hostname } }, readAt: at };
}

/** `new: D2; cleared: D1`; undefined if nobody knows. */
function told(found: LastRead['found']): string | undefined {
  const names = (side: 'new' | 'cleared') => found?.[side].map(({ hit }) => hit.name).join(' ');
  return found && `new: ${names('new')}; cleared: ${names('cleared')}`;
}

function remembering() {
  const clock = { now: 1_000_000 };
  const store = aStore(() => clock.now);
  const namespace = store.namespace<readonly KeptRead[]>('device-reads');
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const of = (workspace: () => Promise<string>) =>
    new DeviceHistory({ namespace, historyMs: HISTORY_MS, workspace, onError });
  const history = of(async () => 'T1');
  const kept = async () => (await namespace.get(KEY)) ?? [];
  const keys = async () => (await Array.fromAsync(namespace.entries())).map(([key]) => key);
  return { clock, errors, of, history, kept, keys };
}

describe('What was read of a device before', () => {
  test('is the latest of another snapshot, from before this one, with what has changed', async () => {
    const { history } = remembering();
    for (const at of [10, 30, 20, 15]) await history.record(question(String(at)), readAt(at, 'D1', 'P2'));
    const last = await history.record(question('25'), readAt(25, 'D3'));
    expect(last).toMatchObject({ question: question('20'), at: 20, isNewer: false });
    expect(told(last?.found)).toBe('new: D3; cleared: D1');
    expect(await history.find(question('20'), readAt(25))).toMatchObject({ at: 15 });
    expect(await history.find(question('99'), readAt(10))).toBeUndefined();
  });

  test.each([
    ['1011', '1010'],
    ['1000', '999'],
    ['10000000000000000011', '10000000000000000010'],
  ])('is the later one where its id is larger: %s is newer than %s', async (newer, older) => {
    const { history } = remembering();
    await history.record(question(newer), readAt(10, 'D1'));
    const last = await history.find(question(older), readAt(20, 'D1', 'D3'));
    expect(last).toMatchObject({ isNewer: true, isOtherHost: false });
    expect(told(last?.found)).toBe('new: ; cleared: D3');
  });

  test('is of the same host, before any other of the chassis, with which it is not compared', async () => {
    const { history } = remembering();
    await history.record(question('1'), onHost('edge-7.example.com', 1, 'D1'));
    await history.record(question('2'), onHost('edge-8.example.com', 2, 'D1'));
    const last = (host: string) => history.find(question('3'), onHost(host, 3, 'D1'));
    expect(await last('EDGE-7')).toMatchObject({ at: 1, isOtherHost: false });
    expect(await last('edge-9')).toMatchObject({
      ...{ at: 2, host: 'edge-8.example.com', isOtherHost: true, found: undefined },
    });
    // Which of the two a snapshot without a name is of is not known.
    expect(await last('localhost.localdomain')).toBeUndefined();
    await history.record(question('4'), onHost('', 4, 'D1', 'D2'));
    const again = { ...onHost('edge-7', 5, 'D1') };
    expect(await history.find(question('5'), again)).toMatchObject({ at: 1, isOtherHost: false });
  });

  test('is of the only host that is known where a snapshot has no name', async () => {
    const { history } = remembering();
    await history.record(question('1'), onHost('edge-7.example.com', 1, 'D1'));
    await history.record(question('2'), onHost('', 2, 'D1'));
    expect(await history.find(question('3'), onHost('edge-7', 3, 'D1'))).toMatchObject({ at: 2 });
    expect(await history.find(question('3'), onHost('', 3, 'D1'))).toMatchObject({ at: 2 });
  });

  test('is of this workspace, of a device with a serial number, and not of passed checks', async () => {
    const { history, of } = remembering();
    const nameless = (at: number) => {
      const read = readAt(at, 'D1');
      return {
        ...read,
        result: { ...read.result, device: { hostname: '', platform: '', chassisSerial: '' } },
      };
    };
    await history.record(question('1'), readAt(10));
    await history.record(question('1', 'miss'), readAt(10));
    expect(await of(async () => 'T2').find(question('2'), readAt(20))).toBeUndefined();
    expect(await history.record(question('2', 'miss'), readAt(20))).toBeUndefined();
    await history.record(question('3'), nameless(15));
    expect(await history.find(question('4'), nameless(20))).toBeUndefined();
  });

  test('is kept of thirty reads, for as long as history is kept', async () => {
    const { history, kept, clock } = remembering();
    for (let at = 1; at <= 31; at += 1) await history.record(question(String(at)), readAt(at));
    expect((await kept()).map(({ at }) => at)).toEqual(Array.from({ length: 30 }, (_, index) => 31 - index));
    clock.now += HISTORY_MS;
    expect(await history.find(question('99'), readAt(90))).toBeUndefined();
  });

  test('is kept whole when several are read at once', async () => {
    const { history, kept } = remembering();
    await Promise.all(['1', '2', '3'].map((id) => history.record(question(id), readAt(Number(id)))));
    expect(await kept()).toHaveLength(3);
  });

  test('is one read as long as a snapshot holds the same hits, and is not written again for a click', async () => {
    const { history, kept } = remembering();
    for (const at of [10, 20, 20, 15, 5]) await history.record(question('1'), readAt(at, 'D1'));
    const earlier = { firstAt: 5, at: 5 };
    expect(await kept()).toMatchObject([{ firstAt: 10, at: 20 }, earlier]);
    await history.record(question('1'), readAt(30, 'D2'));
    expect(await kept()).toMatchObject([{ firstAt: 30, at: 30 }, { firstAt: 10, at: 20 }, earlier]);
  });

  test('is named without its hits where they are too many to keep all of them', async () => {
    const { history, kept } = remembering();
    for (const [index, length] of [1, 1_000, 2_000, 2_000].entries()) {
      const many = Array.from({ length }, (_, nth) => `D${nth}`);
      await history.record(question(String(index)), readAt(index, ...many));
    }
    expect((await kept()).map(({ hits }) => hits?.length)).toEqual([2_000, 2_000, 1_000, undefined]);
  });

  test('delays no answer when it can’t be read or stored; a comparison with it fails with the reason', async () => {
    const { of, errors } = remembering();
    const failing = of(() => Promise.reject(new StorageFailed()));
    expect(await failing.record(question('1'), readAt(10))).toBeUndefined();
    const made = { question: question('1'), at: 10 };
    expect(await failing.changesSince(made, question('2'), readAt(20))).toBeUndefined();
    expect(errors).toEqual([expect.any(StorageFailed), expect.any(StorageFailed)]);
    await expect(failing.find(question('2'), readAt(20))).rejects.toThrow(StorageFailed);
  });
});

test('A device has a name of its own in each workspace, and none where others can’t be told from it', async () => {
  const { history, of } = remembering();
  const { result } = readAt(1);
  const names = [await history.nameOf(result), await of(async () => 'T2').nameOf(result)];
  expect(new Set(names).size).toBe(2);
  for (const name of names) expect(name).toMatch(/^[\w-]{22}$/);
  const device = { ...result.device, chassisSerial: 'To be filled by O.E.M.' };
  expect(await history.nameOf({ ...result, device })).toBeUndefined();
});

describe('What changed since a result was read', () => {
  const [all, hits, misses] = [question('7'), question('7', 'hit'), question('7', 'miss')];

  test.each<[what: string, typeof all, DiagnosticsResult, DiagnosticsResult, string | undefined]>([
    ['two lists', all, listing(['D1', 'P1']), listing(['D2', 'P1']), 'new: D2; cleared: D1'],
    ['a list of passed checks only', all, listing(['D1']), listing(['P1']), 'new: ; cleared: D1'],
    ['an empty list of hits', hits, listing(['D1']), listing([]), 'new: ; cleared: D1'],
    ['an empty list that nobody counted', all, listing(['D1']), listing([]), undefined],
    ['an empty list after which hits are listed', all, listing([]), listing(['D1']), undefined],
    ['a list of some of the hits', hits, listing(['D1']), listing(['D2'], { hits: 37 }), undefined],
    ['a list after one of some of the hits', hits, listing(['D1'], { hits: 37 }), listing(['D2']), undefined],
    ['passed checks', misses, listing(['P1', 'D1']), listing(['P2']), 'new: P2; cleared: P1'],
    ['some of the passed checks', misses, listing(['P1']), listing(['P2'], { misses: 9 }), undefined],
  ])('is told of %s only where both documents show it', async (_what, asked, first, second, expected) => {
    const { history } = remembering();
    await history.record(asked, { result: first, readAt: 5 });
    const found = await history.changesSince({ question: asked, at: 5 }, asked, {
      result: second,
      readAt: 9,
    });
    expect(told(found)).toBe(expected);
  });

  test('counts, where there are several snapshots, from the latest read before their message was made', async () => {
    const { history } = remembering();
    const reads = [readAt(5, 'D1'), readAt(12, 'D1', 'D2'), readAt(20, 'D3')] as const;
    for (const read of reads) await history.record(all, read);
    const since = (at: number) => history.changesSince({ question: all, at }, all, reads[2], 'latest');
    expect([told(await since(4)), told(await since(10)), told(await since(15))]).toEqual([
      ...[undefined, 'new: D3; cleared: D1', 'new: D3; cleared: D1 D2'],
    ]);
  });

  test('is known of a device without a serial number, and of each time at which the hits were the same', async () => {
    const { history, keys } = remembering();
    const device = { hostname: '', platform: '', chassisSerial: '' };
    const read = (at: number, name: string) => ({ result: { ...listing([name]), device }, readAt: at });
    for (const at of [5, 7]) await history.record(all, read(at, 'D1'));
    await history.record(all, read(9, 'D2'));
    await history.record(misses, read(9, 'P2'));
    expect((await keys()).sort()).toEqual(['T1:snapshot:7', 'T1:snapshot:7:passed']);
    const since = async (at: number) =>
      told(await history.changesSince({ question: all, at }, all, read(9, 'D2')));
    expect([await since(4), await since(5), await since(7), await since(8), await since(9)]).toEqual([
      ...[undefined, 'new: D2; cleared: D1', 'new: D2; cleared: D1', undefined, 'new: ; cleared: '],
    ]);
    expect(
      await history.changesSince({ question: hits, at: 5 }, hits, { result: listing([]), readAt: 9 }),
    ).toBeUndefined();
  });
});
