import type { Answers } from '../../lookups/lookup-status.ts';
import type { ViewState } from '../block-kit/action-values.ts';
import type { Message } from '../block-kit/blocks.ts';
import { comparisonMessage } from './comparison-message.ts';
import { modelOf } from './model/result-model.ts';
import type { Since } from './parts/since-line.ts';
import { resultMessage } from './result-message.ts';
import { searchMessage } from './search-message.ts';

/** The message that shows this of these answers, a result or a comparison. */
export function viewMessage(state: ViewState, answers: Answers, since: readonly Since[] = []): Message {
  const model = modelOf(state, answers);
  const { comparison } = model;
  if (model.answers.found !== undefined) return searchMessage({ model, state });
  return comparison === undefined
    ? resultMessage({ model, state, since: since[0] })
    : comparisonMessage({ model: { ...model, comparison }, state, since });
}
