import type { types } from '@slack/bolt';
import { LRUCache } from 'lru-cache';
import { type DiagnosticsResult, relationOf } from '../../core/diagnostics.ts';
import { type Asked, inOrder, isDirect, type Lookup } from '../../core/lookup.ts';
import type { Answers, LookupStatus, Owner } from '../../lookups/lookup-status.ts';
import { ACTION, type MessageState, stateValue } from '../blocks/action-values.ts';
import * as ui from '../blocks/blocks.ts';
import { type Body, type Drawn, drawBody, summaryOf } from './body.ts';
import { reportBody } from './report.ts';
import { searchBody } from './search.ts';
import { comparisonBody, severalBody } from './several.ts';
import { TICKET, ticketButton } from './ticket.ts';
import { endedMessage, type MessageManner, waitingMessage } from './waiting.ts';
import { subjectOf } from './words.ts';

type Manner = Omit<MessageManner, 'editable'>;

/** The message that shows the status of a lookup. */
export function messageFor(lookup: Lookup, status: LookupStatus, manner: MessageManner): ui.Message {
  if (status.kind === 'waiting') return waitingMessage(lookup, status, manner);
  if (status.kind !== 'ready') return endedMessage(lookup, status, manner.operator);
  const { againstLast: _last, ...asked } = lookup;
  const { threadTs } = lookup.destination;
  return resultMessage({ ...asked, madeAt: status.readAt, turn: 0 }, status, { ...manner, threadTs });
}

/** The message with these answers: a report, the result of a search, a comparison, or several snapshots. */
export function resultMessage(asked: MessageState, given: Answers, manner: Manner): ui.Message {
  const { askedBy, madeAt, turn } = asked;
  const { view, answers } = arrangedIn(asked, given);
  const state = { ...view, askedBy, madeAt, turn };
  const { before, readAt } = answers;
  const drawn = drawnOnce(state, answers, manner.operator.ticketUrl);
  const asOf = Math.min(readAt, before?.readAt ?? readAt);
  return finished(drawn, state, { owner: answers.owner, readAt: asOf }, manner);
}

const MOST_VIEWS = 20;
const known = new WeakMap<DiagnosticsResult, LRUCache<string, Drawn>>();

/** Draws the report of one snapshot once for everybody who asks for it; draws all other messages each time. */
function drawnOnce(state: MessageState, answers: Answers, ticketUrl: string | undefined): Drawn {
  const { result, units, before, accepted, lastRead, hasNoLast } = answers;
  const body = () => bodyOf(state, answers);
  if (units !== undefined || before !== undefined) return drawBody(body());
  const draw = ({ buttons, ...rest }: Body) => {
    const ticket = ticketButton(ticketUrl, rest.named, TICKET.inMessage, summaryOf(rest));
    return drawBody({ ...rest, buttons: ui.present(...buttons, ticket) });
  };
  if (state.search !== undefined) return draw(body());
  const views = known.get(result) ?? new LRUCache<string, Drawn>({ max: MOST_VIEWS });
  known.set(result, views);
  const key = JSON.stringify([state.question, state.filter, accepted, lastRead, hasNoLast, ticketUrl]);
  const drawn = views.get(key) ?? draw(body());
  views.set(key, drawn);
  return drawn;
}

function bodyOf(view: Asked, answers: Answers): Body {
  const { units, before } = answers;
  if (units !== undefined) return severalBody(view, units);
  if (before !== undefined) return comparisonBody(view, answers, before);
  return view.search === undefined ? reportBody(view, answers) : searchBody(view, answers);
}

/** What the message with these answers says first, as plain text: the counts, or the verdict. */
export function resultSummary(asked: Asked, given: Answers): string {
  const { view, answers } = arrangedIn(asked, given);
  return summaryOf(bodyOf(view, answers));
}

/** Compares two whole snapshots of one device, the earlier one first. Other and failed snapshots are shown side by side. */
export function arrangedIn(view: Asked, answers: Answers): { view: Asked; answers: Answers } {
  const [one, other, ...more] = answers.units ?? [];
  const { others: _others, before, ...rest } = view;
  if (one && before) return { view: { ...rest, question: before, others: [view.question] }, answers };
  const isPart = view.filter || view.search || view.question.set === 'miss' || more.length > 0;
  if (isPart || one?.kind !== 'ready' || other?.kind !== 'ready') return { view, answers };
  if (relationOf(one.result.device, other.result.device) !== 'same') return { view, answers };
  const asked = inOrder(one.question, other.question);
  const [earlier, later] = asked.question === one.question ? [other, one] : [one, other];
  return { view: { ...rest, ...asked }, answers: { ...later, before: earlier } };
}

const ENTRIES = {
  refresh: 'Refresh',
  compare: 'Compare with…',
  follow: 'Follow…',
  case: 'Text for the case…',
  csv: 'Export as CSV',
};

/** Adds the last buttons and the small print to a message. The block id of the buttons holds the state of the message. */
function finished(
  { text, blocks, buttons, canBeOwned = false, verdict = '' }: Drawn,
  state: MessageState,
  { owner, readAt }: { readonly owner: Owner | undefined; readonly readAt: number },
  { channel, isPrivate, threadTs }: Manner,
): ui.Message {
  const left = state.others ? ['compare', 'follow'] : state.before ? ['compare'] : [];
  const about = (label: string, actionId: string, value?: string) =>
    ui.button(label, actionId, value, subjectOf(state));
  const own = owner === undefined ? about('I’m on it', ACTION.own) : about('Hand over…', ACTION.handOver);
  const options = Object.entries(ENTRIES)
    .filter(([value]) => !left.includes(value))
    .map(([value, label]) => ui.option({ label, value }));
  const row = ui.present<types.ActionsBlockElement>(
    ...buttons,
    canBeOwned && !isPrivate && !isDirect(channel) && own,
    isPrivate && about('Post it here', ACTION.postHere, threadTs),
    { type: 'overflow', action_id: ACTION.menu, options },
  );
  const since = owner && `*Owner:* <@${owner.user}> since ${clockNear(owner.since, readAt)}`;
  const asked = `Asked by ${ui.askerTag(state.askedBy)} · as of ${clockNear(readAt, state.madeAt)}`;
  const print = ui.smallPrint(verdict !== '' && ui.plain(verdict), since, asked);
  return { text, blocks: [...blocks, { ...ui.actions(row), block_id: stateValue(state) }, print] };
}

const HALF_A_DAY_MS = 43_200_000;

/** The time of day, with the date if it is over half a day from `known`. Both are epoch milliseconds. */
function clockNear(at: number, known: number): string {
  return Math.abs(at - known) < HALF_A_DAY_MS ? ui.slackClock(at) : ui.slackTime(at);
}
