import type { Asked } from '../../core/lookup.ts';
import { type Message, richText, smallPrint, words } from '../block-kit/blocks.ts';
import { capital, subjectOf } from './words/wording.ts';

/** There is a result, but the one who asked for it lost access during the wait. */
export function withheldMessage(asked: Asked, askedBy: string): Message {
  const sentence = `${capital(subjectOf(asked))} is ready, but the result is not shown here.`;
  const why =
    'Whoever asked for it may no longer use Snapshot in this conversation. Anyone who may can ask again.';
  return {
    text: `${sentence} ${why}`,
    blocks: [richText([words(sentence, { bold: true })], [words(why)]), smallPrint(`asked by <@${askedBy}>`)],
  };
}
