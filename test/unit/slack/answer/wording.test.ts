import { describe, expect, test } from 'vitest';
import type { Diagnostic, Software, StatedCounts } from '../../../../src/core/diagnostics.ts';
import { countChecks, levelOf } from '../../../../src/core/importance.ts';
import {
  actionOf,
  count,
  countDoubt,
  counted,
  eitherOf,
  evidenceText,
  hardwareOf,
  nameOf,
  noteOf,
  ratingOf,
  releaseOf,
  subjectOf,
  titleOf,
  unlistedDoubt,
  versionOf,
  wordInCounts,
} from '../../../../src/slack/answer/wording.ts';
import { aDiagnostic, aResult } from '../../../support/a-diagnostic.ts';
import { snapshotId } from '../../../support/snapshot-id.ts';

const questionOf = (id: string) => ({ snapshotId: snapshotId(id), set: 'all' as const });
const [ONE, OTHER, THIRD] = [questionOf('1010'), questionOf('1011'), questionOf('1012')];
const deviceOf = (hostname: string, chassisSerial = 'chs1') => ({
  device: { hostname, chassisSerial, platform: 'C117' },
});
const hit = (name: string) => aDiagnostic({ name });
const UNSTATED = aDiagnostic({ isMatchUnstated: true });

test('Numbers are said as people say them', () => {
  expect([0, 1, 2].map((size) => counted(size, 'hit'))).toEqual(['0 hits', '1 hit', '2 hits']);
  expect([999, 1_000, 1_001].map(count)).toEqual(['999', '1,000', '1,001']);
});

test('The level is said of hits alone', () => {
  const those = [hit('D1'), aDiagnostic({ match: 'miss' }), UNSTATED];
  expect(those.map(ratingOf)).toEqual(['High', 'Passed', 'High, match not stated']);
  expect(those.map(noteOf)).toEqual(['', '', 'match not stated']);
  const words = ['CRITICAL', '', 'Act NOW', 'x'.repeat(40)];
  expect(words.map((importance) => wordInCounts(levelOf({ importance })))).toEqual([
    ...['critical', 'unrated', 'Act NOW', `${'x'.repeat(23)}…`],
  ]);
});

test('What was asked for is named with each of its snapshots', () => {
  expect(subjectOf({ question: ONE })).toBe('snapshot 1010');
  expect(subjectOf({ question: OTHER, before: ONE })).toBe('the comparison of snapshots 1010 and 1011');
  expect(subjectOf({ question: ONE, others: [OTHER, THIRD] })).toBe(
    'the group of snapshots 1010, 1011 and 1012',
  );
  expect(eitherOf({ question: ONE })).toBe('snapshot 1010');
  expect(eitherOf({ question: OTHER, before: ONE })).toBe('one of the snapshots 1010 and 1011');
  expect(titleOf({ question: OTHER, before: ONE })).toBe('Snapshots 1010 → 1011');
  expect(titleOf({ question: ONE, others: [OTHER] })).toBe('Snapshots 1010, 1011');
});

test('A device is called by its host, unless every new device is called so', () => {
  const [named, nameless] = [deviceOf('edge-7'), deviceOf('localhost')];
  const titled = ({ device }: typeof named) => titleOf({ question: ONE }, { ...aResult([]), device });
  expect([named, nameless].map(titled)).toEqual(['Snapshot 1010 · edge-7', 'Snapshot 1010']);
  expect([named, nameless].map(hardwareOf)).toEqual(['edge-7 · C117 · chs1', 'C117 · chs1']);
  expect([named, nameless].map(nameOf)).toEqual(['edge-7', 'chs1']);
  expect(nameOf(deviceOf('e'.repeat(80)))).toBe(`${'e'.repeat(59)}…`);
});

test('Of a release it is said as much as is known', () => {
  const of = (software: Partial<Software>) =>
    releaseOf({
      software: { ...{ product: 'Product', version: '17.1.3', edition: '', built: '' }, ...software },
    });
  expect(of({})).toBe('Product 17.1.3');
  expect(of({ edition: 'Point Release 3' })).toBe('Product 17.1.3 (Point Release 3)');
  expect(of({ built: '240216' })).toBe('Product 17.1.3 (build 240216)');
});

test('An edition is named where others run another one of the same version', () => {
  const of = (version: string, edition: string) => ({
    result: { software: { product: '', built: '', version, edition } },
  });
  const final = of('17.1.3', 'Final');
  expect(versionOf(final, [final, of('17.1.3', 'Point Release 3')])).toBe('17.1.3 Final');
  expect(versionOf(final, [final, of('17.5.0', 'Point Release 3')])).toBe('17.1.3');
  expect(versionOf(final, [final, of('17.1.3', '')])).toBe('17.1.3');
  expect(versionOf(of('17.1.3', ''), [final])).toBe('17.1.3');
});

describe('A document that may not list all', () => {
  const resultOf = (diagnostics: readonly Diagnostic[], stated: StatedCounts = {}) => ({
    ...aResult(diagnostics),
    stated,
  });

  test.each<[readonly Diagnostic[], StatedCounts, string]>([
    [[hit('D1')], { hits: 3 }, 'The service counts 3 hits but sent 1 hit.'],
    [[hit('D1')], { hits: 3, misses: 7 }, 'The service counts 3 hits in 10 checks but sent 1 hit.'],
    [
      [hit('D1'), aDiagnostic({ match: 'miss' })],
      { misses: 7 },
      'The service counts 7 passed checks but sent 1 hit and 1 passed check.',
    ],
    [[hit('D1')], { hits: 1 }, ''],
  ])('says what the service counts otherwise: %#', (diagnostics, stated, doubt) => {
    expect(countDoubt(countChecks(resultOf(diagnostics, stated), 'all'))).toBe(doubt);
  });

  test('says why', () => {
    expect(unlistedDoubt(resultOf([hit('D1')]), 'all')).toBe('');
    expect(unlistedDoubt(resultOf([]), 'all')).toBe('No checks are listed.');
  });
});

test.each([
  'For more information, refer to the linked article.',
  'For additional information please see the related solutions',
  ' For further information, see the following articles. ',
  'for further information see the linked solution',
])('That an article is to be read is no action: %j', (action) => {
  expect(actionOf({ action })).toBe('');
});

test('Blocks of evidence stand apart where one of them has several lines', () => {
  expect(evidenceText(['a', 'b'])).toBe('a\nb');
  expect(evidenceText(['a\nb', 'c'])).toBe('a\nb\n\nc');
});
