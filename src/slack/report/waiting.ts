import type { types } from '@slack/bolt';
import { isDirect, type Lookup } from '../../core/lookup.ts';
import type { LookupStatus, Unit, Waiting } from '../../lookups/lookup-status.ts';
import { ACTION } from '../blocks/action-values.ts';
import * as ui from '../blocks/blocks.ts';
import { inert } from '../blocks/limits.ts';
import { drawBody } from './body.ts';
import { faultSentence, type Operator } from './faults.ts';
import { askAgainButton, severalBody } from './several.ts';
import { capital, counted, listed, subjectOf } from './words.ts';

/** How a message is shown: whether the bot can edit it, and whether only one person sees it. */
export type MessageManner = {
  readonly operator: Operator;
  readonly editable: boolean;
  readonly isPrivate: boolean;
  readonly channel: string;
  readonly threadTs?: string | undefined;
};

const IN_PLACE = 'The report will replace this message.';

/** The message shown while a snapshot has no result yet: why, who asked, and what happens next. */
export function waitingMessage(lookup: Lookup, status: Waiting, manner: MessageManner): ui.Message {
  const { operator, editable } = manner;
  const { reason, trouble, isProcessing, units } = status;
  if (units !== undefined && editable) return severalMessage(lookup, units, manner);
  const subject = subjectOf(lookup);
  // Before the service answers 202, it is unknown whether the snapshot is being processed.
  const sentence = isProcessing ? `${capital(subject)} is still being processed.` : `Looking up ${subject}…`;
  return withoutResult(sentence, {
    // A message that can't be replaced remains above the result, so it must not look unfinished.
    ...(editable && { mark: '⏳', buttons: waitingButtons(lookup, manner) }),
    reason,
    also: trouble ? `${faultSentence(trouble, operator, lookup).what} I’ll keep trying.` : '',
    footer: waitingFooter(lookup, editable ? IN_PLACE : 'I’ll post the report here.'),
  });
}

/** The message about several snapshots while some have no result yet. The buttons are those of a waiting message. */
function severalMessage(lookup: Lookup, units: readonly Unit[], manner: MessageManner): ui.Message {
  const { text, blocks, verdict = '' } = drawBody(severalBody(lookup, units, true));
  const open = units.flatMap(({ kind, question }) => (kind === 'open' ? question.snapshotId : []));
  const ending = `${listed(open)} will be added when ${open.length === 1 ? 'it is' : 'they are'} ready.`;
  const print = ui.smallPrint(verdict !== '' && ui.plain(verdict), waitingFooter(lookup, ending));
  return { text, blocks: [...blocks, ui.actions(waitingButtons(lookup, manner)), print] };
}

/** A message without a result: the state in bold, the service's reason, a further line, and buttons. */
function withoutResult(
  sentence: string,
  { mark = '', reason = '', also = '', buttons = [] as types.Button[], footer = '' },
): ui.Message {
  const lines = ui.present(reason && `The service says: ${reason}`, also);
  const first = ui.present(mark && ui.words(`${mark}\u00a0`), ui.bold(sentence));
  const said = ui.richText(first, ...lines.map((line) => [ui.words(line)]));
  return {
    text: [sentence, ...lines.map(inert)].join(' '),
    blocks: [said, ...ui.buttonRow(...buttons), ui.smallPrint(footer)],
  };
}

function waitingFooter({ askedBy, acceptedAt, deadline }: Lookup, ending = IN_PLACE): string {
  const asked = `Asked by ${ui.askerTag(askedBy)} at ${ui.slackClock(acceptedAt)}.`;
  return `${asked} ${ending} I stop checking at ${ui.slackClock(deadline)}.`;
}

/** The buttons of a waiting message; “Tell me too” only if other people see the message. */
function waitingButtons(lookup: Lookup, { isPrivate, channel }: MessageManner): types.Button[] {
  const cancel = ui.button('Cancel', ACTION.cancel, lookup.id, subjectOf(lookup));
  if (isPrivate || isDirect(channel)) return [cancel];
  return [cancel, ui.button('Tell me too', ACTION.tellMe, lookup.id, 'mention me when it’s done')];
}

const LARGE_OR_FAILED =
  'Large snapshots can take an hour. If it never finishes, the analysis may have failed: upload the snapshot again.';
const LOST_ACCESS =
  'Who asked for it no longer has access to Snapshot in this conversation. Anyone with access can ask again.';

type Ended = Exclude<LookupStatus, { kind: 'waiting' | 'ready' }>;

/** The message of a lookup that ended without a result: what happened, and what to do next. */
export function endedMessage(lookup: Lookup, status: Ended, operator: Operator): ui.Message {
  const { contact } = operator;
  const end = endOf(lookup, status);
  const footer = askedLine(lookup);
  const again = (label: string) => [askAgainButton(label, lookup)];
  switch (status.kind) {
    case 'cancelled':
      return withoutResult(end, { buttons: again('Look up again'), footer });
    case 'withheld':
      return withoutResult(end, { also: LOST_ACCESS, footer });
    case 'timed-out': {
      const { reason, trouble } = status;
      const what = trouble && faultSentence(trouble, operator, lookup).what;
      const also = what ? `${what} If it keeps happening, ask ${contact}.` : LARGE_OR_FAILED;
      return withoutResult(end, { mark: '⚠️', reason, also, buttons: again('Keep waiting'), footer });
    }
    case 'unanswered': {
      const { text, blocks, buttons } = drawBody(severalBody(lookup, status.units));
      return { text, blocks: [...blocks, ...ui.buttonRow(...buttons), ui.smallPrint(footer)] };
    }
    case 'broken': {
      const next = `Ask ${contact} to look for the reference ${status.reference} in the log.`;
      return faultMessage({ what: end, next }, lookup);
    }
    case 'failed':
      // `question` is the snapshot that failed, even in a comparison.
      return faultMessage(faultSentence(status.fault, operator, { question: status.question }), lookup);
  }
}

const MINUTE_MS = 60_000;

/** One sentence that says how a lookup ended without a result. */
export function endOf(lookup: Lookup, status: Ended): string {
  const subject = subjectOf(lookup);
  if (status.kind === 'cancelled') return `The lookup of ${subject} was cancelled.`;
  if (status.kind === 'withheld') return `${capital(subject)} is ready, but can’t be shown here.`;
  if (status.kind === 'broken') return `A bug in the bot ended the lookup of ${subject}.`;
  if (status.kind !== 'timed-out') return `${capital(subject)} could not be read.`;
  const minutes = Math.max(1, Math.round((lookup.deadline - lookup.acceptedAt) / MINUTE_MS));
  const still = status.trouble
    ? `There is still no result for ${subject}`
    : `${capital(subject)} is still not ready`;
  return `${still} after ${counted(minutes, 'minute')}.`;
}

function askedLine({ askedBy, acceptedAt }: Lookup): string {
  return `Asked by ${ui.askerTag(askedBy)} · ${ui.slackClock(acceptedAt)}`;
}

function faultMessage({ what, next }: ReturnType<typeof faultSentence>, lookup: Lookup): ui.Message {
  const subject = capital(subjectOf(lookup));
  // A channel can contain several lookups, so the message must name the one that failed.
  const isNamed = what.toLowerCase().includes(subject.toLowerCase());
  return {
    text: `${isNamed ? '' : `${subject}: `}${what} ${next}`,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: `⚠️\u00a0*${what}*\n${next}`, verbatim: true } },
      ui.actions([askAgainButton('Try again', lookup)]),
      ui.smallPrint(`${isNamed ? '' : `${subject} · `}${askedLine(lookup)}`),
    ],
  };
}
