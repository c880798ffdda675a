import type { types } from '@slack/bolt';
import type { Diagnostic } from '../../core/diagnostics.ts';
import { sortByImportance } from '../../core/importance.ts';
import type { Asked } from '../../core/lookup.ts';
import { isIssueId } from '../../core/texts.ts';
import type { Unit } from '../../lookups/lookup-status.ts';
import { type MessageState, viewValue } from '../blocks/action-values.ts';
import {
  actions,
  askerTag,
  button,
  header,
  type Message,
  type RichElement,
  richText,
  smallPrint,
  words,
} from '../blocks/blocks.ts';
import { shorten } from '../blocks/limits.ts';
import { type Around, contextIn, type Grouped } from './body.ts';
import { ALL_ACTION, ASK_AGAIN_ACTION, endOf } from './controls.ts';
import { BRIEF } from './faults.ts';
import { fitted, hitsOf, moreLine, namedSize, type Room, textBeside, wholeSize } from './hit.ts';
import { levelCounts } from './levels.ts';
import {
  asksForChecks,
  everyOne,
  fewGroups,
  type Named,
  namedIn,
  type Shared,
  sharedBy,
  verdictOf,
} from './shared-hits.ts';
import { levelTable } from './tables.ts';
import { allOf, capital, count, counted, cveWords, joined, listed, NO_CATALOGUE, titleOf } from './words.ts';

/** While some are waited for: the buttons of that, and the line below them. */
export type WhileWaiting = { readonly buttons: readonly types.Button[]; readonly footer: string };

/** What is known of several snapshots. */
type Known = {
  readonly state: MessageState;
  readonly units: readonly Unit[];
  readonly named: readonly Named[];
  readonly groups: readonly Shared[];
  readonly noun: 'hit' | 'check';
  readonly verdict: string;
};

const BOLD = { bold: true };
/** What the end of a message weighs at most. */
const END_WEIGHT = 1_900;

/** The message that shows several snapshots, also where some or all have no result; `waiting` while those are awaited. */
export function severalMessage(
  state: MessageState,
  units: readonly Unit[],
  around: Around,
  waiting?: WhileWaiting,
): Message {
  const known = knownOf(state, units);
  const { named, verdict, groups, noun } = known;
  const title = titleOf(state);
  const ready = readyOf(units, named.length);
  const said = verdict === '' ? '' : `${partOf(state)}${verdict}${ready === '' ? '' : '.'}`;
  const states = units.flatMap(stateLine);
  const lead = [
    ...(ready === '' ? [] : [words(said === '' ? ready : `${ready} `)]),
    ...(said === '' ? [] : [words(said, BOLD)]),
  ];
  const lines = [...(lead.length === 0 ? [] : [lead]), ...searchLines(named)];
  const top: types.KnownBlock[] = [
    header(title),
    ...(lines.length === 0 ? [] : [richText(...lines)]),
    ...(named.length === 0 ? [] : [levelTable('Device', named.map(tableRow))]),
    ...(states.length === 0 ? [] : [richText(...states.map((line) => [words(line)]))]),
  ];
  const blocks = fitted(END_WEIGHT, (room) => [...top, ...(noun === 'hit' ? groupBlocks(groups, room) : [])]);
  const found = searchLines(named).map((line) => `${textOf(line)}.`);
  const beside = joined(' ', `${title}:`, ready, ...found, said, ...states.map((line) => line.slice(2)));
  const end =
    waiting === undefined
      ? endBlocks(known, around)
      : [actions([...waiting.buttons]), smallPrint(waiting.footer)];
  return { text: textBeside(beside, []), blocks: [...blocks, ...end] };
}

/** How many of the snapshots have a result, where not all have one. */
function readyOf(units: readonly Unit[], size: number): string {
  if (size === units.length) return '';
  if (size > 0) return `${count(size)} of ${count(units.length)} are ready.`;
  const isOnlyAsked = units.every((unit) => unit.kind === 'open' && !unit.isProcessing && !unit.trouble);
  const all = counted(units.length, 'snapshot');
  return isOnlyAsked ? `Looking up ${all}…` : `None of ${all} has a result.`;
}

function textOf(line: readonly RichElement[]): string {
  return line.map((each) => ('text' in each ? each.text : '')).join('');
}

function knownOf(state: MessageState, units: readonly Unit[]): Known {
  const named = namedIn(units);
  const groups = fewGroups(sharedBy(named, state));
  const noun = asksForChecks(state) ? 'check' : 'hit';
  // Of each id its own line says where it is a hit.
  const { search = [] } = state;
  const isSaid = named.length === 0 || (search.length > 0 && search.every(isIssueId));
  const isUnknown = state.filter?.cve === 'exploited' && named.some(({ result }) => !result.exploitedAsOf);
  const verdict = isSaid ? '' : isUnknown ? NO_CATALOGUE : verdictOf(groups, named.length, noun);
  return { state, units, named, groups, noun, verdict };
}

function tableRow({ question: { snapshotId }, name, result }: Named) {
  return { name: name === snapshotId ? snapshotId : `${snapshotId} ${name}`, result };
}

/** `Only critical: `, or what is searched for; '' where everything is shown. */
function partOf({ filter, search = [] }: Asked): string {
  const only = joined(' ', filter?.levels?.join(', '), filter && cveWords(filter));
  if (only !== '') return `Only ${only}: `;
  const typed = search.filter((term) => !isIssueId(term)).map((term) => `“${term}”`);
  return typed.length === 0 ? '' : `${typed.join(' ')}: `;
}

/** Of each id that is searched for: where it is a hit, where it was checked, and where nothing names it. */
function searchLines(units: readonly Named[]): RichElement[][] {
  const ids = new Set(units.flatMap(({ found }) => found?.verdicts.map(({ id }) => id) ?? []));
  const where = (names: readonly string[]) =>
    names.length === units.length && names.length > 1 ? everyOne(names.length) : listed(names);
  return [...ids].map((id) => {
    const by = Map.groupBy(units, ({ found }) => found?.verdicts.find((each) => each.id === id)?.outcome);
    const on = (outcome: 'hit' | 'passed') => by.get(outcome)?.map(({ name }) => name) ?? [];
    const [hit, passed] = [on('hit'), on('passed')];
    const absent = units
      .map(({ name }) => name)
      .filter((name) => !hit.includes(name) && !passed.includes(name));
    const checked = passed.length > 0 && `checked and not a hit on ${where(passed)}`;
    const unnamed = absent.length > 0 && `not named on ${where(absent)}`;
    if (hit.length > 0)
      return [words(`Yes: ${id}`, BOLD), words(` is a hit on ${joined('; ', where(hit), checked, unnamed)}`)];
    if (passed.length > 0)
      return [words('✅\u00a0'), words(id, BOLD), words(`: ${joined('; ', checked, unnamed)}`)];
    return [words(`No hit or check names ${id}`, BOLD), words(` on ${where(absent)}`)];
  });
}

const LONGEST_REASON = 200;

/** Why a snapshot has no result. */
function stateLine(unit: Unit): string[] {
  const id = unit.question.snapshotId;
  if (unit.kind === 'ready') return [];
  if (unit.kind === 'broken') return [`⛔\u00a0${id}: a bug stopped it (reference ${unit.reference}).`];
  if (unit.kind === 'failed') return [`⛔\u00a0${id}: ${BRIEF[unit.why]}.`];
  const { isProcessing, reason, trouble } = unit;
  if (trouble !== undefined) return [`⏳\u00a0${id}: ${BRIEF[trouble]}.`];
  if (!isProcessing) return [`⏳\u00a0${id}: looking it up…`];
  const why = shorten(reason, LONGEST_REASON);
  return [`⏳\u00a0${id} is still being processed${why === '' ? '.' : `: ${why}`}`];
}

/** Each group under its heading; how many hits are whole and named counts over the message. */
function groupBlocks(groups: readonly Shared[], room: Room): types.KnownBlock[] {
  const isOpen = ({ accepted }: Grouped) => accepted === undefined;
  const open = groups.map((group) => ({ ...group, rows: group.rows.filter(isOpen) }));
  const all = sortByImportance(
    open.flatMap(({ rows }) => rows),
    ({ hit }) => hit,
  );
  const hits = all.map(({ hit }) => hit);
  const named = new Set(all.slice(0, Math.min(room.named, namedSize(hits))));
  const whole = new Set(all.slice(0, Math.min(room.whole, wholeSize(hits))));
  let at = 0;
  const blocks = open.flatMap(({ place, rows }): types.KnownBlock[] => {
    const [first] = rows;
    if (first === undefined) return [];
    const sizes = {
      isLinked: room.isLinked,
      named: rows.filter((row) => named.has(row)).length,
      whole: rows.filter((row) => whole.has(row)).length,
    };
    const contextOf = (hit: Diagnostic) => {
      const { question, result } = rows.find((row) => row.hit === hit) ?? first;
      return contextIn(question, result)(hit);
    };
    const list = hitsOf(rows, sizes, { at, contextOf });
    at += sizes.whole;
    const rest = list.rest.map(({ hit }) => hit);
    const end = sizes.named === 0 ? levelCounts(rest).join(', ') : moreLine(rest);
    return [
      header(`${capital(place)}: ${counted(rows.length, 'hit')}`),
      ...list.blocks,
      ...(rest.length === 0 ? [] : [richText([words(end)])]),
    ];
  });
  const accepted = groups.reduce((sum, { rows }) => sum + rows.length, 0) - all.length;
  return accepted === 0 ? blocks : [...blocks, richText([words(`And ${count(accepted)} accepted`)])];
}

function endBlocks(
  { state, units, named, groups, noun, verdict }: Known,
  around: Around,
): types.KnownBlock[] {
  const size = groups.reduce((sum, { rows }) => sum + rows.length, 0);
  const isOpen = units.some(({ kind }) => kind === 'open');
  const { askedBy, madeAt, turn: _turn, ...asked } = state;
  const again = button(isOpen ? 'Keep waiting' : 'Try again', ASK_AGAIN_ACTION, viewValue(asked));
  const buttons = [
    ...(named.length < units.length ? [again] : []),
    ...(size === 0 ? [] : [button(allOf(size, noun), ALL_ACTION)]),
  ];
  if (named.length === 0) return [actions(buttons), smallPrint(`Asked by ${askerTag(askedBy)}`)];
  const readAt = Math.min(...named.map((unit) => unit.readAt));
  const { isPrivate, threadTs } = around;
  return endOf(buttons, {
    state,
    owner: undefined,
    canOwn: false,
    readAt,
    verdict: verdict || undefined,
    isPrivate,
    threadTs,
  });
}
