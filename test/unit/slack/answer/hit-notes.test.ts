import { expect, test } from 'vitest';
import type { Acceptance } from '../../../../src/core/comparing.ts';
import type { Diagnostic } from '../../../../src/core/diagnostics.ts';
import { answersOf, type Unit } from '../../../../src/lookups/lookup-status.ts';
import {
  acceptedLine,
  acceptedText,
  acceptedWords,
  cellOf,
  noteOfShown,
  ownersNote,
} from '../../../../src/slack/answer/hit-notes.ts';
import { modelOf } from '../../../../src/slack/answer/result-model.ts';
import { aDiagnostic, aResult } from '../../../support/a-diagnostic.ts';
import { snapshotId } from '../../../support/snapshot-id.ts';

/** What a snapshot has of one check: a level, or `-` for a check that passed. */
function said(text: string): Diagnostic[] {
  if (text === '') return [];
  const match = text === '-' ? 'miss' : 'hit';
  return [aDiagnostic({ name: 'D1', match, importance: match === 'hit' ? text : 'LOW' })];
}

/** Snapshots `a`, `b`, … that have this of it; `x`: one without a result, `…!`: of which the document may not list all. */
function notes(texts: readonly string[], found?: readonly number[]) {
  const units = texts.map((text, at): Unit => {
    const question = { snapshotId: snapshotId(String(1001 + at)), set: 'hit' } as const;
    if (text === 'x') return { kind: 'failed', why: 'forbidden', question };
    const device = { hostname: `${'abcdefgh'.charAt(at)}`, chassisSerial: '', platform: '' };
    const diagnostics = said(text.replace('!', ''));
    const stated = text.endsWith('!') ? { hits: 9 } : {};
    const matches = new Set(found?.includes(at) ? diagnostics : []);
    const search = found === undefined ? {} : { found: { matches, verdicts: [] } };
    return {
      kind: 'ready',
      question,
      readAt: 0,
      result: { ...aResult(diagnostics), device, stated },
      ...search,
    };
  });
  const [question, ...others] = units.map((unit) => unit.question);
  const asked = question && { question, others, ...(found && { search: ['core'] }) };
  const answers = asked && answersOf(asked, units);
  const model = answers && modelOf(asked, answers);
  const [row] = model?.all ?? [];
  return model && row ? [ownersNote(row, model), noteOfShown(row, model)] : [];
}

test.each<[string[], owners: string, brief?: string]>([
  [['HIGH', 'HIGH'], 'both have it'],
  [['HIGH', 'HIGH', 'HIGH'], 'all have it'],
  [['HIGH', ''], 'only a'],
  [['HIGH', '!'], 'listed only for a'],
  [['HIGH', 'HIGH', ''], 'not c'],
  [['HIGH', 'HIGH', '!'], 'not listed for c'],
  [['HIGH', '!', ''], 'listed only for a'],
  [['HIGH', 'HIGH', 'HIGH', '', ''], 'not d and e'],
  [['HIGH', 'HIGH', 'HIGH', 'HIGH', '', '', ''], 'only a, b, c and d', 'only a, b, c and d'],
  [['HIGH', 'HIGH', 'HIGH', 'HIGH', '!', '', ''], 'listed only for a, b, c and d', '4 of 7'],
  [['HIGH', 'HIGH', '!', '', ''], 'listed only for a and b', 'listed only for a and b'],
  [['HIGH', 'HIGH', 'x'], 'on a and b'],
  [['HIGH', 'HIGH', 'HIGH', 'x'], 'all with a result'],
  [['HIGH', 'HIGH', 'HIGH', '', 'x'], 'on a, b and c'],
  [['HIGH', 'x'], ''],
  [['HIGH', 'LOW'], 'both have it, low on b'],
  [['HIGH', 'LOW', 'MEDIUM'], 'all have it, rated otherwise on 2'],
])('Whose a hit is of snapshots that have %j of it', (texts, owners, short = owners) => {
  expect(notes(texts)).toEqual([owners, short]);
});

test('Of what a search finds, nothing is said of those who have it too, and it did not find it', () => {
  expect(notes(['HIGH', 'HIGH', ''], [0])[0]).toBe('on a');
  expect(notes(['HIGH', '-', ''], [0])[0]).toBe('only a');
  expect(notes(['HIGH', 'HIGH', ''], [0, 1])[0]).toBe('not c');
});

const QUESTION = { snapshotId: snapshotId('1001'), set: 'all' } as const;

test.each([
  ['HIGH', 'HIGH', 'hit'],
  ['LOW', 'HIGH', 'hit, Low'],
  ['HIGH', '-', 'hit'],
  ['-', 'HIGH', 'passed'],
  ['', 'HIGH', 'not listed'],
])('Beside a row, a snapshot that has “%s” where the row has “%s” says: %s', (has, row, words) => {
  const unit: Unit = { kind: 'ready', question: QUESTION, readAt: 0, result: aResult(said(has)) };
  const [hit] = said(row);
  if (hit === undefined) throw new Error('a row is of a hit');
  const cell = unit.result.diagnostics.find(({ match }) => match === hit.match || row === '-');
  expect(cellOf(unit, cell, hit)).toBe(words);
  expect(cellOf({ kind: 'failed', why: 'forbidden', question: QUESTION }, undefined, hit)).toBe('no result');
});

test('Who accepted a hit is named by the beginning of a long name, and until when by what ends it', () => {
  const by: Acceptance = {
    ...{ name: 'D1', importance: 'HIGH', user: 'U1', userName: 'a'.repeat(90), reason: 'booked' },
    ...{ snapshotId: QUESTION.snapshotId, host: '', at: 0, until: Date.UTC(2026, 11, 20) },
  };
  const name = `${'a'.repeat(39)}…`;
  expect(acceptedText(by)).toBe(`accepted by ${name} until 2026-12-20: booked`);
  expect(acceptedLine(by)[0]).toMatchObject({ text: `Accepted by ${name} ` });
});

test.each([
  [0, 1, ''],
  [1, 1, ' (accepted)'],
  [1, 2, ' (1 accepted)'],
  [2, 2, ' (all accepted)'],
])('Of %i accepted hits among %i it is said: “%s”', (accepted, hits, words) => {
  expect(acceptedWords(accepted, hits)).toBe(words);
});
