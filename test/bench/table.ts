import type { Row } from './row.ts';
import { median, spread } from './statistics.ts';

/** Whether the median meets the bound. A row with a used-up resource counts as met. */
export function isMet({ good, must, values, full }: Row): boolean {
  if (full !== undefined) return true;
  const value = median(values);
  return good === 'more' ? value >= must : value <= must;
}

/** The rows as a Markdown table, with the median and the spread of each. */
export function asTable(machine: string, rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const { name, good, must, goal, values, full } = row;
    const what = full === undefined ? row.what : `${row.what} (full: ${full})`;
    const bound = good === 'more' ? '≥' : '≤';
    const around =
      values.length > 1 ? `± ${(spread(values) * 100).toFixed(0)} % (${values.length} runs)` : 'one run';
    const goals = goal === undefined ? '' : `${bound} ${shown(goal, row)}`;
    const mark = isMet(row) ? '✓' : '✗';
    return `| ${mark} | \`${name}\` | ${what} | ${shown(median(values), row)} | ${around} | ${bound} ${shown(must, row)} | ${goals} |`;
  });
  return [
    machine,
    '',
    '|   | row | what | median | spread | must | goal |',
    '| - | --- | ---- | ------ | ------ | ---- | ---- |',
    ...lines,
  ].join('\n');
}

function shown(value: number, { unit }: Row): string {
  const digits = unit === '×' ? 2 : 0;
  return `${value.toFixed(digits)}${unit === '' ? '' : ` ${unit}`}`;
}
