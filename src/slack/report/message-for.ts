import { relationOf } from '../../core/diagnostics.ts';
import { inOrder, type Lookup } from '../../core/lookup.ts';
import { type Answers, answersOf, type LookupStatus, type Unit } from '../../lookups/lookup-status.ts';
import type { MessageState } from '../blocks/action-values.ts';
import type { Message } from '../blocks/blocks.ts';
import { type Around, oneMessage } from './body.ts';
import { comparisonMessage } from './comparison.ts';
import { bugMessage, faultMessage } from './notices.ts';
import { reportBody } from './report.ts';
import { searchBody } from './search.ts';
import { severalMessage } from './several.ts';
import {
  cancelledMessage,
  type MessageManner,
  timedOutMessage,
  waitingButtons,
  waitingFooter,
  waitingMessage,
  withheldMessage,
} from './waiting.ts';

/** The message that shows the status of a lookup. */
export function messageFor(lookup: Lookup, status: LookupStatus, manner: MessageManner): Message {
  const { operator, editable, isPrivate, channel } = manner;
  const { threadTs } = lookup.destination;
  const owner = status.kind === 'ready' ? status.owner : undefined;
  const around = { owner, channel, isPrivate, threadTs, ticketUrl: operator.ticketUrl };
  switch (status.kind) {
    case 'waiting': {
      const { units } = status;
      if (units === undefined || !editable) return waitingMessage(lookup, status, manner);
      const buttons = waitingButtons(lookup, manner);
      return severalMessage(stateOf(lookup), units, around, { buttons, footer: waitingFooter(lookup) });
    }
    case 'ready':
      return resultMessage(stateOf(lookup, status), status, around);
    case 'timed-out':
      return timedOutMessage(lookup, operator, status);
    case 'cancelled':
      return cancelledMessage(lookup);
    case 'withheld':
      return withheldMessage(lookup);
    case 'failed':
      return faultMessage(status.fault, lookup, operator, status.question);
    case 'broken':
      return bugMessage(status.reference, lookup, operator);
    case 'unanswered':
      return severalMessage(stateOf(lookup), status.units, around);
    default:
      return status satisfies never;
  }
}

/** What a message of a lookup carries. */
function stateOf(lookup: Lookup, answers?: Pick<Answers, 'readAt'>): MessageState {
  const { question, others, before, filter, search, side, askedBy, acceptedAt } = lookup;
  return {
    question,
    ...(others && { others }),
    ...(before && { before }),
    ...(filter && { filter }),
    ...(search && { search }),
    ...(side && { side }),
    askedBy,
    madeAt: answers?.readAt ?? acceptedAt,
    turn: 0,
  };
}

/** The message that shows these answers: one snapshot or what a search finds in it, a comparison, or several. */
export function resultMessage(state: MessageState, answers: Answers, around: Around): Message {
  const arranged = arrangedIn(state, answers);
  const { units } = arranged.answers;
  if (units !== undefined) return severalMessage(arranged.state, units, around);
  if (arranged.state.before !== undefined) return comparisonMessage(arranged.state, arranged.answers, around);
  const bodyOf = arranged.state.search === undefined ? reportBody : searchBody;
  return oneMessage(arranged.state, arranged.answers, around, bodyOf);
}

/**
 * Two snapshots of one device are compared in the order of time, and those of two devices stand side by side, however
 * they were asked for. With a filter, a search or passed checks, which a comparison does not show, nothing is compared.
 */
function arrangedIn(state: MessageState, answers: Answers): { state: MessageState; answers: Answers } {
  const { units } = answers;
  if (units === undefined) return { state, answers };
  if (state.before === undefined) return comparedInTime(state, units) ?? { state, answers };
  const { before, ...rest } = state;
  return { state: { ...rest, question: before, others: [state.question] }, answers };
}

function comparedInTime(state: MessageState, [one, other, ...more]: readonly Unit[]) {
  const { others: _others, filter, search, ...rest } = state;
  if (one?.kind !== 'ready' || other?.kind !== 'ready' || more.length > 0) return undefined;
  if (filter !== undefined || search !== undefined || state.question.set === 'miss') return undefined;
  if (relationOf(one.result.device, other.result.device) !== 'same') return undefined;
  const asked = inOrder(one.question, other.question);
  const answers = answersOf(asked, asked.question === one.question ? [other, one] : [one, other]);
  return answers && { state: { ...rest, ...asked }, answers };
}
