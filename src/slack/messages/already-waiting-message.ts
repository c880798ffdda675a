import type { Question } from '../../core/lookup.ts';
import { type Message, smallPrint } from '../blocks.ts';

/** For who asks again for what is already being waited for here. `permalink` is Slack's own address of that message. */
export function alreadyWaitingMessage({ snapshotId }: Question, permalink: string | undefined): Message {
  const sentence = `Snapshot ${snapshotId} is already being waited for here.`;
  const where =
    permalink === undefined
      ? 'The message above will show the result.'
      : `<${permalink}|That message> will show the result.`;
  return { text: `${sentence} ${where}`, blocks: [smallPrint(`${sentence} ${where}`)] };
}
