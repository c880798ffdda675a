import { type Acceptance, align, CHANGES, compareHits, SHARES } from '../../core/comparing.ts';
import {
  type Diagnostic,
  type DiagnosticsResult,
  hostOf,
  type Side,
  serialOf,
  solutionsOnce,
} from '../../core/diagnostics.ts';
import {
  byImportance,
  type Filter,
  listsWholeSide,
  namedIn,
  passes,
  sideOf,
  sortByImportance,
} from '../../core/importance.ts';
import { fold, oneLine } from '../../core/texts.ts';
import type { Answers, ReadyUnit, Unit } from '../../lookups/lookup-status.ts';
import type { View } from '../blocks/action-values.ts';
import { shorten } from '../blocks/limits.ts';
import { listed, unlistedDoubt } from './wording.ts';

/** A diagnostic of a result. */
export type ShownHit = {
  readonly hit: Diagnostic;
  /** Of several results: what became of it from one to the other, or whether all of them have it. */
  readonly kind?: Kind;
  /** In a comparison the earlier diagnostic; of several snapshots that of each, in their order. */
  readonly was?: Diagnostic;
  readonly cells?: readonly (Diagnostic | undefined)[];
  /** The hit counts as cleared, but the later document does not list all its hits: the device may still have it. */
  readonly isUncertain?: true;
  readonly accepted?: Acceptance;
};
export type Kind = NonNullable<View['show']>;

/** How many of a kind there are among all that a view is about. */
export function sizeOf(kind: Kind, { all }: { readonly all: readonly ShownHit[] }): number {
  return all.filter((each) => each.kind === kind).length;
}

/** What of its results a view is about. */
export type Rows = {
  /** One result, what a search finds in it, what changed from one result to another, or several side by side. */
  readonly about: 'one' | 'search' | 'changes' | 'several';
  /** Everything, most important first; in a comparison sorted by their change before that. */
  readonly all: readonly ShownHit[];
  /** Of a search: the checks that passed and match it. The hits that match are `all`. */
  readonly passed?: readonly Diagnostic[];
  /** Of several snapshots: each, by the name that people know it by. */
  readonly units?: readonly NamedUnit[];
};

/** The rows of several snapshots, of two in the order of time, of a search, or of one result. `side`: what is listed. */
export function rowsOf(view: View, { result, before, found, units }: Answers, side: Side): Rows {
  if (units !== undefined)
    return { about: 'several', all: sharesOf(units, side), units: namedUnits(units, view.side) };
  if (view.before !== undefined && before !== undefined) {
    const isWhole = listsWholeSide(result, view.question.set);
    return { about: 'changes', all: changesOf(before.result, result, isWhole) };
  }
  const all = sideOf(result, side).map((hit) => ({ hit }));
  if (found === undefined) return { about: 'one', all };
  const passed =
    view.side === undefined ? sideOf(result, 'miss').filter((check) => found.matches.has(check)) : [];
  return { about: 'search', all: all.filter(({ hit }) => found.matches.has(hit)), passed };
}

/** What became of each hit from one analysis to the next, by that first. `isWhole`: whether the later one lists all its hits. */
function changesOf(before: DiagnosticsResult, after: DiagnosticsResult, isWhole: boolean): ShownHit[] {
  const compared = compareHits(sideOf(before, 'hit'), sideOf(after, 'hit'));
  const doubt = isWhole ? {} : { isUncertain: true as const };
  return CHANGES.flatMap((kind) =>
    compared[kind].map((each): ShownHit => ({ ...each, kind, ...(kind === 'cleared' && doubt) })),
  );
}

/**
 * The hits of several snapshots, or their passed checks, or what a search finds of them: each once, most important first,
 * and of one level those first that all have.
 */
function sharesOf(units: readonly Unit[], side: Side): ShownHit[] {
  const ready = readyAt(units);
  const rows = united(units.map((unit) => listedOf(unit, side))).map(({ hit, cells }): ShownHit => {
    return { hit, cells, kind: ready.every((at) => cells[at]) ? 'shared' : 'some' };
  });
  const sharedFirst = SHARES.flatMap((share) => rows.filter(({ kind }) => kind === share));
  // Of passed checks the importance says nothing: those stand together that the same snapshots have.
  return side === 'miss'
    ? [...Map.groupBy(sharedFirst, ({ cells = [] }) => cells.map(Boolean).join()).values()].flat()
    : sortByImportance(sharedFirst, ({ hit }) => hit);
}

/** What several documents list, each once. */
export function united(lists: readonly (readonly Diagnostic[])[]) {
  return align(lists).map(({ hit, cells }) => ({ hit: unitedOf(hit, cells), cells }));
}

/**
 * One hit of several documents: as important as on the worst of them, with the CVEs, the fixes and the solutions that any of
 * them names, each once, those of the worst first.
 */
export function unitedOf(hit: Diagnostic, cells: readonly (Diagnostic | undefined)[]): Diagnostic {
  const found = cells.filter((cell) => cell !== undefined);
  if (found.length < 2) return found[0] ?? hit;
  const some = byImportance(found);
  return {
    ...(some[0] ?? hit),
    cveIds: [...new Set(some.flatMap(({ cveIds }) => cveIds))],
    fixedIn: [...new Set(some.flatMap(({ fixedIn }) => fixedIn))],
    solutions: solutionsOnce(some.flatMap(({ solutions }) => solutions)),
  };
}

function listedOf(unit: Unit, side: Side): readonly Diagnostic[] {
  if (unit.kind !== 'ready') return [];
  const { result, found } = unit;
  return sideOf(result, side).filter((diagnostic) => found === undefined || found.matches.has(diagnostic));
}

/**
 * One of several snapshots, what people call it (the name of its host, or else its serial number or its id), and why its
 * document may not list everything, or ''.
 */
export type NamedUnit = Unit & { readonly name: string; readonly doubt: string };

const LONGEST_NAME = 24;

/** The units by names that are different. `side`: what a message lists. */
export function namedUnits(units: readonly Unit[], side?: Side): NamedUnit[] {
  const ways = units.map(waysOf);
  const isAlone = (name: string, way: number) =>
    name !== '' && ways.filter((names) => fold(names[way] ?? '') === fold(name)).length === 1;
  return units.map((unit, at) => {
    const doubt = unit.kind === 'ready' ? unlistedDoubt(unit.result, side ?? unit.question.set) : '';
    return { ...unit, doubt, name: ways[at]?.find(isAlone) ?? unit.question.snapshotId };
  });
}

/** What a device may be called, what people use first; '' for what it has not. */
function waysOf(unit: Unit): string[] {
  if (unit.kind !== 'ready') return [];
  const { device } = unit.result;
  const host = hostOf(device);
  const serial = serialOf(device) === undefined ? '' : device.chassisSerial;
  return [host.split('.')[0] ?? '', host, serial].map((name) => shorten(oneLine(name), LONGEST_NAME));
}

/** Whether it has a result. */
export function isReady(unit: NamedUnit): unit is ReadyUnit & NamedUnit {
  return unit.kind === 'ready';
}

/** Where in the list of units those stand that have a result. */
export function readyAt(units: readonly Unit[]): number[] {
  return units.flatMap(({ kind }, at) => (kind === 'ready' ? at : []));
}

/** What each document has of a row, by the name of its snapshot where there are several. */
export function cellsIn({ hit, cells }: ShownHit, units: readonly NamedUnit[] | undefined) {
  if (cells === undefined || units === undefined) return [{ name: '', cell: hit }];
  return units.flatMap(({ name }, at) => {
    const cell = cells[at];
    return cell === undefined ? [] : { name, cell };
  });
}

/** What the documents of a row say, each text once, with the names of those that say it where others say something else. */
export function saidOf(
  row: ShownHit,
  units: readonly NamedUnit[] | undefined,
  read: (hit: Diagnostic) => string,
) {
  const owners = cellsIn(row, units);
  const texts = [...Map.groupBy(owners, ({ cell }) => read(cell))].filter(([text]) => text !== '');
  return texts.map(([text, those]) => ({
    text,
    where: those.length === owners.length ? '' : listed(those.map(({ name }) => name)),
  }));
}

/** Whether a filter lets a hit through; of several snapshots it is enough that it does so as one of them rates it. */
export function isThrough({ hit, cells = [hit] }: ShownHit, filter: Filter): boolean {
  const { cveIds } = hit;
  return cells.some((cell) => cell !== undefined && passes({ importance: cell.importance, cveIds }, filter));
}

/** The same diagnostic of a snapshot that is in no row: it is of the other side there, or a search did not find it. */
export function unlisted(unit: Unit, { name, match }: Diagnostic): Diagnostic | undefined {
  if (unit.kind !== 'ready') return undefined;
  const { result, found } = unit;
  const isInRow = (other: Diagnostic) => other.match === match && found?.matches.has(other) !== false;
  return namedIn(result, name).find((other) => !isInRow(other));
}
