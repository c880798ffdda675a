import { acceptanceOf, align, compareHits } from '../../core/comparing.ts';
import type { DiagnosticsResult } from '../../core/diagnostics.ts';
import { levelOf, passedIn, passes, sideOf } from '../../core/importance.ts';
import type { Asked, Question } from '../../core/lookup.ts';
import type { Answers, ReadyUnit, Unit } from '../../lookups/lookup-status.ts';
import type { HitKey } from '../blocks/action-values.ts';
import { hitNamed, isOpen, type Row, sortRows } from './hit.ts';
import { listed, shortNameOf } from './words.ts';

/** The hits and passed checks of one analysis, each list sorted with the most important first. */
export type Rows = Readonly<Record<'open' | 'accepted' | 'passed', readonly Row[]>>;

/** The hits and passed checks that a request selects by its side (`hit` or `miss`), filter and search. */
export function rowsOf(
  { question, side, filter = {} }: Asked,
  { result, accepted, found }: Pick<Answers, 'result' | 'accepted' | 'found'>,
  of: Question = question,
): Rows {
  const listed = side ?? question.set;
  const rows = (match: 'hit' | 'miss') => {
    const all = listed === 'all' || listed === match ? sideOf(result, match) : [];
    const some = found === undefined ? all : all.filter((hit) => found.matches.has(hit));
    return some.map((hit): Row => ({ hit, question: of, result }));
  };
  const hits = rows('hit')
    .filter(({ hit }) => passes(hit, filter))
    .map((row) => ({ ...row, accepted: acceptanceOf(row.hit, accepted) }));
  return { open: hits.filter(isOpen), accepted: hits.filter((row) => !isOpen(row)), passed: rows('miss') };
}

/** A hit or a passed check with its position in the full list, counted from 0. */
export type Place = { readonly row: Row; readonly at: number; readonly list: readonly Row[] };

/** Finds the hit or passed check of a clicked button; undefined if the result no longer contains it. */
export function placeOf(key: HitKey, answers: Answers): Place | undefined {
  const hit = hitNamed(key, answers.result);
  const { open, accepted, passed } = rowsOf({ question: key.question }, answers);
  const list = hit?.match === 'miss' ? passed : [...open, ...accepted];
  const at = list.findIndex((row) => row.hit === hit);
  const row = list[at];
  return row && { row, at, list };
}

/** Whether a request lists only passed checks. */
export function isOfChecks({ question, side }: Asked): boolean {
  return (side ?? question.set) === 'miss';
}

/** Hits that share a heading. `place`: `on all 3`, `only on lb-b`, or in a comparison `new`, `cleared`; else ''. */
export type Group = { readonly place: string; readonly rows: readonly Row[]; readonly isOfAll?: boolean };

/** The groups of hits that are listed in a message and its window. */
export function groupsOf(view: Asked, answers: Answers): readonly Group[] {
  if (answers.units !== undefined) return sharedBy(view, namedUnits(answers.units));
  if (answers.before !== undefined) return changesOf(view, answers).slice(0, -1);
  const { open, accepted } = rowsOf({ question: view.question }, answers);
  return [{ place: '', rows: [...open, ...accepted] }];
}

/** A hit or passed check in an exported file. `change`: only in a comparison, such as `new` or `cleared`. */
export type FileRow = Row & { readonly change?: string };

/**
 * All rows of an exported file: for each snapshot its hits, accepted hits and, if requested or searched, passed checks;
 * for a comparison all hits of both snapshots.
 */
export function everyHit(view: Asked, answers: Answers): FileRow[] {
  if (answers.before !== undefined) {
    const changes = changesOf(view, answers);
    return changes.flatMap(({ place: change, rows }) => rows.map((row) => ({ ...row, change })));
  }
  const units = answers.units ?? [{ ...answers, kind: 'ready' as const, question: view.question }];
  return units.flatMap((unit) => {
    if (unit.kind !== 'ready') return [];
    const { open, accepted, passed } = rowsOf(view, unit, unit.question);
    return [...open, ...accepted, ...(isOfChecks(view) || unit.found ? passed : [])];
  });
}

/** Says “no longer checked” only if the later analysis lists passed checks, because some services send only hits. */
export function unlistedWord(later: DiagnosticsResult): string {
  return passedIn(later).size > 0 ? 'no longer checked' : 'no longer listed';
}

/** Groups the hits of two analyses by change, unchanged hits last. A hit is cleared if its check passed later. */
export function changesOf({ question, before }: Asked, answers: Answers) {
  const { result, accepted } = answers;
  const was = answers.before?.result ?? result;
  const found = compareHits(sideOf(was, 'hit'), sideOf(result, 'hit'), passedIn(result));
  const later = { question, result };
  const earlier = { question: before ?? question, result: was, isOver: true };
  const group = (place: string, rows: (typeof found)['new'], of: Omit<Row, 'hit'> = later): Group => ({
    place,
    rows: rows.map((row) => ({ ...row, ...of, accepted: acceptanceOf(row.hit, accepted) })),
  });
  return [
    group('new', found.new),
    group('rated differently', found.changed),
    group('cleared', found.cleared, earlier),
    group(unlistedWord(result), found.unlisted, earlier),
    group('unchanged', found.unchanged),
  ] as const;
}

export type NamedUnit = ReadyUnit & { readonly name: string };

/**
 * The snapshots that have a result, each named by its device's short host name. The snapshot id replaces a missing or
 * ambiguous name.
 */
export function namedUnits(units: readonly Unit[]): NamedUnit[] {
  const ready = units.flatMap((unit) => (unit.kind === 'ready' ? unit : []));
  const names = ready.map(({ result }) => shortNameOf(result));
  return ready.map((unit) => {
    const [name, id] = [shortNameOf(unit.result), unit.question.snapshotId];
    const isOnly = name !== '' && names.indexOf(name) === names.lastIndexOf(name);
    return { ...unit, name: isOnly ? name : id };
  });
}

/**
 * Groups the hits of several snapshots by the snapshots that have them. A hit gets its worst level among the snapshots
 * where it is not accepted. The hits on all snapshots come first, then the groups with the most important hits.
 */
export function sharedBy(view: Asked, units: readonly NamedUnit[]): Group[] {
  const lists = units.map((unit) => {
    const { open, accepted, passed } = rowsOf(view, unit, unit.question);
    const rows = isOfChecks(view) ? passed : [...open, ...accepted];
    return rows.map((row) => ({ row, name: row.hit.name, importance: row.hit.importance }));
  });
  const shared = align(lists).map(({ cells }) => {
    const owned = cells.flatMap((cell) => cell?.row ?? []);
    return {
      // The worst open hit: a hit is accepted only if it is accepted on each device that has it.
      rows: sortRows(owned).slice(0, 1),
      on: units.filter((_, at) => cells[at] !== undefined),
    };
  });
  const groups = [...Map.groupBy(shared, ({ on }) => whichOf(on, units)).entries()];
  const grouped = groups.map(([place, those]): Group => {
    const isOfAll = those[0]?.on.length === units.length;
    const only = those[0]?.on.length === 1 && !isOfAll ? 'only ' : '';
    return { place: `${only}on ${place}`, isOfAll, rows: sortRows(those.flatMap(({ rows }) => rows)) };
  });
  const rankOf = ({ isOfAll, rows: [first] }: Group) => (isOfAll || !first ? -1 : levelOf(first.hit).rank);
  return grouped.sort((one, other) => rankOf(one) - rankOf(other));
}

/** Which snapshots a group covers: `both`, `all 3`, or their names if it does not cover all. */
export function whichOf(those: readonly Pick<NamedUnit, 'name'>[], all: readonly unknown[]): string {
  if (those.length < all.length || all.length === 1) return listed(those.map(({ name }) => name));
  return all.length === 2 ? 'both' : `all ${all.length}`;
}
