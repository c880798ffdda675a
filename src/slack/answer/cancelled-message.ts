import type { Asked } from '../../core/lookup.ts';
import { viewValue } from '../block-kit/action-values.ts';
import { actions, button, type Message, richText, smallPrint, words } from '../block-kit/blocks.ts';
import { ASK_AGAIN_ACTION } from './timed-out-message.ts';
import { subjectOf } from './words/wording.ts';

/** For a lookup that the asker has cancelled. */
export function cancelledMessage(asked: Asked, askedBy: string): Message {
  const sentence = `The lookup of ${subjectOf(asked)} was cancelled.`;
  return {
    text: sentence,
    blocks: [
      richText([words(sentence, { bold: true })]),
      actions([button('Look up again', ASK_AGAIN_ACTION, viewValue(asked))]),
      smallPrint(`asked by <@${askedBy}>`),
    ],
  };
}
