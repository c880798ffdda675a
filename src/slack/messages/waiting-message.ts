import type { Lookup } from '../../core/lookup.ts';
import type { Waiting } from '../../lookups/news.ts';
import { actions, button, type Message, richText, smallPrint, words } from '../blocks.ts';
import { cancelValue } from '../button-values.ts';
import { inert } from '../inert-text.ts';
import { faultSentence } from './fault-sentences.ts';
import { slackClock } from './slack-time.ts';

/** Ends the wait, for the one who asked. */
export const CANCEL_ACTION = 'cancel';

/** `editable`: whether this very message will change, or a new one follow. `since` is epoch milliseconds. */
export type WaitingView = {
  readonly lookup: Pick<Lookup<unknown>, 'id' | 'question' | 'askedBy' | 'deadline'>;
  readonly news: Waiting;
  readonly editable: boolean;
  readonly loginUrl: string;
};

/** Said at once when a snapshot is not ready: what is awaited, why, since when, for whom, and what happens next. */
export function waitingMessage({ lookup, news, editable, loginUrl }: WaitingView): Message {
  const { snapshotId } = lookup.question;
  const { since, reason, trouble, isProcessing } = news;
  const state = isProcessing ? 'is still being processed' : 'could not be read yet';
  const sentence = `Snapshot ${snapshotId} ${state}.`;
  const because = reason === '' ? '' : `The service says: ${reason}`;
  const stumbling =
    trouble === undefined
      ? ''
      : `${faultSentence(trouble, { snapshotId, loginUrl }).what} The bot keeps asking.`;
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
