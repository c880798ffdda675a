import type { Asked } from '../../core/lookup.ts';
import { type Message, smallPrint } from '../blocks.ts';
import { capital, subjectOf } from './wording.ts';

/** For who asks again for what is already being waited for here. `permalink` is Slack's own address of that message. */
export function alreadyWaitingMessage(asked: Asked, permalink: string | undefined): Message {
  const sentence = `${capital(subjectOf(asked))} is already being waited for here.`;
  const where =
    permalink === undefined
      ? 'The message above will show the result.'
      : `<${permalink}|That message> will show the result.`;
  return { text: `${sentence} ${where}`, blocks: [smallPrint(`${sentence} ${where}`)] };
}
