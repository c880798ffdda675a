import { CHANGES, type Change, type Comparison, compareHits } from '../core/comparing.ts';
import { sideOf } from '../core/counting.ts';
import type { Diagnostic } from '../core/diagnostics.ts';
import { filtered } from '../core/filtering.ts';
import type { Read } from '../lookups/news.ts';
import type { View } from './button-values.ts';

/** What a message is made of: the result, and the earlier one that it is compared with. */
export type Answers = Read & { readonly before?: Read };

/** A diagnostic that a message is about; in a comparison, what became of it, and what it was before. */
export type ShownHit = { readonly hit: Diagnostic; readonly change?: Change; readonly was?: Diagnostic };

/** What a comparison lists unless it is asked for one kind: an unchanged hit is no news. */
const NEWS: readonly Change[] = ['new', 'changed', 'cleared'];

/** What a view shows, on all its pages together, in its order. */
export function shownHits(view: View, answers: Answers): ShownHit[] {
  const { show, filter = {} } = view;
  if (view.before !== undefined) return hitsOf(comparisonOf(answers), show === undefined ? NEWS : [show]);
  const all = diagnosticsOf(view, answers);
  return (view.question.set === 'miss' ? all : filtered(all, filter)).map((hit) => ({ hit }));
}

/** The same without a filter and with the unchanged hits: everything that the message is about. */
export function allHits(view: View, answers: Answers): ShownHit[] {
  if (view.before !== undefined) return hitsOf(comparisonOf(answers), CHANGES);
  return diagnosticsOf(view, answers).map((hit) => ({ hit }));
}

/** The hits of both snapshots, by what became of them. */
export function comparisonOf({ result, before }: Answers): Comparison<Diagnostic> {
  return compareHits(before === undefined ? [] : sideOf(before.result, 'hit'), sideOf(result, 'hit'));
}

/** The hits, or for a question about them the passed checks. */
export function diagnosticsOf({ question }: View, { result }: Answers): Diagnostic[] {
  return sideOf(result, question.set === 'miss' ? 'miss' : 'hit');
}

function hitsOf(comparison: Comparison<Diagnostic>, changes: readonly Change[]): ShownHit[] {
  return changes.flatMap((change) => comparison[change].map((compared) => ({ ...compared, change })));
}
