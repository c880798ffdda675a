import { readCsv } from './read-csv.ts';

export const LONGEST_CELL = 32_767;

/** What begins a formula in a spreadsheet (OWASP, "CSV Injection"), and its full-width forms, which some take for it. */
export const FORMULA_SIGNS = new Set('=+-@\uff1d\uff0b\uff0d\uff20');
/** What a spreadsheet may skip before a formula: quotes, white space, and what nobody sees. */
const SKIPPED = /["'\s\p{Cc}\p{Cf}]/u;
/** A line break or a tab at the start of a cell begins another cell in some of them. */
const BREAKS = new Set('\t\r\n');

export function startsFormula(text: string): boolean {
  if (BREAKS.has(text.charAt(0))) return true;
  const first = [...text].find((character) => !SKIPPED.test(character));
  return first !== undefined && FORMULA_SIGNS.has(first);
}

/** Whether another separator than a comma, or a line break, would begin a cell of its own that starts a formula. */
export function holdsFormula(text: string): boolean {
  const [, ...cells] = text.split(/[;\t\r\n]/);
  // What stands behind an apostrophe is text.
  return cells.some((cell) => FORMULA_SIGNS.has(cell.replace(/^["\s\p{Cc}\p{Cf}]+/u, '').charAt(0)));
}

/** The cells as rows of objects; what went on in further columns is put together again. */
export function rowsOf(csv: string): Record<string, string>[] {
  const [names = [], ...rows] = readCsv(csv);
  return rows.map((row) => {
    const values: Record<string, string> = {};
    for (const [index, name] of names.entries()) {
      const column = name.replace(/_\d+$/, '');
      values[column] = (values[column] ?? '') + (row[index] ?? '');
    }
    return values;
  });
}

/** Nothing is added to a text but apostrophes, and those only to one that holds a formula, or is in several cells. */
export function differs(cell: string, text: string): boolean {
  const mayDiffer =
    startsFormula(text) || holdsFormula(text.replaceAll("'", '')) || text.length > LONGEST_CELL - 1_000;
  return mayDiffer ? cell.replaceAll("'", '') !== text.replaceAll("'", '') : cell !== text;
}
