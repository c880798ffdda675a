import type { types } from '@slack/bolt';
import { acceptanceOf, align } from '../../core/comparing.ts';
import type { Diagnostic } from '../../core/diagnostics.ts';
import { levelOf, passes, sideOf, sortByImportance } from '../../core/importance.ts';
import type { Asked } from '../../core/lookup.ts';
import { isIssueId } from '../../core/texts.ts';
import type { ReadyUnit, Unit } from '../../lookups/lookup-status.ts';
import { type MessageState, viewValue } from '../blocks/action-values.ts';
import {
  actions,
  button,
  header,
  type Message,
  type RichElement,
  richText,
  smallPrint,
  words,
} from '../blocks/blocks.ts';
import { shorten } from '../blocks/limits.ts';
import { type Around, detailsValue, type Group, type Grouped } from './body.ts';
import { ALL_ACTION, ASK_AGAIN_ACTION, endOf } from './controls.ts';
import { BRIEF } from './faults.ts';
import {
  fitted,
  hitsOf,
  isCritical,
  levelCounts,
  moreLine,
  namedSize,
  textBeside,
  wholeSize,
} from './hit.ts';
import { levelTable } from './tables.ts';
import { count, counted, joined, listed, nameOf, titleOf } from './words.ts';

/** While some are waited for: the buttons of that, and the line below them. */
export type WhileWaiting = { readonly buttons: readonly types.Button[]; readonly footer: string };

type Named = ReadyUnit & { readonly name: string };
/** Hits that the same snapshots have: `place` says which ones, as in `only on lb-b`. */
type Shared = { readonly place: string; readonly isAll: boolean; readonly rows: readonly Grouped[] };

const BOLD = { bold: true };

/** The snapshots with a result, each by the short name of its device, or, where two have the same or none, by its id. */
function namedIn(units: readonly Unit[]): Named[] {
  const ready = units.flatMap((unit) => (unit.kind === 'ready' ? unit : []));
  const names = ready.map(({ result }) => nameOf(result).split('.')[0] ?? '');
  return ready.map((unit, at) => {
    const name = names[at] ?? '';
    const isOnly = name !== '' && names.filter((each) => each === name).length === 1;
    return { ...unit, name: isOnly ? name : unit.question.snapshotId };
  });
}

/** What of each is listed: the hits that pass the filter, of a search those that match, or the passed checks. */
function listOf(
  { result, found }: Named,
  { question, side, filter = {}, search }: Asked,
): readonly Diagnostic[] {
  const isChecks = (side ?? question.set) === 'miss';
  const all = sideOf(result, isChecks ? 'miss' : 'hit').filter((hit) => isChecks || passes(hit, filter));
  return search === undefined ? all : all.filter((hit) => found?.matches.has(hit) ?? false);
}

/** The hits by who has them: first those of all, then by the most important hit. Each hit is that of its first owner. */
function sharedBy(units: readonly Named[], asked: Asked): Shared[] {
  const rows = align(units.map((unit) => listOf(unit, asked))).flatMap(({ cells }) => {
    const owners = units.flatMap((unit, at) => (cells[at] === undefined ? [] : [{ unit, hit: cells[at] }]));
    const [first] = sortByImportance(owners, ({ hit }) => hit);
    const accepted = owners.map(({ unit, hit }) => acceptanceOf(hit, unit.accepted));
    if (first === undefined) return [];
    const { question, result } = first.unit;
    const row = {
      hit: first.hit,
      question,
      result,
      accepted: accepted.includes(undefined) ? undefined : accepted[0],
    };
    return { row, names: owners.map(({ unit }) => unit.name) };
  });
  const groups = [...Map.groupBy(rows, ({ names }) => names.join('\n')).values()].map((those): Shared => {
    const { names = [] } = those[0] ?? {};
    const isAll = names.length === units.length;
    return {
      isAll,
      place: isAll
        ? `on ${everyOne(units.length)}`
        : `${names.length === 1 ? 'only ' : ''}on ${listed(names)}`,
      rows: sortByImportance(
        those.map(({ row }) => row),
        ({ hit }) => hit,
      ),
    };
  });
  const rank = ({ isAll, rows: [first] }: Shared) =>
    isAll || first === undefined ? -1 : levelOf(first.hit).rank;
  return groups.sort((one, other) => rank(one) - rank(other));
}

function everyOne(size: number): string {
  return size === 1 ? 'the one with a result' : size === 2 ? 'both' : `all ${count(size)}`;
}

const MOST_GROUPS = 4;

/** `27 hits on all 3; 2 more only on lb-b (1 critical); 4 more on lb-a and lb-b` */
function verdictOf(groups: readonly Shared[], size: number, noun: string): string {
  const said = groups.slice(0, MOST_GROUPS).map(({ place, isAll, rows }, at) => {
    const critical = rows.filter(({ hit }) => isCritical(hit)).length;
    const grave = !isAll && noun === 'hit' && critical > 0 ? ` (${count(critical)} critical)` : '';
    const what = at === 0 ? counted(rows.length, noun) : `${count(rows.length)} more`;
    return `${what} ${place}${grave}`;
  });
  const rest = groups.slice(MOST_GROUPS).reduce((sum, { rows }) => sum + rows.length, 0);
  const common = groups[0]?.isAll === false && size > 1 ? `No ${noun} on ${everyOne(size)}` : '';
  const none = `No ${noun}s on ${everyOne(size)}`;
  return joined('; ', common, ...said, rest > 0 && `${count(rest)} more elsewhere`) || none;
}

/** The message that shows several snapshots, also where some or all have no result; `waiting` while those are awaited. */
export function severalMessage(
  state: MessageState,
  units: readonly Unit[],
  around: Around,
  waiting?: WhileWaiting,
): Message {
  const named = namedIn(units);
  const groups = sharedBy(named, state);
  const noun = (state.side ?? state.question.set) === 'miss' ? 'check' : 'hit';
  const isPart = state.filter !== undefined || state.search !== undefined;
  const ready = readyOf(units, named.length);
  const verdict = named.length === 0 ? '' : verdictOf(groups, named.length, noun);
  const about = isPart ? partOf(state) : '';
  const states = units.flatMap((unit) => stateLine(unit));
  const title = titleOf(state);
  const lead: RichElement[] = [
    ...(ready === '' ? [] : [words(verdict === '' ? ready.trim() : ready)]),
    ...(verdict === '' ? [] : [words(`${about}${verdict}${ready === '' ? '' : '.'}`, BOLD)]),
  ];
  const top: types.KnownBlock[] = [
    header(title),
    ...(lead.length === 0 ? [] : [richText(lead, ...verdictLines(named))]),
    ...(named.length === 0
      ? []
      : [
          levelTable(
            'Device',
            named.map((unit) => ({ name: tableName(unit), result: unit.result })),
          ),
        ]),
    ...(states.length === 0 ? [] : [richText(...states.map((line) => [words(line)]))]),
  ];
  const said = [...verdictLines(named).map(textOf), `${about}${verdict}`].filter(Boolean).join('. ');
  const stop = said === '' ? '' : '. ';
  const rest = states.map((line) => line.slice(2)).join(' ');
  const text = textBeside(`${title}: ${ready}${said}${stop}${rest}`.trim(), []);
  const list = fitted(END_WEIGHT, (room) => [...top, ...(noun === 'hit' ? groupBlocks(groups, room) : [])]);
  return {
    text,
    blocks: [...list, ...endBlocks({ state, units, named, groups, noun, verdict, around, waiting })],
  };
}

/** How many of the snapshots have a result, where not all have one. */
function readyOf(units: readonly Unit[], size: number): string {
  if (size === units.length) return '';
  if (size > 0) return `${count(size)} of ${count(units.length)} are ready. `;
  const isOnlyAsked = units.every((unit) => unit.kind === 'open' && !unit.isProcessing && !unit.trouble);
  const all = counted(units.length, 'snapshot');
  return isOnlyAsked ? `Looking up ${all}… ` : `None of ${all} has a result. `;
}

const END_WEIGHT = 1_900;

function textOf(line: readonly RichElement[]): string {
  return line.map((each) => ('text' in each ? each.text : '')).join('');
}

function tableName({ question: { snapshotId }, name }: Named): string {
  return name === snapshotId ? snapshotId : `${snapshotId} ${name}`;
}

/** `Only critical: `, or what is searched for. */
function partOf({ filter, search = [] }: Asked): string {
  const typed = search
    .filter((term) => !isIssueId(term))
    .map((term) => `“${term}”`)
    .join(' ');
  const only = joined(' ', filter?.levels?.join(', '), filter?.cve && `${filter.cve} CVEs`);
  if (only !== '') return `Only ${only}: `;
  return typed === '' ? '' : `${typed}: `;
}

/** Of each id that is searched for: where it is a hit, where it was checked, and where nothing names it. */
function verdictLines(units: readonly Named[]): RichElement[][] {
  const ids = new Set(units.flatMap(({ found }) => found?.verdicts.map(({ id }) => id) ?? []));
  return [...ids].map((id) => {
    const on = (is: (outcome: string | undefined) => boolean) =>
      units
        .filter(({ found }) => is(found?.verdicts.find((each) => each.id === id)?.outcome))
        .map(({ name }) => name);
    const [hit, passed] = [on((outcome) => outcome === 'hit'), on((outcome) => outcome === 'passed')];
    const not = on((outcome) => outcome !== 'hit' && outcome !== 'passed');
    const where = (names: readonly string[]) =>
      names.length === units.length && names.length > 1 ? everyOne(names.length) : listed(names);
    const checked = passed.length > 0 && `checked and not a hit on ${where(passed)}`;
    const absent = not.length > 0 && `not named on ${where(not)}`;
    if (hit.length > 0)
      return [words(`Yes: ${id}`, BOLD), words(` is a hit on ${joined('; ', where(hit), checked, absent)}`)];
    if (passed.length > 0)
      return [words('✅\u00a0'), words(id, BOLD), words(`: ${joined('; ', checked, absent)}`)];
    return [words(`No hit or check names ${id}`, BOLD), words(` on ${where(not)}`)];
  });
}

/** Why a snapshot has no result. */
function stateLine(unit: Unit): string[] {
  const id = unit.question.snapshotId;
  if (unit.kind === 'ready') return [];
  if (unit.kind === 'broken') return [`⛔\u00a0${id}: a bug stopped it (reference ${unit.reference}).`];
  if (unit.kind === 'failed') return [`⛔\u00a0${id}: ${BRIEF[unit.why]}.`];
  const { isProcessing, reason, trouble } = unit;
  const why = shorten(reason, 200);
  if (trouble !== undefined) return [`⏳\u00a0${id}: ${BRIEF[trouble]}.`];
  if (!isProcessing) return [`⏳\u00a0${id}: looking it up…`];
  return [`⏳\u00a0${id} is still being processed${why === '' ? '.' : `: ${why}`}`];
}

/** Each group under its heading; how many are whole and named counts over the message. */
function groupBlocks(
  groups: readonly Shared[],
  room: { isLinked: boolean; named: number; whole: number },
): types.KnownBlock[] {
  const open = groups.map((group) => ({
    ...group,
    rows: group.rows.filter(({ accepted }) => accepted === undefined),
  }));
  const all = sortByImportance(
    open.flatMap(({ rows }) => rows),
    ({ hit }) => hit,
  );
  const hits = all.map(({ hit }) => hit);
  const named = new Set(all.slice(0, Math.min(room.named, namedSize(hits))));
  const whole = new Set(all.slice(0, Math.min(room.whole, wholeSize(hits))));
  let at = 0;
  return open.slice(0, MOST_HEADINGS).flatMap(({ place, rows }): types.KnownBlock[] => {
    const [first] = rows;
    if (first === undefined) return [];
    const sizes = {
      isLinked: room.isLinked,
      named: rows.filter((row) => named.has(row)).length,
      whole: rows.filter((row) => whole.has(row)).length,
    };
    const owner = (hit: Diagnostic) => rows.find((row) => row.hit === hit) ?? first;
    const list = hitsOf(rows, sizes, {
      software: first.result.software,
      detailsValue: (hit) => detailsValue(hit, owner(hit).question, owner(hit).result),
      at,
    });
    at += sizes.whole;
    const rest = list.rest.map(({ hit }) => hit);
    const end = sizes.named === 0 ? levelCounts(rest).join(', ') : moreLine(rest);
    return [
      header(`${place.charAt(0).toUpperCase()}${place.slice(1)}: ${counted(rows.length, 'hit')}`),
      ...list.blocks,
      ...(rest.length === 0 ? [] : [richText([words(end)])]),
    ];
  });
}

/** More groups are a list that nobody reads: the window has all. */
const MOST_HEADINGS = 6;

type End = {
  readonly state: MessageState;
  readonly units: readonly Unit[];
  readonly named: readonly Named[];
  readonly groups: readonly Shared[];
  readonly noun: string;
  readonly verdict: string;
  readonly around: Around;
  readonly waiting: WhileWaiting | undefined;
};

function endBlocks({ state, units, named, groups, noun, verdict, around, waiting }: End): types.KnownBlock[] {
  if (waiting !== undefined) return [actions([...waiting.buttons]), smallPrint(waiting.footer)];
  const size = groups.reduce((sum, { rows }) => sum + rows.length, 0);
  const isOpen = units.some(({ kind }) => kind === 'open');
  const again = button(isOpen ? 'Keep waiting' : 'Try again', ASK_AGAIN_ACTION, viewValue(asked(state)));
  const buttons = [
    ...(named.length < units.length ? [again] : []),
    ...(size === 0 ? [] : [button(`All ${counted(size, noun)}`, ALL_ACTION)]),
  ];
  const readAt = Math.min(...named.map((unit) => unit.readAt), ...(named.length === 0 ? [state.madeAt] : []));
  if (named.length === 0) return [actions(buttons), smallPrint(`Asked by <@${state.askedBy}>`)];
  return endOf(buttons, {
    ...{ state, owner: undefined, canOwn: false, readAt, verdict: verdict === '' ? undefined : verdict },
    isPrivate: around.isPrivate,
    threadTs: around.threadTs,
  });
}

function asked({ askedBy: _by, madeAt: _at, turn: _turn, ...view }: MessageState): Asked {
  return view;
}

/** The hits of several snapshots under the headings of their message, for the window that lists all of them. */
export function severalGroups(view: Asked, units: readonly Unit[]): Group[] {
  return sharedBy(namedIn(units), view).map(({ place, rows }) => ({
    title: `${place.charAt(0).toUpperCase()}${place.slice(1)}: ${count(rows.length)}`,
    rows,
  }));
}
