import type { Fault } from '../../core/faults.ts';
import type { Asked, Question } from '../../core/lookup.ts';
import { viewValue } from '../block-kit/action-values.ts';
import { actions, button, type Message, smallPrint } from '../block-kit/blocks.ts';
import { faultSentence } from './fault-sentences.ts';
import type { Operator } from './operator.ts';
import { ASK_AGAIN_ACTION } from './waiting.ts';
import { capital, subjectOf } from './wording.ts';

/** What was asked for, and by whom; `question` is the one of a comparison's two that could not be answered. */
type FaultView = {
  readonly asked: Asked;
  readonly question?: Question;
  readonly askedBy: string;
  readonly operator: Operator;
};

/** A lookup that ended without a result: what happened, what to do next, and "Try again" where that may help. */
export function faultMessage(fault: Fault, view: FaultView): Message {
  const { snapshotId } = view.question ?? view.asked.question;
  const { what, next, retry } = faultSentence(fault, { snapshotId, operator: view.operator });
  return message(what, next, { ...view, canRetry: retry });
}

/** A bug: the user gets the reference under which the log has the rest. */
export function bugMessage(
  reference: string,
  { asked, askedBy, operator }: Pick<FaultView, 'asked' | 'askedBy' | 'operator'>,
): Message {
  const what = `A bug in the bot ended the lookup of ${subjectOf(asked)}.`;
  const next = `Ask ${operator.contact} to look for the reference ${reference} in the log.`;
  return message(what, next, { asked, askedBy, canRetry: true });
}

/** The same as a private notice, where no lookup ends with it. */
export function faultNotice(fault: Fault, operator: Operator): { text: string } {
  const { what, next } = faultSentence(fault, { snapshotId: undefined, operator });
  return { text: `${what} ${next}` };
}

/** For whoever clicked on a message whose result can't be read any more. */
export function clickFaultNotice(fault: Fault, asked: Asked, operator: Operator): { text: string } {
  const { question, before } = asked;
  if (fault.code !== 'snapshot-not-found') return windowFaultNotice(fault, asked, operator);
  const gone =
    before === undefined
      ? `snapshot ${question.snapshotId}`
      : `one of the snapshots ${before.snapshotId} and ${question.snapshotId}`;
  return {
    text:
      `The service no longer has ${gone}, so this message can’t be updated. ` +
      'The service deletes snapshots after about 30 days: upload it again.',
  };
}

/** For whoever opens a result in a window of their own: it may never have been read before. */
export function windowFaultNotice(
  fault: Fault,
  { question, before }: Asked,
  operator: Operator,
): { text: string } {
  const context = { snapshotId: question.snapshotId, before: before?.snapshotId, operator };
  const { what, next } = faultSentence(fault, context);
  return { text: `${what} ${next}` };
}

/** For a person who waits for a result that is not cached, while the snapshot is being processed. */
export function processingNotice(asked: Asked): string {
  return `The service is processing ${subjectOf(asked)}. Try again in a minute.`;
}

function message(
  what: string,
  next: string,
  { asked, askedBy, canRetry }: Pick<FaultView, 'asked' | 'askedBy'> & { readonly canRetry: boolean },
): Message {
  // A channel can hold several questions: a fault of the service has to say which one it ended.
  const isNamed = what.toLowerCase().includes(subjectOf(asked));
  return {
    text: `${isNamed ? '' : `${capital(subjectOf(asked))}: `}${what} ${next}`,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: `*⚠ ${what}*\n${next}`, verbatim: true } },
      ...(canRetry ? [actions([button('Try again', ASK_AGAIN_ACTION, viewValue(asked))])] : []),
      smallPrint(`${isNamed ? '' : `${subjectOf(asked)} · `}asked by <@${askedBy}>`),
    ],
  };
}
