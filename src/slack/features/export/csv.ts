import { stringify } from 'csv-stringify/sync';
import type { Diagnostic, Match } from '../../../core/diagnostics.ts';
import { acceptedText } from '../../answer/accepted-line.ts';
import { changeWord } from '../../answer/hit-notes.ts';
import type { ShownHit } from '../../answer/rows.ts';
import { cellOf, type NamedUnit } from '../../answer/rows.ts';
import { solutionText } from '../../answer/solutions.ts';
import { HIT_FIELDS } from '../../answer/whole-hit.ts';
import { pieces } from '../../block-kit/limits.ts';

/** A spreadsheet cuts, or spills into the next row, what is longer than 32,767 characters in one cell. */
const LONGEST_CELL = 32_000;

/** How a spreadsheet recognizes a formula: it also skips some leading characters and accepts full-width forms. */
const FORMULA = /^[\s\p{Cc}\p{Cf}"']*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u;

/** Where a spreadsheet with other separators would begin a cell, and with it a formula. */
const FORMULA_WITHIN = /([;\t]["']?)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/gu;

type Column = readonly [name: string, read: (shown: ShownHit) => string];

const MATCHES: Record<Match, string> = { hit: 'hit', miss: 'passed', unstated: 'not stated' };

function outputOf(hit: Diagnostic | undefined): string {
  return hit?.output.join('\n\n') ?? '';
}

const COLUMNS: readonly Column[] = [
  ['name', ({ hit }) => hit.name],
  ['importance', ({ hit }) => hit.importance],
  ['title', ({ hit }) => hit.title],
  ...HIT_FIELDS.map(({ column, cell }): Column => [column, ({ hit }) => cell(hit)]),
  ['solutions', ({ hit }) => hit.solutions.map(solutionText).join('\n')],
  ['output', ({ hit }) => outputOf(hit)],
];

const COMPARISON_COLUMNS: readonly Column[] = [
  ['change', changeWord],
  ['importance_before', ({ was }) => was?.importance ?? ''],
];

const ACCEPTED_COLUMN: Column = ['accepted', ({ accepted }) => (accepted ? acceptedText(accepted) : '')];

const MATCH_COLUMN: Column = ['match', ({ hit }) => MATCHES[hit.match]];

/** Whether the rows are not all hits, or all passed checks, which the name of the file says. */
function isMixed(shown: readonly ShownHit[]): boolean {
  return shown.some(({ hit }) => hit.match === 'unstated' || hit.match !== shown[0]?.hit.match);
}

/** The origin of the rows, so that several exports can share a sheet. */
export type Source = {
  /** Of several snapshots: each has a column, which says how it holds the hit of a row. */
  readonly units?: readonly NamedUnit[] | undefined;
  readonly isComparison: boolean;
  readonly snapshot: string;
  readonly device: string;
};

/**
 * A table for a spreadsheet, in UTF-8 with a byte order mark and CRLF: one row a diagnostic. What is too long for a
 * cell goes on in a column of its own (`output_2`), so that nothing is lost; what would start a formula is preceded
 * by an apostrophe.
 */
export function csvOf(shown: readonly ShownHit[], { units, isComparison, snapshot, device }: Source): string {
  const one: Column[] = [
    ['snapshot', () => snapshot],
    ['device', () => device],
    ...(isComparison ? COMPARISON_COLUMNS : []),
    ...(isMixed(shown) ? [MATCH_COLUMN] : []),
    ...(shown.some(({ accepted }) => accepted) ? [ACCEPTED_COLUMN] : []),
    ...COLUMNS,
  ];
  const columns = units === undefined ? one : columnsOf(units);
  const cells = columns.map(([, read]) => shown.map((one) => pieces(read(one), LONGEST_CELL)));
  const widths = cells.map((column) => column.reduce((most, parts) => Math.max(most, parts.length), 1));
  const names = columns.flatMap(([name], index) =>
    Array.from({ length: widths[index] ?? 1 }, (_, part) => (part === 0 ? name : `${name}_${part + 1}`)),
  );
  const rows = shown.map((_, row) =>
    cells.flatMap((column, index) =>
      Array.from({ length: widths[index] ?? 1 }, (_part, part) => inertCell(column[row]?.[part] ?? '')),
    ),
  );
  return stringify([names, ...rows], { bom: true, record_delimiter: 'windows', quoted: true });
}

/** Each snapshot has a column for how it holds the hit, and one for its evidence. */
function columnsOf(units: readonly NamedUnit[]): Column[] {
  const nameOf = ({ name, question }: NamedUnit) => `${name} (${question.snapshotId})`;
  const holds = units.map(
    (unit, at): Column => [inertCell(nameOf(unit)), ({ hit, cells = [] }) => cellOf(unit, cells[at], hit)],
  );
  const found = units.map(
    (unit, at): Column => [`output: ${nameOf(unit)}`, ({ cells = [] }) => outputOf(cells[at])],
  );
  const [name, importance, title, ...others] = COLUMNS.filter(([column]) => column !== 'output');
  return [name, importance, title, ...holds, ...others, ...found].filter((column) => column !== undefined);
}

/** Makes a cell that every spreadsheet reads as text. */
function inertCell(text: string): string {
  const whole = text.replace(FORMULA_WITHIN, "$1'");
  return FORMULA.test(whole) ? `'${whole}` : whole;
}
