import type { Asked } from '../../core/lookup.ts';
import { type Message, smallPrint } from '../block-kit/blocks.ts';
import { capital, subjectOf } from './words/wording.ts';

/** For who asks again for what is already in progress. `permalink` is Slack's own address of that message. */
export function alreadyWaitingMessage(asked: Asked, permalink: string | undefined): Message {
  const lookup = asked.before === undefined ? `the lookup of ${subjectOf(asked)}` : subjectOf(asked);
  const sentence = `${capital(lookup)} is already in progress.`;
  const where =
    permalink === undefined
      ? 'The message above will show the result.'
      : `<${permalink}|That message> will show the result.`;
  return { text: `${sentence} ${where}`, blocks: [smallPrint(`${sentence} ${where}`)] };
}
