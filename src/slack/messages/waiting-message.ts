import type { Fault } from '../../core/faults.ts';
import type { Lookup } from '../../core/lookup.ts';
import { actions, button, type Message, richText, smallPrint, words } from '../blocks.ts';
import { cancelValue } from '../button-values.ts';
import { inert } from '../inert-text.ts';
import { slackClock } from './slack-time.ts';

/** Ends the wait, for the one who asked. */
export const CANCEL_ACTION = 'cancel';

/** `editable`: whether this very message will change, or a new one follow. `since` is epoch milliseconds. */
export type WaitingView = {
  readonly lookup: Pick<Lookup<unknown>, 'id' | 'question' | 'askedBy' | 'deadline'>;
  readonly since: number;
  readonly reason: string;
  readonly trouble: Fault | undefined;
  readonly editable: boolean;
};

/** Said at once when a snapshot is not ready: what is awaited, why, since when, for whom, and what happens next. */
export function waitingMessage({ lookup, since, reason, trouble, editable }: WaitingView): Message {
  const sentence = `Snapshot ${lookup.question.snapshotId} is still being processed.`;
  const because = reason === '' ? '' : `The service says: ${reason}`;
  const stumbling =
    trouble === undefined ? '' : 'The service is not answering properly right now. The bot keeps asking.';
  const said = [because, stumbling].filter((line) => line !== '');
  const ending = editable ? 'the result will replace this message' : 'the result will follow';
  return {
    text: [sentence, ...said.map(inert)].join(' '),
    blocks: [
      richText([words(`⏳ ${sentence}`, { bold: true })], ...said.map((line) => [words(line)])),
      actions([
        button('Cancel', CANCEL_ACTION, cancelValue({ lookupId: lookup.id, askedBy: lookup.askedBy })),
      ]),
      smallPrint(
        `asked by <@${lookup.askedBy}> · waiting since ${slackClock(since)} · ` +
          `${ending}, by ${slackClock(lookup.deadline)} at the latest`,
      ),
    ],
  };
}
