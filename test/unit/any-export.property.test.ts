import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../src/core/diagnostics.ts';
import { HIT_FIELDS } from '../../src/slack/answer/whole-hit.ts';
import { evidenceText } from '../../src/slack/answer/wording.ts';
import { csvOf } from '../../src/slack/features/export/file.ts';
import { markdownOf, markdownText } from '../../src/slack/features/export/markdown.ts';
import { aDiagnostic } from '../support/a-diagnostic.ts';
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
import { hostileText } from '../support/hostile-text.ts';
import { readCsv } from '../support/read-csv.ts';
import { SHRINKING } from '../support/shrinking.ts';

const MATCHES = { hit: 'hit', miss: 'passed' };

/** The columns of a row; what its `match` says has one where the rows are not all hits, or all passed checks. */
function expected(hit: Diagnostic, isMixed: boolean): Record<string, string> {
  const { name, match, importance, title, solutions, output } = hit;
  return {
    snapshot: '26808463',
    device: 'edge-7',
    ...(isMixed && { match: hit.isMatchUnstated ? 'not stated' : MATCHES[match] }),
    ...{ name, importance, title },
    ...Object.fromEntries(HIT_FIELDS.map(({ column, cell }) => [column, cell(hit)])),
    solutions: solutions.map(({ url, id = '' }) => [id, url].filter(Boolean).join(' ')).join('\n'),
    output: output.join('\n\n'),
  };
}

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
        const csv = await csvOf([{ hit: aDiagnostic({ title }) }], {
          isComparison: false,
          snapshot: '1',
          device: '',
        });
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
        const csv = await csvOf(
          diagnostics.map((hit) => ({ hit })),
          { isComparison: false, snapshot: '26808463', device: 'edge-7' },
        );
        expect(csv.endsWith('\r\n')).toBe(true);
        const cells = readCsv(csv).flat();
        expect(cells.filter((cell) => cell.length > LONGEST_CELL)).toEqual([]);
        const text = (cell: string) => cell.startsWith("'");
        expect(cells.filter((cell) => !text(cell) && startsFormula(cell))).toEqual([]);
        expect(cells.filter((cell) => holdsFormula(cell))).toEqual([]);
        const rows = rowsOf(csv);
        expect(rows).toHaveLength(diagnostics.length);
        const matches = new Set(diagnostics.map(({ match }) => match));
        const isMixed = matches.size > 1 || diagnostics.some(({ isMatchUnstated }) => isMatchUnstated);
        for (const [index, hit] of diagnostics.entries()) {
          const texts = Object.entries(expected(hit, isMixed));
          const row = rows[index] ?? {};
          expect(Object.keys(row)).toEqual(texts.map(([column]) => column));
          expect(texts.filter(([column, whole]) => differs(row[column] ?? '', whole))).toEqual([]);
        }
      }),
      { numRuns: 200, ...SHRINKING },
    );
  });
});

/** CommonMark 2.4: "Any ASCII punctuation character may be backslash-escaped." */
const ESCAPED = /\\([!-/:-@[-`{-~])/g;

/** A text as a reader of Markdown sees it. */
function readBack(markdown: string): string {
  return withoutJoiners(markdown.replace(ESCAPED, '$1'));
}

/** A word joiner stands after a sign that would mention somebody. Nobody sees it. */
function withoutJoiners(text: string): string {
  return text.replaceAll('\u2060', '');
}

/** What begins a block of its own (CommonMark 4.1 to 4.3, 5.1 and 5.2), or an emoji, at the start of a line. */
const BLOCK_STARTS = [
  /^#{1,6}(?:\s|$)/,
  /^[-+*](?:\s|$)/,
  /^\d{1,9}[.)](?:\s|$)/,
  /^[=-]+\s*$/,
  /^>/,
  /^(?:`{3}|~{3})/,
];
/** What is markup inside a line (CommonMark 6, GitHub's tables, strikethrough, formulas, links and references). */
const INLINE = [/[`*_[\]<>&|~$]/, /:\/\//, /www\./i, /[@#]\w/, /:[\w+-]+:/];

/** A text is read back as it was, on one line, and nothing in it is markup. */
function expectPlain(text: string) {
  const markdown = markdownText(text);
  expect(markdown).not.toContain('\n');
  expect(readBack(markdown)).toBe(withoutJoiners(text.replace(/\s+/g, ' ').trim()));
  // An escaped sign is a letter like any other.
  const live = markdown.replace(ESCAPED, '\u00b7');
  expect([...BLOCK_STARTS, ...INLINE].filter((markup) => markup.test(live))).toEqual([]);
}

describe('whatever a document holds, as Markdown', () => {
  test('a text is read back as it was, in one line', () => {
    fc.assert(fc.property(hostileText, expectPlain), { numRuns: 1_000 });
  });

  test('every block of evidence stands in a fence that nothing in it closes', async () => {
    await fc.assert(
      fc.asyncProperty(anyResult, async ({ diagnostics }) => {
        const markdown = await markdownOf(['Title'], {
          shown: diagnostics.map((hit) => ({ hit })),
          usualHost: undefined,
        });
        for (const block of diagnostics.map(({ output }) => evidenceText(output)).filter(Boolean)) {
          const fence = '`'.repeat(Math.max(3, ...[...block.matchAll(/`+/g)].map(([run]) => run.length + 1)));
          expect(markdown.includes(`\n${fence}text\n${block}\n${fence}\n`)).toBe(true);
        }
      }),
      { numRuns: 100, ...SHRINKING },
    );
  });
});
