import { describe, expect, test } from 'vitest';
import type { Diagnostic, DiagnosticsResult } from '../../../../../src/core/diagnostics.ts';
import { modelOf, type ResultModel } from '../../../../../src/slack/answer/result-model.ts';
import type { ViewState } from '../../../../../src/slack/blocks/action-values.ts';
import { caseFile, caseTexts, chosenText } from '../../../../../src/slack/features/case-text/text.ts';
import { csvOf } from '../../../../../src/slack/features/export/file.ts';
import { markdownOf, markdownText } from '../../../../../src/slack/features/export/markdown.ts';
import { aDiagnostic } from '../../../../support/a-diagnostic.ts';
import { rowsOf } from '../../../../support/export-cells.ts';
import { fileOf } from '../../../../support/file-of.ts';
import { snapshotId } from '../../../../support/snapshot-id.ts';

type Kind = Parameters<typeof fileOf>[2];

const AT = Date.UTC(2026, 10, 20, 9, 14);
const LATER = snapshotId('26808463');
const EARLIER = snapshotId('26808400');
const LEAK = aDiagnostic({
  name: 'D000000001',
  importance: 'CRITICAL',
  title: 'Memory leak\nin tmm',
  summary: 'It grows.\nIt does not shrink.',
  action: '1. Upgrade.\n2. Restart.',
  output: ['line one\n  line two', 'more ``` ticks'],
  solutions: [
    { url: 'https://support.acme.example/K1?a=<b>', id: 'K1' },
    { url: 'javascript:alert(1)', id: 'K2' },
    { url: 'https://support.acme.example/K1?a=<b>', id: 'K1' },
  ],
  cveIds: ['CVE-2026-1', 'CVE-2026-2'],
  fixedIn: ['17.1.3.4', '17.5.0'],
  otherName: 'H770025-1',
});
const LOW = aDiagnostic({ name: 'D000000002', importance: 'LOW', title: '', summary: 'Only  a\tsummary.' });
const FINE = aDiagnostic({ name: 'D000000003', match: 'miss', importance: 'HIGH', title: 'Fine' });

function resultOf(diagnostics: readonly Diagnostic[], device = {}): DiagnosticsResult {
  return {
    sha1: '5e3a',
    device: { hostname: 'edge-7.example.com', chassisSerial: ' chs777 ', platform: 'C117', ...device },
    software: { product: 'Product', version: '17.1.3', edition: 'Point Release 3', built: '240216' },
    stated: {},
    diagnostics,
  };
}

function stateOf(changes: Partial<ViewState> = {}): ViewState {
  const question = { snapshotId: LATER, set: 'all' as const };
  return { question, page: 0, askedBy: 'U1', madeAt: AT, turn: 0, ...changes };
}

const ANSWERS = { result: resultOf([LOW, FINE, LEAK]), readAt: AT };
const COMPARED = stateOf({
  question: { snapshotId: LATER, set: 'hit' },
  before: { snapshotId: EARLIER, set: 'hit' },
});
const BOTH = {
  result: resultOf([{ ...LEAK, importance: 'HIGH' }, aDiagnostic({ name: 'D4', title: 'New one' })]),
  readAt: AT,
  before: { result: resultOf([LEAK, LOW]), readAt: AT - 1 },
};
const EMPTY = { result: resultOf([], { hostname: '', chassisSerial: '', platform: '' }), readAt: AT };

const whole = async (model: ResultModel) => (await caseFile(model, 'all')).file.content;
const links = async (model: ResultModel) => (await caseFile(model, 'links')).file.content;

describe('The text for a case', () => {
  test('says what was found on which device, and each hit with what to do in one or two lines', async () => {
    expect(await whole(modelOf(stateOf(), ANSWERS))).toBe(`Snapshot 26808463 · edge-7.example.com
C117 · chs777 · Product 17.1.3 (Point Release 3, build 240216)
2 hits in 3 checks — 1 critical · 1 low · 1 with CVEs
Listed here: 2 hits. Read 2026-11-20 09:14 UTC.

1. Critical: Memory leak in tmm
   1. Upgrade. 2. Restart. CVE-2026-1, CVE-2026-2 · Fixed in 17.1.3.4, 17.5.0 https://support.acme.example/K1?a=%3Cb%3E, K2, K1
2. Low: Only a summary.
`);
  });

  test.each<[what: string, state: ViewState, answers: typeof ANSWERS, lines: readonly string[]]>([
    [
      'a part',
      stateOf({ filter: { levels: ['low'] } }),
      ANSWERS,
      ['Listed here: 1 of 2 hits (low). ', '\n\n1. Low'],
    ],
    [
      'passed checks',
      stateOf({ question: { snapshotId: LATER, set: 'miss' } }),
      ANSWERS,
      ['✓ 1 check passed', 'Listed here: 1 passed check. ', '\n\n1. Passed: Fine\n'],
    ],
    [
      'what the service counts otherwise',
      stateOf(),
      { ...ANSWERS, result: { ...ANSWERS.result, stated: { hits: 37 } } },
      ['\nThe service counts 37 hits but sent 2 hits and 1 passed check.\n'],
    ],
    [
      'a comparison',
      COMPARED,
      BOTH,
      [
        'Snapshots 26808400 → 26808463\n1 new (1 high) · 1 rated differently (1 lowered) · 1 cleared (1 low)\n',
        '\n2 hits before, 2 after\nSame device: ',
        '1. High, new: New one',
        '2. High, rated differently: Memory leak in tmm\n',
        '3. Low, cleared: Only a summary.\n',
      ],
    ],
    [
      'a comparison with a document that is not whole',
      COMPARED,
      { ...BOTH, result: { ...BOTH.result, stated: { hits: 9 } } },
      ['Hits that are no longer listed may still be there.\n', '3. Low, no longer listed: Only a summary.\n'],
    ],
  ])('of %s says so', async (_what, state, answers, lines) => {
    const text = await whole(modelOf(state, answers));
    for (const line of lines) expect(text).toContain(line);
  });

  test('as links alone has each article once, and none that is no address', async () => {
    expect(await links(modelOf(stateOf(), ANSWERS))).toBe('https://support.acme.example/K1?a=%3Cb%3E\n');
    expect(await links(modelOf(stateOf(), EMPTY))).toBe('No article is linked.\n');
    const odd = aDiagnostic({
      solutions: [
        { url: 'no address' },
        { url: 'http://x.example/1' },
        { url: 'ftp://x.example/' },
        { url: 'http://x.example/2' },
      ],
    });
    expect(await links(modelOf(stateOf(), { ...ANSWERS, result: resultOf([odd]) }))).toBe(
      'http://x.example/1\nhttp://x.example/2\n',
    );
  });

  const hits = (importance: string, size: number) =>
    Array.from({ length: size }, (_, at) =>
      aDiagnostic({ name: `${importance}${at}`, importance, title: 'x'.repeat(80) }),
    );
  const chosen = async (...diagnostics: Diagnostic[]) => {
    const texts = await caseTexts(modelOf(stateOf(), { ...ANSWERS, result: resultOf(diagnostics) }));
    return [chosenText(texts, undefined)?.part, texts.map(({ label }) => label)];
  };

  test('is about as much as a form holds, and offers no choice that is none', async () => {
    const few = [...hits('CRITICAL', 2), ...hits('HIGH', 3)];
    const all = ['Critical (2)', 'Critical and high (5)'];
    expect(await chosen(...few, ...hits('LOW', 5))).toEqual(['all', [...all, 'All 10 hits', 'Only links']]);
    expect(await chosen(...few, ...hits('LOW', 50))).toEqual([
      'grave',
      [...all, 'All 55 hits', 'Only links'],
    ]);
    expect(await chosen(...few)).toEqual(['all', ['Critical (2)', 'All 5 hits', 'Only links']]);
    expect(await chosen(...hits('CRITICAL', 50))).toEqual(['all', ['All 50 hits', 'Only links']]);
    expect((await chosen(...hits('HIGH', 50), ...hits('LOW', 1)))[0]).toBe('all');
    expect(await chosen(FINE)).toEqual(['all', ['All 0 hits', 'Only links']]);
  });
});

describe('The table', () => {
  const SOURCE = { isComparison: false, snapshot: '1', device: 'edge-7' };
  const row = async (hit: Diagnostic) => (await csvOf([{ hit }], SOURCE)).split('\r\n').slice(1).join('\r\n');

  test('has a row for each diagnostic, with everything that is known of it', async () => {
    const csv = await csvOf([{ hit: LEAK }], SOURCE);
    expect(csv).toMatch(/^\ufeff"snapshot","device","name",.+\r\n"1",.+\r\n$/s);
    const { name, importance, title, summary, action } = LEAK;
    expect(rowsOf(csv)).toEqual([
      expect.objectContaining({
        ...{ name, importance, title, summary, action },
        other_name: 'H770025-1',
        cve_ids: 'CVE-2026-1\nCVE-2026-2',
        fixed_in: '17.1.3.4\n17.5.0',
        solutions:
          'K1 https://support.acme.example/K1?a=<b>\nK2 javascript:alert(1)\nK1 https://support.acme.example/K1?a=<b>',
        output: 'line one\n  line two\n\nmore ``` ticks',
      }),
    ]);
    expect(
      await row(aDiagnostic({ solutions: [{ url: '', id: 'K1' }, { url: 'https://x.example' }] })),
    ).toContain('"K1\nhttps://x.example"');
  });

  test('of a comparison says what became of each, and what it was', async () => {
    const text = await csvOf(
      [
        { hit: LOW, was: LEAK, kind: 'changed' },
        { hit: LOW, kind: 'new' },
      ],
      { ...SOURCE, isComparison: true },
    );
    expect(text).toContain('"snapshot","device","change","importance_before","name"');
    expect(text).toContain('"1","edge-7","rated differently","CRITICAL","D000000002"');
    expect(text).toContain('"1","edge-7","new",,"D000000002"');
  });

  test('continues what is too long for a cell in a column of its own', async () => {
    const text = await csvOf([{ hit: aDiagnostic({ summary: 'x'.repeat(70_000) }) }, { hit: LOW }], SOURCE);
    expect(text).toContain('"summary","summary_2","summary_3","action"');
    expect(text.match(/x{2,}/g)?.map((part) => part.length)).toEqual([32_000, 32_000, 6_000]);
    expect(text).toContain('"Only  a\tsummary.",,,');
  });
});

describe('The report', () => {
  test('has each diagnostic with everything that is known of it, and its evidence as it stands', async () => {
    const { shown, usualHost } = modelOf(stateOf({ question: { snapshotId: LATER, set: 'hit' } }), ANSWERS);
    expect(await markdownOf(['A *title*', 'one', '', 'two'], { shown, usualHost })).toBe(`# A \\*title\\*

one

two

## Critical: Memory leak in tmm

**Name:** D000000001

**Summary:**\\
It grows.\\
It does not shrink.

**Action:**\\
1\\. Upgrade.\\
2\\. Restart.

**Also named:** H770025-1

**CVEs:** CVE-2026-1, CVE-2026-2

**Fixed in:** 17.1.3.4, 17.5.0

**Solutions:** [K1](<https://support.acme.example/K1?a=%3Cb%3E>), K2 javascript:alert(1), [K1](<https://support.acme.example/K1?a=%3Cb%3E>)

\`\`\`\`text
line one
  line two

more \`\`\` ticks
\`\`\`\`

## Low:

**Name:** D000000002

**Summary:** Only a summary.
`);
  });

  test('of a comparison says what became of each, and of passed checks that they passed', async () => {
    const { shown, usualHost } = modelOf(COMPARED, BOTH);
    const text = await markdownOf([''], { shown, usualHost });
    expect(text).toContain(
      '## High: Memory leak in tmm\n\n**Name:** D000000001\n\n**Change:** rated differently, was Critical\n',
    );
    expect(text).toContain('**Name:** D4\n\n**Change:** new\n');
    expect(text).toContain('**Change:** cleared\n');
    const passed = modelOf(stateOf({ question: { snapshotId: LATER, set: 'miss' } }), ANSWERS);
    expect(await markdownOf([''], passed)).toContain('## Passed: Fine\n');
    const same = { ...BOTH, result: BOTH.before.result };
    const unchanged = await markdownOf([''], modelOf({ ...COMPARED, show: 'unchanged' }, same));
    expect(unchanged).toContain('**Change:** unchanged\n');
    expect(unchanged).not.toContain('rated differently, was');
  });

  test.each([
    ['a  b\n c ', 'a b c'],
    ['\\`*_[]<>&|~$', '\\\\\\`\\*\\_\\[\\]\\<\\>\\&\\|\\~\\$'],
    ['- a', '\\- a'],
    [': a', '\\: a'],
    ['12. a', '12\\. a'],
    ['12.5 a', '12.5 a'],
    ['a - b', 'a - b'],
    ['https://x.example', 'https\\://x.example'],
    ['www.x.example', 'www\\.x.example'],
    ['a :smile: b', 'a \\:smile: b'],
    ['10:30 a', '10:30 a'],
    ['@ana and #12', '@\u2060ana and #\u206012'],
  ])('reads text as it stands: %j', (text, expected) => {
    expect(markdownText(text)).toBe(expected);
  });
});

describe('A file', () => {
  const named = async (state: ViewState, choice: Kind, answers: Parameters<typeof fileOf>[1] = ANSWERS) => {
    const { file, comment } = await fileOf(state, answers, choice);
    expect(file.title).toBe(file.name);
    return [file.name, comment];
  };

  test.each<[Kind, Partial<ViewState>, string, string]>([
    ['csv', {}, 'snapshot-26808463-edge-7.example.com-hits-2026-11-20.csv', '2 hits of snapshot 26808463'],
    [
      'csv',
      { filter: { levels: ['low'] } },
      'snapshot-26808463-edge-7.example.com-hits-low-2026-11-20.csv',
      '1 of 2 hits (low) of snapshot 26808463',
    ],
    [
      'all-csv',
      { filter: { levels: ['low'] } },
      'snapshot-26808463-edge-7.example.com-hits-2026-11-20.csv',
      '2 hits of snapshot 26808463',
    ],
    [
      'csv',
      { question: { snapshotId: LATER, set: 'miss' } },
      'snapshot-26808463-edge-7.example.com-passed-checks-2026-11-20.csv',
      '1 passed check of snapshot 26808463',
    ],
    ['case', {}, 'case-26808463.txt', 'Text for the case of snapshot 26808463'],
    ['links', {}, 'articles-26808463.txt', 'The articles of snapshot 26808463'],
  ])('as %s of %o is named for what it holds', async (choice, changes, name, comment) => {
    expect(await named(stateOf(changes), choice)).toEqual([name, comment]);
  });

  test('of a comparison names both snapshots, and what it shows of them', async () => {
    const name = async (choice: Kind, state = COMPARED) => (await named(state, choice, BOTH))[0];
    expect(await name('csv')).toBe('snapshots-26808400-26808463-edge-7.example.com-compared-2026-11-20.csv');
    const cleared = { ...COMPARED, show: 'cleared' as const };
    expect(await name('csv', cleared)).toBe(
      'snapshots-26808400-26808463-edge-7.example.com-compared-cleared-2026-11-20.csv',
    );
    expect((await fileOf(cleared, BOTH, 'csv')).comment).toMatch(/^1 of 3 hits \(cleared\) of /);
    const same = { ...BOTH, result: BOTH.before.result };
    expect((await fileOf(COMPARED, same, 'csv')).comment).toMatch(/^0 of 2 hits of /);
    expect((await fileOf(COMPARED, BOTH, 'csv')).file.content).toContain('"26808400 → 26808463"');
    expect((await fileOf(COMPARED, BOTH, 'csv')).file.content).toContain('"change"');
  });

  test('is named by the serial number where there is no host, with what every system takes', async () => {
    const of = async (device: object) =>
      (await named(stateOf(), 'csv', { ...ANSWERS, result: resultOf([], device) }))[0];
    expect(await of({ hostname: 'localhost.localdomain' })).toContain('-chs777-');
    expect(await of({ hostname: '' })).toBe('snapshot-26808463--chs777--hits-2026-11-20.csv');
    expect(await of({ hostname: '', chassisSerial: '' })).toBe('snapshot-26808463-hits-2026-11-20.csv');
    expect(await of({ hostname: '', chassisSerial: '/' })).toBe('snapshot-26808463-hits-2026-11-20.csv');
    expect(await of({ hostname: '../a b:c' })).toBe('snapshot-26808463-..-a-b-c-hits-2026-11-20.csv');
    expect(await of({ hostname: 'x'.repeat(60) })).toBe(
      `snapshot-26808463-${'x'.repeat(40)}-hits-2026-11-20.csv`,
    );
  });

  test('begins with what it is about: the device, the counts, what is in it and when it was read', async () => {
    const { content } = (await fileOf(stateOf(), ANSWERS, 'markdown')).file;
    expect(content.split('\n\n').slice(0, 6)).toEqual([
      '# Snapshot 26808463 · edge\\-7.example.com'.replace('\\-', '-'),
      expect.stringContaining('17.1.3'),
      expect.stringMatching(/^2 hits in 3 checks/),
      'Listed here: 2 hits. Read 2026-11-20 09:14 UTC.',
      'SHA-1 of the snapshot: 5e3a',
      '## Critical: Memory leak in tmm',
    ]);
    const compared = (await fileOf(COMPARED, BOTH, 'markdown')).file.content;
    expect(compared).toMatch(/^# Snapshots 26808400 → 26808463\n/);
    expect(compared).toContain('Listed here: 3 hits. Read 2026-11-20 09:14 UTC.');
    expect(compared).toContain('1 new ');
    const unnamed = { ...ANSWERS, result: { ...ANSWERS.result, sha1: '' } };
    expect((await fileOf(stateOf(), unnamed, 'markdown')).file.content + compared).not.toContain('SHA-1');
  });
});
