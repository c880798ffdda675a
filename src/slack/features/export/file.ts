import { stringify } from 'csv-stringify/sync';
import { type Diagnostic, hostOf, type Match } from '../../../core/diagnostics.ts';
import { mapInTurns } from '../../../core/event-loop.ts';
import type { Answers } from '../../../lookups/lookup-status.ts';
import { filterWords } from '../../answer/filter.ts';
import { acceptedText, cellOf, changeWord } from '../../answer/hit-notes.ts';
import { modelOf, type ResultModel } from '../../answer/result-model.ts';
import { type NamedUnit, type ShownHit, saidOf, unlisted } from '../../answer/rows.ts';
import { verdictLines } from '../../answer/search-words.ts';
import { solutionText } from '../../answer/solutions.ts';
import { contentsOf, HIT_FIELDS, reportHead } from '../../answer/whole-hit.ts';
import { hardwareOf, subjectOf } from '../../answer/wording.ts';
import type { ViewState } from '../../blocks/action-values.ts';
import { inert, pieces } from '../../blocks/limits.ts';
import type { Export } from '../../front/send-file.ts';
import { markdownOf } from './markdown.ts';

/** What a message shows, on all its pages, as a table or a report, or everything that it is about. */
export type ExportChoice = 'csv' | 'markdown' | 'all-csv';

/** The file and its comment in mrkdwn, which holds only the bot's own words and ids. Lets the event loop take turns. */
export async function exportFile(view: ViewState, answers: Answers, choice: ExportChoice): Promise<Export> {
  const model = modelOf(view, answers);
  const passed = model.listed.slice(model.shown.length);
  const hits = [...(choice === 'all-csv' ? model.all : model.shown), ...passed];
  const some = contentsOf(model, hits);
  const extension = choice === 'markdown' ? 'md' : 'csv';
  const content =
    choice === 'markdown'
      ? await markdownOf([...reportHead(model, hits), sha1Line(answers)], { ...model, shown: hits })
      : await csvOf(hits, sourceOf(model));
  const name = `${nameOf(model, choice)}.${extension}`;
  const comment = [`${some} of ${subjectOf(view)}`, ...verdictLines(model).map(inert)].join('\n');
  return { file: { name, title: name, content }, comment };
}

function sourceOf({ view, answers, about, units }: ResultModel): Source {
  const { before, question } = view;
  const snapshot =
    before === undefined ? question.snapshotId : `${before.snapshotId} → ${question.snapshotId}`;
  return { units, isComparison: about === 'changes', snapshot, device: hardwareOf(answers.result) };
}

/** Characters that not every system allows in a file name. */
const NOT_IN_A_NAME = /[^A-Za-z0-9.]+/g;
const LONGEST_PART = 40;

/** `snapshot-26808463-edge-7.example.com-hits-critical-2026-11-20`: which device, what of it, and when it was read. */
function nameOf({ view, answers }: ResultModel, choice: ExportChoice): string {
  const { question, others = [], before, filter = {}, show, search } = view;
  const side = question.set === 'miss' ? 'passed-checks' : 'hits';
  const kind = search === undefined ? side : 'search';
  const part = choice === 'all-csv' ? '' : (show ?? filterWords(filter));
  const device = hostOf(answers.result.device) || answers.result.device.chassisSerial;
  const date = new Date(answers.readAt).toISOString().slice(0, 10);
  const group = others.map(({ snapshotId }) => snapshotId);
  const names =
    group.length === 0
      ? ['snapshot', question.snapshotId, device]
      : ['snapshots', question.snapshotId, ...group];
  const parts =
    before === undefined
      ? [...names, kind, part, date]
      : ['snapshots', before.snapshotId, question.snapshotId, device, 'compared', part, date];
  return parts
    .map((text) => text.replace(NOT_IN_A_NAME, '-').slice(0, LONGEST_PART))
    .filter((text) => text !== '' && text !== '-')
    .join('-');
}

function sha1Line({ before, units, result: { sha1 } }: Answers): string {
  return sha1 === '' || before !== undefined || units !== undefined ? '' : `SHA-1 of the snapshot: ${sha1}`;
}

/** A spreadsheet cuts, or spills into the next row, what is longer than 32,767 characters in one cell. */
const LONGEST_CELL = 32_000;

/** How a spreadsheet recognizes a formula: it also skips some leading characters and accepts full-width forms. */
const FORMULA = /^[\s\p{Cc}\p{Cf}"']*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u;

/**
 * Where a spreadsheet with other separators begins a cell, or a row if it takes no quotes for such, and what it skips
 * there; then, perhaps, what begins a formula. A long run of blanks is read once.
 */
const CELL_WITHIN = /([;\t\r\n][\s\p{Cc}\p{Cf}"';]*)([=+\-@\uff1d\uff0b\uff0d\uff20]?)/gu;

type Column = readonly [name: string, read: (shown: ShownHit) => string];

const MATCHES: Record<Match, string> = { hit: 'hit', miss: 'passed' };

const COMPARISON_COLUMNS: readonly Column[] = [
  ['change', changeWord],
  ['importance_before', ({ was }) => was?.importance ?? ''],
];
const MATCH_COLUMN: Column = [
  'match',
  ({ hit }) => (hit.isMatchUnstated ? 'not stated' : MATCHES[hit.match]),
];
const ACCEPTED_COLUMN: Column = ['accepted', ({ accepted }) => (accepted ? acceptedText(accepted) : '')];

/** Whether the rows are not all hits, or all passed checks, which the name of the file says. */
function isMixed(shown: readonly ShownHit[]): boolean {
  return shown.some(({ hit }) => hit.isMatchUnstated || hit.match !== shown[0]?.hit.match);
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
export async function csvOf(shown: readonly ShownHit[], source: Source): Promise<string> {
  const columns = columnsOf(shown, source);
  const cells = await mapInTurns(shown, (one) => columns.map(([, read]) => pieces(read(one), LONGEST_CELL)));
  const widths = columns.map((_, at) => cells.reduce((most, row) => Math.max(most, row[at]?.length ?? 1), 1));
  const head = columns.map(([name], at) =>
    Array.from({ length: widths[at] ?? 1 }, (_, part) => `${name}${part === 0 ? '' : `_${part + 1}`}`),
  );
  const lines = await mapInTurns([head, ...cells], (row, at) => {
    const wide = widths.flatMap((width, column) =>
      Array.from({ length: width }, (_, part) => row[column]?.[part] ?? ''),
    );
    return stringify([wide.map(inertCell)], { bom: at === 0, record_delimiter: 'windows', quoted: true });
  });
  return lines.join('');
}

/** Of several snapshots each has a column for how it holds the hit, and one for its evidence. */
function columnsOf(
  shown: readonly ShownHit[],
  { units, isComparison, snapshot, device }: Source,
): readonly Column[] {
  const nameOf = ({ name, question }: NamedUnit) => `${name} (${question.snapshotId})`;
  const origin: Column[] = [
    ['snapshot', () => snapshot],
    ['device', () => device],
    ...(isComparison ? COMPARISON_COLUMNS : []),
    ...(isMixed(shown) ? [MATCH_COLUMN] : []),
    ...(shown.some(({ accepted }) => accepted) ? [ACCEPTED_COLUMN] : []),
  ];
  const holds = units?.map(
    (unit, at): Column => [nameOf(unit), ({ hit, cells = [] }) => cellOf(unit, cells[at], hit)],
  );
  const found = units?.map(
    (unit, at): Column => [
      `output: ${nameOf(unit)}`,
      ({ hit, cells = [] }) => outputOf(cells[at] ?? unfound(unit, hit)),
    ],
  );
  return [
    ...(units === undefined ? origin : []),
    ['name', ({ hit }) => hit.name],
    ['importance', ({ hit }) => hit.importance],
    ['title', (shown) => said(shown, units, ({ title }) => title)],
    ...(holds ?? []),
    ...HIT_FIELDS.map(
      ({ column, cell, isList }): Column => [
        column,
        (shown) => (isList ? cell(shown.hit) : said(shown, units, cell)),
      ],
    ),
    ['solutions', ({ hit }) => hit.solutions.map(solutionText).join('\n')],
    ...(found ?? [['output', ({ hit }) => outputOf(hit)] as const]),
  ];
}

/** What the documents of a row say, each below the names of those that say it where others say something else. */
function said(shown: ShownHit, units: Source['units'], read: (hit: Diagnostic) => string): string {
  return saidOf(shown, units, read)
    .map(({ where, text }) => (where === '' ? text : `${where}: ${text}`))
    .join('\n');
}

/** A hit that the search did not find there. Of the other side of a result no file has the whole texts. */
function unfound(unit: NamedUnit, hit: Diagnostic): Diagnostic | undefined {
  const other = unlisted(unit, hit);
  return other?.match === hit.match ? other : undefined;
}

function outputOf(hit: Diagnostic | undefined): string {
  return hit?.output.join('\n\n') ?? '';
}

/** Makes a cell that every spreadsheet reads as text. */
function inertCell(text: string): string {
  const whole = text.replace(CELL_WITHIN, (_, before: string, sign: string) =>
    before.concat(sign && "'", sign),
  );
  return FORMULA.test(whole) ? `'${whole}` : whole;
}
