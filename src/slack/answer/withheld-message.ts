import type { Asked } from '../../core/lookup.ts';
import { type Message, richText, smallPrint, words } from '../block-kit/blocks.ts';
import { capital, subjectOf } from './words/wording.ts';

/** There is a result, but the one who asked for it lost access during the wait. */
export function withheldMessage(asked: Asked, askedBy: string): Message {
  const sentence = `${capital(subjectOf(asked))} is ready, but can’t be shown here.`;
  const why =
    'Whoever asked for it no longer has access to Snapshot in this conversation. Anyone with access can ask again.';
  return {
    text: `${sentence} ${why}`,
    blocks: [richText([words(sentence, { bold: true })], [words(why)]), smallPrint(`asked by <@${askedBy}>`)],
  };
}
