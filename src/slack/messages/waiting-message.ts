import type { Lookup } from '../../core/lookup.ts';
import type { Waiting } from '../../lookups/news.ts';
import { actions, button, type Message, richText, smallPrint, words } from '../blocks.ts';
import { cancelValue } from '../button-values.ts';
import { inert } from '../inert-text.ts';
import { faultSentence } from './fault-sentences.ts';
import { slackClock } from './slack-time.ts';
import { capital, subjectOf } from './wording.ts';

/** Ends the wait, for the one who asked. */
export const CANCEL_ACTION = 'cancel';
/** Has whoever presses it mentioned when the wait is over. */
export const TELL_ME_ACTION = 'tell-me-too';

/** `editable`: whether this very message will change, or a new one follow. `since` is epoch milliseconds. */
export type WaitingView = {
  readonly lookup: Pick<Lookup<unknown>, 'id' | 'question' | 'before' | 'askedBy' | 'deadline'>;
  readonly news: Waiting;
  readonly editable: boolean;
  readonly loginUrl: string;
};

/** Said at once when a snapshot is not ready: what is awaited, why, since when, for whom, and what happens next. */
export function waitingMessage({ lookup, news, editable, loginUrl }: WaitingView): Message {
  const { snapshotId } = lookup.question;
  const { since, reason, trouble, isProcessing } = news;
  const state = isProcessing ? 'is still being processed' : 'could not be read yet';
  const sentence = `${capital(subjectOf(lookup))} ${state}.`;
  const because = reason === '' ? '' : `The service says: ${reason}`;
  const stumbling =
    trouble === undefined
      ? ''
      : `${faultSentence(trouble, { snapshotId, loginUrl }).what} The bot keeps asking.`;
  const said = [because, stumbling].filter((line) => line !== '');
  const value = cancelValue({ lookupId: lookup.id, askedBy: lookup.askedBy });
  const ending = editable ? 'the result will replace this message' : 'the result will follow';
  return {
    text: [sentence, ...said.map(inert)].join(' '),
    blocks: [
      richText([words(`⏳ ${sentence}`, { bold: true })], ...said.map((line) => [words(line)])),
      actions([
        button('Cancel', CANCEL_ACTION, value),
        // Of a message that only one person sees nobody else can be told.
        ...(editable ? [button('Tell me too', TELL_ME_ACTION, value, 'Mention me too when it is over')] : []),
      ]),
      smallPrint(
        `asked by <@${lookup.askedBy}> · waiting since ${slackClock(since)} · ` +
          `${ending}, by ${slackClock(lookup.deadline)} at the latest`,
      ),
    ],
  };
}
