import { expect, test } from 'vitest';
import type { Diagnostic, DiagnosticsResult } from '../../../../src/core/diagnostics.ts';
import { comparisonLines, deviceLines } from '../../../../src/slack/answer/comparison-words.ts';
import { modelOf } from '../../../../src/slack/answer/result-model.ts';
import { viewMessage } from '../../../../src/slack/answer/view-message.ts';
import type { ViewState } from '../../../../src/slack/blocks/action-values.ts';
import { aDiagnostic, aResult } from '../../../support/a-diagnostic.ts';
import { snapshotId } from '../../../support/snapshot-id.ts';

const SET = 'hit' as const;
const STATE: ViewState = {
  question: { snapshotId: snapshotId('1010'), set: SET },
  before: { snapshotId: snapshotId('1011'), set: SET },
  ...{ page: 0, askedBy: 'U1', madeAt: 0, turn: 0 },
};

const hits = (...names: string[]): Diagnostic[] => names.map((name) => aDiagnostic({ name }));
const both = (before: DiagnosticsResult, result: DiagnosticsResult) => ({
  ...{ result, readAt: 0 },
  before: { result: before, readAt: 0 },
});
const software = (product: string, version: string) => ({
  ...aResult([]),
  software: { product, version, edition: '', built: '' },
});

test('What a comparison shows, and that it is against time, stands in its message and in no report', () => {
  const model = modelOf({ ...STATE, show: 'new' }, both(aResult([]), aResult(hits('D1'))));
  const above = comparisonLines(model).filter(({ text }) => /^(?:Showing|Against)/.test(text));
  expect(above).toEqual([
    { text: 'Showing 1 new, 0 others hidden', report: '' },
    {
      text: 'Against time: snapshot 1010 was uploaded before 1011',
      ...{ beside: '', report: '' },
    },
  ]);
});

test('A message shows the beginning of a long device, and a report all of it', () => {
  const long = { ...aResult([]), device: { hostname: 'x'.repeat(300), chassisSerial: 's', platform: '' } };
  const line = comparisonLines(modelOf(STATE, both(long, long))).find(({ text }) =>
    /^Same device/.test(text),
  );
  expect([line?.text.length, line?.report]).toEqual([200, `Same device: ${'x'.repeat(300)} · s`]);
});

test('Accepted hits of a comparison are all of those that are there, however many were there before', () => {
  const accepted = [
    { ...{ name: 'D1', importance: 'HIGH', user: 'U1', userName: 'ana', reason: 'booked' } },
  ].map((each) => ({ ...each, snapshotId: snapshotId('1010'), host: '', at: 0, until: 9e12 }));
  const answers = { ...both(aResult(hits('D1', 'D2')), aResult(hits('D1'))), accepted };
  expect(comparisonLines(modelOf(STATE, answers)).map(({ text }) => text)).toContain(
    '2 hits before, 1 after (accepted)',
  );
});

test.each<[string, DiagnosticsResult, DiagnosticsResult, string[]]>([
  ['neither', software('', ''), software('', ''), []],
  ['the later one', software('', ''), software('Product', '17.5.0'), ['unknown → Product 17.5.0']],
  ['the earlier one', software('Product', '17.5.0'), software('', ''), ['Product 17.5.0 → unknown']],
  [
    'a product without its version, and the later one',
    software('Product', ''),
    software('Product', '17.5.0'),
    ['Product → Product 17.5.0'],
  ],
])('Of one device whose release is known of %s: what is said of it', (_which, before, after, said) => {
  expect(deviceLines(both(before, after))).toEqual(['Same device: chs600777s', ...said]);
});

test('Each device that may be another one stands with its own version', () => {
  const of = (hostname: string, version: string) => ({
    ...aResult([], version),
    device: { hostname, chassisSerial: '', platform: '' },
  });
  expect(deviceLines(both(of('localhost', '17.1.3'), of('edge-7', '17.5.0')))).toEqual([
    'Not known whether both are of one device',
    'Before: Product 17.1.3',
    'After: edge-7 · Product 17.5.0',
  ]);
});

test('A page of a comparison says which of the changes it has, also of a single one', () => {
  const page = (show?: 'unchanged') => {
    const result = aResult(hits('D1', 'D2', 'D3', 'D4'));
    const state = { ...STATE, page: 1, ...(show && { show }) };
    return viewMessage(state, both(show ? result : aResult([]), result));
  };
  expect(page().text).toContain('change 4 of 4');
  expect(page('unchanged').text).toContain('unchanged hit 4 of 4');
  expect(JSON.stringify(page().blocks)).toContain('Back: changes 1 to 3');
});
