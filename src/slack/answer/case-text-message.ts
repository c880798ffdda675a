import type { Asked } from '../../core/lookup.ts';
import { type Message, richText, smallPrint, words } from '../block-kit/blocks.ts';
import { LIMITS, pieces, shorten } from '../block-kit/limits.ts';
import { messageText } from './parts/message-text.ts';
import { capital, subjectOf } from './words/wording.ts';

const LONGEST_LINE = 300;

/**
 * A text for the case that somebody posts in the thread of the result. That person may have edited it, so it is plain
 * text.
 */
export function caseTextMessage(asked: Asked, text: string, postedBy: string): Message {
  const lines = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => shorten(line, LONGEST_LINE));
  const title = `${capital(subjectOf(asked))}: text for the case`;
  return {
    text: messageText([title], lines),
    blocks: [
      ...pieces(text, LIMITS.textElement).map((piece) => richText([words(piece)])),
      smallPrint(`text for the case · posted by <@${postedBy}>`),
    ],
  };
}
