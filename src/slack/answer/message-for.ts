import type { Lookup } from '../../core/lookup.ts';
import { isDirect } from '../../core/lookup.ts';
import { type Answers, answersOf, type LookupStatus, madeOf } from '../../lookups/lookup-status.ts';
import type { ViewState } from '../block-kit/action-values.ts';
import type { Message } from '../block-kit/blocks.ts';
import { withAttention } from './around-message.ts';
import type { Operator } from './fault-sentences.ts';
import { bugMessage, faultMessage } from './notices.ts';
import { unitsMessage, viewMessage } from './view-message.ts';
import {
  cancelledMessage,
  timedOutMessage,
  waitingButtons,
  waitingFooter,
  waitingMessage,
  withheldMessage,
} from './waiting.ts';

/** Where a message is shown: whether it can change there later, and whether it is for one person's eyes among others. */
export type MessageManner = {
  readonly operator: Operator;
  readonly editable: boolean;
  readonly isPrivate: boolean;
  readonly channel: string;
};

/** The message that shows the status of a lookup. */
export function messageFor(
  lookup: Lookup,
  status: LookupStatus,
  { operator, editable, isPrivate, channel }: MessageManner,
): Message {
  const { askedBy } = lookup;
  switch (status.kind) {
    case 'waiting':
      if (status.units !== undefined && editable)
        return unitsMessage(firstState(lookup, answersOf(lookup, status.units), isPrivate), status.units, {
          footer: waitingFooter(lookup, status.since, 'I’ll update this message'),
          menus: waitingButtons(lookup, isPrivate || isDirect(channel)),
        });
      return waitingMessage({
        lookup,
        status,
        editable,
        isPrivate: isPrivate || isDirect(channel),
        operator,
      });
    case 'ready':
      return withAttention(viewMessage(firstState(lookup, status, isPrivate), status), channel, {
        watchers: lookup.watch === undefined ? [] : [askedBy],
      });
    case 'timed-out':
      return timedOutMessage(lookup, operator, status);
    case 'cancelled':
      return cancelledMessage(lookup, askedBy);
    case 'withheld':
      return withheldMessage(lookup, askedBy);
    case 'failed':
      return faultMessage(status.fault, { asked: lookup, question: status.question, askedBy, operator });
    case 'broken':
      return bugMessage(status.reference, { asked: lookup, askedBy, operator });
    case 'unanswered':
      return unitsMessage(firstState(lookup, undefined, isPrivate), status.units);
    default:
      return status satisfies never;
  }
}

/** What a message about these answers shows first. */
function firstState(lookup: Lookup, answers: Answers | undefined, isPrivate: boolean): ViewState {
  const { question, others, before, filter, search, side, askedBy, destination } = lookup;
  const threadTs = isPrivate ? destination.threadTs : undefined;
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
    ...(threadTs !== undefined && { threadTs }),
  };
}
