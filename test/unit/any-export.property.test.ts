import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../src/core/diagnostics.ts';
import { csvOf } from '../../src/slack/exports/csv.ts';
import { markdownOf, markdownText } from '../../src/slack/exports/markdown.ts';
import { evidenceText } from '../../src/slack/messages/words/evidence-text.ts';
import { anyResult } from '../support/any-result.ts';
import { fc } from '../support/fast-check.ts';
import { hostileText } from '../support/hostile-text.ts';
import { readCsv } from '../support/read-csv.ts';

const FORMULA = /^["'\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u;
/** Where another separator would begin a formula: an apostrophe stands before it. */
const WITHIN = /([;\t]["']?)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/gu;
const LONGEST_CELL = 32_767;
const BACKSLASHES = /\\(?=[!-/:-@[-`{-~])/g;

/** A cell as it was before it was kept from being a formula. */
function plain(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
}

/** The rows as objects; what went on in further columns is put together again. */
function rowsOf(csv: string): Record<string, string>[] {
  const [names = [], ...rows] = readCsv(csv);
  return rows.map((row) => {
    const values: Record<string, string> = {};
    for (const [index, name] of names.entries()) {
      const column = name.replace(/_\d+$/, '');
      values[column] = (values[column] ?? '') + plain(row[index] ?? '');
    }
    return values;
  });
}

function expected(hit: Diagnostic): Record<string, string> {
  const { name, importance, title, summary, action, cveIds, fixedIn, solutions, output } = hit;
  const cells = {
    snapshot: '26808463',
    device: 'edge-7',
    name,
    importance,
    title,
    summary,
    action,
    cve_ids: cveIds.join('\n'),
    fixed_in: fixedIn.join('\n'),
    solutions: solutions.map(({ url, id = '' }) => [id, url].filter(Boolean).join(' ')).join('\n'),
    output: output.join('\n\n'),
  };
  const disarmed = Object.entries(cells).map(([column, cell]) => [column, cell.replace(WITHIN, "$1'")]);
  return Object.fromEntries(disarmed);
}

describe('whatever a document holds, as CSV', () => {
  test('every value is read back as it was, no cell is too long, and none starts a formula', () => {
    fc.assert(
      fc.property(anyResult, ({ diagnostics }) => {
        const csv = csvOf(
          diagnostics.map((hit) => ({ hit })),
          { isComparison: false, snapshot: '26808463', device: 'edge-7' },
        );
        expect(csv.endsWith('\r\n')).toBe(true);
        const cells = readCsv(csv).flat();
        expect(cells.filter((cell) => cell.length > LONGEST_CELL)).toEqual([]);
        expect(cells.filter((cell) => !cell.startsWith("'") && FORMULA.test(cell))).toEqual([]);
        expect(rowsOf(csv)).toEqual(diagnostics.map(expected));
      }),
      { numRuns: 200, endOnFailure: true },
    );
  });
});

/** A text as a reader of Markdown sees it. */
function readBack(markdown: string): string {
  return markdown.replace(BACKSLASHES, '').replaceAll('\u2060', '');
}

describe('whatever a document holds, as Markdown', () => {
  test('a text is read back as it was, in one line', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const markdown = markdownText(text);
        expect(markdown).not.toContain('\n');
        const asWritten = text.replace(/\s+/g, ' ').trim();
        // A backslash of the text itself is written twice.
        expect(readBack(markdown) === readBack(asWritten) || asWritten.includes('\\')).toBe(true);
        expect(markdown.replace(/\\./g, '')).not.toMatch(/[<>&*_`[\]|~$]|:\/\/|@\w/);
      }),
      { numRuns: 1_000 },
    );
  });

  test('every block of evidence stands in a fence that nothing in it closes', () => {
    fc.assert(
      fc.property(anyResult, ({ diagnostics }) => {
        const markdown = markdownOf('Title', [], {
          shown: diagnostics.map((hit) => ({ hit })),
          usualHost: undefined,
        });
        for (const block of diagnostics.map(({ output }) => evidenceText(output)).filter(Boolean)) {
          const fence = '`'.repeat(Math.max(3, ...[...block.matchAll(/`+/g)].map(([run]) => run.length + 1)));
          expect(markdown.includes(`\n${fence}text\n${block}\n${fence}\n`)).toBe(true);
        }
      }),
      { numRuns: 100, endOnFailure: true },
    );
  });
});
