import type { Acceptance } from '../../core/comparing.ts';
import { acceptanceOf, CHANGES } from '../../core/comparing.ts';
import type { Diagnostic } from '../../core/diagnostics.ts';
import { levelOf } from '../../core/importance.ts';
import { utcText } from '../../core/time.ts';
import type { Unit } from '../../lookups/lookup-status.ts';
import type { View } from '../blocks/action-values.ts';
import { day, type RichElement, words } from '../blocks/blocks.ts';
import { shorten } from '../blocks/limits.ts';
import type { ListedHit, ResultModel } from './result-model.ts';
import { cellsIn, type Kind, type NamedUnit, readyAt, type ShownHit, sizeOf, unlisted } from './rows.ts';
import { capital, count, importanceOf, joined, listed, noteOf, wordInCounts } from './wording.ts';

/** A check that passed is named after the issue that it looks for: the heading above such lines says that there is none. */
export function sectionOf(listed: ListedHit, model: ResultModel): string {
  const { hit, kind, form } = listed;
  const { about, noun, counts, passed = [] } = model;
  if (about === 'changes' && kind !== undefined) return sectionTitle(kind, model);
  if (form === 'blocks' || hit.match !== 'miss') return '';
  const size = noun === 'check' ? counts.shown : passed.length;
  return `✓ Checked, not a hit ${about === 'several' ? passedOn(listed, model) : `(${count(size)})`}`;
}

/** On which a check passed, and how many checks did there: `on both (214)`. */
function passedOn(row: ShownHit, { units = [], listed: rows }: ResultModel): string {
  const on = (each: ShownHit) => (each.kind === 'shared' ? everyOne(units) : listed(ownersOf(each, units)));
  const where = on(row);
  return `on ${where} (${count(rows.filter((each) => on(each) === where).length)})`;
}

const LONGEST_NOTE = 20;

/** What is said of a hit beside its importance: where the names of its owners leave no room, how many they are. */
export function noteOfShown(shown: ShownHit, model: ResultModel): string {
  const { hit, kind, was, cells = [] } = shown;
  if (model.about !== 'several')
    return kind === 'changed' && was !== undefined ? `was ${importanceOf(was)}` : noteOf(hit);
  const note = whoseNote(shown, model);
  const owners = cells.filter((cell) => cell !== undefined).length;
  const whose = note.length > LONGEST_NOTE && owners > 2 ? `${owners} of ${cells.length}` : note;
  return joined(', ', whose, otherRating(shown, model));
}

/** `both`, `all 4`, or of those with a result `the 2 with a result`. */
export function everyOne(units: readonly NamedUnit[]): string {
  const ready = readyAt(units).length;
  if (ready < units.length) return `the ${count(ready)} with a result`;
  return ready === 2 ? 'both' : `all ${count(ready)}`;
}

/** Who has a hit, and where it is not rated as it is shown: `both have it, low on lb-b`; or ''. */
export function ownersNote(row: ShownHit, model: ResultModel): string {
  return joined(', ', whoseNote(row, model), otherRating(row, model));
}

function otherRating(row: ShownHit, { units }: ResultModel): string {
  const { hit } = row;
  if (hit.match !== 'hit') return '';
  const others = cellsIn(row, units).flatMap(({ name, cell }) => {
    const level = levelOf(cell);
    return level.key === levelOf(hit).key ? [] : { name, level };
  });
  const [first] = others;
  if (first === undefined) return '';
  return others.length === 1
    ? `${wordInCounts(first.level)} on ${first.name}`
    : `rated otherwise on ${count(others.length)}`;
}

/**
 * Who has a hit: `all have it`, or `only lb-b`; or '' where only one has a result. Where some have none, or have it too
 * where a search did not find it, those of the row are named, and nothing is said of the others.
 */
function whoseNote(row: ShownHit, { view, units = [] }: ResultModel): string {
  const { kind, cells = [] } = row;
  const among = readyAt(units).length;
  if (among < 2) return noteOf(row.hit);
  const whose = ownersOf(row, units);
  const isElsewhere =
    view.search !== undefined &&
    units.some((unit, at) => !cells[at] && unlisted(unit, row.hit)?.match === row.hit.match);
  if (among < units.length || isElsewhere)
    return kind === 'shared' && whose.length > 2 ? 'all with a result' : `on ${listed(whose)}`;
  if (kind === 'shared') return `${among === 2 ? 'both' : 'all'} have it`;
  const others = units.filter((unit, at) => unit.kind === 'ready' && cells[at] === undefined);
  const isSure = others.every(({ doubt }) => doubt === '');
  if (whose.length > others.length && others.length < 3)
    return `not ${isSure ? '' : 'listed for '}${listed(others.map(({ name }) => name))}`;
  return `${isSure ? 'only' : 'listed only for'} ${listed(whose)}`;
}

/** The names of those who have a hit. */
export function ownersOf(row: ShownHit, units: readonly NamedUnit[]): string[] {
  return cellsIn(row, units).map(({ name }) => name);
}

const MARKS: Partial<Record<Kind, string>> = { new: '+', changed: '±', unchanged: '=' };

/** What stands above the hits of one kind in a comparison. */
function sectionTitle(kind: Kind, model: ResultModel): string {
  const word = wordOf(kind, model);
  const mark = MARKS[kind] ?? (word === 'cleared' ? '✓' : '?');
  return `${mark} ${kindLabel(kind, model)}${placeOf(kind, model.view)} · ${count(sizeOf(kind, model))}`;
}

/** A kind of hits as headings and menus call it. */
export function kindLabel(kind: Kind, model: Pick<ResultModel, 'all' | 'units'>): string {
  if (kind === 'shared') return `${capital(everyOne(model.units ?? []))} have it`;
  if (kind === 'some') return 'Only some have it';
  return capital(wordOf(kind, model));
}

/** Which of the two snapshots the hits of a kind are of, where only one has them; or ''. */
function placeOf(kind: Kind, { before, question }: View, noun = ''): string {
  if (kind === 'new') return ` in ${noun}${question.snapshotId}`;
  return kind === 'cleared' ? ` (was in ${noun}${before?.snapshotId})` : '';
}

/** Of several results: who has a hit, or what became of it; or ''. */
export function becameOf(shown: ShownHit, model: ResultModel): string {
  const { kind, was } = shown;
  if (kind === undefined) return '';
  if (model.about === 'several') return ownersNote(shown, model);
  const place = was === undefined ? placeOf(kind, model.view, 'snapshot ') : ` (was ${importanceOf(was)})`;
  return `${kindLabel(kind, { all: [shown] })}${kind === 'unchanged' ? '' : place}`;
}

/** What became of a hit that one document rates as another one does not. */
export const RATED_DIFFERENTLY = 'rated differently';

/** The name of what became of a hit, inside a sentence; '' where nothing is compared. */
export function changeWord({ kind, isUncertain }: Pick<ShownHit, 'kind' | 'isUncertain'>): string {
  if (isUncertain) return 'no longer listed';
  return kind === 'changed' ? RATED_DIFFERENTLY : (CHANGES.find((each) => each === kind) ?? '');
}

/** The same for all hits of a comparison that have this change. */
export function wordOf(kind: Kind, { all }: Pick<ResultModel, 'all'>): string {
  return changeWord(all.find((shown) => shown.kind === kind) ?? { kind });
}

/** What a document says of the hit of a row, in the words of tables. */
export function cellOf(unit: Unit, cell: Diagnostic | undefined, hit: Diagnostic): string {
  if (unit.kind !== 'ready') return 'no result';
  const said = cell ?? unlisted(unit, hit);
  if (said === undefined) return 'not listed';
  if (said.match === 'miss') return 'passed';
  const accepted = acceptanceOf(said, unit.accepted);
  const isOther = hit.match === 'hit' && levelOf(said).key !== levelOf(hit).key;
  return joined(', ', 'hit', noteOf(said), isOther && levelOf(said).word, accepted && acceptedText(accepted));
}

/** Opens the form in which a hit is accepted. */
export const ACCEPT_ACTION = 'hit-accept';
export const TAKE_BACK_ACTION = 'hit-take-back';

const LONGEST_NAME = 40;

/** `Accepted by ana until Feb 1: maintenance window booked`. The name and the reason are text, and mention nobody. */
export function acceptedLine({ userName, until, reason }: Acceptance): RichElement[] {
  const begin = `Accepted by ${shorten(userName, LONGEST_NAME)} `;
  return [words(begin, GREY), { ...day(until, 'until'), style: GREY }, words(`: ${reason}`, GREY)];
}

/** The same for a text without formatting, inside a sentence. */
export function acceptedText({ userName, until, reason }: Acceptance): string {
  const end = `until ${utcText(until).slice(0, 10)}`;
  return `accepted by ${shorten(userName, LONGEST_NAME)} ${end}: ${reason}`;
}

const GREY = { italic: true };

/** What is said of `accepted` among all hits, after their number: ` (3 accepted)`; or ''. */
export function acceptedWords(accepted: number, hits: number): string {
  if (accepted === 0) return '';
  if (hits === 1) return ' (accepted)';
  return ` (${accepted === hits ? 'all' : accepted} accepted)`;
}
