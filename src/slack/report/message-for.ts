import { type DiagnosticsResult, relationOf } from '../../core/diagnostics.ts';
import { inOrder, type Lookup } from '../../core/lookup.ts';
import { Remembered } from '../../core/remembered.ts';
import { type Answers, answersOf, type LookupStatus } from '../../lookups/lookup-status.ts';
import type { MessageState } from '../blocks/action-values.ts';
import { type Message, present } from '../blocks/blocks.ts';
import { type Drawn, drawBody } from './body.ts';
import { type Around, finished } from './controls.ts';
import { TICKET, ticketButton } from './details.ts';
import { reportBody } from './report.ts';
import { searchBody } from './search.ts';
import { comparisonBody, severalBody } from './several.ts';
import { endedMessage, type MessageManner, waitingMessage } from './waiting.ts';

/** The message that shows the status of a lookup. */
export function messageFor(lookup: Lookup, status: LookupStatus, manner: MessageManner): Message {
  if (status.kind === 'waiting') return waitingMessage(lookup, status, manner);
  if (status.kind !== 'ready') return endedMessage(lookup, status, manner.operator);
  const { operator, isPrivate, channel } = manner;
  const { againstLast: _last, ...asked } = lookup;
  const { threadTs } = lookup.destination;
  const around = { owner: status.owner, channel, isPrivate, threadTs, ticketUrl: operator.ticketUrl };
  return resultMessage({ ...asked, madeAt: status.readAt, turn: 0 }, status, around);
}

/** The message that shows these answers: one snapshot or what a search finds in it, a comparison, or several. */
export function resultMessage(asked: MessageState, given: Answers, around: Around): Message {
  const { state, answers } = arrangedIn(asked, given);
  const { units, before, readAt } = answers;
  if (units !== undefined) return finished(drawBody(severalBody(state, units)), state, around, readAt);
  if (state.before !== undefined && before !== undefined) {
    const body = comparisonBody({ ...state, before: state.before }, { ...answers, before });
    return finished(drawBody(body), state, around, Math.min(readAt, before.readAt));
  }
  return finished(drawnOnce(state, answers, around.ticketUrl), state, around, readAt);
}

const MOST_VIEWS = 20;
const drawn = new WeakMap<DiagnosticsResult, Remembered<Drawn>>();

/** A result is drawn once for all who ask the same about it. A search is drawn each time: its matches are the asker's own. */
function drawnOnce(state: MessageState, answers: Answers, ticketUrl: string | undefined): Drawn {
  if (state.search !== undefined) return drawOne(state, answers, ticketUrl);
  const { result, accepted, lastRead, hasNoLast } = answers;
  const views = drawn.get(result) ?? new Remembered<Drawn>(MOST_VIEWS);
  drawn.set(result, views);
  const key = JSON.stringify([state.question, state.filter, accepted, lastRead, hasNoLast, ticketUrl]);
  const known = views.get(key) ?? drawOne(state, answers, ticketUrl);
  views.set(key, known, 0);
  return known;
}

function drawOne(state: MessageState, answers: Answers, ticketUrl: string | undefined): Drawn {
  const body = state.search === undefined ? reportBody(state, answers) : searchBody(state, answers);
  const rows = body.sections.flatMap((section) => section.rows);
  const ticket = ticketButton(ticketUrl, rows, TICKET.inMessage);
  return drawBody({ ...body, buttons: present(...body.buttons, ticket) });
}

/** Two whole snapshots of one device are compared in the order of time; those of two devices, or parts, stand side by side. */
function arrangedIn(state: MessageState, answers: Answers): { state: MessageState; answers: Answers } {
  const [one, other, ...more] = answers.units ?? [];
  const { others: _others, before, ...rest } = state;
  if (one && before) return { state: { ...rest, question: before, others: [state.question] }, answers };
  const isPart = state.filter || state.search || state.question.set === 'miss' || more.length > 0;
  if (isPart || one?.kind !== 'ready' || other?.kind !== 'ready') return { state, answers };
  if (relationOf(one.result.device, other.result.device) !== 'same') return { state, answers };
  const asked = inOrder(one.question, other.question);
  const both = answersOf(asked, asked.question === one.question ? [other, one] : [one, other]);
  return both === undefined ? { state, answers } : { state: { ...rest, ...asked }, answers: both };
}
