import { isDirect } from '../../core/destination.ts';
import type { Lookup } from '../../core/lookup.ts';
import {
  type Answers,
  answersOf,
  type LookupStatus,
  madeOf,
  type Unit,
} from '../../lookups/lookup-status.ts';
import type { ViewState } from '../block-kit/action-values.ts';
import type { Message } from '../block-kit/blocks.ts';
import { comparisonMessage } from './comparison-message.ts';
import { bugMessage, faultMessage } from './fault-message.ts';
import type { Operator } from './operator.ts';
import { withAttention } from './owners-line.ts';
import { resultMessage } from './result-message.ts';
import { modelOf } from './result-model.ts';
import { searchMessage } from './search-message.ts';
import { severalMessage } from './several-message.ts';
import { comparedInTime } from './several-model.ts';
import type { Since } from './since.ts';
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
        return severalStatus(lookup, status.units, isPrivate, {
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
      return severalStatus(lookup, status.units, isPrivate);
    default:
      return status satisfies never;
  }
}

/** What is known of several snapshots, of which some may have no result. */
function severalStatus(
  lookup: Lookup,
  units: readonly Unit[],
  isPrivate: boolean,
  waiting?: Parameters<typeof severalMessage>[0]['waiting'],
): Message {
  const answers = answersOf(lookup, units);
  const state = firstState(lookup, answers ?? { readAt: 0 }, isPrivate);
  return severalMessage({ state, units, model: answers && modelOf(state, answers), waiting });
}

function firstState(
  lookup: Lookup,
  answers: Pick<Answers, 'readAt' | 'before' | 'units'>,
  isPrivate: boolean,
): ViewState {
  const { question, filter, search, side, askedBy, destination } = lookup;
  const threadTs = isPrivate ? destination.threadTs : undefined;
  return {
    question,
    ...(lookup.others && { others: lookup.others }),
    ...(lookup.before === undefined ? {} : { before: lookup.before }),
    ...(filter === undefined ? {} : { filter }),
    ...(search === undefined ? {} : { search }),
    ...(side === undefined ? {} : { side }),
    page: 0,
    askedBy,
    ...madeOf(answers),
    turn: 0,
    ...(threadTs === undefined ? {} : { threadTs }),
  };
}

/** The message that shows this of these answers, a result or a comparison. */
export function viewMessage(state: ViewState, answers: Answers, since: readonly Since[] = []): Message {
  const inTime = comparedInTime(state, answers);
  if (inTime !== undefined) return viewMessage(inTime.state, inTime.answers, since);
  const model = modelOf(state, answers);
  const { comparison } = model;
  if (answers.units !== undefined) return severalMessage({ state, units: answers.units, model, since });
  if (model.answers.found !== undefined) return searchMessage({ model, state });
  return comparison === undefined
    ? resultMessage({ model, state, since: since[0] })
    : comparisonMessage({ model: { ...model, comparison }, state, since });
}
