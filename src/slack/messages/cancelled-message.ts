import type { Asked } from '../../core/lookup.ts';
import { actions, button, type Message, richText, smallPrint, words } from '../blocks.ts';
import { viewValue } from '../button-values.ts';
import { ASK_AGAIN_ACTION } from './timed-out-message.ts';
import { subjectOf } from './wording.ts';

/** The one who asked does not want to wait any longer. */
export function cancelledMessage(asked: Asked, askedBy: string): Message {
  const sentence = `Stopped waiting for ${subjectOf(asked)}.`;
  return {
    text: sentence,
    blocks: [
      richText([words(sentence, { bold: true })]),
      actions([button('Wait again', ASK_AGAIN_ACTION, viewValue(asked))]),
      smallPrint(`asked by <@${askedBy}>`),
    ],
  };
}
