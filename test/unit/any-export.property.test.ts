import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../src/core/diagnostics.ts';
import { csvOf } from '../../src/slack/features/export/file.ts';
import type { ListedHit } from '../../src/slack/front/listed-hits.ts';
import { aDiagnostic, aResult } from '../support/a-diagnostic.ts';
import { anyResult } from '../support/any-result.ts';
import {
  differs,
  FORMULA_SIGNS,
  holdsFormula,
  LONGEST_CELL,
  rowsOf,
  startsFormula,
} from '../support/export-cells.ts';
import { fc } from '../support/fast-check.ts';
import { readCsv } from '../support/read-csv.ts';
import { SHRINKING } from '../support/shrinking.ts';
import { snapshotId } from '../support/snapshot-id.ts';

const RESULT = aResult([]);
const MATCHES = { hit: 'hit', miss: 'passed' };

const SNAPSHOT = snapshotId('26808463');

/** The columns of a row. */
function expected(hit: Diagnostic): Record<string, string> {
  const { name, match, importance, title, summary, action, otherName = '', solutions, output } = hit;
  return {
    ...{ snapshot: SNAPSHOT, device: RESULT.device.hostname, serial: RESULT.device.chassisSerial },
    ...{ change: '', importance_before: '', accepted: '' },
    match: hit.isMatchUnstated ? 'not stated' : MATCHES[match],
    ...{ name, importance, title, summary, action, other_name: otherName },
    ...{ cve_ids: hit.cveIds.join('\n'), fixed_in: hit.fixedIn.join('\n') },
    solutions: solutions.map(({ url, id = '' }) => `${id} ${url}`.trim()).join('\n'),
    output: output.join('\n\n'),
  };
}

const listed = (hit: Diagnostic): ListedHit => ({ snapshotId: SNAPSHOT, result: RESULT, hit });

describe('whatever a document holds, as CSV', () => {
  test.each([...FORMULA_SIGNS])(
    'a cell that begins with %s, whatever stands before it, is text',
    async (sign) => {
      for (const before of [
        '',
        ' ',
        '"',
        "'",
        '\u200b',
        '\u00a0"',
        '\u0001',
        '\t',
        '\r',
        '\n',
        'a;',
        'a;"',
        'a\t',
        "a;'",
        'a\n',
        'a\r\n "',
        'a; ',
        'a;\u200b',
      ]) {
        const title = `${before}${sign}1+1`;
        const csv = await csvOf([listed(aDiagnostic({ title }))]);
        const [{ title: cell = '' } = {}] = rowsOf(csv);
        expect(cell.startsWith("'") || !startsFormula(title)).toBe(true);
        expect(holdsFormula(cell)).toBe(false);
        expect(cell).not.toBe(title);
        expect(differs(cell, title)).toBe(false);
      }
    },
  );

  test('every value is read back as it was, no cell is too long, and none starts a formula', async () => {
    await fc.assert(
      fc.asyncProperty(anyResult, async ({ diagnostics }) => {
        const csv = await csvOf(diagnostics.map(listed));
        expect(csv.endsWith('\r\n')).toBe(true);
        const cells = readCsv(csv).flat();
        expect(cells.filter((cell) => cell.length > LONGEST_CELL)).toEqual([]);
        const text = (cell: string) => cell.startsWith("'");
        expect(cells.filter((cell) => !text(cell) && startsFormula(cell))).toEqual([]);
        expect(cells.filter((cell) => holdsFormula(cell))).toEqual([]);
        const rows = rowsOf(csv);
        expect(rows).toHaveLength(diagnostics.length);
        for (const [index, hit] of diagnostics.entries()) {
          const texts = Object.entries(expected(hit));
          const row = rows[index] ?? {};
          expect(Object.keys(row).toSorted()).toEqual(texts.map(([column]) => column).toSorted());
          expect(texts.filter(([column, whole]) => differs(row[column] ?? '', whole))).toEqual([]);
        }
      }),
      { numRuns: 200, ...SHRINKING },
    );
  });
});
