import { acceptanceOf } from '../../core/comparing.ts';
import { passes, sideOf } from '../../core/importance.ts';
import type { Asked } from '../../core/lookup.ts';
import type { Answers, ReadyUnit } from '../../lookups/lookup-status.ts';
import { compared } from './comparison.ts';
import type { Row } from './hit.ts';
import { rowsIn } from './report.ts';

/** A diagnostic as files list it, in a comparison with what became of it. */
export type FileRow = Row & { readonly change?: string };

/** What became of a hit, in the order of files. */
const CHANGES = {
  new: 'new',
  changed: 'rated differently',
  cleared: 'cleared',
  unlisted: 'no longer checked',
  unchanged: 'unchanged',
} as const;

/**
 * All that a request asked for, for files: each snapshot's most important hits first, accepted ones last, then the passed
 * checks if it asked for those; or every hit of both snapshots of a comparison.
 */
export function everyHit(view: Asked, answers: Answers): FileRow[] {
  const { question } = view;
  if (answers.before !== undefined) return everyChange(view, answers);
  const units = answers.units ?? [{ kind: 'ready' as const, question, ...answers }];
  return units.flatMap((unit) => (unit.kind === 'ready' ? listOf(view, unit) : []));
}

function listOf({ question: { set }, side: chosen, filter = {} }: Asked, unit: ReadyUnit): FileRow[] {
  const side = chosen ?? set;
  const { found, result, question } = unit;
  const { open, accepted } = rowsIn(question, unit);
  const hits = side === 'miss' ? [] : [...open, ...accepted].filter(({ hit }) => passes(hit, filter));
  // Of a search the passed checks count, too.
  const isWithChecks = side === 'miss' || (found !== undefined && side === 'all');
  const checks = isWithChecks ? sideOf(result, 'miss').map((hit): Row => ({ hit, question, result })) : [];
  return [...hits, ...checks].filter(({ hit }) => found?.matches.has(hit) ?? true);
}

function everyChange({ question }: Asked, answers: Answers): FileRow[] {
  const { result, accepted } = answers;
  const found = compared(answers);
  return (Object.keys(CHANGES) as (keyof typeof CHANGES)[]).flatMap((change) =>
    found[change].map((row) => ({
      ...{ ...row, question, result, change: CHANGES[change] },
      accepted: acceptanceOf(row.hit, accepted),
    })),
  );
}
