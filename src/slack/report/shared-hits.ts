import { acceptanceOf, align } from '../../core/comparing.ts';
import type { Diagnostic } from '../../core/diagnostics.ts';
import { levelOf, passes, sideOf, sortByImportance } from '../../core/importance.ts';
import type { Asked } from '../../core/lookup.ts';
import type { ReadyUnit, Unit } from '../../lookups/lookup-status.ts';
import type { Group, Grouped } from './body.ts';
import { isCritical } from './levels.ts';
import { capital, count, counted, joined, listed, nameOf } from './words.ts';

export type Named = ReadyUnit & { readonly name: string };
/** Hits that the same snapshots have: `place` says which ones, as in `only on lb-b`. */
export type Shared = { readonly place: string; readonly isAll: boolean; readonly rows: readonly Grouped[] };

/** The snapshots with a result, each by the short name of its device, or, where two have the same or none, by its id. */
export function namedIn(units: readonly Unit[]): Named[] {
  const ready = units.flatMap((unit) => (unit.kind === 'ready' ? unit : []));
  const names = ready.map(({ result }) => nameOf(result).split('.')[0] ?? '');
  return ready.map((unit, at) => {
    const name = names[at] ?? '';
    const isOnly = name !== '' && names.indexOf(name) === names.lastIndexOf(name);
    return { ...unit, name: isOnly ? name : unit.question.snapshotId };
  });
}

export function asksForChecks({ question, side }: Pick<Asked, 'question' | 'side'>): boolean {
  return (side ?? question.set) === 'miss';
}

/** What of a snapshot is listed: the hits that pass the filter, of a search those that match, or the passed checks. */
function listOf({ result, found }: Named, asked: Asked): readonly Diagnostic[] {
  const { filter = {}, search } = asked;
  const all = asksForChecks(asked)
    ? sideOf(result, 'miss')
    : sideOf(result, 'hit').filter((hit) => passes(hit, filter));
  return search === undefined ? all : all.filter((hit) => found?.matches.has(hit) ?? false);
}

/** The hits by who has them: first those of all, then by the most important hit. */
export function sharedBy(units: readonly Named[], asked: Asked): Shared[] {
  const rows = align(units.map((unit) => listOf(unit, asked))).map(({ cells }) =>
    rowOf(units.flatMap((unit, at) => (cells[at] === undefined ? [] : [{ unit, hit: cells[at] }]))),
  );
  const groups = [...Map.groupBy(rows, ({ names }) => names.join('\n')).values()].map((those): Shared => {
    const { names = [] } = those[0] ?? {};
    const isAll = names.length === units.length;
    const only = names.length === 1 ? 'only ' : '';
    return {
      isAll,
      place: isAll ? `on ${everyOne(units.length)}` : `${only}on ${listed(names)}`,
      rows: those,
    };
  });
  const sorted = groups.map((group) => ({ ...group, rows: sortByImportance(group.rows, ({ hit }) => hit) }));
  return sorted.sort((one, other) => rankOf(one) - rankOf(other));
}

type Owned = { readonly unit: Named; readonly hit: Diagnostic };

/** A hit as the device shows it on which it is rated worst. It counts as accepted only if it is so on each. */
function rowOf(owned: readonly Owned[]): Grouped & { names: string[] } {
  const [worst] = sortByImportance(owned, ({ hit }) => hit);
  if (worst === undefined) throw new Error('a row without a hit');
  const accepted = owned.map(({ unit, hit }) => acceptanceOf(hit, unit.accepted));
  const { question, result } = worst.unit;
  const names = owned.map(({ unit }) => unit.name);
  return {
    names,
    hit: worst.hit,
    question,
    result,
    accepted: accepted.includes(undefined) ? undefined : accepted[0],
  };
}

function rankOf({ isAll, rows: [first] }: Shared): number {
  return isAll || first === undefined ? -1 : levelOf(first.hit).rank;
}

/** `both`, `all 3` */
export function everyOne(size: number): string {
  return size === 1 ? 'the one with a result' : size === 2 ? 'both' : `all ${count(size)}`;
}

const MOST_GROUPS = 5;

/** As many groups as a person reads: the hits of all others are elsewhere. */
export function fewGroups(groups: readonly Shared[]): Shared[] {
  if (groups.length <= MOST_GROUPS) return [...groups];
  const rest = groups.slice(MOST_GROUPS - 1).flatMap(({ rows }) => rows);
  const elsewhere = { place: 'elsewhere', isAll: false, rows: sortByImportance(rest, ({ hit }) => hit) };
  return [...groups.slice(0, MOST_GROUPS - 1), elsewhere];
}

/** `27 hits on all 3; 2 more only on lb-b (1 critical); 4 more on lb-a and lb-b` */
export function verdictOf(groups: readonly Shared[], size: number, noun: 'hit' | 'check'): string {
  const said = groups.map(({ place, isAll, rows }, at) => {
    const critical = rows.filter(({ hit }) => isCritical(hit)).length;
    const grave = !isAll && noun === 'hit' && critical > 0 ? ` (${count(critical)} critical)` : '';
    return `${at === 0 ? counted(rows.length, noun) : `${count(rows.length)} more`} ${place}${grave}`;
  });
  const none = groups[0]?.isAll !== true && size > 1 ? `No ${noun} on ${everyOne(size)}` : '';
  return joined('; ', none, ...said) || `No ${noun}s on ${everyOne(size)}`;
}

/** The hits of several snapshots under the headings of their message, for the window that lists all of them. */
export function severalGroups(view: Asked, units: readonly Unit[]): Group[] {
  return sharedBy(namedIn(units), view).map(({ place, rows }) => ({ name: capital(place), rows }));
}
