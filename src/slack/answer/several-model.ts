import { acceptanceOf } from '../../core/accepting.ts';
import { align, type Row, SHARES, type Share } from '../../core/comparing.ts';
import { sideOf } from '../../core/counting.ts';
import { hostOf, relationOf, serialOf } from '../../core/device-identity.ts';
import type { Diagnostic, DiagnosticsResult } from '../../core/diagnostics.ts';
import { passes, sortByImportance } from '../../core/importance.ts';
import { inOrder, type Question } from '../../core/lookup.ts';
import type { Side } from '../../core/snapshot-id.ts';
import type { Answers, ReadyUnit, Unit } from '../../lookups/lookup-status.ts';
import type { View, ViewState } from '../block-kit/action-values.ts';
import { shorten } from '../block-kit/limits.ts';
import { acceptedText } from './accepted-line.ts';
import { releaseOf, unlistedDoubt } from './wording.ts';

/**
 * One of several snapshots, what people call it (the name of its host, or else its serial number or its id), and why its
 * document may not list everything, or ''.
 */
export type NamedUnit = Unit & { readonly name: string; readonly doubt: string };

const LONGEST_NAME = 24;

/** The units by names that are different. `side`: what a message lists. */
export function namedUnits(units: readonly Unit[], side?: Side): NamedUnit[] {
  const deviceOf = (unit: Unit) => (unit.kind === 'ready' ? unit.result.device : undefined);
  const hosts = units.map(deviceOf).map((device) => (device ? hostOf(device) : ''));
  const serials = units.map(deviceOf).map((device) => (device && serialOf(device)) ?? '');
  const ways = [
    hosts.map((host) => host.split('.')[0] ?? ''),
    hosts,
    serials.map((each) => each.toUpperCase()),
  ].map((names) => names.map((name) => shorten(name, LONGEST_NAME)));
  return units.map((unit, at) => {
    const isAlone = (names: string[]) =>
      names[at] !== '' && names.filter((name) => name === names[at]).length === 1;
    const doubt = unit.kind === 'ready' ? unlistedDoubt(unit.result, side ?? unit.question.set) : '';
    return { ...unit, doubt, name: ways.find(isAlone)?.[at] ?? unit.question.snapshotId };
  });
}

/** Where in the list of units those stand that have a result. */
export function readyAt(units: readonly Unit[]): number[] {
  return units.flatMap(({ kind }, at) => (kind === 'ready' ? at : []));
}

/** A row of the hits of several snapshots, and whether all that have a result have it. */
export type SeveralRow = Row<Diagnostic> & { readonly share: Share };

/**
 * The hits of several snapshots, or their passed checks, or what a search finds of them: each once, most important first,
 * and of one level those first that all have.
 */
export function severalChoice({ question, side, filter = {}, show }: View, units: readonly Unit[]) {
  const isMiss = (side ?? question.set) === 'miss';
  const ready = readyAt(units);
  const rows = align(units.map((unit) => (unit.kind === 'ready' ? listedOf(unit, isMiss) : []))).map(
    (row): SeveralRow => ({ ...row, share: ready.every((at) => row.cells[at]) ? 'shared' : 'some' }),
  );
  const sharedFirst = SHARES.flatMap((share) => rows.filter((row) => row.share === share));
  // Of passed checks the importance says nothing: those stand together that the same snapshots have.
  const all = isMiss
    ? [...Map.groupBy(sharedFirst, ({ cells }) => cells.map(Boolean).join()).values()].flat()
    : sortByImportance(sharedFirst, ({ hit }) => hit);
  const isShown = ({ hit, share }: SeveralRow) =>
    (isMiss || passes(hit, filter)) && (show === undefined || share === show);
  const noun = isMiss ? ('check' as const) : ('hit' as const);
  return { noun, all, shown: all.filter(isShown), units: namedUnits(units, side) };
}

function listedOf({ result, found }: ReadyUnit, isMiss: boolean): readonly Diagnostic[] {
  const all = sideOf(result, isMiss ? 'miss' : 'hit');
  return found === undefined ? all : all.filter((diagnostic) => found.matches.has(diagnostic));
}

/** What a document says of the hit of a row, in the words of tables. */
export function cellOf(unit: Unit, cell: Diagnostic | undefined, { name }: Diagnostic): string {
  if (unit.kind !== 'ready') return 'no result';
  const match =
    cell?.match ??
    unit.result.diagnostics.find((other) => other.match !== 'hit' && other.name === name)?.match;
  if (match === undefined) return 'not listed';
  const accepted = cell && match === 'hit' && acceptanceOf(cell, unit.accepted);
  if (accepted) return `hit, ${acceptedText(accepted)}`;
  return { hit: 'hit', miss: 'passed', unstated: 'not stated' }[match];
}

/**
 * Two snapshots of one device are compared in the order of time; undefined for everything else, and for what a comparison
 * does not show: a filter, a search, passed checks.
 */
export function comparedInTime(
  state: ViewState,
  { units }: Answers,
): { readonly state: ViewState; readonly answers: Answers } | undefined {
  const { others, filter, search, ...rest } = state;
  const [one, other, ...more] = units ?? [];
  if (one?.kind !== 'ready' || other?.kind !== 'ready' || more.length > 0) return undefined;
  if (filter !== undefined || search !== undefined || state.question.set === 'miss') return undefined;
  if (relationOf(one.result.device, other.result.device) !== 'same') return undefined;
  const asked = inOrder(one.question, other.question);
  const readOf = (question: Question) => (question === one.question ? one : other);
  const { result, readAt, accepted } = readOf(asked.question);
  const before = readOf(asked.before);
  return {
    state: { ...rest, ...asked, madeAt: readAt, beforeMadeAt: before.readAt },
    answers: {
      result,
      readAt,
      before: { result: before.result, readAt: before.readAt },
      ...(accepted && { accepted }),
    },
  };
}

/** The releases that run, each with the hits of all that run it; of one result, that alone. */
export function releasesOf({
  result,
  units,
}: Answers): { readonly label: string; readonly result: DiagnosticsResult }[] {
  if (units === undefined) return [{ label: '', result }];
  const ready = namedUnits(units).flatMap((unit) => (unit.kind === 'ready' ? unit : []));
  return [...Map.groupBy(ready, (unit) => releaseOf(unit.result))].flatMap(([, members]) => {
    const [first] = members;
    if (first === undefined) return [];
    const rows = align(members.map((member) => sideOf(member.result, 'hit')));
    const diagnostics = rows.map(({ hit }) => hit);
    const { version } = first.result.software;
    const label = [version, members.map(({ name }) => name).join(', ')].filter(Boolean).join(': ');
    return [{ label: shorten(label, LONGEST_LABEL), result: { ...first.result, diagnostics } }];
  });
}

const LONGEST_LABEL = 28;
