import { expect, test } from 'vitest';
import type { Diagnostic, DiagnosticsResult } from '../../src/core/diagnostics.ts';
import { byImportance } from '../../src/core/importance.ts';
import { answersOf, type Unit } from '../../src/lookups/lookup-status.ts';
import { namedUnits } from '../../src/slack/answer/rows.ts';
import { listed } from '../../src/slack/answer/wording.ts';
import { exportFile } from '../../src/slack/features/export/file.ts';
import { anyResult } from '../support/any-result.ts';
import { differs, holdsFormula, LONGEST_CELL, rowsOf, startsFormula } from '../support/export-cells.ts';
import { fc } from '../support/fast-check.ts';
import { readCsv } from '../support/read-csv.ts';
import { SHRINKING } from '../support/shrinking.ts';
import { snapshotId } from '../support/snapshot-id.ts';

const NAMES = ['D000000001', 'D000000002', 'H00000003', 'H00000004', '=1+1'];
const SAYS = { hit: 'hit', miss: 'passed' };
type Row = Readonly<Record<string, string>>;

const questionOf = (at: number) => ({ snapshotId: snapshotId(String(1001 + at)), set: 'all' as const });

/** Two to five snapshots whose checks have few names, some of them several times; some snapshots have no result. */
const anyUnits: fc.Arbitrary<Unit[]> = fc
  .array(
    fc.tuple(anyResult, fc.boolean(), fc.array(fc.constantFrom(...NAMES), { minLength: 30, maxLength: 30 })),
    {
      minLength: 2,
      maxLength: 5,
    },
  )
  .map((all) =>
    all.map(([result, isThere, names], at): Unit => {
      const question = questionOf(at);
      if (at > 0 && !isThere) return { kind: 'failed', why: 'forbidden', question };
      const diagnostics = result.diagnostics.map((each, index) => ({ ...each, name: names[index] ?? 'D1' }));
      return { kind: 'ready', question, readAt: at, result: { ...result, diagnostics } };
    }),
  );

async function fileOf(units: readonly Unit[], choice: 'csv' | 'markdown'): Promise<string> {
  const [question = questionOf(0), ...others] = units.map((unit) => unit.question);
  const answers = answersOf({ question, others }, units);
  if (answers === undefined) throw new Error('the first one has a result');
  const state = { question, others, page: 0, askedBy: 'U0ANA', madeAt: 0, turn: 0 };
  return (await exportFile(state, answers, choice)).file.content;
}

function hitsOf({ diagnostics }: DiagnosticsResult, name: string): Diagnostic[] {
  return diagnostics.filter((each) => each.match === 'hit' && each.name === name);
}

const LEVELS = ['critical', 'high', 'medium', 'low', 'unrated'];
const isHit = (holds = '') => holds === 'hit' || holds.startsWith('hit, ');

/** Whether a cell names the importance of one of these hits, where it names a known one. */
function isRatedAsOneOf(hits: readonly Diagnostic[], holds = ''): boolean {
  const level = holds.replace(/^hit, (?:match not stated, )?/, '').toLowerCase();
  const levels = hits.map(({ importance }) => importance.trim().toLowerCase() || 'unrated');
  return !LEVELS.includes(level) || levels.includes(level);
}

const plain = (text = '') => text.replaceAll("'", '').trim();

/** What a document says of a name beside its hits, in the words of the table. */
function otherwise({ diagnostics }: DiagnosticsResult, name: string): string {
  const other = diagnostics.find((each) => each.match !== 'hit' && each.name === name);
  return other === undefined ? 'not listed' : SAYS[other.match];
}

/** What is wrong in the cells of one snapshot, for the rows of one name. */
function faultsIn(rows: readonly Row[], name: string, unit: Unit): unknown[] {
  const end = `(${unit.question.snapshotId})`;
  const cells = rows.map((row) => {
    const [holds, found] = Object.keys(row).filter((column) => column.endsWith(end));
    return { holds: row[holds ?? ''], found: row[found ?? ''], isOutput: found?.startsWith('output: ') };
  });
  const { result } = unit.kind === 'ready' ? unit : {};
  const hits = result === undefined ? [] : hitsOf(result, name);
  const said = result === undefined ? 'no result' : otherwise(result, name);
  const holding = cells.filter(({ holds }) => isHit(holds));
  const outputs = holding.map(({ found }) => plain(found)).sort();
  const expected = hits.map(({ output }) => plain(output.join('\n\n'))).sort();
  return [
    ...cells.filter(({ isOutput }) => isOutput !== true),
    ...cells.filter(({ holds, found }) => !isHit(holds) && (holds !== said || found !== '')),
    ...holding.filter(({ holds }) => !isRatedAsOneOf(hits, holds)),
    ...(JSON.stringify(outputs) === JSON.stringify(expected) ? [] : [outputs, expected]),
  ];
}

type Held = { readonly hit: Diagnostic; readonly of: string };

/** What a row can hold: at most one hit of this name of each snapshot, in their order. */
function rowsIn(units: readonly Unit[], name: string): Held[][] {
  const hits = namedUnits(units).map((unit) =>
    unit.kind === 'ready' ? hitsOf(unit.result, name).map((hit) => ({ hit, of: unit.name })) : [],
  );
  return hits.reduce<Held[][]>(
    (rows, some) => rows.flatMap((row) => [row, ...some.map((hit) => [...row, hit])]),
    [[]],
  );
}

/** What the hits of a row say, below the names of those that say it where others say something else. */
function saidBy(some: readonly Held[], read: (hit: Diagnostic) => string): string {
  return [...Map.groupBy(some, ({ hit }) => read(hit))]
    .filter(([text]) => text !== '')
    .map(([text, those]) =>
      those.length === some.length ? text : `${listed(those.map(({ of }) => of))}: ${text}`,
    )
    .join('\n');
}

/**
 * Whether the other cells of a row are those of a hit of the first snapshot that rates it as the row does, with the CVEs, the
 * fixes and the solutions that only other ones name.
 */
function isOfFirst(row: Row, name: string, units: readonly Unit[]): boolean {
  const first = units.find(({ question }) =>
    Object.keys(row).some(
      (column) =>
        column.endsWith(`(${question.snapshotId})`) &&
        row[column]?.replace(', match not stated', '') === 'hit',
    ),
  );
  if (first?.kind !== 'ready') return false;
  const own = hitsOf(first.result, name);
  return rowsIn(units, name).some((some) => {
    const [hit, ...others] = byImportance(some.map((each) => each.hit));
    if (hit === undefined || !own.includes(hit)) return false;
    const each = (read: (one: Diagnostic) => readonly string[]) => [
      ...new Set([hit, ...others].flatMap(read)),
    ];
    const lists = {
      cve_ids: each(({ cveIds }) => cveIds),
      fixed_in: each(({ fixedIn }) => fixedIn),
      solutions: each(({ solutions }) =>
        solutions.map(({ url, id = '' }) => [id, url].filter(Boolean).join(' ')),
      ),
    };
    const texts = {
      importance: hit.importance,
      title: saidBy(some, ({ title }) => title),
      summary: saidBy(some, ({ summary }) => summary),
      action: saidBy(some, ({ action }) => action),
      other_name: saidBy(some, ({ otherName = '' }) => otherName),
    };
    const joined = Object.entries(lists).map(([column, list]) => [column, list.join('\n')] as const);
    return [...Object.entries(texts), ...joined].every(([column, text]) => !differs(row[column] ?? '', text));
  });
}

test('Whatever the documents hold, each cell of the table of several snapshots is what they say, and no formula', async () => {
  await fc.assert(
    fc.asyncProperty(anyUnits, async (units) => {
      const csv = await fileOf(units, 'csv');
      const cells = readCsv(csv).flat();
      expect(cells.filter((cell) => cell.length > LONGEST_CELL)).toEqual([]);
      expect(cells.filter((cell) => !cell.startsWith("'") && startsFormula(cell))).toEqual([]);
      expect(cells.filter((cell) => holdsFormula(cell))).toEqual([]);
      const rows = rowsOf(csv);
      let known = 0;
      for (const name of NAMES) {
        const those = rows.filter((row) => plain(row.name) === name);
        const most = Math.max(
          ...units.map((unit) => (unit.kind === 'ready' ? hitsOf(unit.result, name).length : 0)),
        );
        expect(those).toHaveLength(most);
        expect(units.flatMap((unit) => faultsIn(those, name, unit))).toEqual([]);
        expect(those.filter((row) => !isOfFirst(row, name, units))).toEqual([]);
        known += most;
      }
      expect(rows).toHaveLength(known);
    }),
    { numRuns: 150, ...SHRINKING },
  );
});

test('The report has the same rows in the same order, and the evidence of each that has a hit', async () => {
  await fc.assert(
    fc.asyncProperty(anyUnits, async (units) => {
      const rows = rowsOf(await fileOf(units, 'csv'));
      const report = await fileOf(units, 'markdown');
      const lines = report.split('\n').filter((line) => line.startsWith('| '));
      // How a snapshot rates its hit is text of a document, and escaped.
      const kindOf = (cell = '') => (isHit(cell) ? 'hit' : cell);
      const holds = lines.slice(2).map((line) =>
        line
          .split(' | ')
          .slice(2, 2 + units.length)
          .map(kindOf),
      );
      const columns = (row: Row, isOutput: boolean) =>
        Object.keys(row).filter(
          (column) => /\(\d{4}\)$/.test(column) && column.startsWith('output: ') === isOutput,
        );
      expect(holds).toEqual(rows.map((row) => columns(row, false).map((column) => kindOf(row[column]))));
      const found = rows.flatMap((row) => columns(row, true).filter((column) => plain(row[column]) !== ''));
      expect(report.split('\n**Found on:** ').length - 1).toBeGreaterThanOrEqual(found.length);
    }),
    { numRuns: 60, ...SHRINKING },
  );
});
