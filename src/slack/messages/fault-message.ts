import type { Fault } from '../../core/faults.ts';
import type { Question } from '../../core/lookup.ts';
import { actions, button, type Message, smallPrint } from '../blocks.ts';
import { questionValue } from '../button-values.ts';
import { faultSentence } from './fault-sentences.ts';
import { ASK_AGAIN_ACTION } from './timed-out-message.ts';

/** A lookup that ended without a result: what happened, what to do next, and "Try again" where that may help. */
export function faultMessage(fault: Fault, question: Question, askedBy: string, loginUrl: string): Message {
  const { what, next, retry } = faultSentence(fault, { snapshotId: question.snapshotId, loginUrl });
  return message(what, next, { question, askedBy, canRetry: retry });
}

/** A bug: the user gets the reference under which the log has the rest. */
export function bugMessage(reference: string, question: Question, askedBy: string): Message {
  const what = `Something in the bot itself went wrong with snapshot ${question.snapshotId}.`;
  const next = `Please tell whoever runs this bot the reference ${reference}.`;
  return message(what, next, { question, askedBy, canRetry: true });
}

/** The same for one person's eyes, where there is no lookup to end. */
export function faultNotice(fault: Fault, loginUrl: string): { text: string } {
  const { what, next } = faultSentence(fault, { snapshotId: undefined, loginUrl });
  return { text: `${what} ${next}` };
}

function message(
  what: string,
  next: string,
  { question, askedBy, canRetry }: { question: Question; askedBy: string; canRetry: boolean },
): Message {
  const { snapshotId } = question;
  // A channel can hold several questions: a fault of the service has to say which one it ended.
  const isNamed = what.includes(snapshotId);
  return {
    text: `${isNamed ? '' : `Snapshot ${snapshotId}: `}${what} ${next}`,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: `*⚠ ${what}*\n${next}`, verbatim: true } },
      ...(canRetry ? [actions([button('Try again', ASK_AGAIN_ACTION, questionValue(question))])] : []),
      smallPrint(`${isNamed ? '' : `snapshot ${snapshotId} · `}asked by <@${askedBy}>`),
    ],
  };
}
