import type { types } from '@slack/bolt';
import type { Fault } from '../../core/faults.ts';
import type { Asked, Lookup } from '../../core/lookup.ts';
import { isDirect } from '../../core/lookup.ts';
import type { Waiting } from '../../lookups/lookup-status.ts';
import { type Answers, answersOf, type LookupStatus, madeOf } from '../../lookups/lookup-status.ts';
import type { ViewState } from '../blocks/action-values.ts';
import { viewValue, waitValue } from '../blocks/action-values.ts';
import { actions, button, type Message, richText, slackClock, smallPrint, words } from '../blocks/blocks.ts';
import { inert } from '../blocks/limits.ts';
import { withAttention } from './around-message.ts';
import { faultSentence, type Operator } from './fault-sentences.ts';
import { ASK_AGAIN_ACTION, bugMessage, faultMessage } from './notices.ts';
import { unitsMessage, viewMessage } from './view-message.ts';
import { capital, counted, subjectOf } from './wording.ts';

/** Where a message is shown: whether it can change there later, and whether it is for one person's eyes among others. */
export type MessageManner = {
  readonly operator: Operator;
  readonly editable: boolean;
  readonly isPrivate: boolean;
  readonly channel: string;
};

/** Ends the wait, for the one who asked. */
export const CANCEL_ACTION = 'cancel';

/** Has whoever presses it mentioned when the wait is over. */
export const TELL_ME_ACTION = 'tell-me-too';

/** The message that shows the status of a lookup; `draw` draws its result. */
export function messageFor(
  lookup: Lookup,
  status: LookupStatus,
  manner: MessageManner,
  draw: (state: ViewState, answers: Answers) => Message = viewMessage,
): Message {
  const { operator, editable, isPrivate, channel } = manner;
  switch (status.kind) {
    case 'waiting':
      if (status.units === undefined || !editable) return waitingMessage(lookup, status, manner);
      return unitsMessage(firstState(lookup, answersOf(lookup, status.units), isPrivate), status.units, {
        footer: waitingFooter(lookup, status.since, IN_PLACE),
        menus: waitingButtons(lookup, manner),
      });
    case 'ready':
      return withAttention(draw(firstState(lookup, status, isPrivate), status), channel);
    case 'timed-out':
      return timedOutMessage(lookup, operator, status);
    case 'cancelled':
      return withoutResult(lookup, `The lookup of ${subjectOf(lookup)} was cancelled.`, {
        buttons: [button('Look up again', ASK_AGAIN_ACTION, viewValue(lookup))],
      });
    case 'withheld':
      return withoutResult(lookup, `${capital(subjectOf(lookup))} is ready, but can’t be shown here.`, {
        said: [LOST_ACCESS],
      });
    case 'failed':
      return faultMessage(status.fault, lookup, operator, status.question);
    case 'broken':
      return bugMessage(status.reference, lookup, operator);
    case 'unanswered':
      return unitsMessage(firstState(lookup, undefined, isPrivate), status.units);
    default:
      return status satisfies never;
  }
}

/** What a message about these answers shows first. */
function firstState(lookup: Lookup, answers: Answers | undefined, isPrivate: boolean): ViewState {
  const { question, others, before, filter, search, side, askedBy, destination } = lookup;
  const { threadTs } = destination;
  return {
    question,
    ...(others && { others }),
    ...(before && { before }),
    ...(filter && { filter }),
    ...(search && { search }),
    ...(side && { side }),
    page: 0,
    askedBy,
    ...madeOf(answers ?? { readAt: 0 }),
    turn: 0,
    ...(isPrivate && threadTs !== undefined && { threadTs }),
  };
}

const IN_PLACE = 'I’ll update this message';

/** Said at once when a snapshot is not ready: what is awaited, why, since when, for whom, and what happens next. */
function waitingMessage(lookup: Lookup, status: Waiting, manner: MessageManner): Message {
  const { operator, editable } = manner;
  const { question } = lookup;
  const { reason, since, trouble, isProcessing } = status;
  const subject = subjectOf(lookup);
  // Before the service has said that it processes a snapshot, nobody knows whether it does.
  const sentence = isProcessing ? `${capital(subject)} is still being processed.` : `Looking up ${subject}…`;
  return withoutResult(lookup, sentence, {
    // A message that can't be replaced stays above the result, so it must not look as if it still waited.
    ...(editable && { mark: '⌛ ', buttons: waitingButtons(lookup, manner) }),
    reason,
    said: trouble ? [`${faultSentence(trouble, operator, { question }).what} I’ll keep trying.`] : [],
    footer: waitingFooter(lookup, since, editable ? IN_PLACE : 'I’ll post the result here'),
  });
}

/** How it stands with a lookup that has no result: in bold, then why, what else is said, and what can be done. */
function withoutResult(
  { askedBy }: Lookup,
  sentence: string,
  more: {
    readonly mark?: string;
    /** What the service says. */
    readonly reason?: string;
    readonly said?: readonly string[];
    readonly buttons?: types.Button[];
    readonly footer?: readonly string[];
  },
): Message {
  const { mark = '', reason = '', said = [], buttons = [], footer = [`asked by <@${askedBy}>`] } = more;
  const why = reason === '' ? [] : [`The service says: ${reason}`];
  return {
    text: [sentence, ...why.map(inert), ...said].join(' '),
    blocks: [
      richText(
        [words(`${mark}${sentence}`, { bold: true })],
        ...[...why, ...said].map((line) => [words(line)]),
      ),
      ...(buttons.length === 0 ? [] : [actions(buttons)]),
      smallPrint(footer.join(' · ')),
    ],
  };
}

/** Below a message that waits, in mrkdwn: for whom, since when, and what happens next. */
function waitingFooter({ askedBy, deadline }: Lookup, since: number, ending: string): string[] {
  const times = [`waiting since ${slackClock(since)}`, ending, `I stop checking at ${slackClock(deadline)}`];
  return [`asked by <@${askedBy}>`, ...times];
}

/** What can be done while a message waits. Where nobody else sees it, nobody else can ask to be told. */
function waitingButtons({ id }: Lookup, { isPrivate, channel }: MessageManner): types.Button[] {
  const value = waitValue(id);
  const cancel = button('Cancel', CANCEL_ACTION, value);
  if (isPrivate || isDirect(channel)) return [cancel];
  return [cancel, button('Tell me too', TELL_ME_ACTION, value, 'Tell me too: mention me when it’s done')];
}

const MINUTE_MS = 60_000;
/** Of the one who asked, during the wait. */
const LOST_ACCESS =
  'Whoever asked for it no longer has access to Snapshot in this conversation. Anyone with access can ask again.';
const LARGE_OR_FAILED =
  'Large snapshots can take an hour. If it never finishes, the analysis may have failed: upload the snapshot again.';

/**
 * The wait is over without a result. Offers to go on: large analyses take long, and a failed one never ends.
 * `trouble` is why the last request failed, where it did: then nobody knows how far the analysis is.
 */
function timedOutMessage(
  lookup: Lookup,
  operator: Operator,
  { reason, trouble }: { readonly reason: string; readonly trouble?: Fault },
): Message {
  const { acceptedAt, deadline, question } = lookup;
  const waited = counted(Math.max(1, Math.round((deadline - acceptedAt) / MINUTE_MS)), 'minute');
  const advice = trouble
    ? `${faultSentence(trouble, operator, { question }).what} If it keeps happening, ask ${operator.contact}.`
    : LARGE_OR_FAILED;
  return withoutResult(lookup, `${notReady(lookup, trouble)} after ${waited}.`, {
    mark: '⚠ ',
    reason,
    said: [advice],
    buttons: [button('Keep waiting', ASK_AGAIN_ACTION, viewValue(lookup))],
  });
}

/** The beginning of a sentence: that there is no result, and that the snapshot is not ready where that is known. */
export function notReady(asked: Asked, trouble: Fault | undefined): string {
  const subject = subjectOf(asked);
  return trouble === undefined
    ? `${capital(subject)} is still not ready`
    : `There is still no result for ${subject}`;
}
