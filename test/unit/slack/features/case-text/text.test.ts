import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../../../src/core/diagnostics.ts';
import type { Answers } from '../../../../../src/lookups/lookup-status.ts';
import { modelOf } from '../../../../../src/slack/answer/result-model.ts';
import type { View } from '../../../../../src/slack/blocks/action-values.ts';
import { caseModal, caseTextMessage } from '../../../../../src/slack/features/case-text/index.ts';
import { caseFile, caseTexts, isTooLong } from '../../../../../src/slack/features/case-text/text.ts';
import { aDiagnostic, aResult } from '../../../../support/a-diagnostic.ts';
import { textsOf } from '../../../../support/message-parts.ts';
import { snapshotId } from '../../../../support/snapshot-id.ts';

const question = { snapshotId: snapshotId('1001'), set: 'all' } as const;
const one = (...diagnostics: Diagnostic[]): Answers => ({ result: aResult(diagnostics), readAt: 0 });
const textsFor = (answers: Answers, view: Partial<View> = {}) =>
  caseTexts(modelOf({ question, ...view }, answers));
const hitText = async (hit: Partial<Diagnostic>) => {
  const { file } = await caseFile(modelOf({ question }, one(aDiagnostic(hit))), 'all');
  return file.content.split('\n').slice(-3).join('\n').trim();
};

describe('A hit in the text', () => {
  test('names each CVE once, what it is called, and other articles by what differs', async () => {
    const cveIds = ['CVE-2026-1000', 'CVE-2026-1001'];
    expect(await hitText({ title: 'CVE-2026-1000: leak', cveIds })).toBe(
      '1. High: CVE-2026-1000: leak\n   CVE-2026-1001',
    );
    const addresses = ['x', 'https://a.example/K2', 'https://a.example/K3', 'https://b.example/K4'];
    const solutions = addresses.map((url, at) => ({ url, id: `K${at + 1}` }));
    expect(await hitText({ name: 'D9', solutions })).toBe(
      '1. High: D9\n   K1, https://a.example/K2, K3, b.example: K4',
    );
  });
});

describe('A part of the text', () => {
  test('has the hits of its levels within the filter, and no check that passed', async () => {
    const hits = ['CRITICAL', 'CRITICAL', 'LOW'].map((importance, at) =>
      aDiagnostic({ name: `D${at}`, importance, cveIds: at === 1 ? [] : ['CVE-2026-1000'] }),
    );
    const filtered = await textsFor(one(...hits), { filter: { cve: 'with' } });
    expect(filtered[0]?.text).toContain('Listed here: 1 of 3 hits (critical, with CVEs).');
    const passed = aDiagnostic({ name: 'D9', match: 'miss', importance: 'CRITICAL' });
    const found = { matches: new Set([...hits, passed]), verdicts: [] };
    const searched = await textsFor({ ...one(...hits, passed), found }, { search: ['one'] });
    expect(searched.map(({ label }) => label)).toEqual([
      'Critical (2)',
      'All 3 hits, 1 passed check',
      'Only links',
    ]);
  });

  test('of several snapshots stands below who has it: most of them first, each group once', async () => {
    const importances = { all: 'LOW', a: 'CRITICAL', cd: 'MEDIUM', b: 'HIGH', a2: 'MEDIUM' };
    const hit = (name: keyof typeof importances) => aDiagnostic({ name, importance: importances[name] });
    const lists = { a: ['all', 'a', 'a2'], b: ['all', 'b'], c: ['all', 'cd'], d: ['all', 'cd'] } as const;
    const units = Object.entries(lists).map(([hostname, names], at) => {
      const result = aResult(names.map(hit));
      const device = { ...result.device, hostname };
      return {
        ...({ kind: 'ready', readAt: 0, result: { ...result, device } } as const),
        question: { ...question, snapshotId: snapshotId(String(1001 + at)) },
      };
    });
    const [first, ...others] = units.map((unit) => unit.question);
    const texts = await textsFor({ ...one(), units }, { question: first ?? question, others });
    const text = texts.find(({ part }) => part === 'all')?.text ?? '';
    expect(text.slice(text.indexOf('\n\n')).replace(/\n+$/, '')).toBe(`

All have it:
1. Low: all

Only c and d:
2. Medium: cd

Only a:
3. Critical: a
4. Medium: a2

Only b:
5. High: b`);
  });
});

describe('The window', () => {
  const long = 'word '.repeat(601);

  test('holds 3,000 characters; what is longer is a file, and can be posted only where there is a thread', () => {
    expect(['x'.repeat(3_000), 'x'.repeat(3_001)].map(isTooLong)).toEqual([false, true]);
    const choices = (['all', 'links'] as const).map((part) => ({ part, label: part, text: long }));
    const shown = (canPost: boolean) =>
      textsOf(caseModal({ part: 'all', text: long, choices, canPost }).blocks, 'plain_text');
    expect(shown(true)).toContain('Post in thread');
    expect(shown(false)).not.toContain('Post in thread');
    expect(shown(false)).toContain('links, as a file');
  });

  test('leads to a message that holds the whole text, and short lines without its blocks', () => {
    const { text, blocks } = caseTextMessage({ question }, `first\n\n${long}`, 'U1');
    expect(textsOf(blocks, 'text').join('')).toContain(long.trim());
    expect(textsOf(blocks, 'text').every((piece) => piece.length <= 2_800)).toBe(true);
    expect(text.split('\n').map((line) => line.length <= 300)).toEqual([true, true, true]);
  });
});
