import { type Acceptance, acceptanceOf, compareHits, type Named } from '../../../core/comparing.ts';
import type { Diagnostic, DiagnosticsResult } from '../../../core/diagnostics.ts';
import { levelOf, listsWholeSide, passedIn, sideOf } from '../../../core/importance.ts';
import type { Read } from '../../../lookups/lookup-status.ts';
import type { FollowKind, Known } from '../../../lookups/queue.ts';

/** What changed in an analysis. `cleared`: it checked and passed them; `unchecked`: it does not list them any more. */
export type Changes = {
  readonly new: readonly Diagnostic[];
  readonly changed: readonly (readonly [hit: Diagnostic, was: Named])[];
  readonly cleared: readonly Diagnostic[];
  readonly unchecked: readonly Named[];
};

/** Critical and high. */
const GRAVE_RANK = 1;

/** The hits that a reader of this result knows. */
export function knownOf({ result, readAt: at }: Read): Known {
  if (!listsWholeSide(result, 'hit')) return { at };
  return { at, hits: sideOf(result, 'hit').map(({ name, importance }) => ({ name, importance })) };
}

/**
 * What changed since these hits were seen, except what is accepted for the device; undefined where that is not known,
 * because one of the analyses does not list all its hits.
 */
export function changesSince(
  { hits }: Known,
  result: DiagnosticsResult,
  accepted: readonly Acceptance[] = [],
): Changes | undefined {
  if (hits === undefined || !listsWholeSide(result, 'hit')) return undefined;
  const [listed, passed] = [byName(result, 'hit'), byName(result, 'miss')];
  const found = compareHits<Named>(hits, sideOf(result, 'hit'), passedIn(result));
  const open = (some: typeof found.new) =>
    some.filter(({ hit }) => acceptanceOf(hit, accepted) === undefined);
  return {
    new: open(found.new).flatMap(({ hit }) => listed.get(hit.name) ?? []),
    changed: open(found.changed).flatMap(({ hit, was = hit }) => {
      const diagnostic = listed.get(hit.name);
      return diagnostic === undefined ? [] : [[diagnostic, was] as const];
    }),
    cleared: open(found.cleared).flatMap(({ hit: { name, importance } }) => {
      const check = passed.get(name);
      return check === undefined ? [] : { ...check, importance };
    }),
    unchecked: open(found.unlisted).map(({ hit }) => hit),
  };
}

function byName(result: DiagnosticsResult, side: 'hit' | 'miss'): ReadonlyMap<string, Diagnostic> {
  return new Map(sideOf(result, side).map((each) => [each.name, each]));
}

/** Whether something changed that a follow of this kind tells: of critical and high hits, or of any. */
export function areNews({ changed, ...kinds }: Changes, kind: FollowKind): boolean {
  const all = [...Object.values(kinds).flat(), ...changed.flat()];
  return all.some((hit) => kind === 'any' || levelOf(hit).rank <= GRAVE_RANK);
}

/** Whether a hit is new, or rated anew, that is critical now. */
export function haveCritical({ new: fresh, changed }: Changes): boolean {
  return [...fresh, ...changed.map(([hit]) => hit)].some((hit) => levelOf(hit).rank === 0);
}
