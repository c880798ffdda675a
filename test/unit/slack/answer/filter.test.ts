import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../../src/core/diagnostics.ts';
import type { Filter } from '../../../../src/core/importance.ts';
import type { Unit } from '../../../../src/lookups/lookup-status.ts';
import { filterLine } from '../../../../src/slack/answer/filter.ts';
import { modelOf } from '../../../../src/slack/answer/result-model.ts';
import { viewMessage } from '../../../../src/slack/answer/view-message.ts';
import type { ViewState } from '../../../../src/slack/blocks/action-values.ts';
import { aDiagnostic, aResult } from '../../../support/a-diagnostic.ts';
import { choicesOf } from '../../../support/clicking.ts';
import { snapshotId } from '../../../support/snapshot-id.ts';

const QUESTION = { snapshotId: snapshotId('1001'), set: 'all' } as const;
const STATE: ViewState = { question: QUESTION, page: 0, askedBy: 'U1', madeAt: 0, turn: 0 };
const CVE = ['CVE-2026-10000'];
const hit = (importance: string, cveIds: string[] = []) =>
  aDiagnostic({ name: `D${importance}${cveIds.length}`, importance, cveIds });

function offered(hits: readonly Diagnostic[], filter?: Filter): string[] {
  const state = { ...STATE, ...(filter && { filter }) };
  return [...choicesOf(viewMessage(state, { result: aResult(hits), readAt: 0 }), 'filter').keys()];
}

describe('The menu of a filter offers', () => {
  const WITH = ['With CVEs (1)', 'Without CVEs (1)'];

  test('critical and high hits together where there are others, too', () => {
    const grave = [hit('CRITICAL'), hit('HIGH')];
    expect(offered(grave)).toEqual(['All hits (2)', '◆ Critical (1)', '▲ High (1)']);
    expect(offered([...grave, hit('LOW')])).toContain('Critical and high (2)');
  });

  test.each<[string, Filter | undefined, string[]]>([
    ['no filter', undefined, ['◆ Critical (1)', '○ Low (1)', ...WITH]],
    [
      'one of levels',
      { levels: ['low'] },
      ['◆ Critical (1)', '○ Low (1)', 'With CVEs (0 low)', 'Without CVEs (1 low)'],
    ],
    ['one of CVEs', { cve: 'with' }, ['◆ Critical (1 with CVEs)', '○ Low (0 with CVEs)', ...WITH]],
    [
      'one of no CVEs',
      { cve: 'without' },
      ['◆ Critical (0 without CVEs)', '○ Low (1 without CVEs)', ...WITH],
    ],
    [
      'both',
      { levels: ['low'], cve: 'without' },
      [
        'Any importance (1 without CVEs)',
        '◆ Critical (0 without CVEs)',
        '○ Low (1 without CVEs)',
        'With CVEs (0 low)',
        'With or without CVEs (1 low)',
      ],
    ],
  ])('every other part of it, each choice once: %s', (_which, filter, choices) => {
    expect(offered([hit('CRITICAL', CVE), hit('LOW')], filter)).toEqual(['All hits (2)', ...choices]);
  });

  test('a long level by its beginning, with how many it has', () => {
    const choice = offered([hit('x'.repeat(200)), hit('LOW')])[2];
    expect(choice).toMatch(/^□ x+… \(1\)$/);
    expect(choice?.length).toBe(44);
  });

  test('each level that one of several snapshots rates a hit at', () => {
    const units = ['CRITICAL', 'LOW'].map((importance, at): Unit => {
      const diagnostics = [aDiagnostic({ name: 'D1', importance }), aDiagnostic({ name: 'D2' })];
      const question = { ...QUESTION, snapshotId: snapshotId(String(1001 + at)) };
      const device = { hostname: `lb-${at}`, chassisSerial: `chs100${at}s`, platform: '' };
      return { kind: 'ready', question, readAt: 0, result: { ...aResult(diagnostics), device } };
    });
    const [one, other] = units;
    if (one?.kind !== 'ready' || other === undefined) throw new Error('two are ready');
    const state = { ...STATE, others: [other.question] };
    const message = viewMessage(state, { result: one.result, readAt: 0, units });
    expect([...choicesOf(message, 'filter').keys()]).toContain('○ Low (1)');
  });
});

test.each<[string, readonly Diagnostic[], Filter, string]>([
  ['all there are', [hit('LOW'), hit('LOW', CVE)], { levels: ['low'] }, 'Showing 2 low hits, none hidden'],
  ['none, for there are none', [], { levels: ['low'] }, ''],
  [
    'none of two',
    [hit('HIGH'), hit('HIGH', CVE)],
    { levels: ['low'] },
    'There are no low hits among these: the filter hides all 2',
  ],
])('A line about a filter that shows %s, for a message alone', (_what, hits, filter, text) => {
  const line = filterLine(modelOf({ question: QUESTION, filter }, { result: aResult(hits), readAt: 0 }));
  expect(line).toEqual(text === '' ? { text } : { text, report: '' });
});

test('A filter says nothing of passed checks, of which it hides none', () => {
  const question = { ...QUESTION, set: 'miss' as const };
  const result = aResult([aDiagnostic({ match: 'miss' }), hit('LOW')]);
  expect(filterLine(modelOf({ question, filter: { levels: ['low'] } }, { result, readAt: 0 })).text).toBe('');
});
