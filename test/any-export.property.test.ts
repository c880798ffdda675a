import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../src/core/diagnostics.ts';
import { csvOf } from '../src/slack/exports/csv.ts';
import { markdownOf, markdownText } from '../src/slack/exports/markdown.ts';
import { anyResult } from './harness/any-result.ts';
import { hostileText } from './harness/hostile-text.ts';
import { readCsv } from './harness/read-csv.ts';

const FORMULA = /^["'\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u;
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
  const { name, importance, isHit, title, summary, action, cveIds, fixedIn, solutions, output } = hit;
  return {
    name,
    importance,
    match: String(isHit),
    title,
    summary,
    action,
    cve_ids: cveIds.join('\n'),
    fixed_in: fixedIn.join('\n'),
    solutions: solutions.map(({ url, id = '' }) => [id, url].filter(Boolean).join(' ')).join('\n'),
    output: output.join('\n\n'),
  };
}

describe('whatever a document holds, as CSV', () => {
  test('every value is read back as it was, no cell is too long, and none starts a formula', () => {
    fc.assert(
      fc.property(anyResult, ({ diagnostics }) => {
        const csv = csvOf(
          diagnostics.map((hit) => ({ hit })),
          false,
        );
        expect(csv.endsWith('\r\n')).toBe(true);
        const cells = readCsv(csv).flat();
        expect(cells.filter((cell) => cell.length > LONGEST_CELL)).toEqual([]);
        expect(cells.filter((cell) => !cell.startsWith("'") && FORMULA.test(cell))).toEqual([]);
        expect(rowsOf(csv)).toEqual(diagnostics.map(expected));
      }),
      { numRuns: 200 },
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
        const markdown = markdownOf(
          'Title',
          [],
          diagnostics.map((hit) => ({ hit })),
        );
        for (const block of diagnostics.flatMap(({ output }) => output)) {
          const fence = '`'.repeat(Math.max(3, ...[...block.matchAll(/`+/g)].map(([run]) => run.length + 1)));
          expect(markdown.includes(`\n${fence}text\n${block}\n${fence}\n`)).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });
});
