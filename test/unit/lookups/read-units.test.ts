import { describe, expect, test } from 'vitest';
import { Stopping } from '../../../src/core/errors.ts';
import { Forbidden, StorageFailed, TooLarge } from '../../../src/core/faults.ts';
import type { Question } from '../../../src/core/lookup.ts';
import { answersOf, madeOf, type Unit } from '../../../src/lookups/lookup-status.ts';
import { answersTo, unitOf } from '../../../src/lookups/read-units.ts';
import { aDiagnostic, aResult } from '../../support/a-diagnostic.ts';
import { snapshotId } from '../../support/snapshot-id.ts';

const [ONE, TWO] = ['7001', '7002'].map((id) => ({ snapshotId: snapshotId(id), set: 'all' as const })) as [
  Question,
  Question,
];
const SEVERAL = { question: ONE, others: [TWO] };
const READ = { kind: 'ready' as const, result: aResult([]), readAt: 5 };

describe('What is kept of a snapshot beside others', () => {
  const long = (length: number) => 'x'.repeat(length);
  const texts = { summary: long(401), action: long(2_001), output: [' \n', long(401), 'more'] };
  const hit = aDiagnostic({ ...texts, title: 'tmm leaks' });
  const outlined = { summary: `${long(400)}…`, action: `${long(2_000)}…`, output: [`${long(400)}…`] };
  const kept = async (...[diagnostic, whole]: [typeof hit, 'hit' | 'miss' | undefined]) => {
    const read = { result: aResult([diagnostic]), readAt: 5 };
    return (await unitOf(ONE, read, SEVERAL, whole)).result.diagnostics[0];
  };

  test('is the beginning of each long text, and of its output the first block that says something', async () => {
    expect(await kept(hit, undefined)).toEqual({ ...hit, ...outlined });
    const fits = { ...hit, summary: long(400), action: long(2_000), output: [long(400)] };
    expect(await kept(fits, undefined)).toEqual(fits);
    expect(await kept({ ...hit, output: [' '] }, undefined)).toMatchObject({ output: [] });
  });

  test('is also what a search finds there; alone a result stays as it was read', async () => {
    const named = { ...hit, cveIds: ['CVE-2026-10001'] };
    const read = { result: aResult([named]), readAt: 5 };
    const { result, found } = await unitOf(ONE, read, { ...SEVERAL, search: ['CVE-2026-10001'] });
    const [shown] = result.diagnostics;
    expect(shown).toEqual({ ...named, ...outlined });
    expect([[...(found?.matches ?? [])], found?.verdicts[0]?.saidBy]).toEqual([[shown], [shown]]);
    expect((await unitOf(ONE, read, { question: ONE })).result).toBe(read.result);
  });
});

describe('The answers to a click on several snapshots', () => {
  const answers = (one: unknown, two: unknown) =>
    answersTo(SEVERAL, async ({ snapshotId: id }) => {
      const answer = id === ONE.snapshotId ? one : two;
      if (answer instanceof Error) throw answer;
      return answer as typeof READ | undefined;
    });
  const line = async (two: unknown) => (await answers(READ, two))?.units?.[1];

  test('say of each without a result why it has none', async () => {
    const open = { question: TWO, kind: 'open', isProcessing: true };
    expect(await line({ kind: 'processing', reason: 'Busy.' })).toEqual({ ...open, reason: 'Busy.' });
    expect(await line(undefined)).toEqual({ ...open, reason: '' });
    expect(await line(new Forbidden())).toEqual({ question: TWO, kind: 'failed', why: 'forbidden' });
  });

  test.each([new StorageFailed(), new Stopping(), new TypeError('a bug')])(
    'are none where the bot itself fails: %s',
    (error) => expect(line(error)).rejects.toThrow(error),
  );

  test('are none, but the first fault, where none has a result', async () => {
    await expect(answers(new TooLarge(1), new Forbidden())).rejects.toThrow(TooLarge);
    expect(await answers(undefined, undefined)).toBeUndefined();
  });
});

describe('A comparison', () => {
  const unit = (question: Question, readAt: number, device: object): Unit => {
    const result = aResult([]);
    return {
      ...{ kind: 'ready', question, readAt },
      result: { ...result, device: { ...result.device, ...device } },
    };
  };

  test.each([
    ['one device', {}, false],
    ['two hosts of a chassis', { hostname: 'edge-8' }, true],
    ['two devices', { chassisSerial: 'chs1' }, true],
  ])('of %s', (_what, other, areSeveral) => {
    const units = [unit(ONE, 9, { hostname: 'edge-7', ...other }), unit(TWO, 5, { hostname: 'edge-7' })];
    const made = answersOf({ question: TWO, before: ONE }, units);
    expect(made?.units).toEqual(areSeveral ? units : undefined);
    expect(made?.before?.readAt).toBe(areSeveral ? undefined : 9);
    // The oldest of them says how old the message is, and the latest what is new after it.
    expect(made?.readAt).toBe(5);
    expect(made && madeOf(made)).toEqual(areSeveral ? { madeAt: 9 } : { madeAt: 5, beforeMadeAt: 9 });
  });
});
