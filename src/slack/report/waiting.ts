import type { types } from '@slack/bolt';
import type { Fault } from '../../core/faults.ts';
import { type Asked, isDirect, type Lookup, type Question } from '../../core/lookup.ts';
import type { Waiting } from '../../lookups/lookup-status.ts';
import { waitValue } from '../blocks/action-values.ts';
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
import { askAgainButton, askedLine } from './controls.ts';
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
    said: trouble ? `${faultSentence(trouble, operator, lookup).what} I’ll keep trying.` : '',
    footer: waitingFooter(lookup, editable ? IN_PLACE : 'I’ll post the report here.'),
  });
}

/** How it stands with a lookup that has no result: in bold, then what the service says, what else is said, and what can be done. */
function withoutResult(
  sentence: string,
  rest: {
    readonly mark?: string;
    readonly reason?: string;
    readonly said?: string;
    readonly buttons?: types.Button[];
    readonly footer: string;
  },
): Message {
  const { mark = '', reason = '', said = '', buttons = [], footer } = rest;
  const lines = [reason && `The service says: ${reason}`, said].filter(Boolean);
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
export function waitingButtons(lookup: Lookup, { isPrivate, channel }: MessageManner): types.Button[] {
  const value = waitValue(lookup.id);
  const cancel = button('Cancel', CANCEL_ACTION, value, `Cancel: ${subjectOf(lookup)}`);
  if (isPrivate || isDirect(channel)) return [cancel];
  return [cancel, button('Tell me too', TELL_ME_ACTION, value, 'Tell me too: mention me when it’s done')];
}

export function cancelledMessage(lookup: Lookup): Message {
  return withoutResult(`The lookup of ${subjectOf(lookup)} was cancelled.`, {
    buttons: [askAgainButton('Look up again', lookup)],
    footer: askedLine(lookup),
  });
}

/** There is a result, but who asked may no longer see it. */
export function withheldMessage(lookup: Lookup): Message {
  return withoutResult(`${capital(subjectOf(lookup))} is ready, but can’t be shown here.`, {
    said: 'Who asked for it no longer has access to Snapshot in this conversation. Anyone with access can ask again.',
    footer: askedLine(lookup),
  });
}

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
  return withoutResult(`${notReady(lookup, trouble)} after ${waited}.`, {
    mark: '⚠️',
    reason,
    said: trouble
      ? `${faultSentence(trouble, operator, lookup).what} If it keeps happening, ask ${operator.contact}.`
      : LARGE_OR_FAILED,
    buttons: [askAgainButton('Keep waiting', lookup)],
    footer: askedLine(lookup),
  });
}

/** The beginning of a sentence: that there is no result, and that the snapshot is not ready where that is known. */
export function notReady(asked: Asked, trouble: Fault | undefined): string {
  const subject = subjectOf(asked);
  return trouble ? `There is still no result for ${subject}` : `${capital(subject)} is still not ready`;
}

/** A lookup that ended with a fault: what happened, what to do next, and "Try again". `question`: of a comparison's two, its own. */
export function faultMessage(fault: Fault, lookup: Lookup, operator: Operator, question: Question): Message {
  const { what, next } = faultSentence(fault, operator, { question });
  return endedMessage(what, next, lookup);
}

/** A bug: the user gets the reference under which the log has the rest. */
export function bugMessage(reference: string, lookup: Lookup, { contact }: Operator): Message {
  const what = `A bug in the bot ended the lookup of ${subjectOf(lookup)}.`;
  return endedMessage(what, `Ask ${contact} to look for the reference ${reference} in the log.`, lookup);
}

function endedMessage(what: string, next: string, lookup: Lookup): Message {
  const subject = capital(subjectOf(lookup));
  // A channel can hold several questions: a fault of the service has to say which one it ended.
  const isNamed = what.toLowerCase().includes(subject.toLowerCase());
  return {
    text: `${isNamed ? '' : `${subject}: `}${what} ${next}`,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: `⚠️\u00a0*${what}*\n${next}`, verbatim: true } },
      actions([askAgainButton('Try again', lookup)]),
      smallPrint(`${isNamed ? '' : `${subject} · `}${askedLine(lookup)}`),
    ],
  };
}
