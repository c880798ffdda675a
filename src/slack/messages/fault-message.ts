import type { types } from '@slack/bolt';
import type { Fault } from '../../core/faults.ts';
import type { Question } from '../../core/lookup.ts';
import { actions, button, type Message, smallPrint } from '../blocks.ts';
import { questionValue } from '../button-values.ts';
import { faultSentence } from './fault-sentences.ts';
import { ASK_AGAIN_ACTION } from './timed-out-message.ts';

/** A lookup that ended without a result: what happened, what to do next, and "Try again" where that may help. */
export function faultMessage(fault: Fault, question: Question, askedBy: string, loginUrl: string): Message {
  const { what, next, retry } = faultSentence(fault, { snapshotId: question.snapshotId, loginUrl });
  return message(what, next, retry ? [tryAgain(question)] : [], askedBy);
}

/** A bug: the user gets the reference under which the log has the rest. */
export function bugMessage(reference: string, question: Question, askedBy: string): Message {
  const what = `Something in the bot itself went wrong with snapshot ${question.snapshotId}.`;
  const next = `Please tell whoever runs this bot the reference ${reference}.`;
  return message(what, next, [tryAgain(question)], askedBy);
}

/** The same for one person's eyes, where there is no lookup to end. */
export function faultNotice(fault: Fault, loginUrl: string): { text: string } {
  const { what, next } = faultSentence(fault, { snapshotId: undefined, loginUrl });
  return { text: `${what} ${next}` };
}

function tryAgain(question: Question): types.Button {
  return button('Try again', ASK_AGAIN_ACTION, questionValue(question));
}

function message(what: string, next: string, buttons: types.Button[], askedBy: string): Message {
  return {
    text: `${what} ${next}`,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: `*⚠ ${what}*\n${next}`, verbatim: true } },
      ...(buttons.length > 0 ? [actions(buttons)] : []),
      smallPrint(`asked by <@${askedBy}>`),
    ],
  };
}
