import { describe, expect, test } from 'vitest';
import { StorageFailed } from '../../../src/core/faults.ts';
import type { DiagnosticSet } from '../../../src/core/snapshot-id.ts';
import { DeviceHistory } from '../../../src/lookups/device-history.ts';
import { changesSince, HitSummaries } from '../../../src/lookups/hit-summaries.ts';
import { aDiagnostic, aResult } from '../../support/a-diagnostic.ts';
import { MemoryStore } from '../../support/memory-store.ts';
import { snapshotId } from '../../support/snapshot-id.ts';

const START = 1_000_000;
const HISTORY_MS = 60_000;
const HIT = aDiagnostic({ name: 'D1' });
const FINE = aDiagnostic({ name: 'D2', match: 'miss' });

function question(id: string, set: DiagnosticSet = 'all') {
  return { snapshotId: snapshotId(id), set };
}

function remembering() {
  const clock = { now: START };
  const store = new MemoryStore(() => clock.now);
  const errors: unknown[] = [];
  const hitSummaries = new HitSummaries(store.namespace('hit-summaries'), HISTORY_MS);
  const of = (workspace: () => Promise<string>) =>
    new DeviceHistory({
      namespace: store.namespace('device-reads'),
      hitSummaries,
      mutex: store.mutex,
      historyMs: HISTORY_MS,
      workspace,
      onError: (error) => void errors.push(error),
    });
  return { clock, store, errors, hitSummaries, of, history: of(async () => 'T1') };
}

const result = (...diagnostics: Parameters<typeof aResult>[0][number][]) => aResult(diagnostics);
const readAt = (at: number, ...diagnostics: Parameters<typeof aResult>[0][number][]) => ({
  result: result(...diagnostics),
  readAt: at,
});

describe('What was read of a device before', () => {
  test('is the latest of another snapshot, from before this one, with what has changed', async () => {
    const { history, hitSummaries } = remembering();
    await hitSummaries.keep(question('20'), result(HIT, FINE), 20);
    for (const at of [10, 30, 20, 15]) await history.keep(question(String(at)), readAt(at, HIT));
    const last = await history.lastBefore(question('25'), readAt(25, aDiagnostic({ name: 'D3' })));
    expect(last).toMatchObject({ question: question('20'), at: 20 });
    expect(last?.found?.new).toEqual([{ hit: expect.objectContaining({ name: 'D3' }) }]);
    expect(last?.found?.cleared).toEqual([{ hit: { name: 'D1', importance: 'HIGH' } }]);
    expect(last?.found?.unchanged).toEqual([]);
    expect(await history.lastBefore(question('20'), readAt(25))).toMatchObject({ at: 15 });
    expect(await history.lastBefore(question('99'), readAt(10))).toBeUndefined();
  });

  test('is not compared if it listed only passed checks, of which none is a hit', async () => {
    const { history, hitSummaries } = remembering();
    await hitSummaries.keep(question('1', 'miss'), result(FINE), 10);
    const last = { question: question('1', 'miss'), at: 10 };
    expect((await history.changesSince(last, question('2'), readAt(20, HIT)))?.found).toBeUndefined();
  });

  test('is named also where what it held is not known any more', async () => {
    const { history } = remembering();
    await history.keep(question('1'), readAt(10, HIT));
    expect(await history.lastBefore(question('2'), readAt(20))).toMatchObject({
      question: question('1'),
      at: 10,
      found: undefined,
    });
  });

  test.each([
    ['1011', '1010'],
    ['1000', '999'],
    ['10000000000000000011', '10000000000000000010'],
  ])('is the later one where its id is larger: %s is newer than %s', async (newer, older) => {
    const { history, hitSummaries } = remembering();
    await hitSummaries.keep(question(newer), result(HIT), 10);
    await history.keep(question(newer), readAt(10, HIT));
    const last = await history.lastBefore(question(older), readAt(20, HIT, aDiagnostic({ name: 'D3' })));
    expect(last).toMatchObject({ isNewer: true, isOtherHost: false });
    expect(last?.found?.cleared).toEqual([{ hit: expect.objectContaining({ name: 'D3' }) }]);
    expect(last?.found?.new).toEqual([]);
  });

  test('is of the same host, before any other of the chassis, with which it is not compared', async () => {
    const { history, hitSummaries } = remembering();
    const onHost = (hostname: string, at: number) => {
      const read = readAt(at, HIT);
      return { ...read, result: { ...read.result, device: { ...read.result.device, hostname } } };
    };
    for (const [id, host] of [
      ['1', 'edge-7.example.com'],
      ['2', 'edge-8.example.com'],
    ] as const) {
      await hitSummaries.keep(question(id), result(HIT), Number(id));
      await history.keep(question(id), onHost(host, Number(id)));
    }
    const last = (host: string) => history.lastBefore(question('3'), onHost(host, 3));
    expect(await last('EDGE-7')).toMatchObject({ at: 1, isOtherHost: false });
    expect(await last('edge-9')).toMatchObject({
      ...{ at: 2, host: 'edge-8.example.com', isOtherHost: true, found: undefined },
    });
    expect(await last('localhost.localdomain')).toMatchObject({ at: 2, isOtherHost: false });
  });

  test('is of this workspace, and of a device with a serial number', async () => {
    const { history, of, store } = remembering();
    const count = async () => (await Array.fromAsync(store.namespace('device-reads').entries())).length;
    await history.keep(question('1'), readAt(10));
    expect(await of(async () => 'T2').lastBefore(question('2'), readAt(20))).toBeUndefined();
    const nameless = { ...result(), device: { hostname: 'a', platform: '', chassisSerial: 'None' } };
    await history.keep(question('3'), { result: nameless, readAt: 15 });
    expect([await store.namespace('device-reads').get('T1:undefined'), await count()]).toEqual([
      undefined,
      1,
    ]);
    expect(await history.lastBefore(question('4'), { result: nameless, readAt: 20 })).toBeUndefined();
  });

  test('is neither stored nor looked up for passed checks', async () => {
    const { history } = remembering();
    await history.keep(question('1', 'miss'), readAt(10));
    expect(await history.lastBefore(question('2'), readAt(20))).toBeUndefined();
    await history.keep(question('1'), readAt(10));
    expect(await history.lastBefore(question('2', 'miss'), readAt(20))).toBeUndefined();
  });

  test('is one read of each snapshot, of thirty snapshots, for as long as history is kept', async () => {
    const { history, store, clock } = remembering();
    for (let index = 1; index <= 31; index += 1) {
      await history.keep(question(String(index)), readAt(index));
    }
    await history.keep(question('31'), readAt(50));
    const kept = await store.namespace<{ at: number }[]>('device-reads').get('T1:chs600777s');
    expect(kept?.map(({ at }) => at)).toEqual([50, ...Array.from({ length: 29 }, (_, at) => 30 - at)]);
    clock.now += HISTORY_MS;
    expect(await history.lastBefore(question('99'), readAt(90))).toBeUndefined();
  });

  test('is kept whole when several are read at once', async () => {
    const { history, store } = remembering();
    await Promise.all(['1', '2', '3'].map((id) => history.keep(question(id), readAt(Number(id)))));
    expect(await store.namespace<object[]>('device-reads').get('T1:chs600777s')).toHaveLength(3);
  });

  test('delays no answer when it can’t be read or stored; a comparison with it fails with the reason', async () => {
    const { of, errors, history } = remembering();
    const failing = of(() => Promise.reject(new StorageFailed()));
    await failing.keep(question('1'), readAt(10));
    expect(await failing.lastBefore(question('2'), readAt(20))).toBeUndefined();
    expect(await history.lastBefore(question('1'), readAt(20))).toBeUndefined();
    expect(errors).toEqual([expect.any(StorageFailed), expect.any(StorageFailed)]);
    await expect(failing.find(question('2'), readAt(20))).rejects.toThrow(StorageFailed);
  });
});

describe('What a message was made of', () => {
  test('is the names and importances of its side, by question and time, for as long as it is kept', async () => {
    const { hitSummaries, clock } = remembering();
    const analysis = result(HIT, FINE);
    await hitSummaries.keep(question('1'), analysis, 5);
    expect(await hitSummaries.find(question('1'), 5)).toEqual([{ name: 'D1', importance: 'HIGH' }]);
    expect(await hitSummaries.find(question('1'), 6)).toBeUndefined();
    expect(await hitSummaries.find(question('1', 'hit'), 5)).toBeUndefined();
    clock.now += HISTORY_MS;
    expect(await hitSummaries.find(question('1'), 5)).toBeUndefined();
  });

  test('is of its side, and compared with the same side', async () => {
    const { hitSummaries } = remembering();
    const analysis = result(HIT, FINE);
    await hitSummaries.keep(question('1', 'miss'), analysis, 5);
    const known = await hitSummaries.find(question('1', 'miss'), 5);
    expect(known).toEqual([{ name: 'D2', importance: 'HIGH' }]);
    expect(changesSince(known, question('1', 'miss'), analysis)?.unchanged).toHaveLength(1);
    expect(changesSince(known, question('1', 'hit'), analysis)?.new).toEqual([{ hit: HIT }]);
    expect(changesSince(undefined, question('1'), analysis)).toBeUndefined();
  });

  test('is not known of a list that is not whole', async () => {
    const { hitSummaries } = remembering();
    const part = { ...result(HIT), stated: { hits: 2 } };
    await hitSummaries.keep(question('1'), part, 5);
    expect(await hitSummaries.find(question('1'), 5)).toBeUndefined();
    expect(changesSince([], question('1'), part)).toBeUndefined();
  });
});
