import type { types } from '@slack/bolt';
import type { Diagnostic, Solution } from '../../core/diagnostics.ts';
import { oneLine } from '../../core/texts.ts';
import { utcText } from '../../core/time.ts';
import { actions, preformatted, richText, words } from '../blocks/blocks.ts';
import { LIMITS, pieces } from '../blocks/limits.ts';
import { filterWords } from './filter.ts';
import { acceptedLine, becameOf, kindLabel } from './hit-notes.ts';
import type { ResultModel } from './result-model.ts';
import type { ShownHit } from './rows.ts';
import { cellsIn, saidOf } from './rows.ts';
import { solutionButton, webAddress } from './solutions.ts';
import { linesOf } from './view-message.ts';
import { actionOf, counted, evidenceText, importanceOf, joined, noteOf, tally, titleOf } from './wording.ts';

/**
 * Everything that is known of one hit, in the order in which it is needed: what it is, what to do, what was found on
 * this device, and why it matters. Lines stay lines; texts that are too long for a block are in several.
 */
export function wholeHit(shown: ShownHit, model: ResultModel): types.KnownBlock[] {
  const { usualHost, units } = model;
  const { hit, accepted } = shown;
  return [
    ...labelled('', hit.title, true),
    ...labelled('', joined(' · ', importanceOf(hit), noteOf(hit), hit.name, becameOf(shown, model))),
    ...(accepted === undefined ? [] : [richText(acceptedLine(accepted))]),
    ...otherTitles(shown, model),
    ...fields(shown, model, true),
    ...cellsIn(shown, units).flatMap(({ name, cell }) => evidence(cell.output, name || 'this device')),
    ...fields(shown, model, false),
    ...solutions(hit, usualHost),
  ];
}

/** Those that say what to do, or the others. */
function fields(shown: ShownHit, { units }: ResultModel, areToDo: boolean): types.KnownBlock[] {
  const some = HIT_FIELDS.filter(({ isToDo = false }) => isToDo === areToDo);
  return some.flatMap(({ label, text }) =>
    saidOf(shown, units, text).flatMap((said) => labelled(labelIn(label, said), said.text)),
  );
}

/** `Action (lb-a)`, where others say something else. */
function labelIn(label: string, { where }: { readonly where: string }): string {
  return where === '' ? label : `${label} (${where})`;
}

function otherTitles(shown: ShownHit, { units }: ResultModel): types.KnownBlock[] {
  const others = saidOf(shown, units, ({ title }) => title).filter(({ text }) => text !== shown.hit.title);
  return others.flatMap((said) => labelled(labelIn('Title', said), said.text));
}

/** A text of several lines begins below its label, so that its first step is a step like the others. */
function labelled(label: string, text: string, bold = false): types.KnownBlock[] {
  const start = text.includes('\n') ? '\n' : ' ';
  return pieces(text, LIMITS.textElement).map((piece, index) =>
    richText([
      ...(label !== '' && index === 0 ? [words(`${label}:${start}`, { bold: true })] : []),
      words(piece, bold ? { bold } : undefined),
    ]),
  );
}

function evidence(output: readonly string[], where: string): types.KnownBlock[] {
  const blocks = pieces(evidenceText(output), LIMITS.textElement).map(preformatted);
  if (blocks.length === 0) return [];
  return [richText([words(`Found on ${where}:`, { bold: true })]), ...blocks];
}

function solutions(hit: Diagnostic, usualHost: string | undefined): types.KnownBlock[] {
  const buttons = hit.solutions.flatMap((each, index) => solutionButton(each, index, usualHost) ?? []);
  const others = hit.solutions.filter((solution) => webAddress(solution) === undefined || isCut(solution));
  const rows: types.KnownBlock[] = [];
  // Long addresses make heavy rows; five of them still fit a part.
  for (let first = 0; first < buttons.length; first += 5) rows.push(actions(buttons.slice(first, first + 5)));
  return [...others.flatMap(({ url, id }) => labelled('Solution', joined(' · ', id, url))), ...rows];
}

/** Whether the label of its button can't hold the article's id. */
function isCut({ id = '' }: Solution): boolean {
  return id.length > LIMITS.buttonText;
}

/** A field of a diagnostic that details and exports have as it stands, under a label. */
type HitField = {
  readonly label: string;
  readonly text: (hit: Diagnostic) => string;
  /** Its column in a table, where each value of a list has a line of its own. */
  readonly column: string;
  readonly cell: (hit: Diagnostic) => string;
  /** Whether it says what to do, which people read first. */
  readonly isToDo?: boolean;
  /** Whether a table has what any of several documents lists, without their names. */
  readonly isList?: boolean;
};

/** In the order of the files. A new field of a diagnostic is shown by its line here. */
const HIT_FIELDS: readonly HitField[] = [
  field('Summary', 'summary', ({ summary }) => summary),
  { ...field('Action', 'action', ({ action }) => action), text: actionOf, isToDo: true },
  field('Also named', 'other_name', ({ otherName = '' }) => otherName),
  listField('CVEs', 'cve_ids', ({ cveIds }) => cveIds),
  { ...listField('Fixed in', 'fixed_in', ({ fixedIn }) => fixedIn), isToDo: true },
];

function field(label: string, column: string, text: (hit: Diagnostic) => string): HitField {
  return { label, column, text, cell: text };
}

function listField(label: string, column: string, values: (hit: Diagnostic) => readonly string[]): HitField {
  return {
    label,
    text: (hit) => values(hit).join(', '),
    column,
    cell: (hit) => values(hit).join('\n'),
    isList: true,
  };
}

/** What stands above the hits of a report or of a text for the case, one sentence a line, none of them empty. */
export function reportHead(model: ResultModel, hits: readonly ShownHit[]): string[] {
  const { view, answers } = model;
  const about = linesOf(model).map(({ text, report = text }) => report);
  const listed = `Listed here: ${contentsOf(model, hits)}. Read ${utcText(answers.readAt)}.`;
  return [titleOf(view, answers.result), ...about, listed].map(oneLine).filter((line) => line !== '');
}

/** What is in a file, in words: `12 of 37 hits (critical)`, and beside it whatever is no hit. */
export function contentsOf(model: ResultModel, hits: readonly ShownHit[]): string {
  const { view, noun } = model;
  const { all } = model.counts;
  const { known, others } = kindsIn(noun, hits);
  const total = counted(all, noun === 'check' ? 'passed check' : 'hit');
  const kind = view.show && kindLabel(view.show, model).toLowerCase();
  const part = joined(', ', kind, filterWords(view.filter ?? {}));
  const listed = known === all ? total : `${known} of ${total}${part === '' ? '' : ` (${part})`}`;
  return joined(', ', listed, ...others);
}

/** How many there are of each kind: `4 hits, 3 with match not stated`. */
export function sizesOf({ noun }: ResultModel, hits: readonly ShownHit[]): string {
  const { known, others } = kindsIn(noun, hits);
  return joined(', ', (known > 0 || others.length === 0) && counted(known, noun), ...others);
}

function kindsIn(noun: ResultModel['noun'], hits: readonly ShownHit[]) {
  const checks = noun === 'hit' ? hits.filter(({ hit }) => hit.match === 'miss').length : 0;
  const unstated = hits.filter(({ hit }) => hit.isMatchUnstated).length;
  return {
    known: hits.length - checks,
    others: tally({ ...(checks > 0 && { misses: checks }), unstated }),
  };
}
