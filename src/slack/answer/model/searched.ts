import { search } from '../../../core/searching.ts';
import type { Answers } from '../../../lookups/lookup-status.ts';
import type { View } from '../../block-kit/action-values.ts';

/** The answers with what the view's search finds in them; the same ones where it searches for nothing. */
export async function searched(view: Pick<View, 'search'>, answers: Answers): Promise<Answers> {
  if (view.search === undefined) return answers;
  return { ...answers, found: await search(answers.result.diagnostics, view.search) };
}
