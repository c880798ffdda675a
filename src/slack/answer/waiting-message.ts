import type { types } from '@slack/bolt';
import type { Lookup } from '../../core/lookup.ts';
import type { Waiting } from '../../lookups/lookup-status.ts';
import { cancelValue } from '../block-kit/action-values.ts';
import { actions, button, type Message, richText, smallPrint, words } from '../block-kit/blocks.ts';
import { inert } from '../block-kit/inert-text.ts';
import { slackClock } from '../block-kit/slack-time.ts';
import { faultSentence } from './words/fault-sentences.ts';
import type { Operator } from './words/operator.ts';
import { capital, subjectOf } from './words/wording.ts';

/** Ends the wait, for the one who asked. */
export const CANCEL_ACTION = 'cancel';
/** For whoever uses a message of a lookup that the bot no longer works on, whatever the message says. */
export const HAS_ENDED =
  'This lookup has ended: see that message. If it shows no answer, ask for the snapshot again.';
/** Has whoever presses it mentioned when the wait is over. */
export const TELL_ME_ACTION = 'tell-me-too';

/** `editable`: whether this very message will change, or a new one follow. */
type WaitingView = {
  readonly lookup: Pick<Lookup, 'id' | 'question' | 'before' | 'askedBy' | 'acceptedAt' | 'deadline'>;
  readonly status: Waiting;
  readonly editable: boolean;
  /** Nobody else sees it, so nobody else can ask to be told. */
  readonly isPrivate: boolean;
  readonly operator: Operator;
};

/** Said at once when a snapshot is not ready: what is awaited, why, since when, for whom, and what happens next. */
export function waitingMessage({ lookup, status, editable, isPrivate, operator }: WaitingView): Message {
  const { snapshotId } = lookup.question;
  const { reason, trouble, isProcessing } = status;
  // Others may have waited for it before: for this person the wait is as long as a time-out will say.
  const since = Math.max(status.since, lookup.acceptedAt);
  const subject = subjectOf(lookup);
  // Before the service has said that it processes a snapshot, nobody knows whether it does.
  const sentence = isProcessing ? `${capital(subject)} is still being processed.` : `Looking up ${subject}…`;
  const because = reason === '' ? '' : `The service says: ${reason}`;
  const stumbling =
    trouble === undefined ? '' : `${faultSentence(trouble, { snapshotId, operator }).what} I’ll keep trying.`;
  const said = [because, stumbling].filter((line) => line !== '');
  const value = cancelValue({ lookupId: lookup.id, askedBy: lookup.askedBy });
  const ending = editable ? 'I’ll update this message' : 'I’ll post the result here';
  return {
    text: [sentence, ...said.map(inert)].join(' '),
    blocks: [
      richText(
        [words(`${editable ? '⌛ ' : ''}${sentence}`, { bold: true })],
        ...said.map((line) => [words(line)]),
      ),
      // A message that can't be replaced stays above the result, so it must not look as if it still waited.
      ...(editable ? [waitingActions(value, isPrivate)] : []),
      smallPrint(
        `asked by <@${lookup.askedBy}> · waiting since ${slackClock(since)} · ` +
          `${ending} · I stop checking at ${slackClock(lookup.deadline)}`,
      ),
    ],
  };
}

function waitingActions(value: string, isPrivate: boolean): types.ActionsBlock {
  const cancel = button('Cancel', CANCEL_ACTION, value);
  if (isPrivate) return actions([cancel]);
  return actions([cancel, button('Tell me too', TELL_ME_ACTION, value, 'Mention me too when it’s done')]);
}
