import type { types } from '@slack/bolt';
import type { Fault } from '../../core/faults.ts';
import { type Asked, isDirect, type Lookup } from '../../core/lookup.ts';
import type { Waiting } from '../../lookups/lookup-status.ts';
import { viewValue, waitValue } from '../blocks/action-values.ts';
import {
  actions,
  askerTag,
  button,
  type Message,
  richText,
  slackClock,
  smallPrint,
  words,
} from '../blocks/blocks.ts';
import { inert } from '../blocks/limits.ts';
import { ASK_AGAIN_ACTION, askedLine } from './controls.ts';
import { faultSentence, type Operator } from './faults.ts';
import { capital, counted, subjectOf } from './words.ts';

/** Where a message is shown: whether it can change there later, and whether it is for one person's eyes among others. */
export type MessageManner = {
  readonly operator: Operator;
  readonly editable: boolean;
  readonly isPrivate: boolean;
  readonly channel: string;
};

/** Ends the wait, for the one who asked. */
export const CANCEL_ACTION = 'cancel';

/** A person who presses it is mentioned when the wait is over. */
export const TELL_ME_ACTION = 'tell-me-too';

const IN_PLACE = 'The report will replace this message.';

/** Said at once when a snapshot is not ready: what is awaited, why, for whom, and what happens next. */
export function waitingMessage(lookup: Lookup, status: Waiting, manner: MessageManner): Message {
  const { operator, editable } = manner;
  const { reason, trouble, isProcessing } = status;
  const subject = subjectOf(lookup);
  // Until the service answers 202, it is unknown whether it processes the snapshot.
  const sentence = isProcessing ? `${capital(subject)} is still being processed.` : `Looking up ${subject}…`;
  return withoutResult(sentence, {
    // A message that can't be replaced stays above the result, so it must not look as if it still waited.
    ...(editable && { mark: '⏳', buttons: waitingButtons(lookup, manner) }),
    reason,
    said: trouble ? [`${faultSentence(trouble, operator, lookup).what} I’ll keep trying.`] : [],
    footer: waitingFooter(lookup, editable ? IN_PLACE : 'I’ll post the report here.'),
  });
}

type Rest = {
  readonly mark?: string;
  /** What the service says; or ''. */
  readonly reason?: string;
  readonly said?: readonly string[];
  readonly buttons?: types.Button[];
  readonly footer: string;
};

/** How it stands with a lookup that has no result: in bold, then why, what else is said, and what can be done. */
function withoutResult(sentence: string, rest: Rest): Message {
  const { mark = '', reason = '', said = [], buttons = [], footer } = rest;
  const lines = [...(reason === '' ? [] : [`The service says: ${reason}`]), ...said];
  const begin = mark === '' ? [] : [words(`${mark}\u00a0`)];
  return {
    text: [sentence, ...lines.map(inert)].join(' '),
    blocks: [
      richText([...begin, words(sentence, { bold: true })], ...lines.map((line) => [words(line)])),
      ...(buttons.length === 0 ? [] : [actions(buttons)]),
      smallPrint(footer),
    ],
  };
}

/** Below a message that waits, in mrkdwn: for whom, and what happens next. */
export function waitingFooter({ askedBy, acceptedAt, deadline }: Lookup, ending = IN_PLACE): string {
  const asked = `Asked by ${askerTag(askedBy)} at ${slackClock(acceptedAt)}.`;
  return `${asked} ${ending} I stop checking at ${slackClock(deadline)}.`;
}

/** What can be done while a message waits. In a private message “Tell me too” is left out. */
export function waitingButtons(
  { id }: Lookup,
  { isPrivate, channel }: Pick<MessageManner, 'isPrivate' | 'channel'>,
): types.Button[] {
  const value = waitValue(id);
  const cancel = button('Cancel', CANCEL_ACTION, value);
  if (isPrivate || isDirect(channel)) return [cancel];
  return [cancel, button('Tell me too', TELL_ME_ACTION, value, 'Tell me too: mention me when it’s done')];
}

export function cancelledMessage(lookup: Lookup): Message {
  return withoutResult(`The lookup of ${subjectOf(lookup)} was cancelled.`, {
    buttons: [button('Look up again', ASK_AGAIN_ACTION, viewValue(lookup))],
    footer: askedLine(lookup),
  });
}

/** There is a result, but who asked may no longer see it. */
export function withheldMessage(lookup: Lookup): Message {
  return withoutResult(`${capital(subjectOf(lookup))} is ready, but can’t be shown here.`, {
    said: [LOST_ACCESS],
    footer: askedLine(lookup),
  });
}

const LOST_ACCESS =
  'Who asked for it no longer has access to Snapshot in this conversation. Anyone with access can ask again.';
const MINUTE_MS = 60_000;
const LARGE_OR_FAILED =
  'Large snapshots can take an hour. If it never finishes, the analysis may have failed: upload the snapshot again.';

/** The wait is over without a result. `trouble`: why the last request failed, where it did. */
export function timedOutMessage(
  lookup: Lookup,
  operator: Operator,
  { reason, trouble }: { readonly reason: string; readonly trouble?: Fault },
): Message {
  const { acceptedAt, deadline } = lookup;
  const waited = counted(Math.max(1, Math.round((deadline - acceptedAt) / MINUTE_MS)), 'minute');
  const advice = trouble
    ? `${faultSentence(trouble, operator, lookup).what} If it keeps happening, ask ${operator.contact}.`
    : LARGE_OR_FAILED;
  return withoutResult(`${notReady(lookup, trouble)} after ${waited}.`, {
    mark: '⚠️',
    reason,
    said: [advice],
    buttons: [button('Keep waiting', ASK_AGAIN_ACTION, viewValue(lookup))],
    footer: askedLine(lookup),
  });
}

/** The beginning of a sentence: that there is no result, and that the snapshot is not ready where that is known. */
export function notReady(asked: Asked, trouble: Fault | undefined): string {
  const subject = subjectOf(asked);
  return trouble === undefined
    ? `${capital(subject)} is still not ready`
    : `There is still no result for ${subject}`;
}
