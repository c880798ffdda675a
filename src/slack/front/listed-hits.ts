import { type Acceptance, acceptanceOf, compareHits } from '../../core/comparing.ts';
import type { Diagnostic, DiagnosticsResult, SnapshotId } from '../../core/diagnostics.ts';
import { passedIn, passes, sideOf } from '../../core/importance.ts';
import type { Asked, Question } from '../../core/lookup.ts';
import type { Answers, ReadyUnit } from '../../lookups/lookup-status.ts';

/** A diagnostic of a result, as files list it. */
export type ListedHit = {
  readonly snapshotId: SnapshotId;
  readonly result: DiagnosticsResult;
  readonly hit: Diagnostic;
  readonly accepted?: Acceptance | undefined;
  /** Of a comparison: what became of it, and how it was rated before. */
  readonly change?: 'new' | 'rated differently' | 'cleared' | 'no longer checked' | 'unchanged';
  readonly was?: string;
};

/**
 * What a view is about, each snapshot's most important hits first, accepted ones last: the hits or the passed checks that
 * its filter lets through and its search finds, or what changed between two.
 */
export function hitsListed(view: Asked, answers: Answers): ListedHit[] {
  if (view.before !== undefined && answers.before !== undefined)
    return changesListed(view.question, answers.before.result, answers);
  const units = answers.units ?? [{ kind: 'ready' as const, question: view.question, ...answers }];
  return units.flatMap((unit) => (unit.kind === 'ready' ? listedOf(view, unit) : []));
}

function listedOf(
  { question: { set }, side: chosen, filter = {} }: Asked,
  { question, result, found, accepted }: Omit<ReadyUnit, 'kind'>,
): ListedHit[] {
  const side = chosen ?? set;
  const isFound = (hit: Diagnostic) => found?.matches.has(hit) !== false;
  const hits = side === 'miss' ? [] : sideOf(result, 'hit').filter((hit) => passes(hit, filter));
  // Of a search the passed checks count, too.
  const checks = side === 'miss' || (found !== undefined && side === 'all') ? sideOf(result, 'miss') : [];
  const listed = [...hits, ...checks].filter(isFound).map((hit) => ({
    ...{ snapshotId: question.snapshotId, result, hit },
    accepted: hit.match === 'hit' ? acceptanceOf(hit, accepted) : undefined,
  }));
  return listed.toSorted(
    (one, other) => Number(one.accepted !== undefined) - Number(other.accepted !== undefined),
  );
}

function changesListed(
  { snapshotId }: Question,
  was: DiagnosticsResult,
  { result: is, accepted }: Answers,
): ListedHit[] {
  const [before, after] = [sideOf(was, 'hit'), sideOf(is, 'hit')];
  const found = compareHits(before, after, passedIn(is));
  const of = (change: ListedHit['change'], hits: typeof found.new) =>
    hits.map(({ hit, was: earlier }) => ({
      ...{ snapshotId, result: is, hit, accepted: acceptanceOf(hit, accepted) },
      ...(change && { change }),
      ...(earlier && { was: earlier.importance }),
    }));
  return [
    ...of('new', found.new),
    ...of('rated differently', found.changed),
    ...of('cleared', found.cleared),
    ...of('no longer checked', found.unlisted),
    ...of('unchanged', found.unchanged),
  ];
}
