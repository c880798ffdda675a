import { describe, expect, test } from 'vitest';
import type { Comparison, Named } from '../../../../src/core/comparing.ts';
import { answersOf, type LastRead, type Unit } from '../../../../src/lookups/lookup-status.ts';
import { modelOf } from '../../../../src/slack/answer/result-model.ts';
import {
  changesIn,
  changeWords,
  compareLastButton,
  lastReadLine,
  newsOf,
  type Since,
} from '../../../../src/slack/answer/since.ts';
import { readView, type View } from '../../../../src/slack/blocks/action-values.ts';
import { aResult } from '../../../support/a-diagnostic.ts';
import { snapshotId } from '../../../support/snapshot-id.ts';

const HALF_A_DAY_MS = 43_200_000;
const [EARLIER, LATER] = [snapshotId('1010'), snapshotId('1011')];
const question = { snapshotId: LATER, set: 'hit' as const };
const ONE: View = { question };

const hits = (...names: string[]) => names.map((name) => ({ hit: { name, importance: 'HIGH' } }));
const changes = (found: Partial<Comparison<Named>>): Comparison<Named> => ({
  ...{ new: [], changed: [], cleared: [], unchanged: [] },
  ...found,
});

/** What is said of these changes in a message that was made at 0. */
function news(view: View, found: Comparison<Named> | undefined, readAt = 1) {
  const read = { result: aResult([]), readAt };
  const model = modelOf(view, { ...read, ...(view.before && { before: read }) });
  return newsOf([{ snapshotId: LATER, at: 0, found }], model)[0];
}

describe('What changed since a message was made', () => {
  test.each<[string, View, Comparison<Named> | undefined, string, string]>([
    ['a hit', ONE, changes({ new: hits('D1') }), '1 new (D1)', '1 new (D1)'],
    ['nothing', ONE, changes({}), 'Nothing changed', ''],
    ['nobody knows what', ONE, undefined, 'What changed', ''],
    [
      'one of a comparison',
      { ...ONE, before: { ...question, snapshotId: EARLIER } },
      changes({ cleared: hits('D1') }),
      'Snapshot 1011: 1 cleared (D1)',
      'Snapshot 1011: 1 cleared (D1)',
    ],
    [
      'passed checks',
      { question: { ...question, set: 'miss' } },
      changes({ new: hits('D1'), cleared: hits('D2'), changed: hits('D3') }),
      '1 more passed (D1), 1 no longer passed (D2)',
      '1 more passed (D1), 1 no longer passed (D2)',
    ],
  ])('is said, also beside the blocks: %s', (_what, view, found, said, beside) => {
    const line = news(view, found);
    expect(line?.text).toMatch(found ? /^.* since .*\.$/ : /^What changed since .* is not known\.$/);
    expect(line?.text?.startsWith(`${said} since `)).toBe(true);
    expect(line?.beside).toBe(beside && `${beside} since the message was made`);
  });

  test('is said of a search without the id, as there is one snapshot', () => {
    const found = { matches: new Set<never>(), verdicts: [] };
    const model = modelOf({ ...ONE, search: ['core'] }, { result: aResult([]), readAt: 1, found });
    const [line] = newsOf([{ snapshotId: LATER, at: 0, found: changes({ new: hits('D1') }) }], model);
    expect(line?.text).toMatch(/^1 new \(D1\) since /);
  });

  test('is said with the day after half a day', () => {
    const formatOf = (readAt: number) => JSON.stringify(news(ONE, changes({}), readAt)?.rich);
    expect(formatOf(HALF_A_DAY_MS - 1)).not.toContain('{date_short}');
    expect(formatOf(HALF_A_DAY_MS)).toContain('{date_short} at {time}');
  });

  test('in several snapshots is said by their names', () => {
    const units = [LATER, EARLIER].map((id, at): Unit => {
      const device = { hostname: `lb-${at}`, chassisSerial: '', platform: '' };
      const result = { ...aResult([]), device };
      return { kind: 'ready', question: { ...question, snapshotId: id }, readAt: HALF_A_DAY_MS, result };
    });
    const asked = { question, others: [{ ...question, snapshotId: EARLIER }] };
    const answers = answersOf(asked, units);
    if (answers === undefined) throw new Error('both have a result');
    const found = changes({ new: hits('D1') });
    const since = [LATER, EARLIER].map((id): Since => ({ snapshotId: id, at: 1, found }));
    const [line] = newsOf(since, modelOf(asked, answers));
    expect(line?.text).toBe('lb-0: 1 new (D1); lb-1: 1 new (D1)');
    expect(line?.beside).toBe('lb-0: 1 new (D1); lb-1: 1 new (D1) since the message was made');
    expect(JSON.stringify(line?.rich)).not.toContain('{date_short}');
    const [old] = newsOf(
      since.map((each) => ({ ...each, at: 0 })),
      modelOf(asked, answers),
    );
    expect(JSON.stringify(old?.rich)).toContain('{date_short}');
  });

  test('is named up to three of a kind, each by a name of a bounded length', () => {
    expect(changesIn(changes({ new: hits('D1', 'D2', 'D3') }), 'hit')).toBe('3 new (D1, D2, D3)');
    expect(changesIn(changes({ new: hits('D1', 'D2', 'D3', 'D4') }), 'hit')).toBe('4 new (D1, D2, D3 …)');
    expect(changesIn(changes({ changed: hits('D'.repeat(30)) }), 'hit')).toBe(
      `1 rated differently (${'D'.repeat(23)}…)`,
    );
    expect(changeWords({ new: 0, changed: 1, cleared: 2 })).toBe('2 cleared, 1 rated differently');
    expect(changeWords({ new: 0, changed: 0, cleared: 0 })).toBe('nothing new');
  });
});

describe('The last result of a device', () => {
  const read = { result: aResult([]), readAt: 0 };
  const last: LastRead = {
    ...{ question: { ...question, snapshotId: EARLIER }, at: 0, isNewer: false, isOtherHost: false },
    found: changes({ new: hits('D1') }),
  };
  const line = (changed: Partial<LastRead>) => lastReadLine({ ...read, lastRead: { ...last, ...changed } });

  test('is named with what changed since', () => {
    expect(line({})).toMatchObject({ text: 'Since 1010: 1 new', report: '' });
    expect(line({ isNewer: true }).text).toBe('1010 is newer: 1 new there');
    expect(line({ isNewer: true, found: undefined }).text).toBe('1010 is newer');
    const host = 'h'.repeat(80);
    expect(line({ isOtherHost: true, isNewer: true, host }).text).toBe(
      `Same chassis, other host: ${'h'.repeat(59)}…, 1010`,
    );
    expect(JSON.stringify(line({}).short)).not.toContain('looked up');
  });

  test('is missed only where it was asked for, and in no report', () => {
    expect(lastReadLine(read)).toMatchObject({ text: '', report: '' });
    const none = lastReadLine({ ...read, hasNoLast: true });
    expect(none).toMatchObject({ text: expect.stringContaining('nothing to compare with'), report: '' });
  });

  test('is compared as the earlier or the later one, as their ids say', () => {
    const pair = { question, before: { ...question, snapshotId: EARLIER } };
    const other = { ...last, question };
    expect(readView(compareLastButton(question, last).value)).toEqual(pair);
    expect(readView(compareLastButton({ ...question, snapshotId: EARLIER }, other).value)).toEqual(pair);
  });
});
