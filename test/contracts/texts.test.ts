import { expect, test } from 'vitest';
import type { Diagnostic } from '../../src/core/diagnostics.ts';
import { search } from '../../src/core/searching.ts';
import { cveIdsIn, idsOfTerm, isIssueId, withWholeIds } from '../../src/core/texts.ts';
import { aDiagnostic } from '../support/a-diagnostic.ts';

test.each([
  ['CVE-2026-1000', true],
  ['cve-2026-12345678', true],
  ['CVE-2026-100', false],
  ['xCVE-2026-1000', false],
  ['CVE-2026-1000x', false],
  ['K1234', true],
  ['K123', false],
  ['OK1234', false],
  ['K1234x', false],
  ['D000162521', true],
  ['H770025-12', true],
  ['H770025-', false],
  ['AD1234', false],
  ['D1234-1x', false],
  ['core', false],
  ['CVE', false],
  ['cve-2026', false],
  // An id of a snapshot does not count.
  ['26808463', false],
  ['cve-1999-0001', true],
  ['H00040234', true],
])('%s is the id of a CVE, an article or a diagnostic: %s', (term, isId) => {
  expect(isIssueId(term)).toBe(isId);
});

test.each([
  ['cve_2026_10005', ['CVE-2026-10005']],
  ['sol15483.html', ['K15483']],
  ['h770025-1', ['H770025-1']],
  ['https://support.acme.example/kb/15000/sol15483.html?x=1', ['K15483']],
  ['http://support.acme.example/s/article/000100020', ['K000100020']],
  ['https://support.acme.example/s/articles/000100020', ['K000100020']],
  ['https://support.acme.example/K000100010/K000100020', ['K000100020']],
  ['https://support.acme.example/s/articles/Guide-K000100020', ['K000100020']],
  ['https://support.acme.example/s/article/K000100020?from=K000100021#K000100022', ['K000100020']],
  ['https://support.acme.example/snapshots/26808463', []],
  ['https://support.acme.example/cases?article=K000100020', []],
  ['https://nvd.example/vuln/detail/CVE-2026-10018', ['CVE-2026-10018']],
  ['https://www.cve.example/CVERecord?id=CVE-2026-10018', ['CVE-2026-10018']],
  ['KB000100032', ['K000100032']],
  ['KB-000100032', ['K000100032']],
])('What is typed as %s means %j', (typed, ids) => {
  expect(idsOfTerm(typed).map(({ id }) => id)).toEqual(ids);
});

test.each([
  ['26808463 CVE 2026-10004', '26808463 CVE-2026-10004'],
  ['cves: 2026 10004, cve_2026_10005', 'CVE-2026-10004, CVE-2026-10005'],
  ['26808463 cve', '26808463 cve'],
  ['cve 1010 1011', 'cve 1010 1011'],
  ['CVE - 2026 - 10018', 'CVE-2026-10018'],
  ['cve 20261234', 'cve 20261234'],
  ['kb 26808463', 'kb 26808463'],
  ['https://acme.example/K000100010/11', 'https://acme.example/K000100010/11'],
])('The CVE ids in “%s” become one word each: “%s”', (typed, whole) => {
  expect(withWholeIds(typed)).toBe(whole);
});

test.each([
  ['A leak (CVE-2026-10001)', ['CVE-2026-10001']],
  ['cve\u20112026\u201110001 and CVE\u20132026\u20131234567', ['CVE-2026-10001', 'CVE-2026-1234567']],
  ['CVE-2026-1000, CVE-2026-1000 again, CVE-2026-123, CVE-20266-10001', ['CVE-2026-1000']],
  ['vulnerabilityCVE-2026-10001and', ['CVE-2026-10001']],
  ['CVE-2026-10018 since 2026-11-22, -1.5 V, 10019 or - 10020', ['CVE-2026-10018']],
  [
    'CVE 2026-10001, CVE_2026_10002 and CVE: 2026-10003',
    ['CVE-2026-10001', 'CVE-2026-10002', 'CVE-2026-10003'],
  ],
  ['CVE-2026- 10001 and CVE\uff0d2026\u00ad-10002', ['CVE-2026-10001', 'CVE-2026-10002']],
  // The ids between the two ends of a range are not named.
  ['CVE-2026-10015 through CVE-2026-10020', ['CVE-2026-10015', 'CVE-2026-10020']],
  ['2026-10001 is a date, CVE 17 no year, CVE-abcd-efgh', []],
])('The CVEs that %j names are %j', (text, ids) => {
  expect(cveIdsIn(text)).toEqual(ids);
});

/** The outcome of a search for an id in a hit with this title or evidence. */
async function outcomeOf(id: string, said: Partial<Diagnostic>): Promise<string | undefined> {
  return (await search([aDiagnostic({ name: 'Z1', ...said })], [id])).verdicts[0]?.outcome;
}

test.each([
  ['CVE-2026-10006, -10007 and 10008', 'CVE-2026-10006', 'hit'],
  ['CVE-2026-10018/10019', 'CVE-2026-10019', 'perhaps'],
  ['CVE%2D2026%2D10001', 'CVE-2026-10001', 'perhaps'],
  ['CVE-2026-10006, -10007 and 10008', 'CVE-2026-10008', 'perhaps'],
  ['vulnerabilityCVE-2026-10002', 'CVE-2026-10002', 'hit'],
  ['*CVE-2026-10002*', 'CVE-2026-10002', 'hit'],
  ['CVE-2026-10018[1]', 'CVE-2026-10018', 'hit'],
  ['CVE-2026-10015 to CVE-2026-10020', 'CVE-2026-10018', 'absent'],
  ['CVE-2026-100031', 'CVE-2026-10003', 'absent'],
  ['CVE-2025-10003', 'CVE-2026-10003', 'perhaps'],
  ['10018 of no CVE', 'CVE-2026-10018', 'perhaps'],
  ['K 000100013', 'K000100013', 'hit'],
  ['SOL10011', 'K10011', 'hit'],
  ['disk10011 full', 'K10011', 'perhaps'],
  ['4K000100032', 'K000100032', 'perhaps'],
  ['K0001000131', 'K000100013', 'absent'],
  ['d-000162521', 'D000162521', 'hit'],
  ['H770025-1', 'H770025', 'hit'],
  ['H770025-1', 'H770025-2', 'perhaps'],
])('In the title %j, %s is found as: %s', async (title, id, outcome) => {
  expect(await outcomeOf(id, { title })).toBe(outcome);
});

test('An id in a long text is found, even if the text is processed in parts', async () => {
  for (let shift = 0; shift < 20; shift += 1) {
    const text = `${'.'.repeat(49_990 + shift)} CVE-2026-10008`;
    expect(await outcomeOf('CVE-2026-10008', { output: [text] })).toBe('mentioned');
    expect(await outcomeOf('CVE-2026-1000', { output: [text] })).toBe('absent');
  }
});
