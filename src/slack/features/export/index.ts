import { hostOf } from '../../../core/diagnostics.ts';
import type { Asked } from '../../../core/lookup.ts';
import { mapInTurns, utcText } from '../../../core/time.ts';
import type { Answers } from '../../../lookups/lookup-status.ts';
import { plainOf } from '../../blocks/blocks.ts';
import { pieces } from '../../blocks/limits.ts';
import type { Interaction } from '../../front/interaction.ts';
import type { Feature } from '../../front/listeners.ts';
import { sendFile, type TextFile } from '../../front/send-file.ts';
import { withAnswers } from '../../front/windows.ts';
import { acceptedWords } from '../../report/hit.ts';
import { everyHit, type FileRow } from '../../report/rows.ts';
import { counted, joined, nameOf, titleOf } from '../../report/words.ts';

/** Exports the hits of a message as a CSV file to its thread. */
export const exports: Feature = {
  menu: [{ value: 'csv', choose: exportTable }],
  listen: () => {},
};

async function exportTable(press: Interaction): Promise<void> {
  const { state, tell } = press;
  const send = async (answers: Answers) => sendFile(press, await exportOf(state, answers));
  await withAnswers<void>(press, state, send, tell);
}

/** The CSV file. `comment` is mrkdwn that needs no escaping: it holds no text from outside. Yields to the event loop. */
async function exportOf(view: Asked, answers: Answers): Promise<TextFile> {
  const { result, readAt, units } = answers;
  const listed = everyHit(view, answers);
  const noun = listed.every(({ hit }) => hit.match === 'hit') ? 'hit' : 'check';
  const of = titleOf(view).toLowerCase();
  const without = (units ?? []).filter(({ kind }) => kind !== 'ready');
  const missing = without.map(({ question }) => question.snapshotId).join(', ');
  // A name such as `snapshot-26808463-edge-7.example.com-2026-11-20.csv`, with the day of the analysis.
  const said = joined(' ', of, units === undefined && nameOf(result), utcText(readAt).slice(0, 10));
  const name = `${said.replace(NOT_IN_A_NAME, '-')}.csv`;
  return {
    name,
    content: await csvOf(listed),
    comment: joined(' ', `${counted(listed.length, noun)} of ${of}`, missing && `(no result: ${missing})`),
  };
}

/** Characters that some systems don't allow in file names. */
const NOT_IN_A_NAME = /[^A-Za-z0-9.]+/g;

type Column = readonly [name: string, read: (listed: FileRow) => string];

const COLUMNS: readonly Column[] = [
  ['snapshot', ({ question }) => question.snapshotId],
  ['device', ({ result: { device } }) => hostOf(device)],
  ['serial', ({ result: { device } }) => device.chassisSerial],
  ['change', ({ change = '' }) => change],
  ['importance_before', ({ was }) => was?.importance ?? ''],
  ['match', ({ hit }) => (hit.isMatchUnstated ? 'not stated' : hit.match === 'miss' ? 'passed' : 'hit')],
  ['accepted', ({ accepted }) => (accepted === undefined ? '' : plainOf([acceptedWords(accepted)]))],
  ['name', ({ hit }) => hit.name],
  ['importance', ({ hit }) => hit.importance],
  ['title', ({ hit }) => hit.title],
  ['summary', ({ hit }) => hit.summary],
  ['action', ({ hit }) => hit.action],
  ['other_name', ({ hit }) => hit.otherName ?? ''],
  ['cve_ids', ({ hit }) => hit.cveIds.join('\n')],
  ['known_exploited_since', ({ hit }) => hit.exploitedSince ?? ''],
  ['fixed_in', ({ hit }) => hit.fixedIn.join('\n')],
  ['solutions', ({ hit }) => hit.solutions.map(({ id = '', url }) => `${id} ${url}`.trim()).join('\n')],
  ['output', ({ hit }) => hit.output.join('\n\n')],
];

/** Spreadsheets cut or split cells of more than 32,767 characters. */
const LONGEST_CELL = 32_000;

/**
 * A CSV table for spreadsheets: UTF-8 with a byte order mark, CRLF, one row a diagnostic. A text too long for one cell
 * continues in another column (`output_2`). An apostrophe before a possible formula makes it text. Yields to the event
 * loop.
 */
async function csvOf(listed: readonly FileRow[]): Promise<string> {
  // Loaded here, because it takes 10 ms that would delay every start.
  const { stringify } = await import('csv-stringify/sync');
  const rows = await mapInTurns(listed, (one) => COLUMNS.map(([, read]) => pieces(read(one), LONGEST_CELL)));
  const widths = COLUMNS.map((_, at) => Math.max(1, ...rows.map((row) => row[at]?.length ?? 1)));
  const parts = (at: number) => Array.from({ length: widths[at] ?? 1 }, (_, part) => part);
  const head = COLUMNS.map(([name], at) =>
    parts(at).map((part) => (part === 0 ? name : `${name}_${part + 1}`)),
  );
  const lines = await mapInTurns([head, ...rows], (row, nth) => {
    const cells = row.flatMap((texts, at) => parts(at).map((part) => inertCell(texts[part] ?? '')));
    return stringify([cells], { bom: nth === 0, record_delimiter: 'windows', quoted: true });
  });
  return lines.join('');
}

/** Matches a formula. Spreadsheets skip some leading characters, and accept full-width signs. */
const FORMULA = /^[\s\p{Cc}\p{Cf}"']*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u;

/**
 * Matches a separator at which some spreadsheets begin a new cell inside a text, and a formula's sign if it follows.
 * Reads a long run of blanks only once, to take linear time.
 */
const CELL_WITHIN = /([;\t\r\n][\s\p{Cc}\p{Cf}"';]*)([=+\-@\uff1d\uff0b\uff0d\uff20]?)/gu;

/** Makes a cell that no spreadsheet reads as a formula. */
function inertCell(text: string): string {
  const whole = text.replace(CELL_WITHIN, (_, before: string, sign: string) =>
    before.concat(sign && "'", sign),
  );
  return FORMULA.test(whole) ? `'${whole}` : whole;
}
