import type { Message } from '../blocks.ts';
import type { ViewState } from '../button-values.ts';
import type { Answers } from '../shown-hits.ts';
import { comparisonMessage } from './comparison-message.ts';
import { resultMessage } from './result-message.ts';
import type { Since } from './since-line.ts';

/** The message that shows this of these answers, a result or a comparison. */
export function viewMessage(state: ViewState, answers: Answers, since: readonly Since[] = []): Message {
  if (state.before !== undefined && answers.before !== undefined) {
    return comparisonMessage({ state, answers, since });
  }
  return resultMessage({ state, answers, since: since[0] });
}
