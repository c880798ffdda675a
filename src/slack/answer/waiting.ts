import type { types } from '@slack/bolt';
import type { Fault } from '../../core/faults.ts';
import type { Asked, Lookup } from '../../core/lookup.ts';
import type { Waiting } from '../../lookups/lookup-status.ts';
import { viewValue, waitValue } from '../block-kit/action-values.ts';
import {
  actions,
  button,
  type Message,
  richText,
  slackClock,
  smallPrint,
  words,
} from '../block-kit/blocks.ts';
import { inert } from '../block-kit/limits.ts';
import { faultSentence, type Operator } from './fault-sentences.ts';
import { capital, counted, subjectOf } from './wording.ts';

/** Ends the wait, for the one who asked. */
export const CANCEL_ACTION = 'cancel';
/** For whoever uses a message of a lookup that the bot no longer works on, whatever the message says. */
export const HAS_ENDED =
  'This lookup has ended: see that message. If it shows no answer, ask for the snapshot again.';
/** Has whoever presses it mentioned when the wait is over. */
export const TELL_ME_ACTION = 'tell-me-too';

/** `editable`: whether this very message will change, or a new one follow. */
type WaitingView = {
  readonly lookup: Pick<
    Lookup,
    'id' | 'question' | 'others' | 'before' | 'askedBy' | 'acceptedAt' | 'deadline'
  >;
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
  const ending = editable ? 'I’ll update this message' : 'I’ll post the result here';
  return {
    text: [sentence, ...said.map(inert)].join(' '),
    blocks: [
      richText(
        [words(`${editable ? '⌛ ' : ''}${sentence}`, { bold: true })],
        ...said.map((line) => [words(line)]),
      ),
      // A message that can't be replaced stays above the result, so it must not look as if it still waited.
      ...(editable ? [actions(waitingButtons(lookup, isPrivate))] : []),
      smallPrint(waitingFooter(lookup, since, ending).join(' · ')),
    ],
  };
}

/** Below a message that waits, in mrkdwn: for whom, since when, and what happens next. */
export function waitingFooter(
  { askedBy, deadline }: Pick<Lookup, 'askedBy' | 'deadline'>,
  since: number,
  ending: string,
): string[] {
  const times = [`waiting since ${slackClock(since)}`, ending, `I stop checking at ${slackClock(deadline)}`];
  return [`asked by <@${askedBy}>`, ...times];
}

/** What can be done while a message waits. */
export function waitingButtons({ id }: Pick<Lookup, 'id'>, isPrivate: boolean): types.Button[] {
  const value = waitValue(id);
  const cancel = button('Cancel', CANCEL_ACTION, value);
  if (isPrivate) return [cancel];
  return [cancel, button('Tell me too', TELL_ME_ACTION, value, 'Tell me too: mention me when it’s done')];
}

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

/** "Keep waiting" and "Try again" ask the same question anew, in the same message. */
export const ASK_AGAIN_ACTION = 'ask-again';

const MINUTE_MS = 60_000;
const LARGE_OR_FAILED =
  'Large snapshots can take an hour. If it never finishes, the analysis may have failed: upload the snapshot again.';

/**
 * The wait is over without a result. Offers to go on: large analyses take long, and a failed one never ends.
 * `trouble` is why the last request failed, where it did: then nobody knows how far the analysis is.
 */
export function timedOutMessage(
  lookup: Omit<Lookup, 'destination'>,
  operator: Operator,
  { reason, trouble }: { readonly reason: string; readonly trouble?: Fault },
): Message {
  const { askedBy, acceptedAt, deadline } = lookup;
  const waited = counted(Math.max(1, Math.round((deadline - acceptedAt) / MINUTE_MS)), 'minute');
  const sentence = `${notReady(lookup, trouble)} after ${waited}.`;
  const said = reason === '' ? [] : [`The service says: ${reason}`];
  const advice = trouble === undefined ? LARGE_OR_FAILED : inTrouble(trouble, lookup, operator);
  return {
    text: [sentence, ...said.map(inert), advice].join(' '),
    blocks: [
      richText([words(`⚠ ${sentence}`, { bold: true })], ...[...said, advice].map((line) => [words(line)])),
      actions([button('Keep waiting', ASK_AGAIN_ACTION, viewValue(lookup))]),
      smallPrint(`asked by <@${askedBy}>`),
    ],
  };
}

/** The beginning of a sentence: that there is no result, and that the snapshot is not ready where that is known. */
export function notReady(asked: Asked, trouble: Fault | undefined): string {
  const subject = subjectOf(asked);
  return trouble === undefined
    ? `${capital(subject)} is still not ready`
    : `There is still no result for ${subject}`;
}

function inTrouble(trouble: Fault, { question }: Asked, operator: Operator): string {
  const { what } = faultSentence(trouble, { snapshotId: question.snapshotId, operator });
  return `${what} If it keeps happening, ask ${operator.contact}.`;
}

/** For a lookup that the asker has cancelled. */
export function cancelledMessage(asked: Asked, askedBy: string): Message {
  const sentence = `The lookup of ${subjectOf(asked)} was cancelled.`;
  return {
    text: sentence,
    blocks: [
      richText([words(sentence, { bold: true })]),
      actions([button('Look up again', ASK_AGAIN_ACTION, viewValue(asked))]),
      smallPrint(`asked by <@${askedBy}>`),
    ],
  };
}

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
