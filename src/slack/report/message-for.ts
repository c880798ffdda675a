import { relationOf } from '../../core/diagnostics.ts';
import { inOrder, type Lookup } from '../../core/lookup.ts';
import { type Answers, answersOf, type LookupStatus, type Unit } from '../../lookups/lookup-status.ts';
import type { MessageState } from '../blocks/action-values.ts';
import { actions, type Message, smallPrint } from '../blocks/blocks.ts';
import { type Body, drawBody, drawnOnce, finished } from './body.ts';
import { comparisonBody } from './comparison.ts';
import { type Around, askedLine } from './controls.ts';
import { bugMessage, faultMessage } from './notices.ts';
import { reportBody } from './report.ts';
import { searchBody } from './search.ts';
import { severalBody } from './several.ts';
import { TICKET, ticketButton } from './ticket.ts';
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
  switch (status.kind) {
    case 'waiting': {
      const { units } = status;
      if (units === undefined || !editable) return waitingMessage(lookup, status, manner);
      const { text, blocks } = drawBody(severalBody(lookup, units));
      const end = [actions(waitingButtons(lookup, manner)), smallPrint(waitingFooter(lookup))];
      return { text, blocks: [...blocks, ...end] };
    }
    case 'ready': {
      const { threadTs } = lookup.destination;
      const around = { owner: status.owner, channel, isPrivate, threadTs, ticketUrl: operator.ticketUrl };
      return resultMessage(stateOf(lookup, status), status, around);
    }
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
    case 'unanswered': {
      const { text, blocks, buttons } = drawBody(severalBody(lookup, status.units));
      return { text, blocks: [...blocks, actions([...buttons]), smallPrint(askedLine(lookup))] };
    }
    default:
      return status satisfies never;
  }
}

/** What a message of a lookup carries. */
function stateOf(lookup: Lookup, { readAt }: Answers): MessageState {
  const { question, others, before, filter, search, side, askedBy } = lookup;
  return {
    question,
    ...(others && { others }),
    ...(before && { before }),
    ...(filter && { filter }),
    ...(search && { search }),
    ...(side && { side }),
    askedBy,
    madeAt: readAt,
    turn: 0,
  };
}

/** The message that shows these answers: one snapshot or what a search finds in it, a comparison, or several. */
export function resultMessage(asked: MessageState, given: Answers, around: Around): Message {
  const { state, answers } = arrangedIn(asked, given);
  const { units, before } = answers;
  if (units !== undefined) {
    const readAt = Math.min(...units.flatMap((unit) => (unit.kind === 'ready' ? unit.readAt : [])));
    return finished(drawBody(severalBody(state, units)), state, around, readAt);
  }
  if (state.before !== undefined && before !== undefined) {
    const body = comparisonBody({ ...state, before: state.before }, { ...answers, before });
    return finished(drawBody(body), state, around, Math.min(answers.readAt, before.readAt));
  }
  const { ticketUrl } = around;
  const drawn = drawnOnce(state, answers, ticketUrl, () => drawBody(oneBody(state, answers, ticketUrl)));
  return finished(drawn, state, around, answers.readAt);
}

function oneBody(state: MessageState, answers: Answers, ticketUrl: string | undefined): Body {
  const body = state.search === undefined ? reportBody(state, answers) : searchBody(state, answers);
  const hits = body.groups.flatMap(({ rows }) => rows.map(({ hit }) => hit));
  const ticket = ticketButton(ticketUrl, state.question, answers.result, hits, TICKET.inMessage);
  return { ...body, buttons: [...body.buttons, ...ticket] };
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
