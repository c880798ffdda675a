import type { types } from '@slack/bolt';
import { acceptanceOf, align } from '../../core/comparing.ts';
import type { Diagnostic } from '../../core/diagnostics.ts';
import { levelOf, passes, sideOf, sortByImportance } from '../../core/importance.ts';
import type { Asked } from '../../core/lookup.ts';
import { isIssueId } from '../../core/texts.ts';
import type { ReadyUnit, Unit } from '../../lookups/lookup-status.ts';
import { viewValue } from '../blocks/action-values.ts';
import { button, type RichElement, words } from '../blocks/blocks.ts';
import { shorten } from '../blocks/limits.ts';
import { type Body, type Group, moreLine, namedFirst, wholeSize } from './body.ts';
import { ALL_ACTION, ASK_AGAIN_ACTION } from './controls.ts';
import { BRIEF } from './faults.ts';
import type { Row } from './hit.ts';
import { isCritical, levelCounts } from './levels.ts';
import { levelTable } from './tables.ts';
import {
  allOf,
  capital,
  count,
  counted,
  cveWords,
  joined,
  listed,
  NO_CATALOGUE,
  nameOf,
  titleOf,
} from './words.ts';

const BOLD = { bold: true };

type Named = ReadyUnit & { readonly name: string };
/** Hits that the same snapshots have: `place` says which ones, as in `only on lb-b`. */
type Shared = { readonly place: string; readonly isAll: boolean; readonly rows: readonly Row[] };

/** The message that shows several snapshots, also where some or all have no result. */
export function severalBody(view: Asked, units: readonly Unit[]): Body {
  const ready = readyIn(units);
  const groups = fewGroups(sharedBy(view, ready));
  const all = groups.flatMap(({ rows }) => rows);
  const open = sortByImportance(all.filter(isOpen), ({ hit }) => hit);
  const accepted = all.length - open.length;
  const noun = asksForChecks(view) ? 'check' : 'hit';
  const verdict = verdictOf(view, groups, ready);
  const table = ready.map(({ question: { snapshotId }, name, result }) => ({
    name: name === snapshotId ? snapshotId : `${snapshotId} ${name}`,
    result,
  }));
  const rest = accepted === 0 ? [] : [{ rows: [], closing: () => `And ${count(accepted)} accepted` }];
  return {
    title: titleOf(view),
    lines: [...leadLine(view, units, verdict), ...searchLines(ready)],
    facts: table.length === 0 ? [] : [levelTable('Device', table)],
    notes: units.flatMap(stateLine),
    groups: noun === 'check' ? [] : [...groups.flatMap(groupOf), ...rest],
    named: namedFirst(open),
    whole: wholeSize(open),
    buttons: [
      ...(ready.length < units.length ? [againButton(view, units)] : []),
      ...(all.length === 0 ? [] : [button(allOf(all.length, noun), ALL_ACTION)]),
    ],
    verdict,
  };
}

function isOpen({ accepted }: Row): boolean {
  return accepted === undefined;
}

/** A group of the message, without what is accepted; nothing where all of it is. */
function groupOf({ place, rows }: Shared): Group[] {
  const open = rows.filter(isOpen);
  const heading = `${capital(place)}: ${counted(open.length, 'hit')}`;
  // Where none of a group is named, nothing is "more".
  const closing = (rest: readonly Row[]) =>
    rest.length === open.length ? levelCounts(rest.map(({ hit }) => hit)) : moreLine(rest);
  return open.length === 0 ? [] : [{ heading, rows: open, closing }];
}

/** The hits of several snapshots under the headings of their message, for the window that lists all of them. */
export function severalGroups(view: Asked, units: readonly Unit[]): Group[] {
  return sharedBy(view, readyIn(units)).map(({ place, rows }) => ({
    name: capital(place),
    heading: `${capital(place)}: ${count(rows.length)}`,
    rows,
  }));
}

/** The snapshots with a result, each by the short name of its device, or, where two have the same or none, by its id. */
function readyIn(units: readonly Unit[]): Named[] {
  const ready = units.flatMap((unit) => (unit.kind === 'ready' ? unit : []));
  const names = ready.map(({ result }) => nameOf(result).split('.')[0] ?? '');
  return ready.map((unit, at) => {
    const name = names[at] ?? '';
    const isOnly = name !== '' && names.indexOf(name) === names.lastIndexOf(name);
    return { ...unit, name: isOnly ? name : unit.question.snapshotId };
  });
}

function asksForChecks({ question, side }: Asked): boolean {
  return (side ?? question.set) === 'miss';
}

/** What of a snapshot is listed: the hits that pass the filter, of a search those that match, or the passed checks. */
function listOf({ result, found }: Named, view: Asked): readonly Diagnostic[] {
  const { filter = {}, search } = view;
  const all = asksForChecks(view)
    ? sideOf(result, 'miss')
    : sideOf(result, 'hit').filter((hit) => passes(hit, filter));
  return search === undefined ? all : all.filter((hit) => found?.matches.has(hit) ?? false);
}

/** The hits by who has them: first those of all, then by the most important hit. */
function sharedBy(view: Asked, units: readonly Named[]): Shared[] {
  const found = align(units.map((unit) => listOf(unit, view))).map(({ cells }) => {
    const owned = units.flatMap((unit, at) => (cells[at] === undefined ? [] : [{ unit, hit: cells[at] }]));
    return { row: rowOf(owned), names: owned.map(({ unit }) => unit.name) };
  });
  const groups = [...Map.groupBy(found, ({ names }) => names.join('\n')).values()].map((those): Shared => {
    const { names = [] } = those[0] ?? {};
    const isAll = names.length === units.length;
    const place = isAll ? `on ${everyOne(units.length)}` : `on ${listed(names)}`;
    const rows = sortByImportance(
      those.flatMap(({ row }) => row),
      ({ hit }) => hit,
    );
    return { place: names.length === 1 && !isAll ? `only ${place}` : place, isAll, rows };
  });
  const rankOf = ({ isAll, rows: [first] }: Shared) => (isAll || !first ? -1 : levelOf(first.hit).rank);
  return groups.sort((one, other) => rankOf(one) - rankOf(other));
}

/** A hit as the device shows it on which it is rated worst. It counts as accepted only if it is so on each. */
function rowOf(owned: readonly { readonly unit: Named; readonly hit: Diagnostic }[]): Row[] {
  const accepted = owned.map(({ unit, hit }) => acceptanceOf(hit, unit.accepted));
  const [worst] = sortByImportance(owned, ({ hit }) => hit);
  if (worst === undefined) return [];
  const { question, result } = worst.unit;
  return [
    { hit: worst.hit, question, result, accepted: accepted.includes(undefined) ? undefined : accepted[0] },
  ];
}

/** `both`, `all 3` */
function everyOne(size: number): string {
  return size === 1 ? 'the one with a result' : size === 2 ? 'both' : `all ${count(size)}`;
}

const MOST_GROUPS = 5;

/** As many groups as a person reads: the hits of all others are elsewhere. */
function fewGroups(groups: readonly Shared[]): readonly Shared[] {
  if (groups.length <= MOST_GROUPS) return groups;
  const rest = sortByImportance(
    groups.slice(MOST_GROUPS - 1).flatMap(({ rows }) => rows),
    ({ hit }) => hit,
  );
  return [...groups.slice(0, MOST_GROUPS - 1), { place: 'elsewhere', isAll: false, rows: rest }];
}

/**
 * `27 hits on all 3; 2 more only on lb-b (1 critical); 4 more on lb-a and lb-b`; '' without a result. A search for ids has
 * no verdict here: each id has its own line.
 */
function verdictOf(view: Asked, groups: readonly Shared[], units: readonly Named[]): string {
  const { search = [], filter } = view;
  const size = units.length;
  if (size === 0 || (search.length > 0 && search.every(isIssueId))) return '';
  if (filter?.cve === 'exploited' && units.some(({ result }) => !result.exploitedAsOf)) return NO_CATALOGUE;
  const noun = asksForChecks(view) ? 'check' : 'hit';
  const said = groups.map(({ place, isAll, rows }, at) => {
    const critical = rows.filter(({ hit }) => isCritical(hit)).length;
    const grave = !isAll && noun === 'hit' && critical > 0 ? ` (${count(critical)} critical)` : '';
    return `${at === 0 ? counted(rows.length, noun) : `${count(rows.length)} more`} ${place}${grave}`;
  });
  const none = groups[0]?.isAll !== true && size > 1 ? `No ${noun} on ${everyOne(size)}` : '';
  return joined('; ', none, ...said) || `No ${noun}s on ${everyOne(size)}`;
}

/** How many of the snapshots have a result, where not all have one, and the verdict. */
function leadLine(view: Asked, units: readonly Unit[], verdict: string): RichElement[][] {
  const size = units.filter(({ kind }) => kind === 'ready').length;
  const isOnlyAsked = units.every((unit) => unit.kind === 'open' && !unit.isProcessing && !unit.trouble);
  const all = counted(units.length, 'snapshot');
  const none = isOnlyAsked ? `Looking up ${all}…` : `None of ${all} has a result.`;
  const some = size === 0 ? none : `${count(size)} of ${count(units.length)} are ready.`;
  if (size === units.length) return verdict === '' ? [] : [[words(`${partOf(view)}${verdict}`, BOLD)]];
  return [verdict === '' ? [words(some)] : [words(`${some} `), words(`${partOf(view)}${verdict}.`, BOLD)]];
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
  return [...ids].map((id) => {
    const by = Map.groupBy(units, ({ found }) => {
      const outcome = found?.verdicts.find((each) => each.id === id)?.outcome;
      return outcome === 'hit' || outcome === 'passed' ? outcome : 'absent';
    });
    const on = (outcome: 'hit' | 'passed' | 'absent', before: string) => {
      const names = by.get(outcome)?.map(({ name }) => name) ?? [];
      const isAll = names.length === units.length && names.length > 1;
      return names.length > 0 && `${before} ${isAll ? everyOne(names.length) : listed(names)}`;
    };
    const [hit, passed] = [on('hit', 'is a hit on'), on('passed', 'checked and not a hit on')];
    const rest = joined('; ', hit, passed, on('absent', 'not named on'));
    if (hit) return [words(`Yes: ${id}`, BOLD), words(` ${rest}`)];
    if (passed) return [words('✅\u00a0'), words(id, BOLD), words(`: ${rest}`)];
    return [words(`No hit or check names ${id}`, BOLD), words(` ${on('absent', 'on') || ''}`)];
  });
}

const LONGEST_REASON = 200;

/** Why a snapshot has no result. */
function stateLine(unit: Unit): RichElement[][] {
  const id = unit.question.snapshotId;
  switch (unit.kind) {
    case 'ready':
      return [];
    case 'broken':
      return [[words(`⛔\u00a0${id}: a bug stopped it (reference ${unit.reference}).`)]];
    case 'failed':
      return [[words(`⛔\u00a0${id}: ${BRIEF[unit.why]}.`)]];
    case 'open': {
      const { isProcessing, reason, trouble } = unit;
      if (trouble !== undefined) return [[words(`⏳\u00a0${id}: ${BRIEF[trouble]}.`)]];
      if (!isProcessing) return [[words(`⏳\u00a0${id}: looking it up…`)]];
      const said = joined(': ', `${id} is still being processed`, shorten(reason, LONGEST_REASON));
      return [[words(`⏳\u00a0${said}${reason === '' ? '.' : ''}`)]];
    }
    default:
      return unit satisfies never;
  }
}

/** Asks for all of them anew, also where only some have no result. */
function againButton(view: Asked, units: readonly Unit[]): types.Button {
  const isOpenStill = units.some(({ kind }) => kind === 'open');
  return button(isOpenStill ? 'Keep waiting' : 'Try again', ASK_AGAIN_ACTION, viewValue(view));
}
