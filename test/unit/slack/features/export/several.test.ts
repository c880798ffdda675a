import { expect, test } from 'vitest';
import type { Diagnostic } from '../../../../../src/core/diagnostics.ts';
import { aDiagnostic, aResult } from '../../../../support/a-diagnostic.ts';
import { rowsOf } from '../../../../support/export-cells.ts';
import { fileOf } from '../../../../support/file-of.ts';
import { snapshotId } from '../../../../support/snapshot-id.ts';

const AT = Date.UTC(2026, 10, 20, 9, 14);
const questionOf = (id: string) => ({ snapshotId: snapshotId(id), set: 'all' }) as const;
const accepted = [
  {
    ...{ name: 'D1', importance: 'HIGH', user: 'U1', userName: 'ben', reason: 'booked', host: '' },
    ...{ snapshotId: snapshotId('1001'), at: AT, until: AT + 1 },
  },
];

/** A result of the device of this host; a search finds those that are `found`. */
function unitOf(id: string, hostname: string, diagnostics: Diagnostic[], found?: Diagnostic[]) {
  const result = aResult(diagnostics);
  const read = { result: { ...result, device: { ...result.device, hostname } }, readAt: AT, accepted };
  const matches = found && { found: { matches: new Set(found), verdicts: [] } };
  return { kind: 'ready', question: questionOf(id), ...read, ...matches } as const;
}

const VIEW = { question: questionOf('1001'), others: [questionOf('1002')] };
const answersWith = (...units: ReturnType<typeof unitOf>[]) => ({
  result: { ...aResult([]), sha1: '5e3a' },
  readAt: AT,
  units,
});

test('The report of several has a table of what each of them has, and says of none what is another’s', async () => {
  const solutions = ['a', 'a', 'b'].map((host, at) => ({ url: `https://${host}.example/K${at + 1}` }));
  const hit = aDiagnostic({
    name: 'D1',
    title: 'One',
    solutions,
    fixedIn: ['17.1.4'],
    cveIds: ['CVE-2026-1'],
  });
  const { file } = await fileOf(
    VIEW,
    answersWith(unitOf('1001', 'lb-a', [hit]), unitOf('1002', 'lb-b', [hit])),
    'markdown',
  );
  expect(file.name).toBe('snapshots-1001-1002-hits-2026-11-20.md');
  const articles = [
    '[K1](<https://a.example/K1>)',
    '[K2](<https://a.example/K2>)',
    '[b.example: K3](<https://b.example/K3>)',
  ];
  const said = 'hit, accepted by ben until 2026-11-20: booked';
  expect(file.content).toContain(`| Importance | Hit | lb-a | lb-b | Fixed in | Solutions |
| --- | --- | --- | --- | --- | --- |
| High | One D1 | ${said} | ${said} | 17.1.4 | ${articles.join(', ')} |
`);
  expect(file.content).toContain(`**Solutions:** ${articles.join(', ')}\n`);
  expect(file.content).not.toContain('\nAccepted by');
  expect(file.content).not.toContain('SHA-1');
});

test('The table of a search has the evidence of a hit also of where it was not found, but none of passed checks', async () => {
  const [one, other] = [aDiagnostic({ name: 'D1', output: ['a'] }), aDiagnostic({ name: 'D2' })];
  const [unfound, passed] = [
    aDiagnostic({ name: 'D1', output: ['b'] }),
    aDiagnostic({ name: 'D2', match: 'miss', output: ['c'] }),
  ];
  const units = [
    unitOf('1001', 'lb-a', [one, other], [one, other]),
    unitOf('1002', 'lb-b', [unfound, passed], []),
  ];
  const { file } = await fileOf({ ...VIEW, search: ['one'] }, answersWith(...units), 'csv');
  expect(rowsOf(file.content)).toMatchObject([
    { name: 'D2', 'lb-b (1002)': 'passed', 'output: lb-b (1002)': '' },
    // It is accepted, and so listed last.
    { name: 'D1', 'lb-b (1002)': expect.stringMatching(/^hit/), 'output: lb-b (1002)': 'b' },
  ]);
});
