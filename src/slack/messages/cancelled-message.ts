import type { Question } from '../../core/lookup.ts';
import { actions, button, type Message, richText, smallPrint, words } from '../blocks.ts';
import { questionValue } from '../button-values.ts';
import { ASK_AGAIN_ACTION } from './timed-out-message.ts';

/** The one who asked does not want to wait any longer. */
export function cancelledMessage(question: Question, askedBy: string): Message {
  const sentence = `Stopped waiting for snapshot ${question.snapshotId}.`;
  return {
    text: sentence,
    blocks: [
      richText([words(sentence, { bold: true })]),
      actions([button('Wait again', ASK_AGAIN_ACTION, questionValue(question))]),
      smallPrint(`asked by <@${askedBy}>`),
    ],
  };
}
